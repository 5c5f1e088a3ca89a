import FrameCore

/// A preset of Lightroom 1…7.2, an `.lrtemplate` file.
///
///     s = { title = "Warm", type = "Develop", value = { settings = { Exposure2012 = 0.35, ToneCurvePV2012 = { 0, 0, 255, 255 } } } }
///
/// Its settings have the names of those in XMP; curves are lists of x, y, x, y …. A panel that an Enable… switches off has
/// no effect. Source: such files; there is no description by Adobe.
struct LightroomTemplate {
  let settings: AdobeSettings
  /// The display name; empty if there is none.
  let name: String

  init(_ bytes: [UInt8], file: String) throws {
    let root = try LuaTable(parsing: bytes, file: file)
    if let type = root.text("type"), type.lowercased() != "develop" {
      throw SafelightError(
        .unsupported, "\(file) is a template for “\(NearestName.shortened(type))”, not for developing",
        remedy: "name one of Lightroom's develop presets")
    }
    guard let own = root.table("value")?.table("settings") else {
      throw SafelightError(
        .corruptData, "\(file) has no table “settings” in “value”",
        remedy: "name one of Lightroom's develop presets")
    }
    name = Self.plain(root.text("title") ?? root.text("internalName") ?? "")
    var values: [String: XMPProperties.Value] = [:]
    for (name, value) in own.fields where !Self.isSwitchedOff(name, in: own) {
      values[name] = Self.value(value)
    }
    settings = try AdobeSettings(values: values, file: file)
  }

  /// `$$$/Presets/Warm=Warm` is a text that Lightroom translates.
  private static func plain(_ text: String) -> String {
    guard text.hasPrefix("$$$/"), let sign = text.firstIndex(of: "=") else { return text }
    return String(text[text.index(after: sign)...])
  }

  private static func value(_ value: LuaTable.Value) -> XMPProperties.Value {
    switch value {
    case .number(let number): return .text(PlainNumber.text(number))
    case .text(let text): return .text(text)
    case .flag(let flag): return .text(flag ? "True" : "False")
    case .table(let table): return list(table)
    }
  }

  private static func list(_ table: LuaTable) -> XMPProperties.Value {
    let numbers = table.items.compactMap { item -> Double? in
      if case .number(let number) = item { number } else { nil }
    }
    if !numbers.isEmpty, numbers.count == table.items.count {
      // An odd one out is a point without its y, which reading a point refuses.
      return .list(
        stride(from: 0, to: numbers.count, by: 2).map { index in
          numbers[index..<min(index + 2, numbers.count)].map { PlainNumber.text($0) }.joined(separator: ", ")
        })
    }
    if !table.items.isEmpty {
      return .structures(
        table.items.map { item in
          if case .table(let table) = item { table.fields.mapValues(value) } else { [:] }
        })
    }
    var texts: [String: String] = [:]
    for (name, field) in table.fields {
      if case .text(let text) = value(field) { texts[name] = text }
    }
    return texts.isEmpty ? .list([]) : .structure(texts)
  }

  /// The panels that can be switched off, with the beginnings of their settings.
  private static let panels: [(name: String, settings: [String])] = [
    ("EnableColorAdjustments", ["HueAdjustment", "SaturationAdjustment", "LuminanceAdjustment"]),
    ("EnableGrayscaleMix", ["GrayMixer"]),
    ("EnableSplitToning", ["SplitToning", "ColorGrade"]),
    (
      "EnableDetail",
      ["Sharp", "LuminanceSmoothing", "LuminanceNoise", "ColorNoise"]
    ),
    ("EnableLensCorrections", ["Lens", "Vignette", "Perspective", "Defringe", "AutoLateralCA", "Chromatic"]),
    ("EnableEffects", ["PostCropVignette", "Grain", "Dehaze"]),
    (
      "EnableCalibration",
      ["RedHue", "RedSat", "GreenHue", "GreenSat", "BlueHue", "BlueSat", "ShadowTint"]
    ),
    ("EnableToneCurve", ["ToneCurve", "Parametric"]),
    ("EnableGradientBasedCorrections", ["GradientBased"]),
    ("EnableCircularGradientBasedCorrections", ["CircularGradientBased"]),
    ("EnablePaintBasedCorrections", ["PaintBased"]),
    ("EnableRedEye", ["RedEye"]), ("EnableRetouch", ["Retouch"]),
  ]

  private static func isSwitchedOff(_ name: String, in settings: LuaTable) -> Bool {
    panels.contains { panel in
      guard case .flag(false)? = settings.fields[panel.name] else { return false }
      return panel.settings.contains(where: name.hasPrefix)
    }
  }
}
