extension AdobeNeutral {
  /// Returns an explanation for people why a setting is not used.
  static func reason(_ name: String) -> String {
    byName[name] ?? byBeginning.first { name.hasPrefix($0.beginning) }?.reason ?? "no such setting here"
  }

  private static let byName: [String: String] = [
    "ProcessVersion": "only 2012 (6.7) to 15.x are known",
    "Temperature": "means nothing without the camera's own; “recipe import” takes it as --as-shot",
    "Tint": "belongs to Temperature",
    "Look": "a profile of Adobe's, whose tables are not in the file",
    "CameraProfile": "a camera profile of Adobe's",
    "RGBTable": "a table in Adobe's own form", "LookTable": "a table in Adobe's own form",
    "GrainSeed": "grain has a number of its own here",
    "AutoLateralCA": "colour fringes are not removed here",
    "LensManualDistortionAmount": "its scale is not published",
    "VignetteAmount": "its scale is not published", "VignetteMidpoint": "belongs to VignetteAmount",
    "PerspectiveUpright": "found anew in each photo, by --upright",
    "HDREditMode": "there is no HDR",
    "LuminanceNoiseReductionContrast": "noise reduction has no contrast here",
    "ColorNoiseReductionSmoothness": "noise reduction has no smoothness here",
    "PostCropVignetteStyle": "vignettes have one style here",
    "PostCropVignetteHighlightContrast": "vignettes have one style here",
    "PaintBasedCorrections": "strokes of Adobe's brushes are not read",
  ]

  private static let byBeginning: [(beginning: String, reason: String)] = [
    ("Table_", "a table in Adobe's own form"), ("LensProfile", "lenses are corrected from a database here"),
    ("Perspective", "its scale is not published"), ("Upright", "found anew in each photo, by --upright"),
    ("Defringe", "colour fringes are not removed here"),
    ("ChromaticAberration", "colour fringes are not removed here"),
    ("SDR", "there is no HDR"), ("HDR", "there is no HDR"),
    ("Retouch", "nothing is retouched here"), ("RedEye", "nothing is retouched here"),
    ("ToneCurve", "curves rise from left to right here"), ("Auto", "values are found by --auto here"),
    ("Crop", "a look has no crop"),
  ]
}
