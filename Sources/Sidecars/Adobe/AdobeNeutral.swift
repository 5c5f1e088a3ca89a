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
    "CameraModelRestriction", "Cluster", "ContactInfo", "Copyright", "Group", "Name", "PresetType",
    "ShortName",
    "SortName", "UUID",
  ]

  /// Values other than 0 that change nothing.
  private static let neutralValues: [String: Set<String>] = [
    "CameraProfile": ["Embedded", "Adobe Standard"],
    "CurveRefineSaturation": ["100"],
    "PerspectiveScale": ["100"],
    // Of process versions before 2012.
    "Brightness": ["50", "+50"], "Contrast": ["25", "+25"], "Shadows": ["5"],
  ]

  /// Beginnings of the names of settings that say how another one is meant, which alone is reported.
  private static let details = [
    "AutoGrayscaleWeights", "ColorGradeBalance", "ColorGradeBlending", "ColorGradeGlobalHue",
    "ColorGradeHighlightHue", "ColorGradeMidtoneHue", "ColorGradeShadowHue", "ColorNoiseReductionDetail",
    "ColorNoiseReductionSmoothness", "DefringeGreenHue", "DefringePurpleHue", "GrainFrequency", "GrainSeed",
    "GrainSize", "HDRMaxValue", "LensProfileChromaticAberrationScale", "LensProfileDigest",
    "LensProfileDistortionScale", "LensProfileFilename", "LensProfileIsEmbedded", "LensProfileMatchKey",
    "LensProfileName", "LensProfileVignettingScale", "LuminanceNoiseReduction", "ParametricHighlightSplit",
    "ParametricMidtoneSplit", "ParametricShadowSplit", "PostCropVignetteFeather",
    "PostCropVignetteHighlightContrast", "PostCropVignetteMidpoint", "PostCropVignetteRoundness",
    "PostCropVignetteStyle", "SDR", "SharpenDetail", "SharpenEdgeMasking", "SharpenRadius",
    "SplitToningBalance",
    "SplitToningHighlightHue", "SplitToningShadowHue", "Upright", "VignetteMidpoint",
    // Of presets, and of what they need.
    "Requires", "Supports",
  ]

  /// Whether a setting changes nothing.
  static func isNeutral(_ name: String, in settings: AdobeSettings) -> Bool {
    guard !bookkeeping.contains(name), !details.contains(where: name.hasPrefix) else { return true }
    switch name {
    case _ where name.hasPrefix("GrayMixer"):
      return !settings.flag("ConvertToGrayscale") || isNeutralValue(name, in: settings)
    case "ProcessVersion": return isKnownProcess(settings)
    case "WhiteBalance": return true
    case "Temperature", "Tint": return (settings.text("WhiteBalance") ?? "As Shot") == "As Shot"
    default: break
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
    case "Temperature": "means nothing without the camera's own; give --as-shot"
    default: nil
    }
  }
}
