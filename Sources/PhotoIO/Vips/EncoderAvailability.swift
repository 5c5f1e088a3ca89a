import CVips
import FrameCore

extension PhotoFileFormat {
  /// Whether this system's libraries write the format; asked of the libraries at most once a process.
  public var isWritable: Bool { missingEncoder == nil }

  /// Finds out that a format cannot be written before any work is done for it.
  ///
  /// - Throws: `SafelightError(.unsupported)` where this system's libraries do not encode it.
  public func requireEncoder(toWrite path: String) throws {
    guard let reason = missingEncoder else { return }
    throw SafelightError(
      .unsupported, "Cannot write \(path): this system's libvips does not encode \(name)\(reason)",
      remedy: remedyForMissingEncoder)
  }

  /// What libvips says of a trial, in brackets; nil where it succeeds.
  private var missingEncoder: String? {
    switch self {
    // Without these there would be no libvips.
    case .jpeg, .png, .tiff, .webp: nil
    case .heic: EncoderTrial.heic
    case .avif: EncoderTrial.avif
    case .jxl: EncoderTrial.jxl
    }
  }

  private var remedyForMissingEncoder: String {
    let others = "or write JPEG, PNG, TIFF or WebP"
    return switch self {
    case .heic: "install libheif with its plug-in for x265 (libheif-plugin-x265), \(others)"
    case .avif: "install libheif with its plug-in for AV1 (libheif-plugin-aomenc), \(others)"
    default: "install a libvips that was built with libjxl, \(others)"
    }
  }
}

/// Encodes a small grey picture: what a library can do is known only when it does it, since encoders are plug-ins.
private enum EncoderTrial {
  static let heic = VipsEncoder.trial(of: .heic)
  static let avif = VipsEncoder.trial(of: .avif)
  static let jxl = VipsEncoder.trial(of: .jxl)
}

extension VipsEncoder {
  /// libvips' `effort` for a format.
  ///
  /// Measured with a detailed photo of 12 MP at quality 92 (libvips 8.14, libaom 3.6, libjxl 0.7), seconds of a core and
  /// MB of the file: AVIF 2.1 s and 1.9 with 1, 3.5 s and 2.0 with 2, 4.1 s and 1.9 with 3, and minutes beyond; JPEG XL
  /// 0.3 s and 1.40 with 4, 1.0 s and 1.35 with 5, 2.4 s, 1.37 and twice the memory with 7. HEIC takes 19 s whatever it
  /// is: libvips does not pass it to x265.
  static func effort(of format: PhotoFileFormat) -> Int32 {
    switch format {
    case .avif: 1
    case .jxl: 5
    default: 4
    }
  }

  fileprivate static func trial(of format: PhotoFileFormat) -> String? {
    let edge = 64
    let grey = [UInt8](repeating: 128, count: 3 * edge * edge)
    var out: UnsafeMutableRawPointer?
    var length = 0
    let (isSaved, message) = grey.withUnsafeBytes { bytes in
      var picture = cvips_picture(
        pixels: bytes.baseAddress, pixel_bytes: bytes.count, width: Int32(edge), height: Int32(edge),
        bands: 3, bits: 8,
        stored_bits: 8, quality: 50, lossless: false, effort: effort(of: format), icc: nil, icc_length: 0)
      return withMessage { cvips_save(saver(of: format), &picture, &out, &length, $0) }
    }
    cvips_free(out)
    return isSaved ? nil : message.isEmpty ? "" : " (\(message))"
  }
}
