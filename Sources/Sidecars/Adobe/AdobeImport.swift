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
/// | ConvertToGrayscale, GrayMixerRed … | black and white | the same numbers on our own bands |
/// | Saturation | saturation | identical at -100 and 0; otherwise on OKLab's chroma scale |
/// | Contrast2012 | contrast | the same number on Safelight's own curve: Adobe's is not published |
/// | ToneCurvePV2012, ToneCurvePV2012Red … | curve | the same points: see `curves` |
/// | Vibrance | vibrance | the same number on OKLab's chroma scale |
/// | HueAdjustmentRed …, SaturationAdjustmentRed …, LuminanceAdjustmentRed … | HSL | the same numbers on our own bands |
/// | SplitToningShadowHue …, ColorGradeMidtoneHue … | grading | the same numbers; hues by their colours |
/// | Highlights2012, Shadows2012, Whites2012, Blacks2012 | tone | the same number; other surroundings |
/// | Clarity2012, Texture, Dehaze | clarity, texture, dehaze | the same numbers on Safelight's own scales |
/// | PostCropVignetteAmount …, GrainAmount … | vignette, grain | the same numbers on Safelight's own scales |
/// | Sharpness …, LuminanceSmoothing …, ColorNoiseReduction … | sharpen, noise reduction | the same numbers; other algorithms |
/// | IncrementalTemperature, IncrementalTint | white balance | see `relativeTemperature`: no scale is published |
///
/// | RedHue, RedSaturation …, ShadowTint | channel mixer, grading | see `Draft.calibration` |
/// | ParametricDarks … | curve | see `Draft.regions` |
/// | MaskGroupBasedCorrections … | groups under masks | see `Draft.groups` |
///
/// A Temperature in kelvins is meaningless without the camera's own, "As Shot", from which white balance starts
/// here. It is used if that is given; see `shiftedTemperature`. All other settings that would change the picture
/// are listed as ignored.
public struct AdobeImport: Sendable {
  /// The camera's white balance, as Adobe's programs show it.
  public struct AsShotWhiteBalance: Sendable, Hashable {
    /// The colour temperature, 2000…50000 K.
    public var kelvin: Double
    /// Green to magenta, -150…150.
    public var tint: Double

    public init(kelvin: Double, tint: Double = 0) { (self.kelvin, self.tint) = (kelvin, tint) }
  }

  public let recipe: Recipe
  /// What became of each setting that would change the picture.
  public let report: ImportedSettings

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
    let crop = try AdobeCrop(settings, size: size, orientation: orientation, isOwn: isOwn).filters
    if settings.flag("HasCrop") {
      for name in ["CropTop", "CropLeft", "CropBottom", "CropRight", "CropAngle"]
      where settings.values[name] != nil { draft.noteExact(name) }
    }
    let shown = (isOwn ? settings.orientation : nil) ?? orientation
    let filters = try draft.filters(asShot: asShot) + draft.groups(Frame(size: size, orientation: shown))
    recipe = Recipe(filters: crop + filters)
    report = draft.finished()
  }

  /// A look of settings that belong to no photo: without a crop.
  ///
  /// - Throws: `SafelightError` if a setting is out of range.
  init(look settings: AdobeSettings) throws {
    var draft = Draft(settings)
    let filters = try draft.filters(asShot: nil) + draft.groups(nil)
    recipe = Recipe(filters: filters)
    var report = draft.finished()
    if settings.flag("HasCrop") {
      report.ignored.append(
        ImportedSettings.Setting(name: "HasCrop", value: "True", reason: "a look has no crop"))
    }
    self.report = report
  }
}

extension AdobeImport.Draft {
  /// All that is not geometry, in the order of a recipe.
  fileprivate mutating func filters(asShot: AdobeImport.AsShotWhiteBalance?) throws -> [any Filter] {
    var filters = try noiseReduction() + whiteBalance(asShot: asShot)
    if let stops = try exactly("Exposure2012", in: -5...5) { filters.append(Exposure(stops: Float(stops))) }
    let dehaze = try amount("Dehaze")
    if dehaze != 0 { filters.append(Dehaze(dehaze)) }
    let texture = try amount("Texture")
    if texture != 0 { filters.append(Texture(texture)) }
    let clarity = try amount("Clarity2012")
    if clarity != 0 { filters.append(Clarity(clarity)) }
    filters += try vignette() + grain()
    let tone = try Tone(
      highlights: amount("Highlights2012"), shadows: amount("Shadows2012"), whites: amount("Whites2012"),
      blacks: amount("Blacks2012"))
    if tone != Tone() { filters.append(tone) }
    let contrast = try amount("Contrast2012")
    if contrast != 0 { filters.append(Contrast(contrast)) }
    filters += try legacyTones()
    filters += try curves()
    filters += try calibration()
    filters += try colors()
    return try filters + sharpening()
  }
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
}
