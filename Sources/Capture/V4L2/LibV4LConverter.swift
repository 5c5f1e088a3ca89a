import CV4L2
import FrameCore

/// Converts a camera's frames with libv4lconvert.
///
/// Each stream has its own, used by one thread at a time. Nothing is allocated after the first frame.
final class LibV4LConverter {
  enum Outcome {
    case converted(PixelBuffer)
    /// The frame is damaged, incomplete or not in the format agreed on; see `problem`.
    case damaged
    /// All buffers are still in use.
    case outOfBuffers
  }

  private let converter: OpaquePointer
  private let ring: BufferRing
  private let size: PixelSize
  /// The library has its descriptor.
  private let device: DeviceNode?
  /// The fault of the last damaged frame, as the library puts it.
  private(set) var problem = ""

  /// - Parameters:
  ///   - format: how the driver's frames are laid out.
  ///   - device: the camera, of which the library learns whether pictures are upside down and how to balance
  ///     their colour; nil for frames that are not a camera's.
  /// - Throws: `SafelightError` if the library is missing, does not know the format or does not convert the size,
  ///   or if memory is short.
  init(
    _ format: cv4l2_format, _ conversion: ConvertedFormat, tags: ColorTags, bufferCount: Int,
    device: DeviceNode?
  ) throws {
    size = PixelSize(width: Int(format.width), height: Int(format.height))
    let fourCC = FourCC(code: format.pixel_format)
    var description = cv4l2_conversion()
    (description.width, description.height) = (format.width, format.height)
    description.pixel_format = format.pixel_format
    let rows = conversion.rows(of: format)
    (description.rows, description.row_bytes) = (UInt32(clamping: rows.count), UInt32(clamping: rows.bytes))
    description.row_stride = UInt32(clamping: rows.stride)
    description.colorspace = format.colorspace
    description.ycbcr_encoding = format.ycbcr_encoding
    description.quantization = format.quantization
    description.to_rgb = conversion.colour == .rgb
    self.device = device
    try Self.requireLibrary(for: fourCC)
    ring = try BufferRing(count: bufferCount, size: size, format: conversion.pixelFormat, tags: tags)
    var made: OpaquePointer?
    let reason = Self.message { made = cv4l2_converter_new(device?.descriptor ?? -1, &description, $0) }
    guard let made else {
      throw SafelightError(
        .unsupported, "Pictures of \(size) in the format \(fourCC) cannot be converted: \(reason)",
        remedy: "ask for another size or format")
    }
    do {
      try Self.tryOut(made, format, conversion)
    } catch {
      cv4l2_converter_free(made)
      throw error
    }
    converter = made
  }

  /// Finds out whether the installed library, which may be older, knows the format. Frames of compressed formats
  /// cannot be made up.
  private static func tryOut(
    _ converter: OpaquePointer, _ format: cv4l2_format, _ conversion: ConvertedFormat
  ) throws {
    guard conversion.bitsPerPixel > 0 else { return }
    let blank = [UInt8](repeating: 0, count: conversion.requiredBytes(of: format))
    var picture: UnsafePointer<UInt8>?
    var status = CV4L2_CONVERTED
    let problem = message { text in
      status = blank.withUnsafeBytes {
        cv4l2_converter_convert(converter, $0.baseAddress, $0.count, &picture, text)
      }
    }
    guard status == CV4L2_CONVERTED else {
      throw SafelightError(
        .unsupported,
        "The installed libv4lconvert does not convert the format \(FourCC(code: format.pixel_format)): \(problem)",
        remedy: "install a newer libv4l-0, or ask for another format")
    }
  }

  deinit { cv4l2_converter_free(converter) }

  /// - Throws: `SafelightError` with the name of the package if the library is missing.
  static func requireLibrary(for fourCC: FourCC) throws {
    var isThere = false
    let reason = message { isThere = cv4l2_conversion_start($0) }
    guard !isThere else { return }
    throw SafelightError(
      .missingLibrary,
      "Reading the camera's format \(fourCC) needs libv4lconvert, which cannot be opened (\(reason))",
      remedy: "install it (Debian and Ubuntu: apt-get install libv4l-0), or ask for another format")
  }

  /// Converts one frame. `data` is only read, and not referenced afterwards.
  ///
  /// - Throws: `SafelightError` if memory is short.
  func convert(_ data: UnsafeRawBufferPointer) throws -> Outcome {
    guard let target = ring.take() else { return .outOfBuffers }
    var picture: UnsafePointer<UInt8>?
    var status = CV4L2_CONVERTED
    let text = Self.message {
      status = cv4l2_converter_convert(converter, data.baseAddress, data.count, &picture, $0)
    }
    if status == CV4L2_OUT_OF_MEMORY {
      throw SafelightError(
        .noMemory, "Not enough memory to convert a frame of \(size)", remedy: "close other programs")
    }
    guard status == CV4L2_CONVERTED, let picture else {
      problem = text
      return .damaged
    }
    store(picture, in: target)
    return .converted(target)
  }

  private func store(_ picture: UnsafePointer<UInt8>, in target: PixelBuffer) {
    guard target.format != .rgba8 else {
      return PackedRGB.rgb.convert(picture, rowBytes: 3 * size.width, into: target)
    }
    var source = UnsafeRawPointer(picture)
    for (plane, shape) in zip(target.planes, target.format.planes) {
      let rowBytes = shape.rowBytes(width: size.width)
      for y in 0..<plane.rows {
        plane.row(y).copyMemory(from: source, byteCount: rowBytes)
        source += rowBytes
      }
    }
  }

  /// Returns what a function of the library writes into its buffer for messages.
  private static func message(_ body: (UnsafeMutablePointer<CChar>) -> Void) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: cv4l2_message_bytes) { buffer in
      guard let base = buffer.baseAddress else { return "" }
      base.pointee = 0
      body(base)
      return String(cString: base)
    }
  }
}
