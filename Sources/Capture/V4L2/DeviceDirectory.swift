import CV4L2
import FrameCore
import Libc

/// The folders with device nodes and their names.
struct DeviceDirectory: Sendable {
  /// `/dev`
  let nodes: String
  /// `/dev/v4l/by-id`: udev's links by vendor, model and serial number. Not all systems have it.
  let links: String
  /// `/sys/class/video4linux`
  let classes: String

  static let system = DeviceDirectory(
    nodes: "/dev", links: "/dev/v4l/by-id", classes: "/sys/class/video4linux")

  func devices() -> [CaptureDevice] {
    let links = linkNames()
    return Directory.names(nodes).compactMap { name -> (Int, String)? in
      guard name.hasPrefix("video"), let number = Int(name.dropFirst(5)) else { return nil }
      return (number, name)
    }.sorted { $0.0 < $1.0 }.compactMap { _, name in describe(name, links: links) }
  }

  /// Returns the device at a path given by the user.
  ///
  /// - Throws: `CaptureFailure` if there is none, or if it is not a video device.
  func device(at path: String) throws -> CaptureDevice {
    guard let target = Self.resolved(path), let name = target.split(separator: "/").last.map(String.init)
    else {
      throw DeviceErrors.failure(opening: path, name: path, errno: ENOENT)
    }
    var status = stat()
    // V4L2's major number is 81; Documentation/admin-guide/devices.txt.
    guard stat(target, &status) == 0, status.st_mode & S_IFMT == S_IFCHR,
      cv4l2_device_major(UInt64(status.st_rdev)) == 81
    else {
      throw CaptureFailure(
        .unsupported,
        SafelightError(.device, "\(path) is not a video device", remedy: "name a device such as /dev/video0"))
    }
    if target == "\(nodes)/\(name)", let device = describe(name, links: linkNames()) { return device }
    // For a node elsewhere, or one that neither captures nor outputs, the path is the only identification.
    let node = try DeviceNode(path: target)
    let capability = try node.capability()
    return CaptureDevice(
      id: path, path: target, name: capability.card, driver: capability.driver, bus: capability.bus,
      kinds: Self.kinds(capability), facing: .external, failure: nil)
  }

  /// Returns the current node of the device `id`, or nil if it is not connected. `last` is tried first.
  func path(of id: String, last: String) -> String? {
    if id.hasPrefix("/") { return Self.resolved(id) }
    if let target = Self.resolved("\(links)/\(id)") { return target }
    let names = linkNames()
    let candidates = Directory.names(nodes).filter { $0.hasPrefix("video") && Int($0.dropFirst(5)) != nil }
    let preferred = last.split(separator: "/").last.map(String.init)
    for name in candidates.sorted(by: { a, _ in a == preferred }) {
      // Compare the bus address too: it is the id of a device found before udev had created its link.
      if describe(name, links: names)?.id == id || describe(name, links: [:])?.id == id {
        return "\(nodes)/\(name)"
      }
    }
    return nil
  }

  /// Returns the by-id names of nodes, by node path.
  private func linkNames() -> [String: String] {
    var names: [String: String] = [:]
    for link in Directory.names(links).sorted() {
      guard let target = Self.resolved("\(links)/\(link)"), names[target] == nil else { continue }
      names[target] = link
    }
    return names
  }

  private func describe(_ name: String, links: [String: String]) -> CaptureDevice? {
    let path = "\(nodes)/\(name)"
    let index = SystemFile.line("\(classes)/\(name)/index") ?? name
    do {
      let node = try DeviceNode(path: path)
      let capability = try node.capability()
      let kinds = Self.kinds(capability)
      guard !kinds.isEmpty else { return nil }
      return CaptureDevice(
        id: links[path] ?? "\(capability.bus)#\(index)", path: path, name: capability.card,
        driver: capability.driver, bus: capability.bus, kinds: kinds,
        facing: kinds.contains(.capture) ? Self.facing(node, capability.card) : .external, failure: nil)
    } catch let failure as CaptureFailure where failure.reason == .permissionDenied {
      // It may not be a camera, but the first node of a device usually is.
      guard index == "0" else { return nil }
      return CaptureDevice(
        id: links[path] ?? path, path: path, name: SystemFile.line("\(classes)/\(name)/name") ?? path,
        driver: "",
        bus: "", kinds: [], facing: .external, failure: failure)
    } catch {
      // Just unplugged, or not a V4L2 device.
      return nil
    }
  }

  private static func kinds(_ capability: DeviceCapability) -> Set<CaptureDevice.Kind> {
    var kinds: Set<CaptureDevice.Kind> = []
    if capability.captureType != nil { kinds.insert(.capture) }
    if capability.outputType != nil { kinds.insert(.output) }
    return kinds
  }

  /// Returns the direction stated by the driver (V4L2_CID_CAMERA_ORIENTATION) or implied by the name; nothing else
  /// is used.
  private static func facing(_ node: DeviceNode, _ name: String) -> CameraFacing {
    var value: Int64 = 0
    if cv4l2_get_control(node.descriptor, ControlID.cameraOrientation, false, &value) == 0 {
      switch Int32(truncatingIfNeeded: value) {
      case V4L2_CAMERA_ORIENTATION_FRONT: return .front
      case V4L2_CAMERA_ORIENTATION_BACK: return .back
      default: return .external
      }
    }
    return facing(name)
  }

  static func facing(_ name: String) -> CameraFacing {
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
    if words.contains("front") || zip(words, words.dropFirst()).contains(where: { $0 == ("user", "facing") })
    {
      return .front
    }
    return words.contains("rear") ? .back : .external
  }

  /// Returns the path with links resolved, or nil if it does not exist.
  static func resolved(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}
