import Files
import CVips
import FrameCore
import Libc

/// Collects the rows of a picture and encodes them with libvips as PNG, TIFF, WebP or JPEG XL.
///
/// Memory: the whole uncompressed picture, and the file.
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
        .noMemory,
        "Cannot write \(output.path): not enough memory for \(byteCount / 1_048_576) MiB of pixels",
        remedy: "close other programs, or write a JPEG, which needs less")
    }
    pixels = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
  }

  deinit { free(pixels.baseAddress) }

  /// Appends a row of R G B A samples; if the picture has no alpha, the fourth is dropped.
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
    filled += rowBytes
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
        "JPEG XL keeps the colours of this profile only in lossless files; the file is larger than the quality asks for"
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
    case .jxl: try output.write(JXLContainer.adding(metadata, to: bytes))
    case .tiff, .jpeg, .heic, .avif: try output.write(bytes)
    }
  }

  private func encode(isLossless: Bool) throws -> UnsafeMutableRawBufferPointer {
    var out: UnsafeMutableRawPointer?
    var length = 0
    let (isSaved, message) = withBytes(iccProfile) { icc in
      var picture = cvips_picture(
        pixels: pixels.baseAddress, pixel_bytes: pixels.count, width: Int32(size.width),
        height: Int32(size.height), bands: Int32(bands), bits: Int32(bitsPerSample),
        quality: Int32(quality), lossless: isLossless, effort: Self.jxlEffort, icc: icc.baseAddress,
        icc_length: icc.count)
      return withMessage(CVIPS_MESSAGE_BYTES) {
        cvips_save(Self.saver(of: format), &picture, &out, &length, $0)
      }
    }
    guard isSaved, let out else {
      output.discard()
      throw SafelightError(
        .unsupported, "Cannot write \(output.path): libvips refuses (\(message))",
        remedy: "use another format or a smaller size")
    }
    return UnsafeMutableRawBufferPointer(start: out, count: length)
  }

  /// libvips' `effort` for JPEG XL.
  ///
  /// Measured with a detailed 12 MP photo at quality 92 (libvips 8.14, libjxl 0.7), in seconds on one core and MB
  /// of file size: effort 4: 0.3 and 1.40; 5: 1.0 and 1.35; 7: 2.4 and 1.37, with twice the memory.
  private static let jxlEffort: Int32 = 5

  /// Encodes a small grey picture.
  ///
  /// - Returns: libvips' error; nil on success.
  static func trial(of format: PhotoFileFormat) -> String? {
    let edge = 64
    let grey = [UInt8](repeating: 128, count: 3 * edge * edge)
    var out: UnsafeMutableRawPointer?
    var length = 0
    let (isSaved, message) = grey.withUnsafeBytes { bytes in
      var picture = cvips_picture(
        pixels: bytes.baseAddress, pixel_bytes: bytes.count, width: Int32(edge), height: Int32(edge),
        bands: 3, bits: 8, quality: 50, lossless: false, effort: jxlEffort, icc: nil, icc_length: 0)
      return withMessage(CVIPS_MESSAGE_BYTES) { cvips_save(saver(of: format), &picture, &out, &length, $0) }
    }
    cvips_free(out)
    return isSaved ? nil : message
  }

  static func saver(of format: PhotoFileFormat) -> cvips_saver {
    switch format {
    case .tiff: CVIPS_SAVE_TIFF
    case .webp: CVIPS_SAVE_WEBP
    case .jxl: CVIPS_SAVE_JXL
    case .png, .jpeg, .heic, .avif: CVIPS_SAVE_PNG
    }
  }

  private func withBytes<Result>(_ bytes: [UInt8]?, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard let bytes else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    return bytes.withUnsafeBytes(body)
  }
}
