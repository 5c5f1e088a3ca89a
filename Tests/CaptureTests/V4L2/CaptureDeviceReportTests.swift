import FoundationEssentials
import FrameCore
import TestSupport
import Testing

@testable import Capture

/// What `safelight devices --json` prints.
@Suite("Reports of devices")
struct CaptureDeviceReportTests {
  @Test("The JSON of a camera, and of a device that does not answer, is that recorded and is read back")
  func recorded() throws {
    let failure = CaptureFailure(
      .permissionDenied,
      SafelightError(.device, "You are not allowed to open Cam (/dev/none)", remedy: "ask the administrator"))
    let closed = CaptureDeviceReport(
      CaptureDevice(
        id: "no-such-bus#0", path: "/dev/none", name: "Cam", driver: "", bus: "", kinds: [],
        facing: .external, failure: failure))
    var camera = CaptureDeviceReport(
      CaptureDevice(
        id: "no-such-bus#1", path: "/dev/none", name: "Cam", driver: "uvcvideo", bus: "usb-1",
        kinds: [.output, .capture], facing: .front, failure: failure))
    #expect(camera.problem == failure.description && camera.formats.isEmpty && camera.controls.isEmpty)
    camera.problem = nil
    camera.holders = ["obs (process 4711)"]
    camera.formats = Self.formats.map(CaptureDeviceReport.Format.init)
    camera.controls = Self.controls.map(CaptureDeviceReport.Control.init)
    camera.settings = Array(ControlSet(SimulatedCamera.webcamControls).capabilities.prefix(3))
    let text = try [camera, closed].json()
    #expect(try JSONDecoder().decode([CaptureDeviceReport].self, from: Data(text.utf8)) == [camera, closed])
    try expectRecorded(text: text + "\n", as: "devices")
  }

  @Test("The JSON of settings that were changed is that recorded and is read back")
  func changes() throws {
    let changes = [
      CameraSettingChange(name: "focus", before: "auto", after: "120"),
      CameraSettingChange(name: "auto_focus_start", before: nil, after: nil),
    ]
    let text = try changes.json()
    #expect(try JSONDecoder().decode([CameraSettingChange].self, from: Data(text.utf8)) == changes)
    try expectRecorded(text: text + "\n", as: "setting-changes")
  }

  private static let formats = [
    DeviceFormat(
      fourCC: FourCC("YUYV"), name: "YUYV 4:2:2", encoding: .raw(.yuyv422),
      sizes: [
        DeviceFrameSize(
          .one(PixelSize(width: 1280, height: 720)),
          intervals: [
            .one(DeviceFrameInterval.Fraction(1, 30)), .one(DeviceFrameInterval.Fraction(1001, 30_000)),
            // No interval at all.
            .one(DeviceFrameInterval.Fraction(0, 0)),
          ])
      ]),
    DeviceFormat(
      fourCC: FourCC("MJPG"), name: "Motion-JPEG", encoding: .mjpeg,
      sizes: [
        DeviceFrameSize(
          .range(
            smallest: PixelSize(width: 160, height: 120), largest: PixelSize(width: 1920, height: 1080),
            step: PixelSize(width: 2, height: 2)))
      ]),
    DeviceFormat(
      fourCC: FourCC("BA81"), name: "8-bit Bayer BGBG/GRGR", encoding: .bayer(BayerFormat(.bggr, .bits8)),
      sizes: [DeviceFrameSize(.one(PixelSize(width: 640, height: 480)))]),
    DeviceFormat(fourCC: FourCC("H264"), name: "H.264", encoding: nil, sizes: []),
  ]

  private static let controls = [
    DeviceControl(
      id: 0x98_0900, name: "Brightness", kind: .integer, minimum: -64, maximum: 64, step: 1, defaultValue: 0,
      value: 12),
    DeviceControl(
      id: 0x98_0918, name: "Power Line Frequency", kind: .menu, minimum: 0, maximum: 2, step: 1,
      defaultValue: 1, isInactive: true, isReadOnly: true,
      menu: [
        DeviceControl.MenuItem(value: 0, name: "Disabled"), DeviceControl.MenuItem(value: 1, name: "50 Hz"),
      ]),
  ]
}
