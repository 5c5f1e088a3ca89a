import Files
import CVips
import FrameCore
import Libc

/// A picture read by libvips, as its loader delivers it.
final class VipsReader {
  let path: String
  private(set) var info: cvips_info
  var size: PixelSize { PixelSize(width: Int(info.width), height: Int(info.height)) }

  /// Rows decoded so far.
  private(set) var position = 0

  private let image: OpaquePointer
  private let formatName: String
  private let descriptor: Descriptor

  /// Opens the picture and reads its header.
  ///
  /// - Throws: `SafelightError` if libvips is missing or cannot read the file.
  init(_ file: InputFile, loader: cvips_loader, formatName: String) throws {
    path = file.path
    self.formatName = formatName
    descriptor = file.descriptor
    try Self.start(to: "read \(file.path)")
    // An earlier reader of the same file has moved the position that they share.
    lseek(descriptor.number, 0, SEEK_SET)
    let (image, message) = withMessage(CVIPS_MESSAGE_BYTES) {
      cvips_image_open(file.descriptor.number, loader, $0)
    }
    guard let image else {
      // GObject's message if libvips was built without the operation.
      guard !message.contains("load_source\" not found") else {
        throw SafelightError(
          .missingLibrary, "Cannot read \(file.path): this system's libvips does not read \(formatName)",
          remedy: "install a libvips that does, or convert the file to JPEG, PNG, TIFF or WebP")
      }
      throw Self.damage(message, path: file.path, formatName: formatName)
    }
    self.image = image
    info = cvips_image_info(image)
    try PixelBuffer.validate(PixelSize(width: Int(info.width), height: Int(info.height)))
  }

  deinit { cvips_image_free(image) }

  /// Loads libvips.
  ///
  /// - Parameter purpose: completes "Cannot …".
  static func start(to purpose: String) throws {
    let (isStarted, message) = withMessage(CVIPS_MESSAGE_BYTES) { cvips_start($0) }
    guard isStarted else {
      throw SafelightError(
        .missingLibrary, "Cannot \(purpose): libvips cannot be loaded (\(message))",
        remedy: "install libvips 8.13 or later (libvips42)")
    }
  }

  /// Returns a metadata blob by libvips' name for it.
  func blob(_ name: String) -> [UInt8]? {
    var length = 0
    guard let data = cvips_image_blob(image, name, &length) else { return nil }
    return Array(UnsafeRawBufferPointer(start: data, count: length))
  }

  /// Converts Lab and other uncommon colour models to 16-bit sRGB.
  func convertToSRGB16() throws {
    let (isConverted, message) = withMessage(CVIPS_MESSAGE_BYTES) { cvips_image_convert_to_srgb16(image, $0) }
    guard isConverted else { throw Self.damage(message, path: path, formatName: formatName) }
    info = cvips_image_info(image)
  }

  /// Bytes of an unpadded row as `read` delivers it.
  var rowBytes: Int {
    let bytesPerSample =
      switch info.samples {
      case CVIPS_UINT8: 1
      case CVIPS_UINT16: 2
      default: 4
      }
    return Int(info.width) * Int(info.bands) * bytesPerSample
  }

  /// Decodes the next `count` unpadded rows to `base`.
  ///
  /// - Throws: `SafelightError(.corruptData)` if the data are damaged or truncated.
  func read(_ count: Int, into base: UnsafeMutableRawPointer) throws {
    precondition(position + count <= size.height, "rows beyond the picture's last")
    let (isRead, message) = withMessage(CVIPS_MESSAGE_BYTES) {
      cvips_image_rows(image, Int32(position), Int32(count), base, rowBytes * count, $0)
    }
    guard isRead else { throw Self.damage(message, path: path, formatName: formatName) }
    if info.samples == CVIPS_UINT16, (9..<16).contains(info.used_bits) {
      Self.widen(
        UnsafeMutableBufferPointer(
          start: base.assumingMemoryBound(to: UInt16.self), count: count * Int(info.width * info.bands)),
        from: Int(info.used_bits))
    }
    position += count
  }

  /// Expands samples that use `bits` of 16 bits to the full range, so that the largest becomes 65535.
  private static func widen(_ samples: UnsafeMutableBufferPointer<UInt16>, from bits: Int) {
    let largest = UInt32(1) << bits - 1
    for index in samples.indices {
      let code = UInt32(samples[index]) >> (16 - bits)
      samples[index] = UInt16(truncatingIfNeeded: (code * 65_535 + largest / 2) / largest)
    }
  }

  private static func damage(_ message: String, path: String, formatName: String) -> SafelightError {
    let detail = message.isEmpty ? "" : " (\(message))"
    return SafelightError(
      .corruptData, "Cannot read \(path): the \(formatName) data are damaged or end early\(detail)",
      remedy: "copy the file again from its source")
  }
}
