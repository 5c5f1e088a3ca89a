import CV4L2
import FrameCore

/// The parameters agreed between a stream and its driver.
struct StreamSetup {
  var choice: FormatChoice
  /// The driver's response to the choice.
  var agreed: cv4l2_format
  /// The type of the device's buffers.
  var type: UInt32
  var streamFormat: StreamFormat

  /// How the driver's buffers are passed on directly, or nil if they are converted.
  var wrapping: (layout: PictureLayout, size: PixelSize, format: PixelFormat, tags: ColorTags)? {
    guard case .wrapped(let format, let swapsChroma) = choice.pixelFormat.delivery else { return nil }
    let layout = PictureLayout(
      agreed, pixelFormat: format, memoryPlanes: choice.pixelFormat.memoryPlanes, swapsChroma: swapsChroma)
    return (layout, choice.size, format, streamFormat.tags)
  }
}

/// Makes pixel buffers from a driver's frames: its own memory if the format allows, otherwise copies.
///
/// Nothing is allocated after the first frame.
struct FrameConverter {
  enum Outcome {
    /// If `isLent`, the driver's buffer is part of the frame and must not be queued before it is released.
    case frame(PixelBuffer, encoded: EncodedPicture? = nil, mosaic: BayerMosaic? = nil, isLent: Bool)
    case lost(DropReason)
  }
  private enum Method {
    case lend
    case rgb(PackedRGB, PictureLayout, BufferRing)
    case jpeg(MJPEGDecoder)
    case bayer(BayerConverter)
    case library(LibV4LConverter)
  }
  private let method: Method
  /// The minimum number of bytes of a whole frame in each region of its buffer.
  private let requiredBytes: [Int]

  /// - Parameter device: for `LibV4LConverter`.
  init(_ setup: StreamSetup, bufferCount: Int, device: DeviceNode) throws {
    do {
      switch setup.choice.pixelFormat.delivery {
      case .wrapped:
        method = .lend
        requiredBytes = setup.wrapping?.layout.requiredBytes ?? []
      case .convertedRGB(let order):
        let layout = PictureLayout(setup.agreed, packed: order)
        let ring = try BufferRing(
          count: bufferCount, size: setup.choice.size, format: .rgba8, tags: setup.streamFormat.tags)
        method = .rgb(order, layout, ring)
        requiredBytes = layout.requiredBytes
      case .jpeg:
        method = .jpeg(
          try MJPEGDecoder(
            expecting: setup.choice.size, tags: setup.streamFormat.tags, bufferCount: bufferCount))
        requiredBytes = [1]
      case .bayer(let format):
        let converter = try BayerConverter(
          setup.agreed, format, tags: setup.streamFormat.tags, bufferCount: bufferCount)
        method = .bayer(converter)
        requiredBytes = [converter.requiredBytes]
      case .converted(let conversion):
        method = .library(
          try LibV4LConverter(
            setup.agreed, conversion, tags: setup.streamFormat.tags, bufferCount: bufferCount, device: device)
        )
        requiredBytes = [conversion.requiredBytes(of: setup.agreed)]
      }
    } catch let error as SafelightError where [.unsupported, .missingLibrary].contains(error.code) {
      throw CaptureFailure(.unsupported, error)
    } catch let error as SafelightError {
      throw CaptureFailure(.inputOutput, error)
    }
  }

  /// Whether the driver filled a buffer with a whole frame.
  func isComplete(_ filled: cv4l2_buffer) -> Bool {
    let (used, offset) = (filled.bytes_used, filled.data_offset)
    for (plane, required) in requiredBytes.enumerated() {
      let (bytes, begin) =
        switch plane {
        case 0: (used.0, offset.0)
        case 1: (used.1, offset.1)
        case 2: (used.2, offset.2)
        default: (used.3, offset.3)
        }
      // Pictures must start at the beginning of their buffers, as agreed with the driver.
      guard begin == 0, Int(bytes) >= required else { return false }
    }
    return true
  }

  /// Returns the picture in a filled buffer.
  ///
  /// - Throws: `CaptureFailure` if memory is short.
  func convert(_ filled: cv4l2_buffer, from buffers: MappedBuffers) throws -> Outcome {
    let index = Int(filled.index)
    switch method {
    case .lend:
      return .frame(buffers.lend(index), isLent: true)
    case .rgb(let order, let layout, let ring):
      let bytes = buffers.bytes(index)
      guard let base = bytes.baseAddress, bytes.count >= layout.requiredBytes[0] else {
        return .lost(.corrupt)
      }
      guard let target = ring.take() else { return .lost(.outOfBuffers) }
      order.convert(base, rowBytes: layout.planes[0].rowBytes, into: target)
      return .frame(target, isLent: false)
    case .jpeg(let decoder):
      let data = UnsafeRawBufferPointer(rebasing: buffers.bytes(index).prefix(Int(filled.bytes_used.0)))
      do {
        switch try decoder.decode(data) {
        case .decoded(let picture):
          return .frame(picture, encoded: buffers.lendBytes(index, count: data.count), isLent: true)
        case .damaged: return .lost(.corrupt)
        case .outOfBuffers: return .lost(.outOfBuffers)
        }
      } catch let error as SafelightError {
        throw CaptureFailure(.inputOutput, error)
      }
    case .bayer(let converter):
      let data = UnsafeRawBufferPointer(rebasing: buffers.bytes(index).prefix(Int(filled.bytes_used.0)))
      // A driver's buffer may be smaller than it says.
      guard data.count >= converter.requiredBytes else { return .lost(.corrupt) }
      do {
        guard let (picture, neutral) = try converter.develop(data) else { return .lost(.outOfBuffers) }
        let samples = buffers.lendBytes(index, count: data.count)
        return .frame(picture, mosaic: try converter.mosaic(samples, neutral: neutral), isLent: true)
      } catch let error as SafelightError {
        throw CaptureFailure(.inputOutput, error)
      }
    case .library(let converter):
      let data = UnsafeRawBufferPointer(rebasing: buffers.bytes(index).prefix(Int(filled.bytes_used.0)))
      do {
        switch try converter.convert(data) {
        case .converted(let picture): return .frame(picture, isLent: false)
        case .damaged: return .lost(.corrupt)
        case .outOfBuffers: return .lost(.outOfBuffers)
        }
      } catch let error as SafelightError {
        throw CaptureFailure(.inputOutput, error)
      }
    }
  }
}
