/// Tells settings of Adobe's programs that leave the picture as it is from those that change it.
///
/// Sources: the names in Adobe's "Camera Raw namespace", in exiftool's list of XMP crs tags, and in files that Lightroom and
/// Camera Raw wrote; what is here by no list counts as a change unless it is 0, false or empty.
enum AdobeNeutral {
  /// What says something of the file or of another setting, and nothing of the picture.
  private static let bookkeeping: Set<String> = [
    "AlreadyApplied", "CameraProfileDigest", "CompatibleVersion", "CropAngle", "CropBottom",
    "CropConstrainAspectRatio", "CropConstrainToUnitSquare", "CropConstrainToWarp", "CropHeight", "CropLeft",
    "CropRight", "CropTop", "CropUnit", "CropUnits", "CropWidth", "DefaultAutoGray", "DefaultAutoTone",
    "DefaultsSpecificToISO", "DefaultsSpecificToSerial", "Description", "DNGIgnoreSidecars", "HasCrop",
    "HasSettings", "LensProfileSetup", "LinkRawJPEG", "NegativeCachePath", "NegativeCacheMaximumSize",
    "OverrideLookVignette", "RawFileName", "ShowInPresets", "ShowInQuickActions", "ToneCurveName",
    "ToneCurveName2012", "ToneMapStrength", "UprightPreview", "UprightVersion", "Version",
    // Of presets.
    "CameraModelRestriction", "Cluster", "ContactInfo", "Copyright", "Group", "Name", "PresetType", "ShortName",
    "SortName", "UUID",
  ]
  private static let bookkeepingPrefixes = ["Supports", "Requires"]

  /// Values other than 0 that change nothing.
  private static let neutralValues: [String: Set<String>] = [
    "CameraProfile": ["Embedded", "Adobe Standard"],
    "CurveRefineSaturation": ["100"],
    "PerspectiveScale": ["100"],
    // Of process versions before 2012.
    "Brightness": ["50", "+50"], "Contrast": ["25", "+25"], "Shadows": ["5"],
  ]

  /// Settings that matter only where one of others is not neutral, by the beginnings of their names.
  private static let dependent: [(prefix: String, masters: [String])] = [
    ("AutoGrayscaleWeights", ["ConvertToGrayscale"]),
    ("ColorGradeBlending", toning), ("ColorGradeBalance", toning),
    ("ColorGradeGlobalHue", ["ColorGradeGlobalSat"]),
    ("ColorGradeMidtoneHue", ["ColorGradeMidtoneSat"]),
    ("ColorGradeShadowHue", ["ColorGradeShadowSat"]),
    ("ColorGradeHighlightHue", ["ColorGradeHighlightSat"]),
    ("ColorNoiseReductionDetail", ["ColorNoiseReduction"]),
    ("ColorNoiseReductionSmoothness", ["ColorNoiseReduction"]),
    ("DefringeGreenHue", ["DefringeGreenAmount"]), ("DefringePurpleHue", ["DefringePurpleAmount"]),
    ("GrainFrequency", ["GrainAmount"]), ("GrainSeed", ["GrainAmount"]), ("GrainSize", ["GrainAmount"]),
    ("GrayMixer", ["ConvertToGrayscale"]),
    ("HDRMaxValue", ["HDREditMode"]), ("SDR", ["HDREditMode"]),
    ("LensProfileChromaticAberrationScale", ["LensProfileEnable"]), ("LensProfileDigest", ["LensProfileEnable"]),
    ("LensProfileDistortionScale", ["LensProfileEnable"]), ("LensProfileFilename", ["LensProfileEnable"]),
    ("LensProfileIsEmbedded", ["LensProfileEnable"]), ("LensProfileMatchKey", ["LensProfileEnable"]),
    ("LensProfileName", ["LensProfileEnable"]), ("LensProfileVignettingScale", ["LensProfileEnable"]),
    ("LuminanceNoiseReduction", ["LuminanceSmoothing"]),
    ("ParametricHighlightSplit", regions), ("ParametricMidtoneSplit", regions), ("ParametricShadowSplit", regions),
    ("PostCropVignetteFeather", ["PostCropVignetteAmount"]),
    ("PostCropVignetteHighlightContrast", ["PostCropVignetteAmount"]),
    ("PostCropVignetteMidpoint", ["PostCropVignetteAmount"]),
    ("PostCropVignetteRoundness", ["PostCropVignetteAmount"]),
    ("PostCropVignetteStyle", ["PostCropVignetteAmount"]),
    ("SharpenDetail", ["Sharpness"]), ("SharpenEdgeMasking", ["Sharpness"]), ("SharpenRadius", ["Sharpness"]),
    ("SplitToningBalance", toning), ("SplitToningHighlightHue", ["SplitToningHighlightSaturation"]),
    ("SplitToningShadowHue", ["SplitToningShadowSaturation"]),
    ("Upright", ["PerspectiveUpright"]), ("VignetteMidpoint", ["VignetteAmount"]),
  ]
  private static let toning = [
    "ColorGradeGlobalSat", "ColorGradeHighlightSat", "ColorGradeMidtoneSat", "ColorGradeShadowSat",
    "SplitToningHighlightSaturation", "SplitToningShadowSaturation",
  ]
  private static let regions = ["ParametricDarks", "ParametricHighlights", "ParametricLights", "ParametricShadows"]

  /// Whether a setting changes nothing.
  static func isNeutral(_ name: String, in settings: AdobeSettings) -> Bool {
    guard !bookkeeping.contains(name), !bookkeepingPrefixes.contains(where: name.hasPrefix) else { return true }
    switch name {
    case "ProcessVersion": return isKnownProcess(settings)
    case "WhiteBalance": return true
    case "Temperature", "Tint": return (settings.text("WhiteBalance") ?? "As Shot") == "As Shot"
    default: break
    }
    if let masters = dependent.first(where: { name.hasPrefix($0.prefix) })?.masters,
      !masters.contains(where: { !isNeutralValue($0, in: settings) })
    {
      return true
    }
    return isNeutralValue(name, in: settings)
  }

  private static func isNeutralValue(_ name: String, in settings: AdobeSettings) -> Bool {
    switch settings.values[name] {
    case nil: return true
    case .text(let text)?:
      return text.isEmpty || AdobeSettings.number(text) == 0 || text.lowercased() == "false"
        || neutralValues[name]?.contains(text) ?? false
    case .list(let parts)?: return parts.isEmpty || parts == ["0, 0", "255, 255"]
    // A look without a name, or at none of its strength, is none.
    case .structure(let fields)?:
      return fields.isEmpty || fields["Amount"].flatMap(AdobeSettings.number) == 0
        || fields["Name"]?.isEmpty ?? false
    }
  }

  /// Process versions 2012 (6.7) to 6 (15.x) give the settings that are understood the same meaning.
  private static func isKnownProcess(_ settings: AdobeSettings) -> Bool {
    guard let version = settings.text("ProcessVersion").flatMap(AdobeSettings.number) else { return true }
    return (6.7..<16).contains(version)
  }

  /// What a user may want to know of a setting that is not used.
  static func reason(_ name: String) -> String? {
    switch name {
    case "ProcessVersion": "only 2012 (6.7) to 15.x are known"
    case "Temperature", "Tint": "Kelvin mean nothing without those as shot; use --temperature, where 6500 is as shot"
    case "GrayMixer": "greys are of equal lightness"
    default: nil
    }
  }
}
