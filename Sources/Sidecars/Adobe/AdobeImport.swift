import FilterGraph
import Filters
import FrameCore

/// The closest equivalent of develop settings from Adobe's programs, and what could not be carried over.
///
/// | setting | filter | |
/// |---|---|---|
/// | Exposure2012 | exposure | the same stops |
/// | CropAngle, CropLeft … | straighten, crop | the same pixels: see `AdobeCrop` |
/// | tiff:Orientation of an `.xmp` file | rotate, flip | if it differs from the photo's |
/// | ConvertToGrayscale | saturation -100 | lightness is kept; the grey mixer is not used |
/// | Saturation | saturation | identical at -100 and 0; otherwise on OKLab's chroma scale |
/// | Contrast2012 | contrast | the same number on Safelight's own curve: Adobe's is not published |
/// | Highlights2012, Shadows2012, Whites2012, Blacks2012 | tone | the same number; other surroundings |
/// | Clarity2012, Texture, Dehaze | clarity, texture, dehaze | the same numbers on Safelight's own scales |
/// | PostCropVignetteAmount …, GrainAmount … | vignette, grain | the same numbers on Safelight's own scales |
/// | Sharpness …, LuminanceSmoothing …, ColorNoiseReduction … | sharpen, noise reduction | the same numbers; other algorithms |
/// | IncrementalTemperature, IncrementalTint | white balance | see `relativeTemperature`: no scale is published |
///
/// A Temperature in kelvins is meaningless without the camera's own, "As Shot", from which white balance starts
/// here. It is used if that is given; see `shiftedTemperature`. All other settings that would change the picture
/// are listed as unused.
public struct AdobeImport: Sendable {
  /// A setting as written in the file.
  public struct Setting: Sendable, Hashable, Codable {
    public var name: String
    public var value: String
    /// Why it is unused or differs; nil if there is simply no equivalent.
    public var reason: String?

    /// `Vibrance +20`
    public var text: String { value.isEmpty ? name : "\(name) \(value)" }
  }

  /// The camera's white balance, as Adobe's programs show it.
  public struct AsShotWhiteBalance: Sendable, Hashable {
    /// The colour temperature, 2000…50000 K.
    public var kelvin: Double
    /// Green to magenta, -150…150.
    public var tint: Double

    public init(kelvin: Double, tint: Double = 0) { (self.kelvin, self.tint) = (kelvin, tint) }
  }

  public let recipe: Recipe
  /// Settings that are used with Safelight's own curves.
  public let approximated: [Setting]
  /// Settings that would change the picture but are not used.
  public let unused: [Setting]

  /// - Parameters:
  ///   - size: the size of the photo to be edited, as stored, in pixels.
  ///   - orientation: the orientation recorded in the photo itself.
  ///   - isOwn: whether the settings were made for this very photo. Only then is it rotated as they say, and
  ///     settings already applied to its pixels are refused.
  ///   - asShot: the camera's white balance, which settings files do not contain.
  /// - Throws: `SafelightError` if a setting is out of range.
  public init(
    _ settings: AdobeSettings, size: PixelSize, orientation: Orientation, isOwn: Bool,
    asShot: AsShotWhiteBalance? = nil
  ) throws {
    if isOwn, settings.areApplied {
      throw SafelightError(
        .invalidValue, "The settings in \(settings.file) are already applied to its pixels",
        remedy: "import them from the original, or name the photo to apply them to")
    }
    var draft = Draft(settings)
    var filters = try AdobeCrop(settings, size: size, orientation: orientation, isOwn: isOwn).filters
    filters += try draft.noiseReduction()
    filters += try draft.whiteBalance(asShot: asShot)
    if let stops = try draft.number("Exposure2012", in: -5...5) {
      filters.append(Exposure(stops: Float(stops)))
    }
    let dehaze = try draft.amount("Dehaze")
    if dehaze != 0 { filters.append(Dehaze(dehaze)) }
    let texture = try draft.amount("Texture")
    if texture != 0 { filters.append(Texture(texture)) }
    let clarity = try draft.amount("Clarity2012")
    if clarity != 0 { filters.append(Clarity(clarity)) }
    filters += try draft.vignette()
    filters += try draft.grain()
    let tone = try Tone(
      highlights: draft.amount("Highlights2012"), shadows: draft.amount("Shadows2012"),
      whites: draft.amount("Whites2012"), blacks: draft.amount("Blacks2012"))
    if tone.parameters.contains(where: { $0 != 0 }) { filters.append(tone) }
    let contrast = try draft.amount("Contrast2012")
    if contrast != 0 { filters.append(Contrast(contrast)) }
    filters += try draft.saturation()
    filters += try draft.sharpening()
    recipe = Recipe(filters: filters)
    approximated = draft.approximated
    unused = draft.unused().map { setting in
      guard setting.name == "Temperature", asShot != nil else { return setting }
      var setting = setting
      setting.reason = "further from the camera's own than white balance reaches here"
      return setting
    }
  }
}

