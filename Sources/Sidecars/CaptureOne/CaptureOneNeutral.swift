/// Distinguishes settings of Capture One that change nothing from those that do.
///
/// A setting not listed here counts as a change unless all its numbers are 0.
enum CaptureOneNeutral {
  private static let bookkeeping: Set<String> = [
    "Name", "UUID", "StyleSource", "Source", "Rating", "ColorTag", "BwEnabled", "Metadata", "Enabled",
    "Opacity",
  ]

  /// Whether a setting has no effect.
  static func isNeutral(_ name: String, _ value: String) -> Bool {
    if bookkeeping.contains(name) || name.hasPrefix("MD_") || value.isEmpty { return true }
    let numbers = value.split { $0 == ";" || $0 == "," }.map { AdobeSettings.number(String($0)) }
    if numbers.allSatisfy({ $0 == 0 }) { return true }
    switch name {
    case "GradationCurve", "GradationCurveY", "GradationCurveRed", "GradationCurveGreen",
      "GradationCurveBlue":
      return value == "0,0;1,1"
    // Its way of working matters only where there is clarity, which tells of itself.
    case "ClarityMethod": return true
    default: return false
    }
  }

  /// Returns an explanation for people why a setting is not used.
  static func reason(_ name: String) -> String {
    reasons[name] ?? byBeginning.first { name.hasPrefix($0.beginning) }?.reason ?? "no such setting here"
  }

  private static let reasons = [
    "Midtone": "its scale is not published",
    "WhiteRecovery": "which way it goes is not published",
    "BlackRecovery": "which way it goes is not published",
    "ColorCorrections": "ranges of its colour editor are not read",
    "SkinToneCorrections": "no such setting here",
    "FilmCurve": "camera raws have a tone map of their own here",
    "ICCProfile": "a camera profile of Capture One's",
    "Kelvin": "means nothing without the camera's own", "Tint": "means nothing without the camera's own",
    "FilmGrainType": "grain has one kind here", "FilmGrainDensity": "grain has no density here",
    "UsmThreshold": "sharpening has no threshold here",
  ]

  private static let byBeginning: [(beginning: String, reason: String)] = [
    ("WhiteBalance", "means nothing without the camera's own"),
    ("Noise", "its scale is not published"), ("Lens", "lenses are corrected from a database here"),
    ("Crop", "a look has no crop"), ("Keystone", "a look turns nothing"),
    ("Rotation", "a look turns nothing"),
    ("GradationCurve", "curves rise from left to right here"),
  ]
}
