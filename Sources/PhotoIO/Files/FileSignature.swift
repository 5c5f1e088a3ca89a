/// The type of a file, recognized by its first bytes rather than its name.
enum FileSignature: Hashable {
  case photo(PhotoFileFormat)
  /// A picture that can be read if the system's libvips supports it, but never written.
  case readOnly(ReadOnlyFormat)
  /// A camera raw of the given kind, such as CR2. Most begin like a TIFF: see `CameraRaw.kind(of:)`.
  case cameraRaw(String)
  /// Not a supported picture; the text completes "it looks like …".
  case other(String)
  case unknown

  /// Formats that are read but never written.
  enum ReadOnlyFormat: String, Hashable, CaseIterable {
    case gif = "GIF"
    case jpeg2000 = "JPEG 2000"

    /// The usual file name extensions, in lower case and without a dot.
    var pathExtensions: [String] {
      switch self {
      case .gif: ["gif"]
      case .jpeg2000: ["jp2", "j2k", "jpf", "jpx"]
      }
    }

    /// Returns the format that a file name extension, in any case and without a dot, usually denotes.
    init?(pathExtension: String) {
      let lowercased = pathExtension.lowercased()
      guard let format = Self.allCases.first(where: { $0.pathExtensions.contains(lowercased) }) else {
        return nil
      }
      self = format
    }
  }

  /// The number of bytes that `init` examines.
  static let length = 64

  init(_ head: [UInt8]) {
    func starts(_ text: StaticString, at offset: Int = 0) -> Bool {
      text.withUTF8Buffer { head.count >= offset + $0.count && head[offset...].starts(with: $0) }
    }
    func startsBytes(_ bytes: UInt8...) -> Bool { head.starts(with: bytes) }

    if startsBytes(0xFF, 0xD8, 0xFF) {
      self = .photo(.jpeg)
    } else if startsBytes(0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A) {
      self = .photo(.png)
    } else if let kind = CameraRaw.kind(signature: head) {
      self = .cameraRaw(kind)
    } else if startsBytes(0x49, 0x49, 0x2A, 0) || startsBytes(0x4D, 0x4D, 0, 0x2A)
      || startsBytes(0x49, 0x49, 0x2B, 0) || startsBytes(0x4D, 0x4D, 0, 0x2B)
    {
      self = .photo(.tiff)
    } else if starts("RIFF"), starts("WEBP", at: 8) {
      self = .photo(.webp)
    } else if starts("GIF87a") || starts("GIF89a") {
      self = .readOnly(.gif)
    } else if starts("ftyp", at: 4) {
      // A length of 0 or 1 means that the real one follows or is open-ended.
      let stated = head.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      self = Self.isoMedia(brands: head[8..<(stated < 8 ? head.count : min(head.count, stated))])
    } else if startsBytes(0xFF, 0x0A) || startsBytes(0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20) {
      self = .photo(.jxl)
    } else if startsBytes(0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20) || startsBytes(0xFF, 0x4F, 0xFF, 0x51) {
      self = .readOnly(.jpeg2000)
    } else if starts("%PDF") {
      self = .other("a PDF document")
    } else if starts("BM"), head.count > 14 {
      self = .other("a BMP picture")
    } else if starts("8BPS") {
      self = .other("a Photoshop document")
    } else if startsBytes(0x76, 0x2F, 0x31, 0x01) {
      self = .other("an OpenEXR picture")
    } else if starts("PK\u{3}\u{4}") {
      self = .other("a ZIP archive")
    } else if startsBytes(0x1F, 0x8B) {
      self = .other("a gzip archive")
    } else if startsBytes(0x1A, 0x45, 0xDF, 0xA3) {
      self = .other("a Matroska or WebM video")
    } else if starts("RIFF"), starts("AVI ", at: 8) {
      self = .other("an AVI video")
    } else if startsBytes(0x7F, 0x45, 0x4C, 0x46) {
      self = .other("a program")
    } else if Self.isText(head) {
      self = .other("text")
    } else {
      self = .unknown
    }
  }

  /// Returns the type of an ISO base media file by its brands (ISO/IEC 23008-12, AVIF 1.1).
  ///
  /// - Parameter brands: the major brand, its version, and the compatible brands as far as available.
  private static func isoMedia(brands: ArraySlice<UInt8>) -> FileSignature {
    func brand(at start: Int) -> String { String(decoding: brands[start...].prefix(4), as: UTF8.self) }
    // `mif1` and `msf1` do not identify the codec; the compatible brands do.
    let compatible = stride(from: brands.startIndex + 8, to: brands.endIndex - 3, by: 4).map(brand)
    switch brand(at: brands.startIndex) {
    case "mif1" where compatible.contains("avif"), "msf1" where compatible.contains("avis"):
      return .photo(.avif)
    default: break
    }
    return switch brand(at: brands.startIndex) {
    case "avif", "avis": .photo(.avif)
    case "heic", "heix", "heim", "heis", "mif1", "msf1", "hevc", "hevx": .photo(.heic)
    default: .other("a video")
    }
  }

  private static func isText(_ head: [UInt8]) -> Bool {
    !head.isEmpty
      && head.allSatisfy { byte in
        (0x20...0x7E).contains(byte) || byte == 0x09 || byte == 0x0A || byte == 0x0D || byte >= 0x80
      }
  }
}
