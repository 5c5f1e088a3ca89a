import Testing

@testable import Capture

@Suite("Names of devices")
struct DeviceDirectoryTests {
  @Test("A camera looks to the front only where its name says so")
  func facing() {
    let expected: [(String, CameraFacing)] = [
      ("Integrated Camera", .external), ("HD Pro Webcam C920", .external),
      ("Surface Camera Front", .front), ("UVC Camera, User-Facing", .front), ("ov5693 front", .front),
      ("Surface Camera Rear", .back), ("Frontier USB Camera", .external), ("Backlight Cam", .external),
    ]
    for (name, facing) in expected { #expect(DeviceDirectory.facing(name) == facing, "\(name)") }
  }

  @Test("Devices that went are reported before those that came, each by id")
  func changes() {
    #expect(
      DeviceNotifications.changes(from: ["b", "a", "c"], to: ["c", "e", "d"])
        == [.disconnected("a"), .disconnected("b"), .connected("d"), .connected("e")])
    #expect(DeviceNotifications.changes(from: ["a"], to: ["a"]).isEmpty)
  }

  @Test("FourCCs read as their four characters")
  func fourCC() {
    // V4L2_PIX_FMT_YUYV, V4L2_PIX_FMT_Y16 and V4L2_PIX_FMT_Y16_BE as numbers.
    #expect(FourCC("YUYV").code == 0x5659_5559)
    #expect(FourCC("YUYV").description == "YUYV")
    #expect(FourCC(code: 0x2036_3159).description == "Y16")
    #expect(FourCC(code: 0xA036_3159).description == "Y16-BE")
  }

  @Test("Each readable format is listed once")
  func formats() {
    #expect(Set(DevicePixelFormat.all.map(\.fourCC)).count == DevicePixelFormat.all.count)
  }
}
