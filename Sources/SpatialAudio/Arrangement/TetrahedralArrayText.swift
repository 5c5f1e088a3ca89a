import FrameCore

extension TetrahedralArray {
  private enum Key: String, CaseIterable {
    case radius, pattern, order, mounting, gains
  }

  /// Common patterns by their names, with the part of pressure.
  private static let patterns: [(name: String, pressure: Double)] = [
    ("cardioid", 0.5), ("subcardioid", 0.7), ("supercardioid", 0.37), ("hypercardioid", 0.25),
  ]

  private static let types = ["type1": CapsulePosition.typeI, "type2": CapsulePosition.typeII]
  private static let longest = 300

  /// Reads a description such as `type1,radius=14.7mm,pattern=cardioid,mounting=upside-down`.
  ///
  /// Parts are separated by commas, in any order, each at most once; what is missing is as in `typeI`:
  /// - `type1` or `type2`: the capsules, in the usual order of their channels.
  /// - `order=flu/frd/bld/bru`: the capsules in the order of the channels, instead of the type.
  /// - `radius=14.7mm`: from the centre to the capsules, in mm (also without a unit) or cm.
  /// - `pattern=`: `cardioid`, `subcardioid`, `supercardioid`, `hypercardioid`, or the part of pressure.
  /// - `mounting=`: `upright`, `upside-down`, `endfire` or `endfire-up`.
  /// - `gains=0/0.5/-0.3/0`: how much louder than wanted each channel's capsule is, in dB.
  ///
  /// - Throws: `SafelightError` that names the part that is wrong.
  public init(_ text: String) throws {
    guard !text.isEmpty, text.utf8.count <= Self.longest else {
      throw SafelightError(
        .invalidValue, "The capsules are described by \(text.utf8.count) bytes",
        remedy: "write at most \(Self.longest), such as type1,radius=15mm")
    }
    var type: String?
    var values: [Key: String] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if sides.count == 1 {
        guard type == nil else { throw Self.twice("type of capsules") }
        type = sides[0]
      } else {
        guard let key = Key(rawValue: sides[0]) else {
          throw NearestName.error(
            unknown: "property of capsules", sides[0], among: Key.allCases.map(\.rawValue))
        }
        guard values.updateValue(sides[1], forKey: key) == nil else { throw Self.twice(key.rawValue) }
      }
    }
    try self.init(
      order: Self.order(type: type, values[.order]),
      radius: values[.radius].map(Self.radius) ?? Self.typeI.radius,
      pattern: values[.pattern].map(Self.pattern) ?? Self.typeI.pattern,
      mounting: values[.mounting].map(Self.mounting) ?? .upright,
      calibration: values[.gains].map(Self.gains) ?? .none)
  }

  /// What `init(_:)` reads; without measured responses, which have no text.
  public var text: String {
    var parts: [String] = []
    if let type = Self.types.first(where: { $0.value == order }) {
      parts.append(type.key)
    } else {
      parts.append("order=" + order.map(\.rawValue).joined(separator: "/"))
    }
    parts.append("radius=\(PlainNumber.text(PlainNumber.rounded(radius * 1000)))mm")
    let name = Self.patterns.first { $0.pressure == pattern }?.name
    parts.append("pattern=\(name ?? PlainNumber.text(pattern))")
    if mounting != .upright { parts.append("mounting=\(mounting.rawValue)") }
    if case .gains(let gains) = calibration {
      parts.append("gains=" + gains.map(PlainNumber.text).joined(separator: "/"))
    }
    return parts.joined(separator: ",")
  }

  private static func order(type: String?, _ text: String?) throws -> [CapsulePosition] {
    let names = CapsulePosition.allCases.map(\.rawValue)
    let typed = try type.map { name in
      guard let positions = types[name] else {
        throw NearestName.error(
          unknown: "arrangement of channels", name,
          among: AmbisonicFormat.allCases.map(\.rawValue) + types.keys.sorted())
      }
      return positions
    }
    guard let text else { return typed ?? CapsulePosition.typeI }
    let order = try text.split(separator: "/", omittingEmptySubsequences: false).map { part in
      guard let position = CapsulePosition(rawValue: String(part)) else {
        throw NearestName.error(unknown: "capsule", String(part), among: names)
      }
      return position
    }
    guard typed.map({ Set($0) == Set(order) }) ?? true else {
      throw SafelightError(
        .invalidValue, "The order \(text) does not name the capsules of \(type ?? "")",
        remedy: "leave the type out")
    }
    return order
  }

  private static func radius(_ text: String) throws -> Double {
    let units = [("mm", 1.0), ("cm", 10)]
    let unit = units.first { text.hasSuffix($0.0) }
    guard let number = Double(text.dropLast(unit?.0.count ?? 0)), number.isFinite else {
      throw SafelightError(
        .invalidValue, "The radius “\(NearestName.shortened(text))” is no length",
        remedy: "write it in millimetres, such as 15mm")
    }
    // Whole numbers of micrometres, so that 14.7 mm is read back as such.
    return (number * (unit?.1 ?? 1) * 1000).rounded() / 1_000_000
  }

  private static func pattern(_ text: String) throws -> Double {
    if let known = patterns.first(where: { $0.name == text }) { return known.pressure }
    guard let number = Double(text) else {
      throw NearestName.error(unknown: "pattern", text, among: patterns.map(\.name) + ["0.25…0.8"])
    }
    return number
  }

  private static func mounting(_ text: String) throws -> ArrayMounting {
    guard let mounting = ArrayMounting(rawValue: text) else {
      throw NearestName.error(
        unknown: "mounting", text, among: ArrayMounting.allCases.map(\.rawValue))
    }
    return mounting
  }

  private static func gains(_ text: String) throws -> CapsuleCalibration {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let gains = parts.compactMap { Double($0) }
    guard gains.count == parts.count else {
      throw SafelightError(
        .invalidValue, "The gains “\(NearestName.shortened(text))” are no numbers",
        remedy: "write four in dB, such as 0/0.5/-0.3/0")
    }
    return .gains(gains)
  }

  private static func twice(_ what: String) -> SafelightError {
    SafelightError(.invalidValue, "The \(what) is given twice", remedy: "give it once")
  }
}
