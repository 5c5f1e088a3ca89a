/// Reads and patches in place the TIFF structure used by EXIF. Every access is checked.
///
/// Source: TIFF 6.0, section 2; EXIF 2.32, section 4.5.
struct TIFFStructure {
  private(set) var bytes: [UInt8]
  let order: ByteOrder
  /// The offset of the first directory (IFD0).
  private(set) var firstDirectory = 0

  /// - Parameter bytes: the block, starting at its byte order mark.
  init(_ bytes: [UInt8]) throws {
    guard bytes.count >= 8 else { throw MetadataDamage("it is \(bytes.count) bytes long") }
    switch (bytes[0], bytes[1]) {
    case (0x49, 0x49): order = .littleEndian
    case (0x4D, 0x4D): order = .bigEndian
    default: throw MetadataDamage("it has no byte order mark")
    }
    self.bytes = bytes
    guard uint16(at: 2) == 42, let first = uint32(at: 4) else {
      throw MetadataDamage("it has no TIFF header")
    }
    firstDirectory = first
    _ = try directory(at: first)
  }

  /// A structure without a header, as in maker notes; offsets count from its first byte.
  init(_ bytes: [UInt8], order: ByteOrder) {
    self.bytes = bytes
    self.order = order
  }

  /// Reads the directory at `offset`.
  func directory(at offset: Int) throws -> TIFFDirectory {
    try TIFFDirectory(at: offset, of: bytes.count, order) { count, offset in
      Array(bytes.dropFirst(offset).prefix(count))
    }
  }

  /// Returns the bytes of an entry's values; nil if they lie outside the block.
  func rawValue(of entry: TIFFDirectory.Entry) -> ArraySlice<UInt8>? {
    guard entry.values.upperBound <= bytes.count else { return nil }
    return bytes[entry.values]
  }

  /// Returns the values of an entry of type BYTE, SHORT or LONG; nil for other types or if they lie outside the
  /// block.
  func integers(of entry: TIFFDirectory.Entry) -> [Int]? {
    rawValue(of: entry).flatMap { entry.integers(in: $0, order) }
  }

  /// Returns the values of an entry of type SRATIONAL; nil for other types, if they lie outside the block, or if a
  /// denominator is 0.
  func signedRationals(of entry: TIFFDirectory.Entry) -> [Double]? {
    guard entry.type == 10, entry.values.upperBound <= bytes.count else { return nil }
    var values: [Double] = []
    for index in 0..<entry.count {
      let start = entry.values.lowerBound + 8 * index
      guard let numerator = uint32(at: start), let denominator = uint32(at: start + 4), denominator != 0
      else { return nil }
      values.append(
        Double(Int32(truncatingIfNeeded: numerator)) / Double(Int32(truncatingIfNeeded: denominator)))
    }
    return values
  }

  /// Sets the value of an entry of type BYTE, SHORT or LONG that is stored inline.
  ///
  /// - Returns: false if it does not fit or is not inline; a single number always is.
  @discardableResult
  mutating func setInteger(_ value: Int, of entry: TIFFDirectory.Entry) -> Bool {
    guard entry.count >= 1, entry.values.count <= 4, entry.values.upperBound <= bytes.count else {
      return false
    }
    let start = entry.values.lowerBound
    switch entry.type {
    case 1 where value <= 0xFF: store(value, byteCount: 1, at: start)
    case 3 where value <= 0xFFFF: store(value, byteCount: 2, at: start)
    case 4 where value <= 0xFFFF_FFFF: store(value, byteCount: 4, at: start)
    default: return false
    }
    return true
  }

  /// Overwrites bytes; those outside the block are ignored.
  mutating func replace(at offset: Int, with replacement: some Sequence<UInt8>) {
    for (index, byte) in replacement.enumerated() where bytes.indices.contains(offset + index) {
      bytes[offset + index] = byte
    }
  }

  /// Fills a range with zeros; the part outside the block is ignored.
  mutating func zero(_ range: Range<Int>) {
    let inside = range.clamped(to: 0..<bytes.count)
    replace(at: inside.lowerBound, with: repeatElement(0, count: inside.count))
  }

  /// Stores an unsigned number in the block's byte order.
  mutating func store(_ value: Int, byteCount: Int, at offset: Int) {
    let shifts = (0..<byteCount).map { 8 * (order == .littleEndian ? $0 : byteCount - 1 - $0) }
    replace(at: offset, with: shifts.map { UInt8(truncatingIfNeeded: value >> $0) })
  }

  /// Rewrites the first directory at the end of the block. Nothing else moves, so offsets in maker notes remain
  /// valid.
  ///
  /// - Parameters:
  ///   - texts: ASCII fields to set, by tag.
  ///   - removed: tags to remove.
  mutating func rewriteFirstDirectory(setting texts: [UInt16: String], removing removed: Set<UInt16>) throws {
    let old = try directory(at: firstDirectory)
    var fields = old.fields.map { field -> (tag: UInt16, bytes: [UInt8]) in
      (field.tag, Array(field.bytes))
    }.filter { !removed.contains($0.tag) && texts[$0.tag] == nil }
    // TIFF requires directories at even offsets.
    if bytes.count % 2 == 1 { bytes.append(0) }
    let start = bytes.count
    var strings: [UInt8] = []
    let stringsStart = start + 2 + 12 * (fields.count + texts.count) + 4
    for (tag, text) in texts {
      let value = Array(text.utf8.filter { $0 != 0 }) + [0]
      var field = number(Int(tag), 2) + number(2, 2) + number(value.count, 4)
      if value.count <= 4 {
        field += value + [UInt8](repeating: 0, count: 4 - value.count)
      } else {
        field += number(stringsStart + strings.count, 4)
        strings += value
        if strings.count % 2 == 1 { strings.append(0) }
      }
      fields.append((tag, field))
    }
    // TIFF requires fields in ascending order.
    fields.sort { $0.tag < $1.tag }
    bytes += number(fields.count, 2) + fields.flatMap(\.bytes) + number(old.next, 4) + strings
    zero(old.range)
    store(start, byteCount: 4, at: 4)
    firstDirectory = start
  }

  /// Returns a number in the block's byte order.
  private func number(_ value: Int, _ byteCount: Int) -> [UInt8] { order.bytes(value, byteCount) }

  /// The smallest block, without fields.
  static let empty: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]

  func uint16(at offset: Int) -> Int? { unsigned(2, at: offset) }
  func uint32(at offset: Int) -> Int? { unsigned(4, at: offset) }

  private func unsigned(_ byteCount: Int, at offset: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - byteCount else { return nil }
    return order.number(bytes[offset..<offset + byteCount])
  }
}
