import CV4L2
import FrameCore
import Synchronization
import Libc

/// A V4L2 camera or grabber, or an output device such as a virtual camera.
///
/// Its properties are those at discovery; a reconnected device may have another node, which the methods look up by
/// `id`. It remembers the controls set through it, and a stream opened after a reconnection sets them again.
public final class CaptureDevice: Sendable {
  /// The direction of the pictures.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// Delivers pictures to this program.
    case capture
    /// Accepts pictures, for other programs or a display.
    case output
  }

  /// An identifier that survives re-plugging and rebooting: a name in /dev/v4l/by-id if there is one, otherwise
  /// the bus address and the node's index on the device, such as `usb-0000:00:14.0-1#0`.
  public let id: String
  /// The node at discovery, such as `/dev/video0`.
  public let path: String
  /// The driver's name for the device.
  public let name: String
  /// The kernel driver; empty if the node may not be opened.
  public let driver: String
  /// The connection; empty if the node may not be opened.
  public let bus: String
  /// Nil if the node may not be opened.
  public let kinds: Set<Kind>
  public let facing: CameraFacing
  /// Why the node cannot be opened, or nil. Only the name of such a device is known.
  public let failure: CaptureFailure?

  /// Controls set through this object, by id.
  let remembered = Mutex<[UInt32: Int64]>([:])

  init(
    id: String, path: String, name: String, driver: String, bus: String, kinds: Set<Kind>,
    facing: CameraFacing,
    failure: CaptureFailure?
  ) {
    self.id = id
    self.path = path
    self.name = name
    self.driver = driver
    self.bus = bus
    self.kinds = kinds
    self.facing = facing
    self.failure = failure
  }

  /// Opens the device's current node.
  ///
  /// - Throws: `CaptureFailure`.
  func open() throws -> DeviceNode {
    guard let path = DeviceDirectory.system.path(of: id, last: path) else {
      throw DeviceErrors.disconnected(path: path, name: name)
    }
    return try DeviceNode(path: path, name: name)
  }

  /// Returns the pixel formats that the device captures, with their sizes and rates.
  ///
  /// - Throws: `CaptureFailure`.
  public func formats() throws -> [DeviceFormat] {
    let node = try open()
    guard let type = try node.capability().captureType else { return [] }
    return node.captureFormats(type)
  }

  /// Returns the controls with their current values.
  ///
  /// - Throws: `CaptureFailure`.
  public func controls() throws -> [DeviceControl] { try open().controls() }

  /// Returns the processes that have the device open; only root sees those of other users.
  public func holders() -> [DeviceHolder] {
    DeviceHolder.holders(of: DeviceDirectory.system.path(of: id, last: path) ?? path)
  }
}

extension CaptureDevice {
  /// Returns every video device that captures or outputs pictures, by node number, without nodes for metadata,
  /// radio and decoders.
  ///
  /// Opens each node briefly, which takes a few milliseconds per device.
  public static func discover() -> [CaptureDevice] { DeviceDirectory.system.devices() }

  /// Returns the devices that capture pictures.
  public static func cameras() -> [CaptureDevice] { discover().filter { $0.kinds.contains(.capture) } }

  /// Returns the camera that `name` denotes: `default` (the first that can be opened, virtual cameras last), a
  /// node (`/dev/video0`, or a link in /dev/v4l/by-id), an id, or a device's name.
  ///
  /// - Throws: `CaptureFailure`, listing the available cameras, if there is none.
  public static func camera(_ name: String = "default") throws -> CaptureDevice {
    if name.hasPrefix("/") {
      let device = try DeviceDirectory.system.device(at: name)
      if let failure = device.failure { throw failure }
      guard device.kinds.contains(.capture) else {
        throw CaptureFailure(
          .unsupported,
          SafelightError(
            .device, "\(DeviceErrors.label(device.name, name)) is not a capture device",
            remedy: "name a camera, such as /dev/video0"))
      }
      return device
    }
    let all = discover()
    let cameras = all.filter { $0.kinds.contains(.capture) || $0.failure != nil }
    if name == "default" {
      let usable = cameras.filter { $0.failure == nil }
      // A virtual camera delivers nothing unless another program writes to it.
      if let camera = usable.first(where: { !$0.kinds.contains(.output) }) ?? usable.first { return camera }
      if let failure = cameras.first?.failure { throw failure }
      throw CaptureFailure(
        .disconnected, SafelightError(.device, "No camera is connected", remedy: "connect one"))
    }
    if let camera = cameras.first(where: { $0.id == name }) ?? cameras.first(where: { $0.name == name }) {
      if let failure = camera.failure { throw failure }
      return camera
    }
    let known = cameras.map { "\($0.id) (\($0.path))" }.joined(separator: ", ")
    throw CaptureFailure(
      .disconnected,
      SafelightError(
        .device, "There is no camera \(name)",
        remedy: known.isEmpty
          ? "connect it; no camera is connected now" : "connect it, or choose among \(known)"))
  }
}
