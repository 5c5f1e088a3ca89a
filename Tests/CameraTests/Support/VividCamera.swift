import Libc

/// A camera of the kernel's vivid driver, and what can be done to it.
///
/// Source: the kernel's Documentation/admin-guide/media/vivid.rst. `run-tests` loads three: two webcams and an HDMI
/// grabber.
struct VividCamera {
  static let webcam = VividCamera(instance: 0)
  static let otherWebcam = VividCamera(instance: 1)
  static let grabber = VividCamera(instance: 2)

  /// The driver's number of the device.
  let instance: Int

  /// The node that the device has now; the number may change when the driver is bound again.
  var node: String {
    get throws {
      let found = try Shell.run("grep -l '^vivid-00\(instance)-vid-cap$' /sys/class/video4linux/*/name")
      guard
        let number = found.split(separator: "/").first(where: { $0.hasPrefix("video") && $0 != "video4linux" }
        )
      else { throw Shell.Failed(description: "vivid has no camera \(instance)") }
      return "/dev/\(number)"
    }
  }

  var busInfo: String { "platform:vivid-00\(instance)" }

  /// Errors that vivid makes when told to, by the names of its controls.
  enum Fault: String {
    /// The next buffer has V4L2_BUF_FLAG_ERROR.
    case bufferFlag = "inject_v4l2_buf_flag_error"
    /// The next VIDIOC_REQBUFS, QBUF or STREAMON fails with EINVAL.
    case requestBuffers = "inject_vidioc_reqbufs_error"
    case queueBuffer = "inject_vidioc_qbuf_error"
    case streamOn = "inject_vidioc_streamon_error"
    /// vb2_queue_error: EIO until streaming is restarted.
    case fatal = "inject_fatal_streaming_error"
    /// As if unplugged, but for the node, which stays.
    case disconnect
  }

  func inject(_ fault: Fault) throws { try set(fault.rawValue, 1) }

  func set(_ control: String, _ value: Int) throws {
    try Shell.run("v4l2-ctl -d \(try node) -c \(control)=\(value)")
  }

  func value(of control: String) throws -> Int? {
    let line = try Shell.run("v4l2-ctl -d \(try node) -C \(control)")
    return line.split(separator: " ").last.flatMap { Int($0.filter { !$0.isNewline }) }
  }

  /// Takes the driver off all of its devices: their nodes go, as those of unplugged cameras.
  static func unbindAll() throws { try Shell.write("vivid.0", to: "/sys/bus/platform/drivers/vivid/unbind") }

  /// Gives the devices back to the driver.
  static func bindAll() throws { try Shell.write("vivid.0", to: "/sys/bus/platform/drivers/vivid/bind") }

  /// Undoes what tests do: no fault, 75 % bars, nothing written over the picture.
  func restore() throws {
    try Shell.run(
      "v4l2-ctl -d \(try node) -c percentage_of_dropped_buffers=0,wrap_sequence_number=0,test_pattern=0,osd_text_mode=2"
    )
  }
}
