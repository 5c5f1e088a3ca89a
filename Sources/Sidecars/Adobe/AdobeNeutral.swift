/// Distinguishes settings of Adobe's programs that leave the picture unchanged from those that change it.
///
/// Sources: the names in Adobe's "Camera Raw namespace", in exiftool's list of XMP crs tags, and in files written
/// by Lightroom and Camera Raw. A setting not listed here counts as a change unless it is 0, false or empty.
enum AdobeNeutral {
  /// Settings that describe the file or another setting, not the picture.
  private static let bookkeeping: Set<String> = [
    "AlreadyApplied", "CameraProfileDigest", "CompatibleVersion", "CropAngle", "CropBottom",
    "CropConstrainAspectRatio", "CropConstrainToUnitSquare", "CropConstrainToWarp", "CropHeight", "CropLeft",
    "CropRight", "CropTop", "CropUnit", "CropUnits", "CropWidth", "DefaultAutoGray", "DefaultAutoTone",
    "DefaultsSpecificToISO", "DefaultsSpecificToSerial", "Description", "DNGIgnoreSidecars", "HasCrop",
    "HasSettings", "LensProfileSetup", "LinkRawJPEG", "NegativeCachePath", "NegativeCacheMaximumSize",
    "OverrideLookVignette", "RawFileName", "ShowInPresets", "ShowInQuickActions", "ToneCurveName",
    "ToneCurveName2012", "ToneMapStrength", "UprightPreview", "UprightVersion", "Version",
    // In presets.
    "CameraModelRestriction", "Cluster", "ContactInfo", "Copyright", "Group", "Name", "PresetType",
    "ShortName",
    "SortName", "UUID",
  ]

  /// Values other than 0 that have no effect.
  private static let neutralValues: [String: Set<String>] = [
    "CameraProfile": ["Embedded", "Adobe Standard"],
    "CurveRefineSaturation": ["100"],
    "PerspectiveScale": ["100"],
    // In process versions before 2012.
    "Brightness": ["50", "+50"], "Contrast": ["25", "+25"], "Shadows": ["5"],
  ]

  /// Name prefixes of settings that refine another one; only the other one is reported.
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
    // In presets, with their requirements.
    "Requires", "Supports",
  ]

  /// Whether a setting has no effect.
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

  /// Returns an explanation for the user why a setting is not used.
  static func reason(_ name: String) -> String? {
    switch name {
    case "ProcessVersion": "only 2012 (6.7) to 15.x are known"
    case "Temperature": "means nothing without the camera's own; give --as-shot"
    default: nil
    }
  }
}
