import Files
import FrameCore

/// The photo file formats that can be read and written.
public enum PhotoFileFormat: String, Sendable, Hashable, CaseIterable, Codable {
  case jpeg
  case png
  case tiff
  case webp
  case heic
  case avif
  case jxl

  /// The usual file name extensions, the preferred one first, in lower case without a dot.
  public var pathExtensions: [String] {
    switch self {
    case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
    case .png: ["png"]
    case .tiff: ["tif", "tiff"]
    case .webp: ["webp"]
    case .heic: ["heic", "heif", "hif"]
    case .avif: ["avif"]
    case .jxl: ["jxl"]
    }
  }

  /// The display name of the format.
  public var name: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .tiff: "TIFF"
    case .webp: "WebP"
    case .heic: "HEIC"
    case .avif: "AVIF"
    case .jxl: "JPEG XL"
    }
  }

  /// The supported depths of input rows, in bits per sample.
  ///
  /// Of 16 bits, PNG, TIFF and JPEG XL keep all; HEIC keeps 10 and AVIF 12, rounded. (Phones decode HEVC with 10
  /// bits; libheif 1.15 with libaom terminates the process if asked for AV1 with 10.)
  public var bitDepths: [Int] {
    switch self {
    case .jpeg, .webp: [8]
    case .png, .tiff, .heic, .avif, .jxl: [8, 16]
    }
  }

  /// Returns the bits per sample stored in a file for rows of the given depth.
  func storedBits(of bitsPerSample: Int) -> Int {
    switch self {
    case .heic: min(bitsPerSample, 10)
    case .avif: min(bitsPerSample, 12)
    default: bitsPerSample
    }
  }

  /// Whether a lower quality gives a smaller file.
  public var hasQuality: Bool {
    switch self {
    case .jpeg, .webp, .heic, .avif, .jxl: true
    case .png, .tiff: false
    }
  }

  /// The memory that encoding uses apart from the picture and the file, in bytes per pixel of 8-bit samples,
  /// rounded up from measurements with 12 MP (libvips 8.14 with x265 3.5, libaom 3.6 and libjxl 0.7).
  package var encodingBytesPerPixel: Int {
    switch self {
    case .jpeg: 0
    case .png, .tiff: 3
    case .webp: 8
    case .heic: 20
    case .avif: 34
    case .jxl: 45
    }
  }

  /// The time to encode a pixel, relative to the time allowed for decoding one; rounded up from the same
  /// measurements as `encodingBytesPerPixel`: for 12 MP, one core took 10 to 20 s for HEIC, 2 s for AVIF and 1 s
  /// for JPEG XL.
  package var encodingEffort: Double { self == .heic ? 3 : 1 }

  /// Whether the format stores an alpha channel.
  public var storesAlpha: Bool { self != .jpeg }

  /// The longest edge that the format can store, in pixels, limited by what the engine accepts.
  ///
  /// JPEG: libjpeg's `JPEG_MAX_DIMENSION`. WebP: 14 bits, VP8 specification (RFC 6386, section 9.1). HEIC and
  /// AVIF: what libheif stores in one piece, 16384 (the decoding limit of HEVC and libheif) and 65535.
  public var maximumEdge: Int {
    switch self {
    case .jpeg: 65_500
    case .png, .tiff, .avif, .jxl: 65_535
    case .heic: 16_384
    case .webp: 16_383
    }
  }

  /// Returns the format that a file name extension, in any case and without a dot, denotes.
  public init?(pathExtension: String) {
    let lowercased = pathExtension.lowercased()
    guard let format = Self.allCases.first(where: { $0.pathExtensions.contains(lowercased) }) else {
      return nil
    }
    self = format
  }

  /// Returns the format that the extension of `path` denotes.
  ///
  /// - Throws: `SafelightError` listing the known extensions if this one is missing or unknown, or stating that
  ///   `path` is empty, a folder or `-`.
  public init(forWritingTo path: String) throws {
    guard !path.isEmpty else {
      throw SafelightError(.invalidValue, "The name of the output file is empty", remedy: "give it a name")
    }
    guard path != "-" else {
      throw SafelightError(
        .unsupported, "Cannot write to standard output: its format would be unknown",
        remedy: "give the name of a file")
    }
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? path
    let known = Self.allCases.flatMap(\.pathExtensions).map { "." + $0 }.joined(separator: ", ")
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name.index(after: dot) != name.endIndex
    else {
      try OutputFile.refuseFolder(path)
      throw SafelightError(
        .invalidValue, "Cannot write \(path): its name has no extension", remedy: "use one of \(known)")
    }
    let pathExtension = String(name[name.index(after: dot)...])
    guard let format = PhotoFileFormat(pathExtension: pathExtension) else {
      try OutputFile.refuseFolder(path)
      if let format = FileSignature.ReadOnlyFormat(pathExtension: pathExtension) {
        throw SafelightError(
          .unsupported, "Cannot write \(path): \(format.rawValue) is read but not written",
          remedy: "use one of \(known)")
      }
      if CameraRaw.pathExtensions.contains(pathExtension.lowercased()) {
        throw SafelightError(
          .unsupported, "Cannot write \(path): camera raws are read but not written",
          remedy: "use one of \(known)")
      }
      throw SafelightError(
        .invalidValue, "Cannot write \(path): the extension .\(pathExtension) is unknown",
        remedy: "use one of \(known)")
    }
    self = format
  }
}
