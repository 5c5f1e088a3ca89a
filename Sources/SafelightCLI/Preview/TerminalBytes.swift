/// Text and control sequences for a terminal, in reused memory.
struct TerminalBytes {
  private(set) var bytes: [UInt8] = []

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(repeating byte: UInt8, _ count: Int) {
    for _ in 0..<count { bytes.append(byte) }
  }

  mutating func append(_ text: some StringProtocol) { bytes.append(contentsOf: text.utf8) }

  /// Appends a number that is not negative, in decimal.
  mutating func append(_ number: Int) {
    if number >= 10 { append(number / 10) }
    bytes.append(UInt8(truncatingIfNeeded: 48 + number % 10))
  }

  /// CUP; rows and columns count from 0 here.
  mutating func moveCursor(row: Int, column: Int) {
    append("\u{1B}[")
    append(row + 1)
    append(UInt8(ascii: ";"))
    append(column + 1)
    append(UInt8(ascii: "H"))
  }
}
