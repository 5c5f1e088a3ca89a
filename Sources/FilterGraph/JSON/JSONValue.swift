import FrameCore

/// Any JSON value. Numbers are finite; the keys of an object are distinct.
///
/// For recipes, sidecars and other files that people may write or edit. BatchEditing's `JSONLineReader` reads the
/// lines of journals, which are too many for a tree of values each.
package enum JSONValue: Sendable, Equatable {
  case object([String: JSONValue])
  case array([JSONValue])
  case string(String)
  case number(Double)
  case bool(Bool)
  case null

  /// Parses one JSON text. Source: RFC 8259.
  ///
  /// Recipes are written by hand, so errors give the line and column, which Foundation's decoder does not on
  /// Linux; and duplicate keys and numbers beyond the range of Double are errors rather than guesses.
  ///
  /// - Parameters:
  ///   - text: UTF-8; a byte order mark is skipped.
  ///   - file: the file's name, for errors.
  /// - Throws: `SafelightError` (`corruptData`) whose text begins with `FILE:LINE:COLUMN:`.
  package init(parsing text: [UInt8], file: String) throws {
    var parser = JSONParser(text: text, file: file)
    self = try parser.parse()
  }

  /// Returns `text` as a JSON string.
  package static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case _ where scalar.value < 0x20:
        let hex = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}

private struct JSONParser {
  /// Deeper texts are rejected: no recipe needs them, and recursion must be bounded.
  static let maximumDepth = 64

  let text: [UInt8]
  let file: String
  private var index = 0

  init(text: [UInt8], file: String) {
    self.text = text
    self.file = file
    if text.starts(with: [0xef, 0xbb, 0xbf]) { index = 3 }
  }

  mutating func parse() throws -> JSONValue {
    let value = try value(depth: 0)
    skipSpace()
    guard index == text.count else { throw wrong("there is text after the end of the value") }
    return value
  }

  // MARK: Errors

  /// Returns an error at `place`, or at the current position.
  private func wrong(_ problem: String, at place: Int? = nil, remedy: String = "") -> SafelightError {
    let before = text[..<(place ?? index)]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    // Columns count characters, so continuation bytes of UTF-8 do not count.
    let column = before[start...].count { $0 & 0xc0 != 0x80 } + 1
    return SafelightError(.corruptData, "\(file):\(line):\(column): \(problem)", remedy: remedy)
  }

  // MARK: Tokens

  private var next: UInt8? { index < text.count ? text[index] : nil }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0a, 0x0d].contains(byte) { index += 1 }
  }

  /// Consumes `character` if it comes next after white space, and returns whether it did.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func value(depth: Int) throws -> JSONValue {
    guard depth < Self.maximumDepth else {
      throw wrong("values are nested more than \(Self.maximumDepth) deep")
    }
    skipSpace()
    switch next {
    case nil: throw wrong("the text ends where a value is expected")
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    default: return try word()
    }
  }

  private mutating func object(depth: Int) throws -> JSONValue {
    _ = take("{")
    var fields: [String: JSONValue] = [:]
    if take("}") { return .object(fields) }
    repeat {
      skipSpace()
      let place = index
      guard next == UInt8(ascii: "\"") else { throw wrong("a key in double quotes is expected") }
      let key = try string()
      guard fields[key] == nil else { throw wrong("the key “\(key)” is given twice", at: place) }
      guard take(":") else { throw wrong("a colon is expected after the key “\(key)”") }
      fields[key] = try value(depth: depth + 1)
    } while take(",")
    guard take("}") else { throw wrong("a comma or } is expected") }
    return .object(fields)
  }

  private mutating func array(depth: Int) throws -> JSONValue {
    _ = take("[")
    var values: [JSONValue] = []
    if take("]") { return .array(values) }
    repeat { values.append(try value(depth: depth + 1)) } while take(",")
    guard take("]") else { throw wrong("a comma or ] is expected") }
    return .array(values)
  }

  /// Parses `true`, `false`, `null` or a number.
  private mutating func word() throws -> JSONValue {
    let start = index
    while let byte = next, Self.isWordByte(byte) { index += 1 }
    guard index > start else {
      throw wrong("a value is expected", remedy: "JSON has no comments and no single quotes")
    }
    let word = String(decoding: text[start..<index], as: UTF8.self)
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default: break
    }
    guard Self.isNumber(text[start..<index]), let number = Double(word) else {
      throw wrong(
        "“\(word)” is not a JSON value", at: start,
        remedy: "write strings in double quotes, and numbers like -0.5")
    }
    guard number.isFinite else { throw wrong("the number \(word) is too large", at: start) }
    return .number(number)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Whether `bytes` match `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
  private static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    func skip(_ characters: [Unicode.Scalar]) -> Bool {
      guard let first = rest.first, characters.contains(where: { UInt8(ascii: $0) == first }) else {
        return false
      }
      rest.removeFirst()
      return true
    }
    func skipDigits() -> Int {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
      rest.removeFirst(digits)
      return digits
    }
    _ = skip(["-"])
    guard skip(["0"]) || skipDigits() > 0 else { return false }
    if skip(["."]), skipDigits() == 0 { return false }
    if skip(["e", "E"]) {
      _ = skip(["+", "-"])
      if skipDigits() == 0 { return false }
    }
    return rest.isEmpty
  }

  // MARK: Strings

  private mutating func string() throws -> String {
    let start = index
    index += 1
    var bytes: [UInt8] = []
    while true {
      guard let byte = next else {
        throw wrong("a string does not end", at: start, remedy: "close it with a double quote")
      }
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        guard let string = String(validating: bytes, as: UTF8.self) else {
          throw wrong("a string is not UTF-8", at: start, remedy: "save the file as UTF-8")
        }
        return string
      case 0..<0x20:
        throw wrong(
          "a string holds a line break or another control character", remedy: "write \\n for a line break")
      case UInt8(ascii: "\\"):
        bytes += try escape().utf8
      default:
        bytes.append(byte)
        index += 1
      }
    }
  }

  /// Parses the escape sequence at the current position.
  private mutating func escape() throws -> String {
    let start = index
    index += 1
    guard let kind = next else { throw wrong("a string does not end", at: start) }
    index += 1
    switch kind {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      var units = [try codeUnit(from: start)]
      // Characters beyond the Basic Multilingual Plane are written as a surrogate pair.
      if UTF16.isLeadSurrogate(units[0]),
        text[index...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
      {
        index += 2
        units.append(try codeUnit(from: start))
      }
      guard let character = String(validating: units, as: UTF16.self) else {
        throw wrong("a surrogate pair is incomplete", at: start)
      }
      return character
    default:
      throw wrong(
        "the backslash does not begin an escape sequence", at: start, remedy: "write \\\\ for a backslash")
    }
  }

  private mutating func codeUnit(from start: Int) throws -> UInt16 {
    let digits = text[index...].prefix(4)
    guard digits.count == 4, digits.allSatisfy(Self.isHexadecimal),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw wrong("\\u is not followed by four hexadecimal digits", at: start) }
    index += 4
    return unit
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
