/// A box of the ISO base media file format, of which HEIC, AVIF and JPEG XL files consist.
///
/// Source: ISO/IEC 14496-12, section 4.2.
struct ISOBox: Sendable {
  /// Four characters, such as `meta`.
  let type: String
  /// The whole box.
  let range: Range<Int>
  /// The part after its header.
  let content: Range<Int>

  /// The length of the longest header, which has a 64-bit box length.
  static let longestHeader = 16

  /// Reads the header of the box at `offset` in a file.
  ///
  /// - Parameters:
  ///   - header: the bytes from there on, at most `longestHeader`.
  ///   - end: the end of the enclosing box or the file.
  /// - Returns: nil if the header is incomplete, or if the length is less than the header's or extends beyond
  ///   `end`.
  init?(header: some RandomAccessCollection<UInt8>, at offset: Int, end: Int) {
    var reader = BigEndianReader(header)
    guard let size = reader.integer(4), let type = reader.bytes(4) else { return nil }
    var length = size
    if size == 1 {
      guard let long = reader.integer(8) else { return nil }
      length = long
    } else if size == 0 {
      length = end - offset
    }
    guard length >= reader.position, length <= end - offset else { return nil }
    self.type = String(decoding: type, as: UTF8.self)
    range = offset..<offset + length
    content = offset + reader.position..<offset + length
  }

  /// Returns the boxes in a range of `bytes`.
  ///
  /// - Throws: `MetadataDamage` if they do not fill it.
  static func boxes(in bytes: [UInt8], _ range: Range<Int>) throws -> [ISOBox] {
    var boxes: [ISOBox] = []
    var position = range.lowerBound
    while position < range.upperBound {
      let header = bytes[position..<min(position + longestHeader, range.upperBound)]
      guard let box = ISOBox(header: header, at: position, end: range.upperBound) else {
        throw MetadataDamage("a box at \(position) does not fit in \(range.upperBound) bytes")
      }
      boxes.append(box)
      position = box.range.upperBound
    }
    return boxes
  }

  /// Visits the top-level boxes of a file in order, without reading their contents, as far as they are valid.
  ///
  /// - Parameter body: returns false to stop. At most a thousand boxes are visited; files have about ten.
  static func forEach(in file: InputFile, _ body: (ISOBox) throws -> Bool) throws {
    var position = 0
    for _ in 0..<1000 where position < file.byteCount {
      let header = try file.bytes(longestHeader, at: position)
      guard let box = ISOBox(header: header, at: position, end: file.byteCount), try body(box) else { return }
      position = box.range.upperBound
    }
  }

  /// Returns a box with `content`.
  static func make(_ type: String, _ content: [UInt8]) -> [UInt8] {
    BigEndian.bytes(8 + content.count, 4) + Array(type.utf8) + content
  }

  /// Returns a full box, whose content begins with a version and flags.
  static func make(_ type: String, version: Int, flags: Int = 0, _ content: [UInt8]) -> [UInt8] {
    make(type, BigEndian.bytes(version << 24 | flags, 4) + content)
  }
}

enum BigEndian {
  /// Returns the lower `count` bytes of a number, in big-endian order.
  static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }
}

/// Reads successive big-endian numbers from bytes; nil at their end.
struct BigEndianReader {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  var remaining: Int { bytes.count - position }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= remaining else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// Reads a number of 0…8 bytes; nil also if it does not fit `Int`.
  mutating func integer(_ count: Int) -> Int? {
    guard let bytes = bytes(count) else { return nil }
    let value = bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return Int(exactly: value)
  }

  /// Returns the remaining bytes.
  mutating func rest() -> [UInt8] {
    defer { position = bytes.count }
    return Array(bytes[position...])
  }
}
