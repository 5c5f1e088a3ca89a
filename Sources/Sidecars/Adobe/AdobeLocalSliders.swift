import FilterGraph
import Filters

/// The sliders of a correction, as filters of a group.
///
/// They are -1…1 for -100…100 on the panel, exposure for four stops.
struct LocalSliders {
  private let fields: Fields
  private(set) var used: [ImportedSettings.Setting] = []
  private(set) var ignored: [ImportedSettings.Setting] = []

  init(_ fields: Fields) { self.fields = fields }

  /// Sliders of today, each with what it is at 1.
  private static let known: Set<String> = [
    "LocalExposure2012", "LocalContrast2012", "LocalHighlights2012", "LocalShadows2012", "LocalWhites2012",
    "LocalBlacks2012", "LocalClarity2012", "LocalTexture", "LocalDehaze", "LocalSaturation",
    "LocalTemperature", "LocalTint",
  ]
  /// Values beside 0 that change nothing.
  private static let usual = [
    "LocalCurveRefineSaturation": 100.0, "LocalColorGradeBlending": 50, "LocalToningHue": .nan,
  ]

  /// Returns the filters, and sorts the sliders into those that are used and those that are not.
  mutating func filters() throws -> [any Filter] {
    var filters: [any Filter] = []
    let (temperature, tint) = (try amount("LocalTemperature"), try amount("LocalTint"))
    if temperature != 0 || tint != 0 {
      let kelvin = AdobeImport.relativeTemperature(Double(temperature))
      filters.append(WhiteBalance(temperature: Float((kelvin / 10).rounded() * 10), tint: tint))
    }
    let stops = try amount("LocalExposure2012") / 25
    if stops != 0 { filters.append(Exposure(stops: stops)) }
    let (dehaze, texture, clarity) = (
      try amount("LocalDehaze"), try amount("LocalTexture"), try amount("LocalClarity2012")
    )
    if dehaze != 0 { filters.append(Dehaze(dehaze)) }
    if texture != 0 { filters.append(Texture(texture)) }
    if clarity != 0 { filters.append(Clarity(clarity)) }
    let tone = Tone(
      highlights: try amount("LocalHighlights2012"), shadows: try amount("LocalShadows2012"),
      whites: try amount("LocalWhites2012"), blacks: try amount("LocalBlacks2012"))
    if tone != Tone() { filters.append(tone) }
    let contrast = try amount("LocalContrast2012")
    if contrast != 0 { filters.append(Contrast(contrast)) }
    let saturation = try amount("LocalSaturation")
    if saturation != 0 { filters.append(Saturation(saturation)) }
    for name in fields.values.keys.sorted() where name.hasPrefix("Local") && !Self.known.contains(name) {
      guard let text = fields.text(name), let number = AdobeSettings.number(text), number != 0 else {
        continue
      }
      if let usual = Self.usual[name], usual.isNaN || usual == number { continue }
      ignored.append(setting(name, "no such setting in groups"))
    }
    return filters
  }

  /// -100…100, with two decimals.
  private mutating func amount(_ name: String) throws -> Float {
    guard let number = try fields.number(name, in: -1...1), number != 0 else { return 0 }
    used.append(setting(name, nil))
    return Float((number * 10_000).rounded() / 100)
  }

  private func setting(_ name: String, _ reason: String?) -> ImportedSettings.Setting {
    ImportedSettings.Setting(
      name: "\(fields.place).\(name)",
      value: String((fields.text(name) ?? "").prefix(ImportedSettings.longestValue)), reason: reason)
  }
}
