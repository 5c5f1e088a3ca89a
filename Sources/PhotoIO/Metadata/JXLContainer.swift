/// The boxes of a JPEG XL file, where EXIF and XMP are; libvips 8.14 neither reads nor writes them.
///
/// Source: ISO/IEC 18181-2, sections 4 (boxes) and 9.1 (a file may be the codestream alone).
enum JXLContainer {
  private static let signature = ISOBox.make("JXL ", [0x0D, 0x0A, 0x87, 0x0A])
  private static let fileType = ISOBox.make("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
  private static let codestreamStart: [UInt8] = [0xFF, 0x0A]
  /// More than any camera or program writes.
  private static let longestBlock = 1 << 26

  /// The file with EXIF and XMP, without those that it had.
  ///
  /// - Throws: `MetadataDamage` where the file is no JPEG XL.
  static func adding(_ metadata: PhotoMetadata, to file: UnsafeRawBufferPointer) throws -> [UInt8] {
    var added: [UInt8] = []
    // Four bytes say how far into the block the byte order mark is.
    if let exif = metadata.exif { added += ISOBox.make("Exif", [0, 0, 0, 0] + exif) }
    if let xmp = metadata.xmp { added += ISOBox.make("xml ", xmp) }
    let bytes = Array(file)
    if bytes.starts(with: codestreamStart) {
      return added.isEmpty ? bytes : signature + fileType + added + ISOBox.make("jxlc", bytes)
    }
    var result: [UInt8] = []
    for box in try ISOBox.boxes(in: bytes, 0..<bytes.count) where !["Exif", "xml ", "brob"].contains(box.type) {
      // The level must come first, and metadata before the pixels show while the rest loads.
      if box.type == "jxlc" || box.type == "jxlp" {
        result += added
        added = []
      }
      result += bytes[box.range]
    }
    guard added.isEmpty else { throw MetadataDamage("there is no codestream") }
    return result
  }

  /// EXIF and XMP of a file, and what could not be read of them.
  static func metadata(of file: InputFile) throws -> (metadata: PhotoMetadata, warnings: [String]) {
    var metadata = PhotoMetadata()
    var warnings: [String] = []
    try ISOBox.forEach(in: file) { box in
      guard box.content.count <= longestBlock else { return true }
      func content() throws -> [UInt8] { try file.bytes(box.content.count, at: box.content.lowerBound) }
      switch box.type {
      case "Exif" where metadata.exif == nil:
        var reader = BigEndianReader(try content())
        if let offset = reader.integer(4), reader.bytes(offset) != nil {
          metadata.exif = reader.rest()
        } else {
          warnings.append("The EXIF data are damaged and were left out: they begin beyond their end")
        }
      case "xml " where metadata.xmp == nil:
        metadata.xmp = try content()
      case "brob":
        let kind = try file.bytes(4, at: box.content.lowerBound)
        if kind == Array("Exif".utf8) || kind == Array("xml ".utf8) {
          let name = kind[0] == UInt8(ascii: "E") ? "EXIF" : "XMP"
          warnings.append("The \(name) data are compressed (Brotli), which is not read; they were left out")
        }
      default: break
      }
      return true
    }
    return (metadata, warnings)
  }
}
