import CV4L2
import FrameCore
import Libc

/// A V4L2 camera or grabber as a session's input.
public final class DeviceInput: CaptureInput {
  public let device: CaptureDevice
  /// The number of buffers requested from the driver; two fewer frames may be held at once without loss.
  public let bufferCount: Int

  public var id: String { device.id }
  public var name: String { device.name }
  public var facing: CameraFacing { device.facing }

  /// - Parameter bufferCount: 3…32; V4L2's own limit is 32.
  public init(_ device: CaptureDevice, bufferCount: Int = 8) {
    self.device = device
    self.bufferCount = min(max(3, bufferCount), 32)
  }

  public func openStream(_ request: StreamRequest) throws -> any FrameStream {
    let node = try device.open()
    let setup = try Self.agree(request, with: node)
    // The driver may now refuse a value that it accepted before; a picture is more important than the setting.
    _ = device.reapplyControls(to: node)
    return try V4L2Stream(node, setup, bufferCount: bufferCount)
  }

  /// Chooses and sets a format.
  private static func agree(_ request: StreamRequest, with node: DeviceNode) throws -> StreamSetup {
    let device = DeviceErrors.label(node.name, node.path)
    guard let type = try node.capability().captureType else {
      throw CaptureFailure(
        .unsupported,
        SafelightError(
          .device, "\(device) is not a capture device", remedy: "name a camera, such as /dev/video0"))
    }
    let timings = cv4l2_adopt_timings(node.descriptor)
    if timings == -ENOLINK || timings == -ENOLCK { try node.check(timings, .choosingFormat) }

    let formats = node.captureFormats(type, onlyReadable: true, trying: request.size)
    let choice = try FormatChoice.choose(request, from: formats, device: device)
    var agreed = cv4l2_format()
    agreed.width = UInt32(choice.size.width)
    agreed.height = UInt32(choice.size.height)
    agreed.pixel_format = choice.pixelFormat.fourCC.code
    agreed.field = V4L2_FIELD_NONE.rawValue
    agreed.plane_count = UInt32(choice.pixelFormat.memoryPlanes)
    try node.check(cv4l2_set_format(node.descriptor, type, &agreed), .choosingFormat)
    try check(agreed, against: choice, device: device)

    let interval = try choice.interval.flatMap { try node.setInterval($0, type: type) }
    let tags = DeviceColorTags.tags(agreed, delivery: choice.pixelFormat.delivery)
    let pixelFormat: PixelFormat =
      switch choice.pixelFormat.encoding {
      case .raw(let format): format
      // The usual format of webcams, until the first frame shows it.
      case .mjpeg: .i422
      case .bayer: .rgba8
      case .converted(let fourCC): ConvertedFormat.all[fourCC]?.pixelFormat ?? .i420
      }
    return StreamSetup(
      choice: choice, agreed: agreed, type: type,
      streamFormat: StreamFormat(
        size: choice.size, encoding: choice.pixelFormat.encoding, pixelFormat: pixelFormat, tags: tags,
        framesPerSecond: (interval ?? choice.interval)?.framesPerSecond ?? 0))
  }

  /// Drivers change unsupported values instead of refusing them.
  private static func check(_ agreed: cv4l2_format, against choice: FormatChoice, device: String) throws {
    let fourCC = FourCC(code: agreed.pixel_format)
    guard fourCC == choice.pixelFormat.fourCC, Int(agreed.width) == choice.size.width,
      Int(agreed.height) == choice.size.height
    else {
      throw CaptureFailure(
        .unsupported,
        SafelightError(
          .unsupported,
          "\(device) was asked for \(choice.size) \(choice.pixelFormat.fourCC) but offers "
            + "\(agreed.width)×\(agreed.height) \(fourCC)", remedy: "ask for that"))
    }
    let whole = [
      V4L2_FIELD_ANY, V4L2_FIELD_NONE, V4L2_FIELD_INTERLACED, V4L2_FIELD_INTERLACED_TB,
      V4L2_FIELD_INTERLACED_BT,
    ]
    guard whole.contains(where: { $0.rawValue == agreed.field }) else {
      throw CaptureFailure(
        .unsupported,
        SafelightError(
          .unsupported, "\(device) delivers fields instead of whole pictures",
          remedy: "choose a progressive mode at its source"))
    }
  }
}

extension DeviceInput {
  public func awaitReturn(after failure: CaptureFailure, until deadline: Timestamp) -> Bool {
    switch failure.reason {
    case .unsupported, .truncated: return false
    case .inputOutput, .stalled, .suspended:
      // The device is present, and nothing signals its recovery.
      _ = poll(nil, 0, min(deadline, Timestamp.now.advanced(bySeconds: 0.1)).millisecondsLeft)
    case .disconnected, .busy, .permissionDenied: break
    }
    let isBusy = failure.reason == .busy
    let watcher = NodeWatcher.video(node: isBusy ? device.path : nil)
    while true {
      if isReady(afterBusy: isBusy) { return true }
      // Probing opens and closes the node, which generates events of its own. A real event discarded here is found
      // by the next call.
      watcher.clear()
      guard watcher.wait(until: deadline, wake: nil) else { return isReady(afterBusy: isBusy) }
    }
  }

  /// Whether the device is present, may be opened and, if requested, is not in use.
  private func isReady(afterBusy: Bool) -> Bool {
    guard let node = try? device.open(), let type = try? node.capability().captureType else { return false }
    guard afterBusy else { return true }
    // Requesting no buffers changes nothing, but is refused while another program has some.
    var request = v4l2_requestbuffers()
    request.type = type
    request.memory = V4L2_MEMORY_MMAP.rawValue
    return cv4l2_request_buffers(node.descriptor, &request) != -EBUSY
  }
}

extension CaptureInput {
  /// Reads the camera's values for photos; nil if the source is no camera.
  package var valueReader: (@Sendable () -> CameraValues?)? {
    guard let device = (self as? DeviceInput)?.device else { return nil }
    return { try? device.cameraValues() }
  }
}
