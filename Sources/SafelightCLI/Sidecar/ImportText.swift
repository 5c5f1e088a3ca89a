import Safelight

/// What became of another program's settings, as text for people.
enum ImportText {
  /// `Contrast2012 +10, Temperature 5200 (means nothing without the camera's own)`
  static func list(_ settings: [ImportedSettings.Setting]) -> String {
    settings.map { RecipeText.visible($0.text) + ($0.reason.map { " (\(RecipeText.visible($0)))" } ?? "") }
      .joined(separator: ", ")
  }

  /// One line for each list that has settings.
  static func lines(_ settings: ImportedSettings) -> [String] {
    [
      ("exact", settings.exact), ("approximate", settings.approximate), ("ignored", settings.ignored),
    ].filter { !$0.1.isEmpty }.map { "  \($0.0.padded(to: 11, left: true))  \(list($0.1))" }
  }
}
