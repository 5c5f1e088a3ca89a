import FrameCore

/// A table of Lua as text: what Lightroom's templates are. Nothing is run.
///
/// Source: Lua 5.1 Reference Manual, 2.1 (lexical conventions) and 2.5.7 (table constructors); `LOC` and `ZSTR` before a
/// string are Lightroom's.
struct LuaTable {
  indirect enum Value {
    case number(Double)
    case text(String)
    case flag(Bool)
    case table(LuaTable)
  }

  /// Those without a name, in order.
  var items: [Value] = []
  /// Those with one; of several with one name the last.
  var fields: [String: Value] = [:]

  /// The most bytes of a file, the most tables in each other, and the most values.
  static let (byteLimit, depthLimit, valueLimit) = (4 << 20, 32, 100_000)

  func text(_ name: String) -> String? { if case .text(let text)? = fields[name] { text } else { nil } }
  func table(_ name: String) -> LuaTable? { if case .table(let table)? = fields[name] { table } else { nil } }

  /// - Parameters:
  ///   - text: `s = { … }`, in UTF-8.
  ///   - file: its name, for errors.
  /// - Throws: `SafelightError`; its text begins with `FILE:LINE:` if the text is no table.
  init(parsing text: [UInt8], file: String) throws {
    guard text.count <= Self.byteLimit else {
      throw SafelightError(
        .tooLarge, "\(file) has \(text.count) bytes, more than \(Self.byteLimit >> 20) MiB",
        remedy: "export the preset again")
    }
    var parser = LuaParser(text, file: file)
    self = try parser.parse()
  }

  init() {}
}

/// Parses by recursive descent, with limits on depth and number of values.
private struct LuaParser {
  private let text: [UInt8]
  private let file: String
  private var index = 0
  private var values = 0

  init(_ text: [UInt8], file: String) {
    (self.text, self.file) = (text, file)
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  mutating func parse() throws -> LuaTable {
    guard try word() != nil else { throw wrong("a name such as “s =” is expected") }
    skipSpace()
    guard take("=") else { throw wrong("“=” is expected") }
    skipSpace()
    guard next == UInt8(ascii: "{") else { throw wrong("a table in braces is expected") }
    let table = try table(depth: 1)
    skipSpace()
    guard index == text.count else { throw wrong("there is text behind the table") }
    return table
  }

  private func wrong(_ problem: String) -> SafelightError {
    let line = text[..<min(index, text.count)].count { $0 == UInt8(ascii: "\n") } + 1
    return SafelightError(.corruptData, "\(file):\(line): \(problem)", remedy: "export the preset again")
  }

  private var next: UInt8? { index < text.count ? text[index] : nil }

  private mutating func take(_ token: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: token) else { return false }
    index += 1
    return true
  }

  /// Skips white space, and comments up to the end of their line.
  private mutating func skipSpace() {
    while let byte = next {
      if byte <= 0x20 {
        index += 1
      } else if byte == UInt8(ascii: "-"), index + 1 < text.count, text[index + 1] == byte {
        while let byte = next, byte != UInt8(ascii: "\n") { index += 1 }
      } else {
        return
      }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
  }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private mutating func word() throws -> String? {
    skipSpace()
    let start = index
    while let byte = next, Self.isLetter(byte) || index > start && Self.isDigit(byte) { index += 1 }
    return index > start ? String(decoding: text[start..<index], as: UTF8.self) : nil
  }

  private mutating func table(depth: Int) throws -> LuaTable {
    guard depth <= LuaTable.depthLimit else {
      throw wrong("tables are nested more than \(LuaTable.depthLimit) deep")
    }
    index += 1
    var table = LuaTable()
    while true {
      skipSpace()
      if take("}") { return table }
      if let name = try key() {
        table.fields[name] = try value(depth: depth)
      } else {
        table.items.append(try value(depth: depth))
      }
      skipSpace()
      guard take(",") || take(";") || next == UInt8(ascii: "}") else {
        throw wrong(next == nil ? "the table does not end" : "a comma is expected")
      }
    }
  }

  /// Returns the name before a `=`; nil if there is none, as in lists. Numbers as names count as none.
  private mutating func key() throws -> String? {
    let start = index
    if take("[") {
      skipSpace()
      var name: String?
      if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
        name = try string()
      } else {
        _ = try number()
      }
      skipSpace()
      guard take("]") else { throw wrong("“]” is expected") }
      skipSpace()
      guard take("=") else { throw wrong("“=” is expected") }
      return name
    }
    guard let name = try word() else { return nil }
    skipSpace()
    guard next == UInt8(ascii: "="), index + 1 < text.count, text[index + 1] != UInt8(ascii: "=") else {
      index = start
      return nil
    }
    index += 1
    return name
  }

  private mutating func value(depth: Int) throws -> LuaTable.Value {
    values += 1
    guard values <= LuaTable.valueLimit else {
      throw wrong("there are more than \(LuaTable.valueLimit) values")
    }
    skipSpace()
    switch next {
    case UInt8(ascii: "{")?: return .table(try table(depth: depth + 1))
    case UInt8(ascii: "\"")?, UInt8(ascii: "'")?: return .text(try string())
    case let byte? where Self.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "."):
      return .number(try number())
    default: break
    }
    switch try word() {
    case "true"?: return .flag(true)
    case "false"?: return .flag(false)
    case "nil"?: return .text("")
    case "LOC"?, "ZSTR"?:
      skipSpace()
      guard next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") else { throw wrong("a text is expected") }
      return .text(try string())
    case let word?: throw wrong("“\(NearestName.shortened(word))” is no value")
    case nil: throw wrong("a value is expected")
    }
  }

  private mutating func number() throws -> Double {
    let start = index
    while let byte = next, Self.isDigit(byte) || "+-.eE".utf8.contains(byte) { index += 1 }
    guard let number = Double(String(decoding: text[start..<index], as: UTF8.self)), number.isFinite else {
      throw wrong("a number is expected")
    }
    return number
  }

  private mutating func string() throws -> String {
    let quote = text[index]
    index += 1
    var bytes: [UInt8] = []
    while let byte = next, byte != quote {
      guard byte != UInt8(ascii: "\n") else { throw wrong("a text does not end") }
      index += 1
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      bytes.append(try escaped())
    }
    guard next == quote else { throw wrong("a text does not end") }
    index += 1
    guard let string = String(validating: bytes, as: UTF8.self) else { throw wrong("a text is not UTF-8") }
    return string
  }

  private mutating func escaped() throws -> UInt8 {
    guard let byte = next else { throw wrong("a text does not end") }
    index += 1
    switch byte {
    case UInt8(ascii: "n"), UInt8(ascii: "\n"): return UInt8(ascii: "\n")
    case UInt8(ascii: "t"): return UInt8(ascii: "\t")
    case UInt8(ascii: "r"): return UInt8(ascii: "\r")
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): return byte
    case _ where Self.isDigit(byte):
      var code = Int(byte) - 0x30
      for _ in 0..<2 {
        guard let digit = next, Self.isDigit(digit) else { break }
        code = code * 10 + Int(digit) - 0x30
        index += 1
      }
      guard let byte = UInt8(exactly: code) else { throw wrong("a text has an unknown escape") }
      return byte
    default: throw wrong("a text has an unknown escape")
    }
  }
}
