import ColorScience
import FilterGraph
import Filters
import FrameCore
import Libc

/// The closest equivalent of a style of Capture One, and what became of each setting.
///
/// | setting | filter | |
/// |---|---|---|
/// | Exposure | exposure | the same stops |
/// | Contrast, Brightness | contrast, levels | -50…50 there; brightness is a gamma of 2^(value / 50) |
/// | Saturation, Clarity, ClarityStructure, Dehaze | the same names, texture | the same numbers |
/// | HighlightRecovery, HighlightRecoveryEx, ShadowRecovery | tone | the same numbers |
/// | GradationCurve, GradationCurveY, …Red, …Green, …Blue | curve, luminance curve, curves of channels | the same points |
/// | Shadow, Highlight, TargetShadow, TargetHighlight | levels | of all channels together |
/// | ColorBalanceShadow, …Midtone, …Highlight | grading | what grey becomes |
/// | BwEnabled, BwRed …, BwDarkHue … | black and white, grading | the same numbers on our own bands |
/// | FilmGrainAmount, FilmGrainGranularity | grain | the same numbers |
/// | VignettingAmount | vignette | the same stops in the corners |
/// | UsmAmount, UsmRadius | sharpen | a quarter of the amount |
///
/// Nothing of their scales is published, so all but exposure is approximate.
struct CaptureOneImport {
  private(set) var recipe = Recipe()
  private(set) var report = ImportedSettings()
  private let style: CaptureOneStyle
  private var used: Set<String> = []
  private var reasons: [String: String] = [:]

  /// - Throws: `SafelightError` that names a setting that is out of range.
  init(_ style: CaptureOneStyle) throws {
    self.style = style
    var filters: [any Filter] = []
    if let stops = try number("Exposure", -4...4) {
      note("Exposure", exactly: true)
      filters.append(Exposure(stops: Float(Self.rounded(stops))))
    }
    filters += try light() + tones() + curves()
    filters += try colors()
    recipe = Recipe(filters: filters)
    finish()
  }

  // MARK: Taking settings

  /// Returns a number; nil if it is 0 or missing.
  private mutating func number(_ name: String, _ range: ClosedRange<Double>) throws -> Double? {
    used.insert(name)
    guard let number = try style.number(name, in: range), number != 0 else { return nil }
    return number
  }

  /// Returns a number in a range that is used with Safelight's own curve; 0 if there is none.
  private mutating func amount(_ name: String, _ range: ClosedRange<Double> = -100...100) throws -> Float {
    guard let number = try number(name, range) else { return 0 }
    note(name)
    return Float(Self.rounded(number))
  }

