import CV4L2
import FrameCore
import Libc

/// A V4L2 device node, open until its last reference is released.
final class DeviceNode: Sendable {
  let path: String
  /// The name for error messages.
  let name: String
  let descriptor: Int32

  /// Opens `path` for reading and writing in non-blocking mode.
  ///
  /// - Throws: `CaptureFailure`.
  init(path: String, name: String? = nil) throws {
    descriptor = path.withCString { open($0, O_RDWR | O_NONBLOCK | O_CLOEXEC) }
    self.path = path
    self.name = name ?? path
    guard descriptor >= 0 else {
      throw DeviceErrors.failure(opening: path, name: self.name, errno: errno)
    }
  }

  deinit { close(descriptor) }

  /// Returns the driver's description of this node.
  func capability() throws -> DeviceCapability {
    var capability = v4l2_capability()
    try check(cv4l2_query_capability(descriptor, &capability), .identifying)
    return DeviceCapability(capability)
  }

  /// - Parameter status: 0 or a negative errno, as returned by CV4L2's functions.
  func check(_ status: Int32, _ request: DeviceRequest) throws {
    guard status < 0 else { return }
    throw DeviceErrors.failure(request, path: path, name: name, errno: -status)
  }
}

/// The identity and capabilities of a node.
struct DeviceCapability: Sendable, Hashable {
  var driver: String
  var card: String
  var bus: String
  /// `device_caps`: those of this node, not of the whole device.
  var flags: UInt32

  init(driver: String, card: String, bus: String, flags: UInt32) {
    self.driver = driver
    self.card = card
    self.bus = bus
    self.flags = flags
  }

  init(_ capability: v4l2_capability) {
    driver = String(fixed: capability.driver)
    card = String(fixed: capability.card)
    bus = String(fixed: capability.bus_info)
    let perNode = capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
    flags = perNode ? capability.device_caps : capability.capabilities
  }

  /// The buffer type for captured pictures, or nil if the node does not capture by streaming.
  var captureType: UInt32? {
    guard flags & UInt32(V4L2_CAP_STREAMING) != 0 else { return nil }
    // A memory-to-memory device converts pictures given to it, and captures none.
    guard flags & (Self.memoryToMemory | Self.memoryToMemoryPlanes) == 0 else { return nil }
    if flags & UInt32(V4L2_CAP_VIDEO_CAPTURE) != 0 { return V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue }
    if flags & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0 {
      return V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue
    }
    return nil
  }

  /// The buffer type for pictures passed to write(), or nil if the node accepts none.
  var outputType: UInt32? {
    guard flags & UInt32(V4L2_CAP_READWRITE) != 0 else { return nil }
    let isOutput = flags & UInt32(V4L2_CAP_VIDEO_OUTPUT) != 0
    return isOutput || hasLostItsDirection ? V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue : nil
  }

  /// v4l2loopback up to 0.12 reports neither capture nor output after a writer that used only write() has ended.
  /// `VideoOutputDevice` restores the capability.
  var hasLostItsDirection: Bool {
    isLoopback && flags & UInt32(V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_VIDEO_CAPTURE) == 0
  }

  /// Whether the driver is v4l2loopback: whatever is written to the node can be read from it.
  var isLoopback: Bool { driver == "v4l2 loopback" }

  private static let memoryToMemory: UInt32 = 0x0000_8000
  private static let memoryToMemoryPlanes: UInt32 = 0x0000_4000
}

extension String {
  /// The text in a C array of characters, up to its terminator or end.
  init<Characters>(fixed characters: Characters) {
    self = withUnsafeBytes(of: characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
