import FrameCore
import Testing

@testable import Capture
import Libc

@Suite("Errors of devices")
struct DeviceErrorTests {
  @Test("Opening a node fails with a reason and a remedy")
  func opening() {
    let expected: [(Int32, CaptureFailure.Reason, String)] = [
      (ENOENT, .disconnected, "There is no device Cam (/dev/none); connect it or name another one."),
      (ENODEV, .disconnected, "There is no device Cam (/dev/none); connect it or name another one."),
      (
        EACCES, .permissionDenied,
        "You are not allowed to open Cam (/dev/none); ask the administrator for access to /dev/none."
      ),
      (
        EMFILE, .inputOutput,
        "Cannot open Cam (/dev/none): Too many open files; raise the limit of open files (ulimit -n)."
      ),
      (EIO, .inputOutput, "Cannot open Cam (/dev/none): Input/output error; connect the device again."),
    ]
    for (code, reason, text) in expected {
      let failure = DeviceErrors.failure(opening: "/dev/none", name: "Cam", errno: code)
      #expect(failure.reason == reason && failure.description == text, "errno \(code): \(failure)")
    }
  }

  @Test("A request fails with a reason and a remedy")
  func requests() {
    let expected: [(DeviceRequest, Int32, CaptureFailure.Reason, String)] = [
      (.dequeuing, ENODEV, .disconnected, "Cam (/dev/none) was disconnected; connect it again."),
      (
        .dequeuing, EIO, .inputOutput,
        "Cannot read a frame from Cam (/dev/none): Input/output error; connect the device again if it persists."
      ),
      (
        .choosingFormat, EBUSY, .busy,
        "Cam (/dev/none) is busy: another program uses it; close the program that uses it (sudo fuser /dev/none names it)."
      ),
      (
        .identifying, ENOTTY, .unsupported,
        "Cam (/dev/none) is not a video device; name a device such as /dev/video0."
      ),
      (
        .starting, ENOSPC, .inputOutput,
        "Cannot start streaming from Cam (/dev/none): the USB bus has no bandwidth left; connect it to another port, or "
          + "ask for a smaller picture, a lower rate or MJPEG."
      ),
      (
        .requestingBuffers, ENOMEM, .inputOutput,
        "Cannot get frame buffers from Cam (/dev/none): the driver has not enough memory; ask for a smaller picture."
      ),
      (
        .choosingFormat, ENOLINK, .inputOutput,
        "Cannot set the format of Cam (/dev/none): there is no stable signal at its input; check what is connected there."
      ),
    ]
    for (request, code, reason, text) in expected {
      let failure = DeviceErrors.failure(request, path: "/dev/none", name: "Cam", errno: code)
      #expect(failure.reason == reason && failure.description == text, "\(request) \(code): \(failure)")
    }
  }

  @Test("Who may not open a node is told the group that may, from the node itself")
  func group() throws {
    // /dev/tty belongs to a group wherever there is udev, or to root.
    var status = stat()
    try #require(stat("/dev/ptmx", &status) == 0)
    try #require(status.st_mode & 0o060 == 0o060)
    let entry = try #require(getgrgid(status.st_gid))
    let name = String(cString: entry.pointee.gr_name)
    #expect(
      DeviceErrors.permissionRemedy("/dev/ptmx")
        == "join the group \(name) (sudo usermod -aG \(name) \"$USER\") and log in again")
  }

  @Test("A busy device names the programs that hold it, and this program where it is that")
  func holders() {
    let other = DeviceHolder(processID: 1, name: "obs")
    #expect(
      DeviceErrors.busy(path: "/dev/video0", name: "Cam", holders: [other]).description
        == "Cam (/dev/video0) is busy: it is in use by obs (process 1); close that program.")
    let own = DeviceHolder(processID: Int(getpid()), name: "tests")
    #expect(
      DeviceErrors.busy(path: "/dev/video0", name: "Cam", holders: [own]).description
        == "Cam (/dev/video0) is busy: this program already uses it; stop the session that uses it.")
  }

  @Test("The programs that have a device open are found")
  func findsHolders() throws {
    let path = "/dev/full"
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    #expect(DeviceHolder.holders(of: path).contains { $0.isSelf })
    close(descriptor)
    #expect(!DeviceHolder.holders(of: path).contains { $0.isSelf })
  }

  @Test("What is not a video device is refused by name")
  func noVideoDevice() {
    func message(_ body: () throws -> Void) -> String {
      do {
        try body()
        return "nothing"
      } catch let failure as CaptureFailure {
        return "\(failure.reason.rawValue): \(failure)"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      message { _ = try CaptureDevice.camera("/dev/null") }
        == "unsupported: /dev/null is not a video device; name a device such as /dev/video0.")
    #expect(
      message { _ = try CaptureDevice.camera("/dev/video4711") }
        == "disconnected: There is no device /dev/video4711; connect it or name another one.")
    let size = PixelSize(width: 64, height: 48)
    #expect(
      message { _ = try VideoOutputDevice(path: "/etc/passwd", size: size, format: .yuyv422, tags: .sRGB) }
        == "unsupported: /etc/passwd is not a video device; name a device such as /dev/video0.")
  }
}
