import CVips
import ColorScience
import FrameCore

/// The boxes of a JPEG XL file, which hold EXIF and XMP; libvips 8.14 neither reads nor writes them.
///
/// Source: ISO/IEC 18181-2, sections 4 (boxes) and 9.1 (a file may be a bare codestream).
enum JXLContainer {
  private static let signature = ISOBox.make("JXL ", [0x0D, 0x0A, 0x87, 0x0A])
  private static let fileType = ISOBox.make("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
  private static let codestreamStart: [UInt8] = [0xFF, 0x0A]
  /// A length beyond what any camera or program writes.
  private static let longestBlock = 1 << 26

  /// Returns the file with the given EXIF and XMP in place of its own.
  ///
  /// - Throws: `MetadataDamage` if the file is not JPEG XL.
  static func adding(_ metadata: PhotoMetadata, to file: UnsafeRawBufferPointer) throws -> [UInt8] {
    var added: [UInt8] = []
    // Four bytes give the offset of the byte order mark in the block.
    if let exif = metadata.exif { added += ISOBox.make("Exif", [0, 0, 0, 0] + exif) }
    if let xmp = metadata.xmp { added += ISOBox.make("xml ", xmp) }
    let bytes = Array(file)
    if bytes.starts(with: codestreamStart) {
      return added.isEmpty ? bytes : signature + fileType + added + ISOBox.make("jxlc", bytes)
    }
    var result: [UInt8] = []
    for box in try ISOBox.boxes(in: bytes, 0..<bytes.count)
    where !["Exif", "xml ", "brob"].contains(box.type) {
      // The level box must come first; metadata precede the pixels, so that they are available while the rest
      // loads.
      if box.type == "jxlc" || box.type == "jxlp" {
        result += added
        added = []
      }
      result += bytes[box.range]
    }
    guard added.isEmpty else { throw MetadataDamage("there is no codestream") }
    return result
  }

  /// Whether the colours of a picture with `profile` survive decoding of `file`, which was encoded lossily.
  ///
  /// libjxl stores lossy pictures in its own colour space, with a profile that it recognizes reduced to a few
  /// numbers. A profile that it does not recognize is kept, but the picture is decoded as sRGB, clipped.
  static func keepsColors(of profile: [UInt8], file: UnsafeRawBufferPointer) -> Bool {
    guard let primaries = primaries(of: profile), !isSRGB(primaries) else { return true }
    let (image, _) = withMessage(CVIPS_MESSAGE_BYTES) {
      cvips_image_open_memory(file.baseAddress, file.count, CVIPS_LOAD_JXL, $0)
    }
    guard let image else { return false }
    defer { cvips_image_free(image) }
    var length = 0
    guard let data = cvips_image_blob(image, "icc-profile-data", &length) else { return false }
    let decoded = self.primaries(of: Array(UnsafeRawBufferPointer(start: data, count: length)))
    return decoded.map { !isSRGB($0) } ?? false
  }

  /// Whether chromaticities are sRGB's, within the rounding of profiles.
  private static func isSRGB(_ primaries: RGBPrimaries) -> Bool {
    [\RGBPrimaries.red, \.green, \.blue].allSatisfy { color in
      let (one, other) = (primaries[keyPath: color], RGBPrimaries.bt709[keyPath: color])
      return abs(one.x - other.x) < 0.002 && abs(one.y - other.y) < 0.002
    }
  }

  /// Whether a profile is the one that libjxl generates for sRGB.
  static func isSRGB(profile: [UInt8]) -> Bool {
    guard let space = (try? ICCProfile.parse(ICCProfileData(profile)))?.colorSpace, isSRGB(space.primaries)
    else {
      return false
    }
    return [0.02, 0.2, 0.5, 0.9].allSatisfy { value in
      space.transfer.allSatisfy { abs($0.decode(value) - TransferFunction.sRGB.decode(value)) < 1e-4 }
    }
  }

  /// Whether the codestream of a file is an animation.
  static func isAnimation(_ file: InputFile) throws -> Bool {
    // The header is shorter, apart from names of extra channels, which come later.
    let length = 64
    var head = try file.bytes(length, at: 0)
    if !head.starts(with: codestreamStart) {
      head = []
      try ISOBox.forEach(in: file) { box in
        guard box.type == "jxlc" || box.type == "jxlp" else { return true }
        // A partial codestream begins with its sequence number.
        head = try file.bytes(length, at: box.content.lowerBound + (box.type == "jxlp" ? 4 : 0))
        return false
      }
    }
    return JXLHeader.isAnimation(head)
  }

  private static func primaries(of profile: [UInt8]) -> RGBPrimaries? {
    (try? ICCProfile.parse(ICCProfileData(profile)))?.colorSpace?.primaries
  }

  /// Returns a file's EXIF and XMP, and warnings about what could not be read.
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
          warnings.append(
            "The \(name) data are compressed (Brotli), which is not supported; they were left out")
        }
      default: break
      }
      return true
    }
    return (metadata, warnings)
  }
}
