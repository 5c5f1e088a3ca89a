import FrameCore

/// The directories of a TIFF-like file, read on demand: camera raws are large, and their directories may be
/// anywhere. Every access is checked.
///
/// Source: TIFF 6.0, section 2. Besides TIFF's 42, the magic numbers of ORF and RW2 are accepted.
struct TIFFFile {
  let order: ByteOrder
  let firstDirectory: Int
  private let file: InputFile

  struct Directory {
    let entries: [Tag: TIFFDirectory.Entry]
    /// Fields whose values extend beyond the end of the file.
    let missing: Set<Tag>
    /// The offset of the next directory; 0 means none.
    let next: Int
    subscript(tag: Tag) -> TIFFDirectory.Entry? { entries[tag] }
  }

  /// Nil if the file does not begin like a TIFF.
  init?(_ file: InputFile) {
    guard let header = try? file.bytes(8, at: 0), header.count == 8 else { return nil }
    switch (header[0], header[1]) {
    case (0x49, 0x49): order = .littleEndian
    case (0x4D, 0x4D): order = .bigEndian
    default: return nil
    }
    self.file = file
    let magic = order.number(header[2..<4])
    guard [42, 0x4F52, 0x5352, 0x55].contains(magic) else { return nil }
    firstDirectory = order.number(header[4..<8])
  }

  /// Returns the directory at `offset`; nil if there is none, or if it extends beyond the file.
  func directory(at offset: Int) -> Directory? {
    guard let stored = try? TIFFDirectory(at: offset, of: file.byteCount, order, read: file.bytes(_:at:))
    else {
      return nil
    }
    var entries: [Tag: TIFFDirectory.Entry] = [:]
    var missing: Set<Tag> = []
    for entry in stored.entries {
      let tag = Tag(rawValue: entry.tag)
      if entry.values.upperBound <= file.byteCount {
        entries[tag] = entry
      } else {
        missing.insert(tag)
      }
    }
    return Directory(entries: entries, missing: missing, next: stored.next)
  }

  /// Returns the directory that an entry points to.
  func directory(_ entry: TIFFDirectory.Entry?) -> Directory? {
    entry.flatMap(integers)?.first.flatMap { directory(at: $0) }
  }

  /// Returns the pictures below a directory, at most 16, more than any camera writes.
  func subdirectories(of directory: Directory) -> [Directory] {
    (directory[.subdirectories].flatMap(integers) ?? []).prefix(16).compactMap { self.directory(at: $0) }
  }

  /// The directories of all pictures: the first, those that follow it, and those below each. At most 8 and 16.
  var pictures: [Directory] {
    var pictures: [Directory] = []
    var (offset, seen) = (firstDirectory, Set<Int>())
    while offset != 0, seen.count < 8, seen.insert(offset).inserted, let directory = directory(at: offset) {
      pictures += [directory] + subdirectories(of: directory)
      offset = directory.next
    }
    return pictures
  }

  /// Returns how many bytes of a picture's data lie beyond the end of the file.
  func missingBytes(of picture: Directory) -> Int {
    var missing = 0
    for (offsets, counts) in Tag.data {
      guard let offsets = picture[offsets].flatMap(integers), let counts = picture[counts].flatMap(integers)
      else { continue }
      for (offset, count) in zip(offsets, counts) where offset < 0xFFFF_FFFF && count < 0xFFFF_FFFF {
        missing = max(missing, offset + count - file.byteCount)
      }
    }
    return missing
  }

  /// Returns the bytes of an entry's values in the file's byte order; nil if there are more than `limit`.
  func bytes(of entry: TIFFDirectory.Entry, limit: Int = 1 << 16) -> [UInt8]? {
    guard entry.byteCount <= limit, let bytes = try? file.bytes(entry.byteCount, at: entry.values.lowerBound),
      bytes.count == entry.byteCount
    else { return nil }
    return bytes
  }

  /// Returns the values of an entry of type BYTE, SHORT or LONG.
  func integers(_ entry: TIFFDirectory.Entry) -> [Int]? {
    bytes(of: entry).flatMap { entry.integers(in: $0[...], order) }
  }

  /// Returns the values of an entry of type SHORT, LONG, RATIONAL or SRATIONAL; nil if a denominator is 0.
  func numbers(_ entry: TIFFDirectory.Entry) -> [Double]? {
    guard entry.type == 5 || entry.type == 10 else { return integers(entry)?.map(Double.init) }
    guard let bytes = bytes(of: entry) else { return nil }
    func number(_ start: Int) -> Double {
      let bits = UInt32(order.number(bytes[start..<start + 4]))
      return entry.type == 10 ? Double(Int32(bitPattern: bits)) : Double(bits)
    }
    var values: [Double] = []
    for start in stride(from: 0, to: bytes.count - 7, by: 8) {
      guard number(start + 4) != 0 else { return nil }
      values.append(number(start) / number(start + 4))
    }
    return values
  }
}
