/// Builds boxes of the ISO base media file format; all numbers are big-endian.
///
/// Source: ISO/IEC 14496-12, section 4.2.
struct MP4Bytes {
  private(set) var bytes: [UInt8] = []

  init() {}

  /// Builds one box by itself.
  static func box(_ type: String, _ body: (inout MP4Bytes) -> Void) -> [UInt8] {
    var bytes = MP4Bytes()
    bytes.box(type, body)
    return bytes.bytes
  }

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  mutating func u8(_ value: Int) { bytes.append(UInt8(truncatingIfNeeded: value)) }
  mutating func u16(_ value: Int) { integer(UInt16(truncatingIfNeeded: value)) }
  mutating func u32(_ value: Int) { integer(UInt32(truncatingIfNeeded: value)) }
  mutating func u32(_ value: UInt32) { integer(value) }
  mutating func u64(_ value: Int64) { integer(value) }
  mutating func f64(_ value: Double) { integer(value.bitPattern) }
  mutating func zeros(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }
  mutating func raw(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }
  mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Four characters of ISO 8859-1, so that `©too` has four bytes.
  mutating func code(_ code: String) {
    for scalar in code.unicodeScalars { bytes.append(UInt8(truncatingIfNeeded: scalar.value)) }
  }

  mutating func box(_ type: String, _ body: (inout MP4Bytes) -> Void) {
    let start = bytes.count
    u32(0)
    code(type)
    body(&self)
    patch(UInt32(truncatingIfNeeded: bytes.count - start), at: start)
  }

  /// A box whose content begins with a version and 24 flags.
  mutating func fullBox(_ type: String, version: Int = 0, flags: Int = 0, _ body: (inout MP4Bytes) -> Void) {
    box(type) {
      $0.u32(version << 24 | flags)
      body(&$0)
    }
  }

  /// Replaces the 32-bit number at a place.
  mutating func patch(_ value: UInt32, at place: Int) {
    for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * index)) }
  }

  private mutating func integer(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }
}
