/// Reads the numbers and texts of a message from a process that may have been taken over: nothing is believed.
struct MessageReader {
  /// The message is none: a length that leads out of it, a number out of its range, or something left over.
  struct Malformed: Error {}

  /// The most bytes of a text.
  static let mostText = 65_535

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
    guard count <= bytes.count - position else { throw Malformed() }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func byte() throws -> UInt8 { try take(1).first ?? 0 }

  mutating func number16() throws -> UInt16 {
    try take(2).reversed().reduce(0) { $0 << 8 | UInt16($1) }
  }

  mutating func number32() throws -> UInt32 {
    try take(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// A number within a range, and so no NaN.
  mutating func float(in range: ClosedRange<Float>) throws -> Double {
    let value = Float(bitPattern: try number32())
    guard range.contains(value) else { throw Malformed() }
    return Double(value)
  }

  /// A text; what is not UTF-8 in it becomes U+FFFD.
  mutating func text() throws -> String {
    let count = Int(try number32())
    guard count <= Self.mostText else { throw Malformed() }
    return String(decoding: try take(count), as: UTF8.self)
  }

  /// A number of things, at most so many.
  mutating func count(_ number: some BinaryInteger, atMost most: Int) throws -> Int {
    guard number <= most else { throw Malformed() }
    return Int(number)
  }

  func finish() throws { guard position == bytes.count else { throw Malformed() } }
}
