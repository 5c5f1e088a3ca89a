import FrameCore

extension CameraSetting {
  /// Reads a setting as the command line takes it.
  ///
  /// | key | values |
  /// |---|---|
  /// | focus | `auto`, `once`, `locked`, `120` (the driver's unit), `50%` (0 % nearest, 100 % farthest) |
  /// | exposure | `auto`, `locked`, `1/60s`, `8ms`, `500us`, `0.01s` |
  /// | ev | `0.7`, `-1/3`, `+1EV` |
  /// | gain | `auto`, `locked`, `40` (the driver's unit) |
  /// | iso | `auto`, `400` |
  /// | white-balance | `auto`, `locked`, `4600K` |
  /// | zoom | `2x`, `50%`, `250` (the driver's unit) |
  /// | focus-point, exposure-point | `0.5,0.4` (from the left, from the top), `0.4,0.3,0.2,0.2` (with a size), `auto` |
  /// | power-line | `off`, `50Hz`, `60Hz`, `auto` |
  ///
  /// Every other key is taken for a driver's, whose device tells whether there is one.
  ///
  /// - Throws: `SafelightError` that says which values there are.
  public init(parsing text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw SafelightError(
        .invalidValue, "“\(text)” is not a setting", remedy: "write KEY=VALUE, such as focus=120")
    }
    self = try Self(key: String(parts[0]), value: String(parts[1]))
  }

  /// Reads the value of a key; see `init(parsing:)`.
  public init(key name: String, value text: String) throws {
    guard let key = Key(rawValue: name) else {
      self = .control(key: name, value: text)
      return
    }
    guard let setting = Self.setting(key, SettingText(text)) else {
      throw SafelightError(.invalidValue, "“\(text)” is not a value of \(name)", remedy: key.valuesRemedy)
    }
    self = setting
  }

  private static func setting(_ key: Key, _ text: SettingText) -> CameraSetting? {
    switch key {
    case .focus: focus(text).map(CameraSetting.focus)
    case .exposure: exposure(text).map(CameraSetting.exposure)
    case .exposureBias: text.number(unit: ["", "ev"]).map { .exposureBias(stops: $0) }
    case .gain: gain(text).map(CameraSetting.gain)
    case .iso:
      text.word == "auto" ? .iso(.automatic) : text.positive(unit: ["", "iso"]).map { .iso(.manual($0)) }
    case .whiteBalance: whiteBalance(text).map(CameraSetting.whiteBalance)
    case .zoom: zoom(text).map(CameraSetting.zoom)
    case .powerLineFrequency:
      PowerLineFrequency.allCases.first {
        text.word == $0.name.lowercased() || text.word + "hz" == $0.name.lowercased()
      }.map(CameraSetting.powerLineFrequency)
    case .focusPoint: pointOfInterest(text).map(CameraSetting.focusPoint)
    case .exposurePoint: pointOfInterest(text).map(CameraSetting.exposurePoint)
    }
  }

  private static func focus(_ text: SettingText) -> FocusSetting? {
    switch text.word {
    case "auto", "continuous": .automatic
    case "once": .once
    case "locked": .locked
    default: text.share.map { .lensPosition($0) } ?? text.whole(unit: [""]).map { .manual(position: $0) }
    }
  }

  private static func exposure(_ text: SettingText) -> ExposureSetting? {
    switch text.word {
    case "auto": .automatic
    case "locked": .locked
    default:
      text.positive(unit: ["s"]).map { .manual(seconds: $0) }
        ?? text.positive(unit: ["ms"]).map { .manual(seconds: $0 / 1000) }
        ?? text.positive(unit: ["us", "µs", "μs"]).map { .manual(seconds: $0 / 1_000_000) }
    }
  }

  private static func gain(_ text: SettingText) -> GainSetting? {
    switch text.word {
    case "auto": .automatic
    case "locked": .locked
    default: text.whole(unit: [""]).map { .manual($0) }
    }
  }

  private static func whiteBalance(_ text: SettingText) -> WhiteBalanceSetting? {
    switch text.word {
    case "auto": .automatic
    case "locked": .locked
    default: text.whole(unit: ["", "k"]).map { .manual(kelvin: $0) }
    }
  }

  private static func pointOfInterest(_ text: SettingText) -> PointOfInterestSetting? {
    if text.word == "auto" { return .automatic }
    guard let numbers = text.numbers else { return nil }
    return switch numbers.count {
    case 2: .point(x: numbers[0], y: numbers[1])
    case 4: .region(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    default: nil
    }
  }

  private static func zoom(_ text: SettingText) -> ZoomSetting? {
    text.share.map { .position($0) } ?? text.positive(unit: ["x", "×"]).map { .factor($0) }
      ?? text.whole(unit: [""]).map { .manual($0) }
  }
}

extension CameraSetting.Key {
  fileprivate var valuesRemedy: String {
    switch self {
    case .focus: "give auto, once, locked, a number of the driver's or a percentage (0% is nearest)"
    case .exposure: "give auto, locked or a time with its unit, such as 1/60s, 8ms or 500us"
    case .exposureBias: "give stops, such as 0.7, -1 or 1/3"
    case .gain: "give auto, locked or a number of the driver's"
    case .iso: "give auto or a number, such as 400"
    case .whiteBalance: "give auto, locked or a colour temperature, such as 4600K"
    case .zoom: "give a factor such as 2x, a percentage (0% is widest) or a number of the driver's"
    case .focusPoint, .exposurePoint:
      "give auto, a point such as 0.5,0.4 (from the left and from the top), or a region such as 0.4,0.3,0.2,0.2"
    case .powerLineFrequency: "give off, 50Hz, 60Hz or auto"
    }
  }
}

/// A value's text: a word, or a number and its unit.
private struct SettingText {
  /// In lower case.
  let word: String

  init(_ text: String) { word = text.lowercased() }

  /// A percentage from 0 to 100 as a fraction.
  var share: Double? {
    number(unit: ["%"]).flatMap { (0...100).contains($0) ? $0 / 100 : nil }
  }

  /// A finite number, or a fraction such as 1/60, followed by one of `units`.
  func number(unit units: [String]) -> Double? {
    let digits = word.prefix { "+-0123456789./".contains($0) }
    guard units.contains(String(word.dropFirst(digits.count))) else { return nil }
    let terms = digits.split(separator: "/", omittingEmptySubsequences: false)
    let numbers = terms.compactMap { Double($0) }
    guard numbers.count == terms.count, let first = numbers.first, terms.count <= 2 else { return nil }
    let value = terms.count == 2 ? first / numbers[1] : first
    return value.isFinite ? value : nil
  }

  /// Finite numbers between commas.
  var numbers: [Double]? {
    let parts = word.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { SettingText(String($0)).number(unit: [""]) }
    return numbers.count == parts.count ? numbers : nil
  }

  func positive(unit units: [String]) -> Double? { number(unit: units).flatMap { $0 > 0 ? $0 : nil } }

  func whole(unit units: [String]) -> Int? { number(unit: units).flatMap { Int(exactly: $0) } }
}
