/// Reads one line of JSON (RFC 8259) from front to back, without recursion and without building a tree.
///
/// For a journal of a million lines that this program wrote: a line that a power cut truncated is ignored, not
/// explained. `JSONValue` in FilterGraph reads what people write, and says where it is wrong.
struct JSONLineReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0
  /// Whether everything read so far was present and well formed.
  private(set) var isSound = true

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Whether only whitespace is left.
  var isAtEnd: Bool { bytes[place...].allSatisfy { $0 == 0x20 || $0 == 9 || $0 == 13 } }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 9 || byte == 13 { place += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard next == byte else { return false }
    place += 1
    return true
  }

  private mutating func fail<Value>() -> Value? {
    isSound = false
    return nil
  }

  /// - Parameter value: reads the value of a key; returns false on failure.
  /// - Returns: whether there was a complete object.
  mutating func readObject(_ value: (_ key: String, _ reader: inout JSONLineReader) -> Bool) -> Bool {
    guard take(UInt8(ascii: "{")) else { return false }
    if take(UInt8(ascii: "}")) { return true }
    while true {
      guard let key = readString(), take(UInt8(ascii: ":")), value(key, &self) else { return false }
      if take(UInt8(ascii: "}")) { return true }
      guard take(UInt8(ascii: ",")) else { return false }
    }
  }

  mutating func readString() -> String? {
    guard take(UInt8(ascii: "\"")) else { return fail() }
    let start = place
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { place += 1 }
    if next == UInt8(ascii: "\"") {
      let text = String(validating: bytes[start..<place], as: UTF8.self)
      place += 1
      return text ?? fail()
    }
    var text = Array(bytes[start..<place])
    while let byte = next, byte >= 0x20 {
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self) ?? fail()
      case UInt8(ascii: "\\"):
        guard let scalar = readEscape() else { return fail() }
        text += Array(String(scalar).utf8)
      default: text.append(byte)
      }
    }
    return fail()
  }

  private mutating func readEscape() -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard let unit = readHex() else { return nil }
      guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) }
      guard next == UInt8(ascii: "\\") else { return nil }
      place += 1
      guard next == UInt8(ascii: "u") else { return nil }
      place += 1
      guard let low = readHex(), (0xDC00..<0xE000).contains(low) else { return nil }
      return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    default: return nil
    }
  }

  /// Reads four hexadecimal digits.
  private mutating func readHex() -> UInt32? {
    guard place + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[place..<place + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    place += 4
    return value
  }

  mutating func readInteger() -> Int? {
    skipBlanks()
    let isNegative = take(UInt8(ascii: "-"))
    var value = 0
    let start = place
    while let byte = next, (0x30...0x39).contains(byte) {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int(byte - 0x30))
      guard !overflow, !carry else { return fail() }
      value = sum
      place += 1
    }
    guard place > start else { return fail() }
    return isNegative ? -value : value
  }

  mutating func readIntegers() -> [Int]? {
    guard take(UInt8(ascii: "[")) else { return fail() }
    var values: [Int] = []
    if take(UInt8(ascii: "]")) { return values }
    while let value = readInteger() {
      values.append(value)
      if take(UInt8(ascii: "]")) { return values }
      guard take(UInt8(ascii: ",")) else { break }
    }
    return fail()
  }

  /// Skips a value of any kind; brackets need only balance in number.
  mutating func skipValue() -> Bool {
    var depth = 0
    repeat {
      skipBlanks()
      guard let byte = next else { return false }
      switch byte {
      case UInt8(ascii: "\""): guard readString() != nil else { return false }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard depth > 0 else { return false }
        depth -= 1
        place += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        guard depth > 0 else { return false }
        place += 1
      default:
        // A number or a word.
        let start = place
        while let byte = next, !" \t,:]}[{\"".utf8.contains(byte) { place += 1 }
        guard place > start else { return false }
      }
    } while depth > 0
    return true
  }
}
