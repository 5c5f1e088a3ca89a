import Files
import FrameCore

/// Adds metadata chunks to a finished PNG file, byte for byte.
///
/// libvips would pass EXIF through libexif, which rewrites it and breaks maker notes. Source: PNG (third edition),
/// sections 5.3, 11.3.2.6 (cICP), 11.3.3.4 (iTXt) and 11.3.6 (eXIf); XMP specification part 3, section 1.1.5.
enum PNGChunks {
  /// Signature (8 bytes) and IHDR (4 + 4 + 13 + 4): any other chunk may follow, before the pixels.
  private static let headerLength = 33

  static func write(_ png: UnsafeRawBufferPointer, adding metadata: PhotoMetadata, to output: OutputFile)
    throws
  {
    let split = min(headerLength, png.count)
    try output.write(UnsafeRawBufferPointer(rebasing: png[..<split]))
    if let exif = metadata.exif { try output.write(chunk("eXIf", exif)) }
    if let xmp = metadata.xmp {
      // Keyword, null, no compression, method 0, empty language and translated keyword, text.
      try output.write(chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp))
    }
    try output.write(UnsafeRawBufferPointer(rebasing: png[split...]))
  }

  /// Whether the picture is stored in seven interlaced passes, according to the last byte of IHDR's data.
  static func isInterlaced(_ file: InputFile) -> Bool { (try? file.bytes(1, at: 28))?.first == 1 }

  /// Returns the H.273 code points in the `cICP` chunk; nil if there is none before the pixels.
  static func codePoints(of file: InputFile) throws -> (primaries: Int, transfer: Int)? {
    var position = 8
    // Files have about ten chunks before the pixels.
    for _ in 0..<1000 where position < file.byteCount {
      var reader = BigEndianReader(try file.bytes(12, at: position))
      guard let length = reader.integer(4), let type = reader.bytes(4), !type.elementsEqual("IDAT".utf8)
      else { return nil }
      if type.elementsEqual("cICP".utf8), let primaries = reader.integer(1), let transfer = reader.integer(1)
      {
        return (primaries, transfer)
      }
      position += 12 + length
    }
    return nil
  }

  static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return BigEndian.bytes(data.count, 4) + body + BigEndian.bytes(Int(crc32(body)), 4)
  }

  /// Returns the CRC-32 of ISO 3309, reflected, polynomial 0xEDB88320 (PNG, annex D).
  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 0 ? 0 : 0xEDB8_8320) }
    }
    return ~crc
  }
}
