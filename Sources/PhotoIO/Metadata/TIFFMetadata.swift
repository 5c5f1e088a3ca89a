import Files

/// EXIF, XMP and IPTC in TIFF files, where EXIF's fields are the file's own, among those that describe the pixels.
///
/// libvips, which reads and writes the pixels, ignores EXIF's fields. Sources: TIFF 6.0; EXIF 2.32, section 4.6;
/// XMP specification part 3, section 1.1.4 (tag 700); IPTC-NAA in tag 33723 and in Photoshop's resources, tag
/// 34377.
enum TIFFMetadata {
  private enum Tag {
    static let xmp: UInt16 = 700
    static let iptc: UInt16 = 33_723
    static let photoshop: UInt16 = 34_377
    static let orientation: UInt16 = 274
    static let descriptive = TIFFMetadata.descriptiveTags.union([
      TIFFDirectoryTree.Tag.exifDirectory, TIFFDirectoryTree.Tag.gpsDirectory,
    ])
    static let makerNote: UInt16 = 0x927C
  }

  /// Fields of the first directory that describe the photo rather than its storage: ImageDescription, Make, Model,
  /// Software, DateTime, Artist, HostComputer, Rating (two), Copyright, XPTitle…XPSubject.
  static let descriptiveTags: Set<UInt16> = [
    270, 271, 272, 305, 306, 315, 316, 18_246, 18_249, 33_432, 40_091, 40_092, 40_093, 40_094, 40_095,
  ]
  /// XResolution, YResolution, ResolutionUnit, which every TIFF has.
  static let resolutionTags: Set<UInt16> = [282, 283, 296]

  /// Returns the EXIF and IPTC of a classic TIFF file, and warnings about what could not be read. EXIF becomes a
  /// separate block.
  static func metadata(of file: InputFile) throws -> (metadata: PhotoMetadata, warnings: [String]) {
    let header = try file.bytes(8, at: 0)
    guard header.count == 8 else { return (PhotoMetadata(), []) }
    let order: ByteOrder = header[0] == 0x49 ? .littleEndian : .bigEndian
    let start = TIFFStructure(header, order: order)
    guard start.uint16(at: 2) == 42, let first = start.uint32(at: 4) else {
      // BigTIFF's directories have a different structure.
      return (PhotoMetadata(), ["EXIF and IPTC data of files in BigTIFF are not read"])
    }
    var source = TIFFDirectoryTree.Source(order: order, byteCount: file.byteCount) {
      try file.bytes($0, at: $1)
    }
    let wanted = Tag.descriptive.union(resolutionTags).union([Tag.orientation, Tag.iptc, Tag.photoshop])
    guard var tree = try? TIFFDirectoryTree(at: first, in: &source, keep: wanted.contains) else {
      // The decoder reports what is wrong with the file.
      return (PhotoMetadata(), [])
    }
    let iptc = iptc(in: tree)
    tree.fields.removeAll { $0.tag == Tag.iptc || $0.tag == Tag.photoshop }
    guard tree.fields.contains(where: { Tag.descriptive.contains($0.tag) }) else {
      return (PhotoMetadata(iptc: iptc), [])
    }
    let warnings = removeFixedNote(from: &tree) ? [MakerNote.fixedWarning] : []
    let mark: [UInt8] =
      order == .littleEndian ? [0x49, 0x49, 42, 0, 8, 0, 0, 0] : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
    return (PhotoMetadata(exif: mark + tree.bytes(at: 8), iptc: iptc), warnings)
  }

  /// Whether libvips writes a file with this many bytes of pixels as BigTIFF, for which EXIF is not supported
  /// here.
  static func isBig(pixelBytes: Int) -> Bool { pixelBytes > 4_000_000_000 }

  /// Returns warnings about what will be lost from `metadata`.
  static func warnings(for metadata: PhotoMetadata) -> [String] {
    guard let exif = metadata.exif, var tree = try? tree(of: exif), removeFixedNote(from: &tree) else {
      return []
    }
    return [MakerNote.fixedWarning]
  }

