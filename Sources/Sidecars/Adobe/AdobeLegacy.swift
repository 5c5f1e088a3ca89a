import FilterGraph
import Filters

/// Settings of process versions 2003 and 2010, which Lightroom had until version 3, in terms of today's.
///
/// They have other names and other scales: contrast begins at 25, brightness at 50, blacks at 5. Their meaning is not
/// published; all are approximate.
enum AdobeLegacy {
  static let names: Set<String> = [
    "Exposure", "Contrast", "Brightness", "Shadows", "FillLight", "HighlightRecovery", "Clarity", "ToneCurve",
  ]

  /// Whether a file means them: later process versions write some of them too, without any effect.
  static func isMeant(in settings: AdobeSettings) -> Bool {
    if let version = settings.text("ProcessVersion").flatMap(AdobeSettings.number) { return version < 6.7 }
    return !settings.values.keys.contains { $0.hasSuffix("2012") }
  }

  /// Whether a file means and has them, so that its process version is known after all.
  static func isUsed(in settings: AdobeSettings) -> Bool {
    isMeant(in: settings) && settings.values.keys.contains(where: names.contains)
  }
}

extension AdobeImport.Draft {
  /// What there was in place of exposure, tone, contrast and clarity.
  mutating func legacyTones() throws -> [any Filter] {
    guard AdobeLegacy.isMeant(in: settings) else { return [] }
    let reason = "of process version 2010 or earlier"
    func value(_ name: String, _ range: ClosedRange<Double>) throws -> Float? {
      guard !AdobeNeutral.isNeutral(name, in: settings) else { return nil }
      return try settings.number(name, in: range).map { Float($0) }
    }
    var filters: [any Filter] = []
    if let stops = try value("Exposure", -4...4) {
      note("Exposure", reason)
      filters.append(Exposure(stops: stops))
    }
    var tone = Tone()
    if let fill = try value("FillLight", 0...100) {
      note("FillLight", reason)
      tone.shadows = fill
    }
    if let recovery = try value("HighlightRecovery", 0...100) {
      note("HighlightRecovery", reason)
      tone.highlights = -recovery
    }
    if let blacks = try value("Shadows", 0...100) {
      note("Shadows", reason)
      tone.blacks = max(5 - blacks, -100)
    }
    if tone != Tone() { filters.append(tone) }
    if let contrast = try value("Contrast", -50...100) {
      note("Contrast", reason)
      filters.append(Contrast(min(max(contrast - 25, -100), 100)))
    }
    if let clarity = try value("Clarity", -100...100) {
      note("Clarity", reason)
      filters.append(Clarity(clarity))
    }
    leave("Brightness", reason)
    return filters
  }
}
