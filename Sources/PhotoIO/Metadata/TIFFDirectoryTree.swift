/// A TIFF directory with its values and subdirectories, independent of file offsets, so that it can be moved to
/// another file and change its byte order.
///
/// Maker notes are copied unchanged. Some, such as Canon's and Sony's, count offsets from the start of their
/// original file; the caller must deal with those when moving them.
///
/// Sources: TIFF 6.0, section 2; EXIF 2.32, sections 4.6.2 and 4.6.3.
struct TIFFDirectoryTree {
  struct Field {
    let tag: UInt16
    let type: UInt16
    let count: Int
    /// In the byte order of the tree.
    var value: [UInt8]
    /// The directory that the field points to.
    var child: TIFFDirectoryTree?
  }

  let order: ByteOrder
  var fields: [Field] = []

  /// The source of directories and values.
  struct Source {
    let order: ByteOrder
    let byteCount: Int
    /// Reads `count` bytes from `offset` on; fewer at the end.
    let read: (_ count: Int, _ offset: Int) throws -> [UInt8]
    /// The number of bytes that may still be read, since damaged files may refer to the same large value
    /// repeatedly.
    var budget = 1 << 26
  }

  enum Tag {
    static let exifDirectory: UInt16 = 0x8769
    static let gpsDirectory: UInt16 = 0x8825
    static let interoperabilityDirectory: UInt16 = 0xA005
    /// Returns the fields that point to directories, by the directory that contains them.
    static func directories(in parent: UInt16?) -> Set<UInt16> {
      switch parent {
      case nil: [exifDirectory, gpsDirectory]
      case exifDirectory: [interoperabilityDirectory]
      default: []
      }
    }
  }

  init(order: ByteOrder) { self.order = order }

  /// Reads the directory at `offset` and its subdirectories. Fields of unknown types, and values and directories
  /// out of bounds, are omitted.
  ///
  /// - Parameters:
  ///   - tag: the tag of the field that points here; nil for the first directory.
  ///   - keep: whether a field of this directory is wanted.
  /// - Throws: `MetadataDamage` if the directory itself is truncated.
  init(
    at offset: Int, in source: inout Source, tag parent: UInt16? = nil, keep: (UInt16) -> Bool = { _ in true }
  ) throws {
    order = source.order
    let directory = try TIFFDirectory(at: offset, of: source.byteCount, order) { count, offset in
      source.budget -= count
      return try source.read(count, offset)
    }
    guard source.budget > 0 else {
      throw MetadataDamage("its directories are larger than any program writes")
    }
    let pointers = Tag.directories(in: parent)
    for entry in directory.entries where keep(entry.tag) {
      guard entry.byteCount <= source.budget, entry.byteCount <= source.byteCount else { continue }
      source.budget -= entry.byteCount
      let value = try source.read(entry.byteCount, entry.values.lowerBound)
      guard value.count == entry.byteCount else { continue }
      var field = Field(tag: entry.tag, type: entry.type, count: entry.count, value: value)
      if pointers.contains(entry.tag) {
        guard let child = try? TIFFDirectoryTree(at: entry.pointer, in: &source, tag: entry.tag) else {
          continue
        }
        field.child = child
      }
      fields.append(field)
    }
  }

  /// Returns the bytes of the directory and everything that belongs to it.
  ///
  /// - Parameters:
  ///   - offset: their offset in the file, an even number.
  ///   - byteOrder: nil keeps the tree's byte order.
  ///   - next: the value of its last four bytes, the offset of the next directory.
  ///   - raw: 12-byte entries to copy unchanged, by tag; they replace fields with the same tag.
  func bytes(
    at offset: Int, order byteOrder: ByteOrder? = nil, next: Int = 0, with raw: [UInt16: [UInt8]] = [:]
  ) -> [UInt8] {
    let order = byteOrder ?? self.order
    func number(_ value: Int, _ count: Int) -> [UInt8] { order.bytes(value, count) }
    let own = fields.filter { raw[$0.tag] == nil }
    let entryCount = own.count + raw.count
    var entries = raw.map { (tag: $0.key, bytes: $0.value) }
    var values: [UInt8] = []
    let valuesStart = offset + 2 + 12 * entryCount + 4
    for field in own {
      var entry = number(Int(field.tag), 2) + number(Int(field.type), 2) + number(field.count, 4)
      let place = valuesStart + values.count
      if let child = field.child {
        values += child.bytes(at: place, order: order)
        entry += number(place, 4)
      } else {
        let value = order == self.order ? field.value : Self.swapped(field.value, type: field.type)
        if value.count <= 4 {
          entry += value + [UInt8](repeating: 0, count: 4 - value.count)
        } else {
          values += value
          entry += number(place, 4)
        }
      }
      if values.count % 2 == 1 { values.append(0) }
      entries.append((field.tag, entry))
    }
    // TIFF requires fields in ascending order.
    entries.sort { $0.tag < $1.tag }
    return number(entryCount, 2) + entries.flatMap(\.bytes) + number(next, 4) + values
  }

  /// Returns values of a type in the other byte order.
  private static func swapped(_ value: [UInt8], type: UInt16) -> [UInt8] {
    let unit =
      switch type {
      case 3, 8: 2
      // A rational consists of two numbers of four bytes.
      case 4, 5, 9, 10, 11, 13: 4
      case 12: 8
      default: 1
      }
    return stride(from: 0, to: value.count - unit + 1, by: unit).flatMap { value[$0..<$0 + unit].reversed() }
  }
}
