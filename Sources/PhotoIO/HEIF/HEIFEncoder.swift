import Files
import CHEIF
import FrameCore

/// Collects the rows of a picture and encodes them with libheif, as HEIC or AVIF.
///
/// Memory: the whole picture and the file, plus `encodingBytesPerPixel` during encoding.
final class HEIFEncoder {
  private let output: OutputFile
  private let format: PhotoFileFormat
  private let size: PixelSize
  private let bitsPerSample: Int
  private let hasAlpha: Bool
  private let hasProfile: Bool
  private let metadata: PhotoMetadata
  private let encoder: OpaquePointer
  private var rows = 0

  /// - Parameter threads: threads of the HEIC encoder, at least 1; nil means one per core. The file does not
  ///   depend on it.
  /// - Throws: `SafelightError` if libheif is missing or refuses the picture.
  init(
    _ output: OutputFile, format: PhotoFileFormat, size: PixelSize, bitsPerSample: Int, alpha: AlphaMode,
    quality: Int, chroma: ChromaSubsampling, threads: Int?, iccProfile: [UInt8]?, metadata: PhotoMetadata
  ) throws {
    try format.requireEncoder(toWrite: output.path)
    self.output = output
    self.format = format
    self.size = size
    self.bitsPerSample = bitsPerSample
    self.metadata = metadata
    let hasAlpha = alpha == .straight
    self.hasAlpha = hasAlpha
    hasProfile = iccProfile != nil
    let (encoder, message) = (iccProfile ?? []).withUnsafeBytes { icc in
      var settings = Self.settings(of: format, size: size, bits: format.storedBits(of: bitsPerSample))
      settings.has_alpha = hasAlpha
      settings.quality = Int32(quality)
      settings.is_full_chroma = Self.isFullChroma(chroma, format: format, quality: quality)
      // With libaom, the division of a picture among threads affects the file.
      let threads = format == .avif ? 1 : threads
      settings.threads = Int32(clamping: max(1, threads ?? ProcessorCount.usable))
      settings.icc = icc.baseAddress
      settings.icc_length = icc.count
      return withMessage(CHEIF_MESSAGE_BYTES) { cheif_encoder_new(&settings, $0) }
    }
    guard let encoder else { throw Self.refusal(message, of: output) }
    self.encoder = encoder
  }

  deinit { cheif_encoder_free(encoder) }

  /// Phones decode HEVC only with colour at half resolution, and some viewers show 4:4:4 wrongly; AV1 decoders
  /// support both.
  private static func isFullChroma(_ chroma: ChromaSubsampling, format: PhotoFileFormat, quality: Int) -> Bool
  {
    switch chroma {
    case .automatic: format == .avif && quality >= 90
    case .yuv444: true
    case .yuv420: false
    }
  }

  private static func settings(of format: PhotoFileFormat, size: PixelSize, bits: Int) -> cheif_settings {
    cheif_settings(
      codec: format == .avif ? CHEIF_AV1 : CHEIF_HEVC, width: Int32(size.width), height: Int32(size.height),
      has_alpha: false, bits: Int32(bits), quality: 50, is_full_chroma: false, threads: 1, icc: nil,
      icc_length: 0)
  }

  /// Appends a row of R G B A samples; if the picture has no alpha, the fourth is dropped.
  func append(_ row: UnsafeRawPointer) {
    guard let start = cheif_encoder_row(encoder, Int32(rows)) else { return }
    rows += 1
    if bitsPerSample == 8 {
      copy(row.assumingMemoryBound(to: UInt8.self), to: start.assumingMemoryBound(to: UInt8.self)) { $0 }
    } else {
      // Round 16-bit samples to the stored bit depth.
      let largest = UInt32(1) << format.storedBits(of: bitsPerSample) - 1
      copy(row.assumingMemoryBound(to: UInt16.self), to: start.assumingMemoryBound(to: UInt16.self)) {
        UInt16(truncatingIfNeeded: (UInt32($0) * largest + 32_767) / 65_535)
      }
    }
  }

  @inline(__always)
  private func copy<Sample>(
    _ from: UnsafePointer<Sample>, to: UnsafeMutablePointer<Sample>, _ convert: (Sample) -> Sample
  ) {
    let bands = hasAlpha ? 4 : 3
    for x in 0..<size.width {
      for channel in 0..<bands { to[bands * x + channel] = convert(from[4 * x + channel]) }
    }
  }

  /// Encodes and writes the file.
  func finish() throws {
    var bytes: UnsafeRawPointer?
    var length = 0
    let (isEncoded, message) = withMessage(CHEIF_MESSAGE_BYTES) {
      cheif_encoder_finish(encoder, &bytes, &length, $0)
    }
    guard isEncoded, let bytes else { throw Self.refusal(message, of: output) }
    do {
      let file = UnsafeRawBufferPointer(start: bytes, count: length)
      try output.write(HEIFContainer.adding(metadata, to: file, hasProfile: hasProfile))
    } catch let damage as MetadataDamage {
      output.discard()
      throw SafelightError(
        .unsupported,
        "Cannot write \(output.path): metadata cannot be added to the \(format.name) file: \(damage.reason)",
        remedy: "leave out the metadata, or use another format")
    }
  }

  private static func refusal(_ message: String, of output: OutputFile) -> SafelightError {
    output.discard()
    return SafelightError(
      .unsupported, "Cannot write \(output.path): libheif refuses (\(message))",
      remedy: "use another format or a smaller size")
  }

  /// Encodes a small grey picture.
  ///
  /// - Returns: libheif's error; nil on success.
  static func trial(of format: PhotoFileFormat) -> String? {
    let size = PixelSize(width: 64, height: 64)
    var settings = settings(of: format, size: size, bits: 8)
    let (encoder, message) = withMessage(CHEIF_MESSAGE_BYTES) { cheif_encoder_new(&settings, $0) }
    guard let encoder else { return message }
    defer { cheif_encoder_free(encoder) }
    for y in 0..<size.height {
      cheif_encoder_row(encoder, Int32(y))?.initializeMemory(
        as: UInt8.self, repeating: 128, count: 3 * size.width)
    }
    var bytes: UnsafeRawPointer?
    var length = 0
    let (isEncoded, failure) = withMessage(CHEIF_MESSAGE_BYTES) {
      cheif_encoder_finish(encoder, &bytes, &length, $0)
    }
    return isEncoded ? nil : failure
  }
}
