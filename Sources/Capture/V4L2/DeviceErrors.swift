import FrameCore
import Libc

/// The kinds of request to a device whose errors have different meanings.
enum DeviceRequest: String, Sendable, CaseIterable {
  case identifying = "identify"
  case choosingFormat = "set the format of"
  case choosingRate = "set the frame rate of"
  case requestingBuffers = "get frame buffers from"
  case mapping = "map the frame buffers of"
  case queueing = "give a frame buffer to"
  case starting = "start streaming from"
  case dequeuing = "read a frame from"
  case controlling = "read the controls of"
  case writing = "write a frame to"
}

/// Error sentences and failure reasons for the errnos of V4L2's requests.
enum DeviceErrors {
  /// Returns why opening a node failed.
  static func failure(opening path: String, name: String, errno code: Int32) -> CaptureFailure {
    let device = label(name, path)
    switch code {
    case ENOENT, ENODEV, ENXIO, ENOTDIR:
      return CaptureFailure(
        .disconnected,
        SafelightError(.device, "There is no device \(device)", remedy: "connect it or name another one"))
    case EACCES, EPERM:
      return CaptureFailure(
        .permissionDenied,
        SafelightError(.device, "You are not allowed to open \(device)", remedy: permissionRemedy(path)))
    case EBUSY:
      return busy(path: path, name: name, holders: DeviceHolder.holders(of: path))
    case EMFILE, ENFILE:
      return CaptureFailure(
        .inputOutput,
        SafelightError(
          .device, "Cannot open \(device): \(errorText(code))",
          remedy: "raise the limit of open files (ulimit -n)"
        ))
    default:
      return CaptureFailure(
        .inputOutput,
        SafelightError(
          .device, "Cannot open \(device): \(errorText(code))", remedy: "connect the device again"))
    }
  }

  /// Returns why a request to an open device failed.
  static func failure(_ request: DeviceRequest, path: String, name: String, errno code: Int32)
    -> CaptureFailure
  {
    let device = label(name, path)
    let problem = "Cannot \(request.rawValue) \(device)"
    switch code {
    case ENODEV, ENXIO, ESHUTDOWN:
      return disconnected(path: path, name: name)
    case EBUSY:
      return busy(path: path, name: name, holders: DeviceHolder.holders(of: path))
    case EACCES, EPERM:
      return CaptureFailure(
        .permissionDenied,
        SafelightError(.device, "\(problem): it is not allowed", remedy: permissionRemedy(path)))
    case ENOTTY where request == .identifying, EINVAL where request == .identifying:
      return CaptureFailure(
        .unsupported,
        SafelightError(
          .device, "\(device) is not a video device", remedy: "name a device such as /dev/video0"))
    case ENOSPC:
      return CaptureFailure(
        .inputOutput,
        SafelightError(
          .device, "\(problem): the USB bus has no bandwidth left",
          remedy: "connect it to another port, or ask for a smaller picture, a lower rate or MJPEG"))
    case ENOMEM:
      return CaptureFailure(
        .inputOutput,
        SafelightError(
          .device, "\(problem): the driver has not enough memory", remedy: "ask for a smaller picture"))
    case ENOLINK, ENOLCK, ENODATA:
      return CaptureFailure(
        .inputOutput,
        SafelightError(
          .device, "\(problem): there is no stable signal at its input",
          remedy: "check what is connected there"))
    default:
      return CaptureFailure(
        .inputOutput,
        SafelightError(
          .device, "\(problem): \(errorText(code))", remedy: "connect the device again if it persists"))
    }
  }

  static func disconnected(path: String, name: String) -> CaptureFailure {
    CaptureFailure(
      .disconnected,
      SafelightError(.device, "\(label(name, path)) was disconnected", remedy: "connect it again"))
  }

  static func busy(path: String, name: String, holders: [DeviceHolder]) -> CaptureFailure {
    let device = label(name, path)
    // Several programs may open a device, but only one can stream from it.
    let others = holders.filter { !$0.isSelf }
    let names = others.prefix(4).map(\.description).joined(separator: ", ")
    let user: String
    let remedy: String
    if !others.isEmpty {
      user = "it is in use by \(names)"
      remedy = "close that program"
    } else if holders.isEmpty {
      user = "another program uses it"
      remedy = "close the program that uses it (sudo fuser \(path) names it)"
    } else {
      user = "this program already uses it"
      remedy = "stop the session that uses it"
    }
    return CaptureFailure(.busy, SafelightError(.device, "\(device) is busy: \(user)", remedy: remedy))
  }

  /// Returns `name (path)`, or only the path if the name adds nothing.
  static func label(_ name: String, _ path: String) -> String {
    name.isEmpty || name == path ? path : "\(name) (\(path))"
  }

  /// Returns which group owns the node and how to join it.
  static func permissionRemedy(_ path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0, let entry = groupName(status.st_gid), status.st_mode & 0o060 == 0o060
    else {
      return "ask the administrator for access to \(path)"
    }
    return "join the group \(entry) (sudo usermod -aG \(entry) \"$USER\") and log in again"
  }

  private static func groupName(_ id: gid_t) -> String? {
    var entry = group()
    var result: UnsafeMutablePointer<group>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
      guard getgrgid_r(id, &entry, buffer.baseAddress, buffer.count, &result) == 0, result != nil,
        let name = entry.gr_name
      else { return nil }
      return String(cString: name)
    }
  }
}
