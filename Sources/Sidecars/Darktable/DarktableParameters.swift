import FoundationEssentials

/// The parameters of a module as darktable stores them: a C structure of 4-byte fields, little-endian, as hexadecimal
/// digits or, if it is long, as `gz`, two digits, and Base64 of its ZLIB stream.
///
/// Source: files written by darktable; the format was established from them and from the structures of its modules.
struct DarktableParameters {
  let bytes: [UInt8]

  /// More than any module has.
  private static let limit = 1 << 20

  /// - Returns: nil if the text is neither form.
  init?(_ text: String) {
    if text.hasPrefix("gz") {
      guard text.utf8.count > 4, text.utf8.count <= Self.limit,
        let data = Data(base64Encoded: String(text.dropFirst(4))),
        let bytes = try? Inflate.zlib([UInt8](data), atMost: Self.limit)
      else { return nil }
      self.bytes = bytes
      return
    }
    let digits = Array(text.utf8)
    guard digits.count % 2 == 0, digits.count <= 2 * Self.limit else { return nil }
    func digit(_ byte: UInt8) -> UInt8? {
      switch byte {
      case 0x30...0x39: byte - 0x30
      case 0x61...0x66: byte - 0x61 + 10
      case 0x41...0x46: byte - 0x41 + 10
      default: nil
      }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digit(digits[index]), let low = digit(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  /// The number of fields.
  var count: Int { bytes.count / 4 }

  /// Returns a field; 0 behind the end.
  func integer(_ field: Int) -> Int {
    guard field >= 0, 4 * field + 4 <= bytes.count else { return 0 }
    let raw = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[4 * field + $1]) << UInt32(8 * $1) }
    return Int(Int32(bitPattern: raw))
  }

  /// Returns a field; 0 behind the end, or if it is no finite number.
  func number(_ field: Int) -> Double {
    let number = Double(Float(bitPattern: UInt32(bitPattern: Int32(truncatingIfNeeded: integer(field)))))
    return number.isFinite ? number : 0
  }
}
