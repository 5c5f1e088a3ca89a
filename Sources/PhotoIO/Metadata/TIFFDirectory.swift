/// The byte order of a TIFF structure.
enum ByteOrder: Sendable {
  case littleEndian
  case bigEndian

  /// Returns the unsigned number that `bytes` hold; at most eight.
  func number(_ bytes: ArraySlice<UInt8>) -> Int {
    switch self {
    case .littleEndian: bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    case .bigEndian: bytes.reduce(0) { $0 << 8 | Int($1) }
    }
  }

  /// Returns the lower `count` bytes of a number.
  func bytes(_ number: Int, _ count: Int) -> [UInt8] {
    let bytes = BigEndian.bytes(number, count)
    return self == .bigEndian ? bytes : bytes.reversed()
  }
}

/// Why a metadata block is unusable; completes "The EXIF data are damaged: …".
struct MetadataDamage: Error, Hashable {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

/// A directory of a TIFF file (an IFD) as it is stored: where its fields' values are, but not the values.
///
/// The one reader of directories, for blocks in memory as for files. Every access is checked; values may still lie
/// beyond the end, which whoever reads them must check.
///
/// Source: TIFF 6.0, section 2.
struct TIFFDirectory {
  struct Entry {
    let tag: UInt16
    let type: UInt16
    let count: Int
    /// Where the values are: in the entry itself, or where its offset points. May lie beyond the end.
    let values: Range<Int>
    /// The offset of the directory that the field points to, if it does.
    let pointer: Int

    /// The length of the values.
    var byteCount: Int { values.count }

    /// Nil for unknown types.
    ///
    /// - Parameters:
    ///   - bytes: the twelve bytes of the entry.
    ///   - offset: their place in the file.
    fileprivate init?(_ bytes: ArraySlice<UInt8>, at offset: Int, _ order: ByteOrder) {
      let start = bytes.startIndex
      func number(_ place: Int, _ length: Int) -> Int {
        order.number(bytes[start + place..<start + place + length])
      }
      guard let size = Self.valueSize(ofType: number(2, 2)) else { return nil }
      tag = UInt16(truncatingIfNeeded: number(0, 2))
      type = UInt16(truncatingIfNeeded: number(2, 2))
      count = number(4, 4)
      pointer = number(8, 4)
      // At most 2³² values of 8 bytes: no overflow in 64 bits.
      let length = count * size
      let first = length > 4 ? pointer : offset + 8
      values = first..<first + length
    }

    /// Returns the size in bytes of one value of a field type; nil for unknown types.
    static func valueSize(ofType type: Int) -> Int? {
      switch type {
      case 1, 2, 6, 7: 1
      case 3, 8: 2
      case 4, 9, 11, 13: 4
      case 5, 10, 12: 8
      default: nil
      }
    }

    /// Returns the values of an entry of type BYTE, SHORT or LONG; nil for other types.
    ///
    /// - Parameter bytes: the values as stored.
    func integers(in bytes: ArraySlice<UInt8>, _ order: ByteOrder) -> [Int]? {
      guard [1, 3, 4, 13].contains(type), let size = Self.valueSize(ofType: Int(type)) else { return nil }
      return stride(from: bytes.startIndex, to: bytes.endIndex - size + 1, by: size)
        .map { order.number(bytes[$0..<$0 + size]) }
    }
  }

  /// The directory's own bytes, excluding values stored elsewhere.
  let range: Range<Int>
  /// Fields of known types.
  let entries: [Entry]
  /// The twelve bytes of each field, including those of unknown types.
  let fields: [(tag: UInt16, bytes: ArraySlice<UInt8>)]
  /// The position of the next directory's offset; nil if the file ends before it.
  let nextField: Int?
  /// The offset of the next directory; 0 means none.
  let next: Int

  subscript(tag: UInt16) -> Entry? { entries.first { $0.tag == tag } }

  /// Reads the directory at `offset`.
  ///
  /// - Parameters:
  ///   - byteCount: the length of the file, for errors.
  ///   - read: reads `count` bytes from `offset` on; fewer at the end.
  /// - Throws: `MetadataDamage` if it lies outside or is truncated, and what `read` throws.
  init(
    at offset: Int, of byteCount: Int, _ order: ByteOrder,
    read: (_ count: Int, _ offset: Int) throws -> [UInt8]
  ) throws {
    let head = offset >= 8 ? try read(2, offset) : []
    guard head.count == 2 else {
      throw MetadataDamage("a directory lies outside, at \(offset) of \(byteCount) bytes")
    }
    let count = order.number(head[...])
    let table = try read(12 * count + 4, offset + 2)
    guard table.count >= 12 * count else {
      throw MetadataDamage("a directory of \(count) entries at \(offset) goes beyond \(byteCount) bytes")
    }
    fields = (0..<count).map { index in
      let bytes = table[12 * index..<12 * index + 12]
      return (UInt16(truncatingIfNeeded: order.number(bytes.prefix(2))), bytes)
    }
    entries = (0..<count).compactMap { index in
      Entry(table[12 * index..<12 * index + 12], at: offset + 2 + 12 * index, order)
    }
    let end = offset + 2 + 12 * count
    let hasNext = table.count == 12 * count + 4
    next = hasNext ? order.number(table[(12 * count)...]) : 0
    nextField = hasNext ? end : nil
    range = offset..<(hasNext ? end + 4 : end)
  }
}