extension Tone {
  fileprivate var parameters: [Float] { [highlights, shadows, whites, blacks] }
}

extension AdobeImport {
  /// Returns the temperature in kelvins for a position of Adobe's slider for rendered photos.
  ///
  ///     10⁶ / T = 10⁶ / 6500 - position · (10⁶ / 6500 - 10⁶ / 10000) / 100
  ///
  /// Equal steps of the slider are equal steps of reciprocal temperature, which look equally large (Judd,
  /// "Sensibility to color-temperature change as a function of temperature", JOSA 23, 1933); +100 is the warm end
  /// of Safelight's scale.
  ///
  /// - Parameter position: -100 (4815 K, blue) … 100 (10000 K, yellow).
  static func relativeTemperature(_ position: Double) -> Double {
    let neutral = 1e6 / 6500
    return 1e6 / (neutral - position / 100 * (neutral - 100))
  }

  /// Returns the temperature in kelvins that has the effect, starting from 6500 K, of `kelvin` starting from
  /// `asShot`.
  ///
  ///     10⁶ / T = 10⁶ / 6500 + 10⁶ / kelvin - 10⁶ / asShot
  ///
  /// A given difference in mireds looks the same anywhere on the scale, as with filters in front of a lens.
  static func shiftedTemperature(_ kelvin: Double, asShot: Double) -> Double {
    1e6 / (1e6 / 6500 + 1e6 / kelvin - 1e6 / asShot)
  }

  /// Consumes settings one by one; those left over are unused.
  private struct Draft {
    let settings: AdobeSettings
    var approximated: [Setting] = []
    private var used: Set<String> = []

    init(_ settings: AdobeSettings) { self.settings = settings }

    /// Returns the value of a setting that is used as it is; nil if it is neutral.
    mutating func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
      used.insert(name)
      guard let number = try settings.number(name, in: range), number != 0 else { return nil }
      return number
    }

    /// Returns a value in -100…100 that is used with Safelight's own curve.
    mutating func amount(_ name: String) throws -> Float {
      guard let number = try number(name, in: -100...100) else { return 0 }
      note(name)
      return Float(number)
    }

    private mutating func note(_ name: String) {
      approximated.append(Setting(name: name, value: settings.text(name) ?? ""))
    }

    mutating func whiteBalance(asShot: AsShotWhiteBalance?) throws -> [any Filter] {
      if let asShot, let filter = try absoluteWhiteBalance(asShot) {
        return filter.temperature == 6500 && filter.tint == 0 ? [] : [filter]
      }
      let temperature = try amount("IncrementalTemperature")
      let tint = try amount("IncrementalTint")
      guard temperature != 0 || tint != 0 else { return [] }
      let kelvin = relativeTemperature(Double(temperature))
      return [WhiteBalance(temperature: Float((kelvin / 10).rounded() * 10), tint: tint)]
    }

