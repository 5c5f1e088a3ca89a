import CVips
import FrameCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Collects the rows of a picture and encodes them with libvips in every format but JPEG.
///
/// Memory: the whole picture, uncompressed and once more as the file.
final class VipsEncoder {
  private let output: OutputFile
  private let format: PhotoFileFormat
  private let size: PixelSize
  private let bitsPerSample: Int
  private let bands: Int
  private let quality: Int
  private let iccProfile: [UInt8]?
  private let metadata: PhotoMetadata
  private let pixels: UnsafeMutableRawBufferPointer
  private var filled = 0
  /// Complete after `finish`.
  private(set) var warnings: [String] = []

  init(
    _ output: OutputFile, format: PhotoFileFormat, size: PixelSize, bitsPerSample: Int, alpha: AlphaMode,
    quality: Int, iccProfile: [UInt8]?, metadata: PhotoMetadata
  ) throws {
    try VipsReader.start(to: "write \(output.path)")
    try format.requireEncoder(toWrite: output.path)
    self.output = output
    self.format = format
    self.size = size
    self.bitsPerSample = bitsPerSample
    bands = alpha == .straight ? 4 : 3
    self.quality = quality
    self.iccProfile = iccProfile
    self.metadata = metadata
    let byteCount = size.pixelCount * bands * bitsPerSample / 8
    guard let memory = malloc(byteCount) else {
      throw SafelightError(
        .tooLarge,
        "Cannot write \(output.path): not enough memory for \(byteCount / 1_048_576) MiB of pixels",
        remedy: "close other programs, or write a JPEG, which needs less")
    }
    pixels = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
  }

  deinit { free(pixels.baseAddress) }

  /// Appends a row of R G B A samples; without alpha the fourth is dropped.
  func append(_ row: UnsafeRawPointer) {
    guard let start = pixels.baseAddress.map({ $0 + filled }) else { return }
    let width = size.width
    let rowBytes = width * bands * bitsPerSample / 8
    if bands == 4 {
      start.copyMemory(from: row, byteCount: rowBytes)
    } else if bitsPerSample == 8 {
      dropFourth(row.assumingMemoryBound(to: UInt8.self), start.assumingMemoryBound(to: UInt8.self), width)
    } else {
      dropFourth(row.assumingMemoryBound(to: UInt16.self), start.assumingMemoryBound(to: UInt16.self), width)
    }
    let storedBits = format.storedBits(of: bitsPerSample)
    if storedBits < bitsPerSample {
      Self.round(
        UnsafeMutableBufferPointer(start: start.assumingMemoryBound(to: UInt16.self), count: width * bands),
        to: storedBits)
    }
    filled += rowBytes
  }

  /// 16-bit samples become the nearest of `bits`, in their upper bits; libvips would cut the rest off.
  private static func round(_ samples: UnsafeMutableBufferPointer<UInt16>, to bits: Int) {
    let largest = UInt32(1) << bits - 1
    for index in samples.indices {
      let code = (UInt32(samples[index]) * largest + 32_767) / 65_535
      samples[index] = UInt16(truncatingIfNeeded: code << (16 - bits))
    }
  }

  private func dropFourth<Sample>(
    _ from: UnsafePointer<Sample>, _ to: UnsafeMutablePointer<Sample>, _ width: Int
  ) {
    for x in 0..<width {
      to[3 * x] = from[4 * x]
      to[3 * x + 1] = from[4 * x + 1]
      to[3 * x + 2] = from[4 * x + 2]
    }
  }

  /// Encodes and writes the file.
  func finish() throws {
    var encoded = try encode(isLossless: quality == 100)
    defer { cvips_free(encoded.baseAddress) }
    if format == .jxl, quality < 100, let iccProfile,
      !JXLContainer.keepsColors(of: iccProfile, file: UnsafeRawBufferPointer(encoded))
    {
      cvips_free(encoded.baseAddress)
      encoded = UnsafeMutableRawBufferPointer(start: nil, count: 0)
      encoded = try encode(isLossless: true)
      warnings.append(
        "JPEG XL keeps the colours of this profile only without loss; the file is larger than the quality asks for"
      )
    }
    do {
      try write(UnsafeRawBufferPointer(encoded))
    } catch let damage as MetadataDamage {
      output.discard()
      throw SafelightError(
        .unsupported,
        "Cannot write \(output.path): metadata cannot be added to the \(format.name) file: \(damage.reason)",
        remedy: "leave out the metadata, or use another format")
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws {
    switch format {
    case .png: try PNGChunks.write(bytes, adding: metadata, to: output)
    case .webp:
      try output.write(WebPContainer(bytes).adding(metadata, size: size, hasAlpha: bands == 4))
    case .tiff where !TIFFMetadata.isBig(pixelBytes: pixels.count):
      try TIFFMetadata.write(bytes, adding: metadata, to: output)
    case .heic, .avif:
      try output.write(HEIFContainer.adding(metadata, to: bytes, hasProfile: iccProfile != nil))
    case .jxl: try output.write(JXLContainer.adding(metadata, to: bytes))
    case .jpeg, .tiff: try output.write(bytes)
    }
  }

  private func encode(isLossless: Bool) throws -> UnsafeMutableRawBufferPointer {
    var out: UnsafeMutableRawPointer?
    var length = 0
    let (isSaved, message) = withBytes(iccProfile) { icc in
      var picture = cvips_picture(
        pixels: pixels.baseAddress, pixel_bytes: pixels.count, width: Int32(size.width),
        height: Int32(size.height), bands: Int32(bands), bits: Int32(bitsPerSample),
        stored_bits: Int32(format.storedBits(of: bitsPerSample)), quality: Int32(quality),
        lossless: isLossless,
        effort: Self.effort(of: format), icc: icc.baseAddress, icc_length: icc.count)
      return withMessage { cvips_save(Self.saver(of: format), &picture, &out, &length, $0) }
    }
    guard isSaved, let out else {
      output.discard()
      throw SafelightError(
        .unsupported, "Cannot write \(output.path): libvips refuses (\(message))",
        remedy: "use another format or a smaller size")
    }
    return UnsafeMutableRawBufferPointer(start: out, count: length)
  }

  static func saver(of format: PhotoFileFormat) -> cvips_saver {
    switch format {
    case .tiff: CVIPS_SAVE_TIFF
    case .webp: CVIPS_SAVE_WEBP
    case .heic: CVIPS_SAVE_HEIC
    case .avif: CVIPS_SAVE_AVIF
    case .jxl: CVIPS_SAVE_JXL
    case .png, .jpeg: CVIPS_SAVE_PNG
    }
  }

  private func withBytes<Result>(_ bytes: [UInt8]?, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard let bytes else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    return bytes.withUnsafeBytes(body)
  }
}
