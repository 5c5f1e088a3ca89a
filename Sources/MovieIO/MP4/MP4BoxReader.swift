/// Reads boxes out of bytes that may be damaged or made to harm: every read is within bounds or nil.
///
/// Source: ISO/IEC 14496-12, section 4.2.
struct MP4BoxReader {
  private let bytes: [UInt8]
  private(set) var position: Int
  private let end: Int

  init(_ bytes: [UInt8]) { self.init(bytes, 0..<bytes.count) }

  private init(_ bytes: [UInt8], _ range: Range<Int>) {
    (self.bytes, position, end) = (bytes, range.lowerBound, range.upperBound)
  }

  var remaining: Int { end - position }

  /// A box: its type, its content, and all of its bytes.
  struct Box {
    let type: String
    let content: MP4BoxReader
    let range: Range<Int>
    fileprivate let bytes: [UInt8]
    /// The header included.
    var whole: [UInt8] { Array(bytes[range]) }
  }

  /// The length and type of a box from the first bytes of its header.
  ///
  /// - Returns: nil if the header is incomplete or its length is less than the header's. A length of 0, which
  ///   means up to the end of the file, is returned as it is.
  static func header(_ bytes: [UInt8]) -> (type: String, header: Int, length: Int64)? {
    var reader = MP4BoxReader(bytes)
    guard let length = reader.unsigned(4), let type = reader.code() else { return nil }
    guard length == 1 else { return length == 0 || length >= 8 ? (type, 8, length) : nil }
    guard let long = reader.unsigned(8), long >= 16 else { return nil }
    return (type, 16, long)
  }

  /// Returns the next box; nil at the end, or if what is there does not fit.
  mutating func box() -> Box? {
    guard let header = Self.header(Array(bytes[position..<min(position + 16, end)])),
      header.length >= Int64(header.header), header.length <= Int64(remaining)
    else { return nil }
    let range = position..<position + Int(header.length)
    position = range.upperBound
    return Box(
      type: header.type,
      content: MP4BoxReader(bytes, range.lowerBound + header.header..<range.upperBound), range: range,
      bytes: bytes)
  }

  /// Returns the first box of a type from here on, on a path into boxes.
  func find(_ path: String...) -> MP4BoxReader? {
    var reader = self
    for type in path {
      var found: MP4BoxReader?
      while found == nil, let box = reader.box() {
        if box.type == type { found = box.content }
      }
      guard let found else { return nil }
      reader = found
    }
    return reader
  }

  mutating func unsigned(_ count: Int) -> Int64? {
    guard count <= remaining else { return nil }
    var value: UInt64 = 0
    for byte in bytes[position..<position + count] { value = value << 8 | UInt64(byte) }
    position += count
    return Int64(exactly: value)
  }

  /// Reads a number in two's complement.
  mutating func signed(_ count: Int) -> Int64? {
    guard count <= remaining, count > 0 else { return nil }
    var value = Int64(Int8(bitPattern: bytes[position]))
    for byte in bytes[position + 1..<position + count] { value = value << 8 | Int64(byte) }
    position += count
    return value
  }

  mutating func code() -> String? {
    guard remaining >= 4 else { return nil }
    defer { position += 4 }
    // ISO 8859-1, so that no bytes are lost.
    return String(String.UnicodeScalarView(bytes[position..<position + 4].map { Unicode.Scalar($0) }))
  }

  mutating func skip(_ count: Int) -> Bool {
    guard count <= remaining else { return false }
    position += count
    return true
  }

  mutating func rest() -> [UInt8] {
    defer { position = end }
    return Array(bytes[position..<end])
  }

  /// Reads the version and the flags of a full box.
  mutating func fullHeader() -> (version: Int, flags: Int)? {
    guard let word = unsigned(4) else { return nil }
    return (Int(word >> 24), Int(word & 0xFF_FFFF))
  }
}
