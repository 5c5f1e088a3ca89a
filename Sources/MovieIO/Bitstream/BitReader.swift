/// Reads numbers of any width from bytes, the highest bit first. Beyond the end it reads zeros and says so.
struct BitReader {
  private let bytes: [UInt8]
  private var position = 0
  /// Whether more was read than there is.
  private(set) var isPastEnd = false

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  mutating func bit() -> Bool { bits(1) == 1 }

  /// Reads at most 64 bits.
  mutating func bits(_ count: Int) -> UInt64 {
    var value: UInt64 = 0
    for _ in 0..<count {
      let index = position >> 3
      guard index < bytes.count else {
        isPastEnd = true
        return 0
      }
      value = value << 1 | UInt64(bytes[index] >> UInt8(7 - position & 7) & 1)
      position += 1
    }
    return value
  }

  mutating func skip(_ count: Int) {
    position += count
    if position > bytes.count * 8 { isPastEnd = true }
  }

  /// Reads an unsigned Exp-Golomb code (ITU-T H.264, 9.1), which AV1 calls uvlc.
  mutating func golomb() -> UInt64 {
    var zeros = 0
    while !isPastEnd, zeros < 32, !bit() { zeros += 1 }
    guard !isPastEnd, zeros < 32 else { return 0 }
    return (1 << UInt64(zeros)) - 1 + bits(zeros)
  }
}