    /// Returns nil if the photo is as shot, or if the shift exceeds the filter's range; it then remains unused.
    private mutating func absoluteWhiteBalance(_ asShot: AsShotWhiteBalance) throws -> WhiteBalance? {
      guard !AdobeNeutral.isNeutral("Temperature", in: settings),
        let kelvin = try settings.number("Temperature", in: 2000...50_000)
      else { return nil }
      let shifted = AdobeImport.shiftedTemperature(kelvin, asShot: asShot.kelvin)
      let tint = try (settings.number("Tint", in: -150...150) ?? 0) - asShot.tint
      guard WhiteBalance.temperatures.contains(shifted), (-100...100).contains(tint) else { return nil }
      used.formUnion(["Temperature", "Tint"])
      note("Temperature")
      if tint != 0 { note("Tint") }
      return WhiteBalance(temperature: Float((shifted / 10).rounded() * 10), tint: Float(tint))
    }

    /// As for a vignette, the details are reported with their amounts.
    mutating func noiseReduction() throws -> [any Filter] {
      let (luminance, color) = (try amount("LuminanceSmoothing"), try amount("ColorNoiseReduction"))
      guard luminance > 0 || color > 0 else { return [] }
      func detail(_ name: String) throws -> Float { Float(try settings.number(name, in: 0...100) ?? 50) }
      return [
        NoiseReduction(
          luminance: max(luminance, 0), luminanceDetail: try detail("LuminanceNoiseReductionDetail"),
          color: max(color, 0), colorDetail: try detail("ColorNoiseReductionDetail"))
      ]
    }

    /// The names that shape a vignette are reported with its amount.
    mutating func vignette() throws -> [any Filter] {
      let amount = try amount("PostCropVignetteAmount")
      guard amount != 0 else { return [] }
      func detail(_ name: String, _ range: ClosedRange<Double>, _ usual: Double) throws -> Float {
        Float(try settings.number("PostCropVignette" + name, in: range) ?? usual)
      }
      return [
        Vignette(
          amount: amount, midpoint: try detail("Midpoint", 0...100, 50),
          feather: try detail("Feather", 0...100, 50), roundness: try detail("Roundness", -100...100, 0))
      ]
    }

    /// The names that shape grain are reported with its amount. Roughness is called frequency there.
    mutating func grain() throws -> [any Filter] {
      guard let amount = try number("GrainAmount", in: 0...100) else { return [] }
      note("GrainAmount")
      return [
        Grain(
          Float(amount), size: Float(try settings.number("GrainSize", in: 0...100) ?? 25),
          roughness: Float(try settings.number("GrainFrequency", in: 0...100) ?? 50))
      ]
    }

    /// The names that shape sharpening are reported with its amount.
    mutating func sharpening() throws -> [any Filter] {
      guard let amount = try number("Sharpness", in: 0...150) else { return [] }
      note("Sharpness")
      func detail(_ name: String, _ range: ClosedRange<Double>, _ usual: Double) throws -> Float {
        Float(try settings.number("Sharpen" + name, in: range) ?? usual)
      }
      return [
        Sharpen(
          Float(amount), radius: try detail("Radius", 0.5...3, 1), detail: try detail("Detail", 0...100, 25),
          masking: try detail("EdgeMasking", 0...100, 0))
      ]
    }

    mutating func saturation() throws -> [any Filter] {
      used.insert("ConvertToGrayscale")
      var amount = try number("Saturation", in: -100...100) ?? 0
      if settings.flag("ConvertToGrayscale") {
        note("ConvertToGrayscale")
        amount = -100
      } else if amount != 0, amount != -100 {
        note("Saturation")
      }
      return amount == 0 ? [] : [Saturation(Float(amount))]
    }

    /// Returns the remaining settings that would change the picture, by name.
    func unused() -> [Setting] {
      settings.values.keys.sorted().compactMap { name in
        guard !used.contains(name), !AdobeNeutral.isNeutral(name, in: settings) else { return nil }
        let value: String =
          switch settings.values[name] {
          case .text(let text)?: String(text.prefix(60))
          case .structure(let fields)?: String((fields["Name"] ?? "").prefix(60))
          default: ""
          }
        return Setting(name: name, value: value, reason: AdobeNeutral.reason(name))
      }
    }
  }
}
