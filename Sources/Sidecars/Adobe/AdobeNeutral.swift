/// Distinguishes settings of Adobe's programs that leave the picture unchanged from those that change it.
///
/// Sources: the names in Adobe's "Camera Raw namespace", in exiftool's list of XMP crs tags, and in files written
/// by Lightroom and Camera Raw. A setting not listed here counts as a change unless it is 0, false or empty.
enum AdobeNeutral {
  /// Settings that describe the file or another setting, not the picture.
  private static let bookkeeping: Set<String> = [
    "AlreadyApplied", "AutoGrayscaleWeights", "CameraProfileDigest", "CompatibleVersion", "CropAngle",
    "CropBottom", "CropConstrainAspectRatio", "CropConstrainToUnitSquare", "CropConstrainToWarp",
    "CropHeight", "CropLeft", "CropRight", "CropTop", "CropUnit", "CropUnits", "CropWidth", "DefaultAutoGray",
    "DefaultAutoTone", "DefaultsSpecificToISO", "DefaultsSpecificToSerial", "Description",
    "DNGIgnoreSidecars", "HasCrop", "HasSettings", "LensProfileSetup", "LinkRawJPEG", "NegativeCachePath",
    "NegativeCacheMaximumSize", "OverrideLookVignette", "RawFileName", "ShowInPresets",
    "ShowInQuickActions", "ToneCurveName", "ToneCurveName2012", "ToneMapStrength", "Treatment",
    "UprightPreview", "UprightVersion", "Version", "WhiteBalance",
    // In presets.
    "CameraModelRestriction", "Cluster", "ContactInfo", "Copyright", "Group", "Name", "PresetType",
    "ShortName", "SortName", "UUID",
  ]

  /// The beginnings of names that say what a preset needs.
  private static let requirements = ["Requires", "Supports", "Enable"]

  /// Values other than 0 that have no effect.
  private static let usual: [String: Double] = [
    "ColorGradeBlending": 50, "ColorNoiseReductionDetail": 50, "ColorNoiseReductionSmoothness": 50,
    "CurveRefineSaturation": 100, "DefringeGreenHueHi": 60, "DefringeGreenHueLo": 40,
    "DefringePurpleHueHi": 70, "DefringePurpleHueLo": 30, "GrainFrequency": 50, "GrainSize": 25,
    "LensProfileChromaticAberrationScale": 100, "LensProfileDistortionScale": 100,
    "LensProfileVignettingScale": 100, "LuminanceNoiseReductionDetail": 50, "ParametricHighlightSplit": 75,
    "ParametricMidtoneSplit": 50, "ParametricShadowSplit": 25, "PerspectiveScale": 100,
    "PostCropVignetteFeather": 50, "PostCropVignetteMidpoint": 50, "PostCropVignetteStyle": 1,
    "SharpenDetail": 25, "SharpenRadius": 1, "VignetteMidpoint": 50,
    // In process versions before 2012.
    "Brightness": 50, "Contrast": 25, "Shadows": 5,
  ]

  private static let profiles: Set<String> = ["Embedded", "Adobe Standard"]

