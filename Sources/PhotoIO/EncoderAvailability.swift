import FrameCore

extension PhotoFileFormat {
  /// Whether this system's libraries can write the format; tested at most once per process.
  public var isWritable: Bool { missingEncoder == nil }

  /// Checks, before any work is done, that the format can be written.
  ///
  /// - Throws: `SafelightError(.missingLibrary)` if this system's libraries cannot encode it.
  package func requireEncoder(toWrite path: String) throws {
    guard let reason = missingEncoder else { return }
    throw SafelightError(
      .missingLibrary,
      "Cannot write \(path): this system's \(library) does not encode \(name)\(reason.isEmpty ? "" : " (\(reason))")",
      remedy: remedyForMissingEncoder)
  }

  /// The library's error from a trial; nil if it succeeds.
  private var missingEncoder: String? {
    switch self {
    case .jpeg: nil
    case .png: EncoderTrial.png
    case .tiff: EncoderTrial.tiff
    case .webp: EncoderTrial.webp
    case .heic: EncoderTrial.heic
    case .avif: EncoderTrial.avif
    case .jxl: EncoderTrial.jxl
    }
  }

  private var library: String { self == .heic || self == .avif ? "libheif" : "libvips" }

  private var remedyForMissingEncoder: String {
    switch self {
    case .heic: "install libheif with its plug-in for x265 (libheif-plugin-x265), or write JPEG"
    case .avif: "install libheif with its plug-in for AV1 (libheif-plugin-aomenc), or write JPEG"
    default: "install libvips 8.13 or later (libvips42) with support for \(name), or write JPEG"
    }
  }
}

/// Encodes a small grey picture. Only a trial shows what a library can do, since encoders are plug-ins and some
/// builds lack them.
private enum EncoderTrial {
  static let png = VipsEncoder.trial(of: .png)
  static let tiff = VipsEncoder.trial(of: .tiff)
  static let webp = VipsEncoder.trial(of: .webp)
  static let jxl = VipsEncoder.trial(of: .jxl)
  static let heic = HEIFEncoder.trial(of: .heic)
  static let avif = HEIFEncoder.trial(of: .avif)
}
