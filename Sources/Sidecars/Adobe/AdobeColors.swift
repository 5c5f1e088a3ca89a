import ColorScience
import FilterGraph
import Filters
import FrameCore

// Tone curves and the tools for colours by hue and tone.
extension AdobeImport.Draft {
  /// Curves of points in 0…255. Adobe's are splines, and ours never turn back between points.
  mutating func curves() throws -> [any Filter] {
    var curve = PointCurve()
    curve.rgb = try points("ToneCurvePV2012") ?? curve.rgb
    curve.red = try points("ToneCurvePV2012Red") ?? curve.red
    curve.green = try points("ToneCurvePV2012Green") ?? curve.green
    curve.blue = try points("ToneCurvePV2012Blue") ?? curve.blue
    return curve == PointCurve() ? [] : [curve]
  }

  /// Returns the points of a curve; nil if it is straight, or is one that `PointCurve` has not.
  private mutating func points(_ name: String) throws -> [SIMD2<Double>]? {
    guard !AdobeNeutral.isNeutral(name, in: settings), case .list(let items)? = settings.values[name] else {
      return nil
    }
    let points = try items.map { item -> SIMD2<Double> in
      let numbers = item.split(separator: ",").map { part in
        AdobeSettings.number(String(part.filter { $0 != " " }))
      }
      guard numbers.count == 2, let x = numbers[0], let y = numbers[1], (0...255).contains(x),
        (0...255).contains(y)
      else {
        throw SafelightError(
          .corruptData, "\(settings.file): crs:\(name) has the point “\(item.prefix(60))”",
          remedy: "a point is two numbers in 0…255")
      }
      return (SIMD2(x, y) / 255 * 10_000).rounded(.toNearestOrEven) / 10_000
    }
    let pairs = zip(points, points.dropFirst())
    guard (2...16).contains(points.count) else {
      leave(name, "curves have 2…16 points here")
      return nil
    }
    guard pairs.allSatisfy({ $1.x - $0.x >= PointCurve.leastStep && $1.y >= $0.y }) else {
      leave(name, "curves rise from left to right here")
      return nil
    }
    use(name)
    note(name)
    return points
  }

  /// What acts on colours by their saturation, hue and tone.
  mutating func colors() throws -> [any Filter] {
    if let mix = try blackAndWhite() { return try mix + grading() }
    var filters: [any Filter] = []
    if let amount = try number("Saturation", in: -100...100) {
      // Without colour, scales do not matter.
      if amount != -100 { note("Saturation") }
      filters.append(Saturation(Float(amount)))
    }
    let vibrance = try amount("Vibrance")
    if vibrance != 0 { filters.append(Vibrance(vibrance)) }
    return try filters + hueBands() + grading()
  }

  /// Each band's own sliders, by their names; bands' middles and borders are other ones.
  private mutating func hueBands() throws -> [any Filter] {
    var filter = HSL()
    for band in HueBand.allCases {
      filter.bands[band] = HSL.Band(
        hue: try amount("HueAdjustment" + band.adobeName),
        saturation: try amount("SaturationAdjustment" + band.adobeName),
        lightness: try amount("LuminanceAdjustment" + band.adobeName))
    }
    return filter == HSL() ? [] : [filter]
  }

  /// The mix of greys; nil for a picture in colour. What acts on colours has no effect there.
  private mutating func blackAndWhite() throws -> [any Filter]? {
    use("ConvertToGrayscale")
    guard settings.flag("ConvertToGrayscale") else { return nil }
    note("ConvertToGrayscale")
    for name in ["Saturation", "Vibrance"] { use(name) }
    var mix = BlackAndWhite(100)
    for band in HueBand.allCases {
      mix.bands[band] = try amount("GrayMixer" + band.adobeName)
      for kind in ["Hue", "Saturation", "Luminance"] { use("\(kind)Adjustment\(band.adobeName)") }
    }
    return [mix]
  }

  /// Split toning and its successor, colour grading, which goes on using its names.
  private mutating func grading() throws -> [any Filter] {
    var grading = Grading()
    grading.shadows = try wheel("SplitToningShadow", saturation: "Saturation", light: "ColorGradeShadowLum")
    grading.mids = try wheel("ColorGradeMidtone", saturation: "Sat", light: "ColorGradeMidtoneLum")
    grading.highlights = try wheel(
      "SplitToningHighlight", saturation: "Saturation", light: "ColorGradeHighlightLum")
    grading.global = try wheel("ColorGradeGlobal", saturation: "Sat", light: "ColorGradeGlobalLum")
    guard grading != Grading() else { return [] }
    grading.blending = Float(try settings.number("ColorGradeBlending", in: 0...100) ?? 50)
    grading.balance = Float(try settings.number("SplitToningBalance", in: -100...100) ?? 0)
    return [grading]
  }

  /// Hues are those of HSV there, and reported with their saturations.
  private mutating func wheel(_ name: String, saturation: String, light: String) throws -> Grading.Wheel {
    var wheel = Grading.Wheel(luminance: try amount(light))
    guard let amount = try number(name + saturation, in: 0...100) else { return wheel }
    note(name + saturation)
    wheel.saturation = Float(amount)
    wheel.hue = Self.hue(fromHSV: try settings.number(name + "Hue", in: 0...360) ?? 0)
    return wheel
  }

  /// Returns the hue in OKLCH, to a degree, of sRGB's purest colour with a hue of HSV.
  static func hue(fromHSV hue: Double) -> Float {
    func channel(_ offset: Double) -> Double {
      let place = (offset + hue / 60).truncatingRemainder(dividingBy: 6)
      return 1 - max(0, min(place, 4 - place, 1))
    }
    let rgb = SIMD3(channel(5), channel(3), channel(1))
    let light = SIMD3(rgb.x, rgb.y, rgb.z).map(TransferFunction.sRGB.decode)
    let lch = OKLab.lch(fromLab: OKLab.fromXYZ(ColorSpace.sRGB.toXYZ * light))
    return Float(lch.z.rounded())
  }
}

extension HueBand {
  /// `Red`, as at the end of the names of settings.
  fileprivate var adobeName: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

extension SIMD3<Double> {
  fileprivate func map(_ function: (Double) -> Double) -> SIMD3 {
    SIMD3(function(x), function(y), function(z))
  }
}
