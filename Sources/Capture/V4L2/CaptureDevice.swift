import CV4L2
import FrameCore
import Synchronization
import Libc

/// A camera or grabber that V4L2 knows, or an output device such as a virtual camera.
///
/// What it says was true when it was discovered; a device that is connected again may be another node, which the
/// methods look up by `id`. It remembers the controls that were set through it, and a stream opened on it after
/// a reconnection sets them again.
public final class CaptureDevice: Sendable {
  public enum Kind: String, Sendable, Hashable, Codable {
    /// Delivers pictures.
    case capture
    /// Takes pictures, for other programs to read or for a display.
    case output
  }

  /// The same after re-plugging and rebooting: a name in /dev/v4l/by-id where there is one, else the bus address and
  /// the node's place on the device, such as `usb-0000:00:14.0-1#0`.
  public let id: String
  /// The node when the device was discovered, such as `/dev/video0`.
  public let path: String
  /// The driver's name of the device.
  public let name: String
  /// The kernel driver; empty where the node may not be opened.
  public let driver: String
  /// Where it is connected; empty where the node may not be opened.
  public let bus: String
  /// nil where the node may not be opened.
  public let kinds: Set<Kind>
  public let facing: CameraFacing
  /// Why the node cannot be opened, or nil. Such a device is listed by its name only.
  public let failure: CaptureFailure?

  /// Controls set through this object, in the order of their ids.
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

  /// Opens the node that the device has now.
  ///
  /// - Throws: `CaptureFailure`.
  func open() throws -> DeviceNode {
    guard let path = DeviceDirectory.system.path(of: id, last: path) else {
      throw DeviceErrors.disconnected(path: path, name: name)
    }
    return try DeviceNode(path: path, name: name)
  }

  /// The pixel formats that the device captures, with their sizes and rates.
  ///
  /// - Throws: `CaptureFailure`.
  public func formats() throws -> [DeviceFormat] {
    let node = try open()
    guard let type = try node.capability().captureType else { return [] }
    return node.captureFormats(type)
  }

  /// The controls, with their present values.
  ///
  /// - Throws: `CaptureFailure`.
  public func controls() throws -> [DeviceControl] { try open().controls() }

  /// Processes that have the device open; those of other users are seen by root only.
  public func holders() -> [DeviceHolder] {
    DeviceHolder.holders(of: DeviceDirectory.system.path(of: id, last: path) ?? path)
  }
}

extension CaptureDevice {
  /// Every video device that captures or outputs pictures, by node number. Nodes for metadata, radio and decoders are
  /// left out.
  ///
  /// Opens each node for a moment: a few milliseconds for each device.
  public static func discover() -> [CaptureDevice] { DeviceDirectory.system.devices() }

  /// The devices that capture pictures.
  public static func cameras() -> [CaptureDevice] { discover().filter { $0.kinds.contains(.capture) } }

  /// The camera meant by `name`: `default` (the first that can be opened, virtual cameras last), a node
  /// (`/dev/video0`, or a link in /dev/v4l/by-id), an id, or a device's name.
  ///
  /// - Throws: `CaptureFailure` where there is none; it names those that there are.
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
      // A virtual camera delivers nothing unless somebody writes to it.
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