  /// Writes a TIFF file with EXIF, XMP and IPTC: a new first directory with these and the file's own fields is
  /// appended to the file, and the header points to it. Nothing else moves.
  ///
  /// - Throws: `MetadataDamage` if the file is not a classic TIFF, if EXIF cannot be followed, or if the total
  ///   exceeds the 4 GiB of a TIFF.
  static func write(
    _ file: UnsafeRawBufferPointer, adding metadata: PhotoMetadata, to output: OutputFile
  ) throws {
    guard !metadata.isEmpty else { return try output.write(file) }
    let order: ByteOrder = file.first == 0x49 ? .littleEndian : .bigEndian
    let header = TIFFStructure(Array(file.prefix(8)), order: order)
    guard header.uint16(at: 2) == 42, let first = header.uint32(at: 4), first + 2 <= file.count else {
      throw MetadataDamage("it is no classic TIFF")
    }
    var added = TIFFDirectoryTree(order: order)
    if let exif = metadata.exif {
      added = try tree(of: exif)
      let wanted = Tag.descriptive.union(resolutionTags)
      added.fields.removeAll { !wanted.contains($0.tag) }
      _ = removeFixedNote(from: &added)
    }
    for (tag, type, value) in [(Tag.xmp, 1 as UInt16, metadata.xmp), (Tag.iptc, 7, metadata.iptc)] {
      guard let value else { continue }
      added.fields.append(.init(tag: tag, type: type, count: value.count, value: value))
    }
    let replaced = Set(added.fields.map(\.tag))
    let (own, next) = try entries(of: file, at: first, order: order)
    let start = (file.count + 1) / 2 * 2
    let directory = added.bytes(
      at: start, order: order, next: next, with: own.filter { !replaced.contains($0.key) })
    guard start + directory.count <= 0xFFFF_FFFF else { throw MetadataDamage("it exceeds 4 GiB") }
    let pointer = BigEndian.bytes(start, 4)
    try output.write(Array(file[..<4]) + (order == .bigEndian ? pointer : pointer.reversed()))
    try output.write(UnsafeRawBufferPointer(rebasing: file[8...]))
    try output.write([UInt8](repeating: 0, count: start - file.count) + directory)
  }

  private static func tree(of exif: [UInt8]) throws -> TIFFDirectoryTree {
    let structure = try TIFFStructure(exif)
    var source = TIFFDirectoryTree.Source(order: structure.order, byteCount: exif.count) { count, offset in
      let range = (offset..<offset + count).clamped(to: 0..<exif.count)
      return Array(exif[range])
    }
    return try TIFFDirectoryTree(at: structure.firstDirectory, in: &source)
  }

  /// Returns the 12-byte entries of a directory by tag, and the offset of the next directory.
  private static func entries(of file: UnsafeRawBufferPointer, at offset: Int, order: ByteOrder) throws -> (
    [UInt16: [UInt8]], next: Int
  ) {
    let directory = try TIFFDirectory(at: offset, of: file.count, order) { count, offset in
      Array(file.dropFirst(offset).prefix(count))
    }
    guard directory.nextField != nil else { throw MetadataDamage("its directory ends early") }
    let fields = directory.fields.map { ($0.tag, Array($0.bytes)) }
    return (Dictionary(fields) { $1 }, directory.next)
  }

  /// Returns the EXIF block rebuilt without its maker note and unreferenced bytes; nil if it has no note or cannot
  /// be followed.
  static func withoutMakerNote(_ exif: [UInt8]) -> [UInt8]? {
    guard var tree = try? tree(of: exif), removeNote(from: &tree, where: { _ in true }) else { return nil }
    let mark: [UInt8] =
      tree.order == .littleEndian ? [0x49, 0x49, 42, 0, 8, 0, 0, 0] : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
    return mark + tree.bytes(at: 8)
  }

  /// Removes a maker note that becomes invalid when moved: readers would find other bytes at its offsets.
  private static func removeFixedNote(from tree: inout TIFFDirectoryTree) -> Bool {
    removeNote(from: &tree) { !MakerNote.isMovable($0) }
  }

  private static func removeNote(
    from tree: inout TIFFDirectoryTree, where isUnwanted: ([UInt8]) -> Bool
  ) -> Bool {
    guard let photo = tree.fields.firstIndex(where: { $0.tag == TIFFDirectoryTree.Tag.exifDirectory }),
      let fields = tree.fields[photo].child?.fields,
      let note = fields.firstIndex(where: { $0.tag == Tag.makerNote }),
      isUnwanted(fields[note].value)
    else { return false }
    tree.fields[photo].child?.fields.remove(at: note)
    return true
  }

  /// Returns IPTC's records without padding.
  private static func iptc(in tree: TIFFDirectoryTree) -> [UInt8]? {
    var bytes: [UInt8]?
    if let field = tree.fields.first(where: { $0.tag == Tag.iptc }) {
      bytes = field.value
      // Many programs declare the records as four-byte numbers, and some swap their bytes accordingly.
      if field.type == 4, field.value.count >= 4, field.value[0] != 0x1C, field.value[3] == 0x1C {
        bytes = stride(from: 0, to: field.value.count, by: 4).flatMap { field.value[$0..<$0 + 4].reversed() }
      }
    } else if let resources = tree.fields.first(where: { $0.tag == Tag.photoshop }) {
      bytes = JPEGMetadata.resource(JPEGMetadata.iptcResource, in: resources.value)
    }
    guard let bytes, bytes.first == 0x1C else { return nil }
    let end = IPTCRecords.end(in: bytes)
    return bytes[end...].allSatisfy { $0 == 0 } ? Array(bytes[..<end]) : bytes
  }
}
