import CV4L2
import FrameCore
import Libc

/// What has controls: a device's node, or a test's stand-in for one.
protocol ControlDriver: AnyObject {
  /// The device's name, for errors.
  var name: String { get }
  /// Returns all controls with their current values, by id.
  func controls() throws -> [DeviceControl]
  /// Returns one control; nil if the device does not have it.
  func control(_ id: UInt32) throws -> DeviceControl?
  /// Sets a control whose value has been checked.
  ///
  /// - Returns: 0 or a negative errno.
  func write(_ value: Int64, to control: DeviceControl) -> Int32
  /// Throws what a negative errno means.
  func check(_ status: Int32) throws
}

extension DeviceNode: ControlDriver {
  func write(_ value: Int64, to control: DeviceControl) -> Int32 {
    if control.kind == .rectangle {
      let rectangle = ControlRectangle(packed: value)
      return cv4l2_set_rectangle(
        descriptor, control.id,
        [rectangle.left, rectangle.top, rectangle.width, rectangle.height].map(Int64.init))
    }
    return cv4l2_set_control(descriptor, control.id, control.kind == .integer64, value)
  }

  func check(_ status: Int32) throws { try check(status, .controlling) }
}

extension ControlDriver {
  /// Sets a control whose value has been checked.
  ///
  /// - Throws: `SafelightError` if the driver refuses the value, `CaptureFailure` if the device fails.
  func set(_ control: DeviceControl, to value: Int64) throws {
    let status = write(value, to: control)
    switch status {
    case -ERANGE, -EINVAL:
      throw SafelightError(
        .invalidValue, "The driver of \(name) refuses \(value) for \(control.name)",
        remedy: "choose another value between \(control.minimum) and \(control.maximum)")
    case -EBUSY:
      throw SafelightError(
        .device, "\(control.name) of \(name) cannot be changed now",
        remedy: "stop streaming, or the program that controls it")
    default: try check(status)
    }
  }
}
