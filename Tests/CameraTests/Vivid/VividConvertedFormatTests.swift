import Capture
import FrameCore
import Testing

extension CameraTests {
  @Suite("Formats of vivid that libv4lconvert converts", .driver(.vivid))
  struct VividConvertedFormats {
    init() throws { try VividCamera.webcam.restore() }

    @Test(
      "The bars are where and as vivid draws them, from swapped colour and RGB",
      arguments: ["YVYU", "NV61", "RGB4", "BGR4", "RGBP"])
    func bars(code: String) async throws {
      let size = PixelSize(width: 640, height: 480)
      let camera = try CaptureDevice.camera(VividCamera.webcam.node)
      let encoding = try #require(CaptureEncoding(converting: code))
      try #require(camera.formats().contains { $0.encoding == encoding }, "vivid has no \(code)")
      let recording = try await Recording(
        DeviceInput(camera), StreamRequest(size: size, framesPerSecond: 25, encoding: encoding))
      for _ in 0..<3 {
        let buffer = try await recording.frame().buffer
        #expect(buffer.size == size)
        // 5 bits are less exact.
        #expect(ColorBars.first(in: buffer, tolerance: 8) == 0, "\(code): \(ColorBars.row(of: buffer))")
      }
      await recording.session.stop()
    }

    @Test("A format that is read directly goes before one that is converted")
    func preference() async throws {
      let recording = try await Recording(DeviceInput(.camera(VividCamera.webcam.node)))
      _ = try await recording.frame()
      let format = try #require(recording.session.format)
      #expect({ if case .raw = format.encoding { true } else { false } }())
      await recording.session.stop()
    }

    @Test("The report says which way each format goes")
    func report() throws {
      let formats = CaptureDeviceReport(try CaptureDevice.camera(VividCamera.webcam.node)).formats
      func reading(_ code: String) -> CaptureDeviceReport.Reading? {
        formats.first { $0.fourCC == code }?.reading
      }
      #expect(reading("YUYV") == .direct)
      #expect(reading("YVYU") == .converted)
      #expect(reading("BG12") == .direct)
    }
  }
}