  /// What refines other settings, by the beginning of its name, with those without which it has no effect.
  private static let owners: [(beginning: String, owners: [String])] = [
    ("ColorGradeBlending", wheels), ("SplitToningBalance", wheels),
    ("ColorGradeShadowHue", ["ColorGradeShadowSat"]), ("ColorGradeHighlightHue", ["ColorGradeHighlightSat"]),
    ("SplitToningShadowHue", ["SplitToningShadowSaturation"]),
    ("SplitToningHighlightHue", ["SplitToningHighlightSaturation"]),
    ("ColorGradeMidtoneHue", ["ColorGradeMidtoneSat"]), ("ColorGradeGlobalHue", ["ColorGradeGlobalSat"]),
    ("ColorNoiseReductionDetail", ["ColorNoiseReduction"]),
    ("ColorNoiseReductionSmoothness", ["ColorNoiseReduction"]),
    ("CurveRefineSaturation", ["ToneCurvePV2012"]),
    ("DefringeGreenHue", ["DefringeGreenAmount"]), ("DefringePurpleHue", ["DefringePurpleAmount"]),
    ("GrainFrequency", ["GrainAmount"]), ("GrainSeed", ["GrainAmount"]), ("GrainSize", ["GrainAmount"]),
    ("HDRMaxValue", ["HDREditMode"]), ("SDR", ["HDREditMode"]),
    ("LensProfileChromatic", lens), ("LensProfileD", lens), ("LensProfileF", lens), ("LensProfileI", lens),
    ("LensProfileM", lens), ("LensProfileN", lens), ("LensProfileV", lens),
    ("LuminanceNoiseReduction", ["LuminanceSmoothing"]),
    ("ParametricHighlightSplit", regions), ("ParametricMidtoneSplit", regions),
    ("ParametricShadowSplit", regions),
    ("PostCropVignetteFeather", vignette), ("PostCropVignetteHighlightContrast", vignette),
    ("PostCropVignetteMidpoint", vignette), ("PostCropVignetteRoundness", vignette),
    ("PostCropVignetteStyle", vignette),
    ("SharpenDetail", ["Sharpness"]), ("SharpenEdgeMasking", ["Sharpness"]), ("SharpenRadius", ["Sharpness"]),
    ("Upright", ["PerspectiveUpright"]), ("VignetteMidpoint", ["VignetteAmount"]),
  ]
  private static let lens = ["LensProfileEnable"]
  private static let vignette = ["PostCropVignetteAmount"]
  private static let regions = [
    "ParametricShadows", "ParametricDarks", "ParametricLights", "ParametricHighlights",
  ]
  private static let wheels = [
    "SplitToningShadowSaturation", "SplitToningHighlightSaturation", "ColorGradeMidtoneSat",
    "ColorGradeGlobalSat", "ColorGradeShadowLum", "ColorGradeMidtoneLum", "ColorGradeHighlightLum",
    "ColorGradeGlobalLum",
  ]

  /// Whether a setting has no effect.
  static func isNeutral(_ name: String, in settings: AdobeSettings) -> Bool {
    if bookkeeping.contains(name) || requirements.contains(where: name.hasPrefix) { return true }
    if let owner = owners.first(where: { name.hasPrefix($0.beginning) })?.owners,
      owner.allSatisfy({ isNeutral($0, in: settings) })
    {
      return true
    }
    switch name {
    case _ where name.hasPrefix("GrayMixer"):
      return !settings.flag("ConvertToGrayscale") || isNeutralValue(name, in: settings)
    case _ where AdobeLegacy.names.contains(name) && !AdobeLegacy.isMeant(in: settings): return true
    case "ProcessVersion": return AdobeLegacy.isUsed(in: settings) || isKnownProcess(settings)
    case "Temperature", "Tint": return (settings.text("WhiteBalance") ?? "As Shot") == "As Shot"
    default: return isNeutralValue(name, in: settings)
    }
  }

  private static func isNeutralValue(_ name: String, in settings: AdobeSettings) -> Bool {
    switch settings.values[name] {
    case nil: return true
    case .text(let text)?:
      if name == "CameraProfile", profiles.contains(text) { return true }
      let number = AdobeSettings.number(text)
      // What rested above 0 in earlier process versions does something at 0.
      let rests = AdobeLegacy.names.contains(name) ? usual[name] ?? 0 : 0
      return text.isEmpty || number == rests || text.lowercased() == "false"
        || number != nil && number == usual[name]
    case .list(let parts)?: return parts.isEmpty || parts == ["0, 0", "255, 255"]
    case .structures(let items)?: return items.isEmpty
    // A look without a name or with an amount of 0 has no effect.
    case .structure(let fields)?:
      return fields.isEmpty || fields["Amount"].flatMap(AdobeSettings.number) == 0
        || fields["Name"]?.isEmpty ?? false
    }
  }

  /// The supported settings have the same meaning in process versions 2012 (6.7) to 6 (15.x).
  private static func isKnownProcess(_ settings: AdobeSettings) -> Bool {
    guard let version = settings.text("ProcessVersion").flatMap(AdobeSettings.number) else { return true }
    return (6.7..<16).contains(version)
  }
}
