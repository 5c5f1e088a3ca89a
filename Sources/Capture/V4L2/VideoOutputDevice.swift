import CV4L2
import FrameCore
import Libc

/// A V4L2 device that accepts pictures: a virtual camera (v4l2loopback), read by other programs, or a display.
///
/// Used by one thread at a time. Pictures are written with write(), which v4l2loopback requires to appear as a
/// camera if it was loaded with `exclusive_caps=1`.
package final class VideoOutputDevice {
  package let path: String
  /// The driver's name for the device; readers see it as the camera's name.
  package let name: String
  package let size: PixelSize
  package let format: PixelFormat
  /// The colour tags as accepted by the driver; a field that it rejected has V4L2's default.
  package let tags: ColorTags

  private var node: DeviceNode?
  private let layout: PictureLayout
  /// Bytes of an unpadded row of each plane.
  private let rowBytes: [Int]
  /// A picture in the driver's layout.
  private let staging: UnsafeMutableRawBufferPointer

  /// A device that accepts no picture for this long has failed.
  private static let patienceMilliseconds: Int32 = 2000

  /// Opens an output device for pictures of a given size and format.
  ///
  /// - Parameters:
  ///   - path: a node such as `/dev/video2`.
  ///   - format: an uncompressed YCbCr format; readers support `yuyv422` and `nv12` best.
  ///   - tags: the meaning of the samples, announced to readers as far as V4L2 can express it.
  ///   - framesPerSecond: announced to readers; 0 if unknown.
  /// - Throws: `CaptureFailure`: `disconnected` if the device does not exist, `unsupported` if it is not an output
  ///   device or refuses the size or format, `busy` if another program writes to it, `permissionDenied`.
  package init(
    path: String, size: PixelSize, format: PixelFormat, tags: ColorTags, framesPerSecond: Double = 0
  ) throws {
    let device = try DeviceDirectory.system.device(at: path)
    if let failure = device.failure { throw failure }
    if device.kinds == [.output] { try Self.restoreDirection(device) }
    let node = try DeviceNode(path: device.path, name: device.name)
    let label = DeviceErrors.label(node.name, path)
    let capability = try node.capability()
    guard let type = capability.outputType else { throw Self.noOutput(capability, node) }
    guard let pixelFormat = Self.pixelFormat(format) else {
      throw CaptureFailure(
        .unsupported,
        SafelightError(
          .unsupported, "\(format.rawValue) cannot be written to \(label)", remedy: "use yuyv422 or nv12"))
    }
    do {
      try PixelBuffer.validate(size)
    } catch let error as SafelightError {
      throw CaptureFailure(.unsupported, error)
    }
    var agreed = cv4l2_format()
    agreed.width = UInt32(size.width)
    agreed.height = UInt32(size.height)
    agreed.pixel_format = pixelFormat.fourCC.code
    agreed.field = V4L2_FIELD_NONE.rawValue
    agreed.plane_count = 1
    DeviceColorTags.describe(tags, in: &agreed)
    try node.check(cv4l2_set_format(node.descriptor, type, &agreed), .choosingFormat)
    guard agreed.pixel_format == pixelFormat.fourCC.code, Int(agreed.width) == size.width,
      Int(agreed.height) == size.height
    else {
      throw CaptureFailure(
        .unsupported,
        SafelightError(
          .unsupported,
          "\(label) takes pictures of \(agreed.width)×\(agreed.height) as "
            + "\(FourCC(code: agreed.pixel_format)), not of \(size) as \(pixelFormat.fourCC)",
          remedy: "ask for that, or close the programs that read from it"))
    }
    if framesPerSecond > 0, framesPerSecond.isFinite { Self.announce(framesPerSecond, to: node, type) }
    // Without this, v4l2loopback up to 0.12 does not notice the end of a writer and never accepts another. Later
    // versions refuse it without buffers, but do not need it.
    if capability.isLoopback { _ = cv4l2_stream_on(node.descriptor, type) }

    let layout = PictureLayout(agreed, pixelFormat: format, memoryPlanes: 1, swapsChroma: false)
    // Not the driver's `sizeimage`, which may be rounded up to whole pages: readers take the number of bytes
    // written as the picture's size.
    let bytes = layout.pictureBytes
    staging = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes, alignment: PixelBuffer.alignment)
    staging.initializeMemory(as: UInt8.self, repeating: 0)
    self.layout = layout
    rowBytes = format.planes.map { $0.rowBytes(width: size.width) }
    self.node = node
    self.path = path
    name = node.name
    self.size = size
    self.format = format
    self.tags = DeviceColorTags.tags(agreed, delivery: pixelFormat.delivery)
  }

  deinit { staging.deallocate() }

  /// Writes a picture. Blocks while the device has no room; a virtual camera always has.
  ///
  /// - Throws: `CaptureFailure`: `disconnected` if the device is gone, `busy` if another program has taken it,
  ///   `inputOutput` if it accepts nothing for two seconds. `SafelightError` if the picture does not have the
  ///   device's size and format.
  package func write(_ picture: PixelBuffer) throws {
    guard picture.size == size, picture.format == format else {
      throw SafelightError(
        .invalidValue,
        "A picture of \(picture.size) as \(picture.format.rawValue) was given to \(name), which takes "
          + "\(size) as \(format.rawValue)")
    }
    guard let node else { throw DeviceErrors.disconnected(path: path, name: name) }
    copyRows(of: picture)
    while true {
      let written = writeBytes(node.descriptor, staging.baseAddress, staging.count)
      if written == staging.count { return }
      guard written < 0 else {
        // A frame is a single call; a device that accepts only part of it has lost the rest.
        throw DeviceErrors.failure(.writing, node, EIO)
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: try waitForRoom(node)
      case let code: throw DeviceErrors.failure(.writing, node, code)
      }
    }
  }

  /// Releases the device; readers see the end of the stream. Later writes fail.
  package func close() { node = nil }

  private func copyRows(of picture: PixelBuffer) {
    guard let base = staging.baseAddress else { return }
    for (index, plane) in layout.planes.enumerated() {
      let source = picture.planes[index]
      for y in 0..<source.rows {
        (base + plane.offset + y * plane.rowBytes).copyMemory(from: source.row(y), byteCount: rowBytes[index])
      }
    }
  }

  private func waitForRoom(_ node: DeviceNode) throws {
    var room = pollfd(fd: node.descriptor, events: Int16(POLLOUT), revents: 0)
    let count = poll(&room, 1, Self.patienceMilliseconds)
    if count > 0, Int32(room.revents) & (POLLERR | POLLHUP) != 0 { _ = try node.capability() }
    guard count != 0 else {
      throw CaptureFailure(
        .inputOutput,
        SafelightError(
          .device,
          "\(DeviceErrors.label(name, path)) has taken no picture for \(Self.patienceMilliseconds / 1000) s",
          remedy: "close it, and the programs that read from it"))
    }
  }

  private static func pixelFormat(_ format: PixelFormat) -> DevicePixelFormat? {
    DevicePixelFormat.all.first {
      $0.memoryPlanes == 1 && $0.delivery == .wrapped(format, swapsChroma: false)
    }
  }

  /// Makes a v4l2loopback that has lost its direction an output device again: closing it from a writer that has
  /// started streaming has this effect.
  private static func restoreDirection(_ device: CaptureDevice) throws {
    let node = try DeviceNode(path: device.path, name: device.name)
    guard try node.capability().hasLostItsDirection else { return }
    _ = cv4l2_stream_on(node.descriptor, V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue)
  }

  /// A virtual camera with a writer appears only as a camera.
  private static func noOutput(_ capability: DeviceCapability, _ node: DeviceNode) -> CaptureFailure {
    if capability.isLoopback, capability.captureType != nil {
      return DeviceErrors.busy(path: node.path, name: node.name, holders: DeviceHolder.holders(of: node.path))
    }
    return CaptureFailure(
      .unsupported,
      SafelightError(
        .device, "\(DeviceErrors.label(node.name, node.path)) is not an output device",
        remedy: "name a virtual camera (sudo modprobe v4l2loopback exclusive_caps=1 makes one)"))
  }

  private static func announce(_ framesPerSecond: Double, to node: DeviceNode, _ type: UInt32) {
    var parameters = v4l2_streamparm()
    parameters.type = type
    let interval = DeviceFrameInterval.Fraction(rate: framesPerSecond)
    parameters.parm.output.timeperframe = v4l2_fract(
      numerator: interval.numerator, denominator: interval.denominator)
    // Readers follow the actual frames, so a driver without rates is acceptable.
    _ = cv4l2_set_parameters(node.descriptor, &parameters)
  }
}

/// Calls write(2), which the class's own method hides.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