  private static func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }

  // MARK: Saying what became of them

  private mutating func note(_ name: String, exactly: Bool = false, _ reason: String? = nil) {
    used.insert(name)
    if exactly {
      report.exact.append(setting(name, nil))
    } else {
      report.approximate.append(setting(name, reason))
    }
  }

  private func setting(_ name: String, _ reason: String?) -> ImportedSettings.Setting {
    ImportedSettings.Setting(
      name: String(name.prefix(ImportedSettings.longestValue)),
      value: String((style.values[name] ?? "").prefix(ImportedSettings.longestValue)), reason: reason)
  }

  private mutating func finish() {
    for (name, value) in style.values.sorted(by: { $0.key < $1.key }) where !used.contains(name) {
      guard !CaptureOneNeutral.isNeutral(name, value) else { continue }
      report.ignored.append(setting(name, reasons[name] ?? CaptureOneNeutral.reason(name)))
    }
    guard style.hasLayers else { return }
    report.ignored.append(
      ImportedSettings.Setting(name: "LDS", value: "", reason: "layers are not read; use masks here"))
  }

  // MARK: Light, detail and effects

  private mutating func light() throws -> [any Filter] {
    var filters: [any Filter] = []
    let (dehaze, structure, clarity) = (
      try amount("Dehaze"), try amount("ClarityStructure"), try amount("Clarity")
    )
    if dehaze != 0 { filters.append(Dehaze(dehaze)) }
    if structure != 0 { filters.append(Texture(structure)) }
    if clarity != 0 { filters.append(Clarity(clarity)) }
    let vignette = try amount("VignettingAmount", -4...4)
    if vignette != 0 { filters.append(Vignette(amount: 25 * vignette)) }
    let grain = try amount("FilmGrainAmount", 0...100)
    if grain != 0 {
      var filter = Grain(grain)
      if let size = try number("FilmGrainGranularity", 0...100) {
        note("FilmGrainGranularity")
        filter.size = Float(Self.rounded(size))
      }
      filters.append(filter)
    } else {
      for name in style.values.keys where name.hasPrefix("FilmGrain") { used.insert(name) }
    }
    let sharpening = try amount("UsmAmount", 0...1000)
    guard sharpening != 0 else {
      for name in style.values.keys where name.hasPrefix("Usm") { used.insert(name) }
      return filters
    }
    var filter = Sharpen(min(sharpening / 4, 150))
    if let radius = try number("UsmRadius", 0...2.5), radius != 1 {
      note("UsmRadius")
      filter.radius = Float(Self.rounded(min(max(radius, 0.5), 3)))
    }
    return filters + [filter]
  }

  // MARK: Tones

  private mutating func tones() throws -> [any Filter] {
    var filters: [any Filter] = []
    var tone = Tone()
    tone.shadows = try amount("ShadowRecovery")
    let (old, new) = (try amount("HighlightRecovery"), try amount("HighlightRecoveryEx"))
    tone.highlights = min(max(-(old + new), -100), 100)
    if tone != Tone() { filters.append(tone) }
    let contrast = try amount("Contrast", -50...50)
    if contrast != 0 { filters.append(Contrast(2 * contrast)) }
    var levels = Levels()
    let brightness = try amount("Brightness", -50...50)
    if brightness != 0 { levels.gamma = Float(Self.rounded(exp2(Double(brightness) / 50))) }
    levels.black = try level("Shadow", neutral: 0) ?? levels.black
    levels.white = try level("Highlight", neutral: 1) ?? levels.white
    levels.outputBlack = try level("TargetShadow", neutral: 0) ?? levels.outputBlack
    levels.outputWhite = try level("TargetHighlight", neutral: 1) ?? levels.outputWhite
    guard levels.white - levels.black >= 2, levels.outputWhite >= levels.outputBlack else {
      throw SafelightError(
        .corruptData, "\(style.file): Shadow and Highlight leave no tones between them",
        remedy: "save the style again")
    }
    return levels == Levels() ? filters : filters + [levels]
  }

  /// Returns the level of all channels, in percent: the last of four numbers. The other three are those of a channel
  /// each, which levels do not have here.
  private mutating func level(_ name: String, neutral: Double) throws -> Float? {
    guard let numbers = try style.numbers(name, count: 4) else { return nil }
    used.insert(name)
    let own = numbers[..<3].allSatisfy { $0 == neutral }
    guard numbers[3] != neutral else {
      if !own { report.ignored.append(setting(name, "levels of single channels are not known here")) }
      return nil
    }
    guard (0...1).contains(numbers[3]) else {
      throw SafelightError(
        .corruptData, "\(style.file): \(name) is “\(NearestName.shortened(style.values[name] ?? ""))”",
        remedy: "its numbers are in 0…1")
    }
    note(name, own ? nil : "without those of single channels")
    return Float(Self.rounded(100 * numbers[3]))
  }

  private mutating func curves() throws -> [any Filter] {
    var filter = PointCurve()
    filter.rgb = try points("GradationCurve") ?? filter.rgb
    filter.luminance = try points("GradationCurveY") ?? filter.luminance
    filter.red = try points("GradationCurveRed") ?? filter.red
    filter.green = try points("GradationCurveGreen") ?? filter.green
    filter.blue = try points("GradationCurveBlue") ?? filter.blue
    return filter == PointCurve() ? [] : [filter]
  }

  private mutating func points(_ name: String) throws -> [SIMD2<Double>]? {
    guard let points = try style.points(name), points != PointCurve.straight else {
      used.insert(name)
      return nil
    }
    do {
      let fitted = try CurvePoints.fitted(points)
      note(name, fitted.count < points.count ? "\(fitted.count) of its \(points.count) points" : nil)
      return fitted
    } catch let misfit as CurvePoints.Misfit {
      reasons[name] = misfit.reason
      return nil
    }
  }

  // MARK: Colours

  private mutating func colors() throws -> [any Filter] {
    let isGrey = style.values["BwEnabled"] == "1"
    var filters: [any Filter] = []
    var grading = Grading()
    for (name, region) in [
      ("ColorBalanceShadow", Grading.Region.shadows), ("ColorBalanceMidtone", .mids),
      ("ColorBalanceHighlight", .highlights),
    ] {
      guard let gains = try style.numbers(name, count: 3) else { continue }
      used.insert(name)
      guard gains.contains(where: { abs($0 - 1) > 0.0005 }), gains.allSatisfy({ $0 > 0 }) else { continue }
      note(name, "as a wheel of grading")
      // Factors of encoded samples; of light, those of sRGB's mean exponent.
      let light = SIMD3(pow(gains[0], 2.2), pow(gains[1], 2.2), pow(gains[2], 2.2))
      grading[region] = Grading.Wheel(turningGreyInto: ColorSpace.sRGB.toXYZ * light)
    }
    if isGrey {
      filters.append(try blackAndWhite(&grading))
    } else {
      let saturation = try amount("Saturation")
      if saturation != 0 { filters.append(Saturation(saturation)) }
      // Black and white that is off.
      for name in style.values.keys where name.hasPrefix("Bw") { used.insert(name) }
    }
    return grading == Grading() ? filters : filters + [grading]
  }

  private mutating func blackAndWhite(_ grading: inout Grading) throws -> BlackAndWhite {
    note("BwEnabled")
    used.insert("Saturation")
    var mix = BlackAndWhite(100)
    for (name, band) in [
      ("Red", HueBand.red), ("Yellow", .yellow), ("Green", .green), ("Cyan", .aqua), ("Blue", .blue),
      ("Magenta", .magenta),
    ] {
      mix.bands[band] = try amount("Bw" + name)
    }
    for (name, region) in [("Dark", Grading.Region.shadows), ("Light", .highlights)] {
      used.insert("Bw\(name)Hue")
      let saturation = try amount("Bw\(name)Saturation", 0...100)
      guard saturation != 0, grading[region] == Grading.Wheel() else { continue }
      note("Bw\(name)Hue")
      grading[region].saturation = saturation
      grading[region].hue = AdobeImport.Draft.hue(
        fromHSV: try style.number("Bw\(name)Hue", in: 0...360) ?? 0)
    }
    return mix
  }
}
