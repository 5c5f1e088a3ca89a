import FrameCore

/// A JSON object whose keys are taken one by one; those left over are unknown.
package struct JSONObject {
  /// The name of the file and the place in it, for errors.
  package let path: String
  private var fields: [String: JSONValue]
  private var known: [String] = []

  package init(_ value: JSONValue, path: String) throws {
    guard case .object(let fields) = value else {
      throw SafelightError(.corruptData, "\(path) is not a JSON object", remedy: "write { … }")
    }
    self.fields = fields
    self.path = path
  }

  private mutating func take(_ key: String) -> JSONValue? {
    known.append(key)
    return fields.removeValue(forKey: key)
  }

  private func wrong(_ key: String, _ kind: String) -> SafelightError {
    SafelightError(.corruptData, "\(path): “\(key)” must be \(kind)")
  }

  package mutating func string(_ key: String) throws -> String? {
    switch take(key) {
    case nil: nil
    case .string(let text)?: text
    default: throw wrong(key, "a string")
    }
  }

  package mutating func number(_ key: String) throws -> Double? {
    switch take(key) {
    case nil: nil
    case .number(let number)?: number
    default: throw wrong(key, "a number")
    }
  }

  /// Returns a non-negative whole number.
  package mutating func count(_ key: String) throws -> Int? {
    guard let number = try number(key) else { return nil }
    // Beyond 2⁵³ a Double cannot represent every whole number.
    guard number >= 0, number <= 0x1p53, number == number.rounded() else {
      throw wrong(key, "a whole number of at least 0")
    }
    return Int(number)
  }

  package mutating func array(_ key: String) throws -> [JSONValue]? {
    switch take(key) {
    case nil: nil
    case .array(let values)?: values
    default: throw wrong(key, "a list")
    }
  }

  /// Returns the value unless it is missing or null.
  package mutating func value(_ key: String) -> JSONValue? {
    let value = take(key)
    return value == .null ? nil : value
  }

  mutating func value(of parameter: Parameter) throws -> ParameterValue? {
    // If both keys are present, the former one is left over and so unknown.
    var value = take(parameter.name)
    for name in parameter.formerNames where value == nil { value = fields.removeValue(forKey: name) }
    return switch (value, parameter.kind) {
    case (nil, _): nil
    case (let value?, .mask): try mask(value, of: parameter)
    case (.number(let number)?, _): .number(number)
    case (.string(let text)?, _): .text(text)
    case (.array(let values)?, .points): .points(try values.map { try point($0, of: parameter) })
    case (_, .points): throw wrong(parameter.name, Self.pointsForm)
    case (_, .number): throw wrong(parameter.name, "a number")
    default: throw wrong(parameter.name, "a string")
    }
  }

  /// A mask as an object or, shorter, as text.
  private func mask(_ value: JSONValue, of parameter: Parameter) throws -> ParameterValue {
    if case .string(let text) = value, text.contains(where: { !$0.isWhitespace }) { return .text(text) }
    return .mask(try Mask(value, at: "\(path).\(parameter.name)"))
  }

  private static let pointsForm = "a list of points such as [[0, 0], [1, 1]]"

  private func point(_ value: JSONValue, of parameter: Parameter) throws -> SIMD2<Double> {
    guard case .array(let pair) = value, pair.count == 2, case .number(let x) = pair[0],
      case .number(let y) = pair[1]
    else { throw wrong(parameter.name, Self.pointsForm) }
    return SIMD2(x, y)
  }

  package func refuseUnknownKeys() throws {
    guard let unknown = fields.keys.sorted().first else { return }
    throw NearestName.error(unknown: "key", unknown, among: known).at(path)
  }
}

extension SafelightError {
  /// Returns this error with the place in a file that it concerns.
  package func at(_ path: String) -> SafelightError {
    SafelightError(code, "\(path): \(problem)", remedy: remedy)
  }
}
