import Capture
import FrameCore
import Testing

extension CameraTests {
  @Suite("A virtual camera", .driver(.loopback))
  struct VirtualCamera {
    @Test(
      "v4l2-ctl reads what was written, byte for byte, and its colour tags",
      arguments: [.yuyv422, .nv12] as [PixelFormat])
    func reading(format: PixelFormat) throws {
      let feed = try VirtualCameraFeed(format: format)
      let folder = try Shell.run("mktemp -d").split(separator: "\n")[0]
      let read = try Shell.outcome(
        "timeout 30 v4l2-ctl -d \(VirtualCameraFeed.node) --stream-mmap --stream-skip=2 --stream-count=1 --stream-to=\(folder)/read"
      )
      let described = try Shell.run("v4l2-ctl -d \(VirtualCameraFeed.node) -V")
      let failure = feed.stop()
      #expect(failure == nil)
      try #require(read.status == 0, "\(read.output)")
      #expect(described.contains("320/240"))
      #expect(described.contains("sRGB"), "\(described)")

      let bytes = try Shell.bytes(of: "\(folder)/read")
      let pixels = VirtualCameraFeed.size.pixelCount
      let frame = format == .nv12 ? pixels * 3 / 2 : pixels * 2
      // The driver may round a frame up to whole pages.
      try #require(bytes.count >= frame)
      let last = bytes
      for bar in 0..<8 {
        let (x, y) = (bar * 40 + 20, 120)
        let found =
          format == .nv12
          ? [last[y * 320 + x], last[pixels + y / 2 * 320 + x], last[pixels + y / 2 * 320 + x + 1]]
          : [last[(y * 320 + x) * 2], last[(y * 320 + x) * 2 + 1], last[(y * 320 + x) * 2 + 3]]
        #expect(found.map { Int($0) } == ColorBars.ycbcr[bar])
      }
    }

    @Test("A session captures from it as from any camera")
    func capturing() async throws {
      let feed = try VirtualCameraFeed(format: .yuyv422)
      let camera = try CaptureDevice.camera(VirtualCameraFeed.node)
      #expect(camera.name == "Safelight")
      let recording = try await Recording(DeviceInput(camera))
      for _ in 0..<3 {
        let buffer = try await recording.frame().buffer
        #expect(buffer.size == VirtualCameraFeed.size)
        #expect(ColorBars.first(in: buffer, tolerance: 0) == 0, "\(ColorBars.row(of: buffer))")
      }
      await recording.session.stop()
      #expect(feed.stop() == nil)
    }

    @Test("A device that somebody else fills is busy, and the other one is not")
    func busy() throws {
      let feed = try VirtualCameraFeed(format: .yuyv422)
      let failure = #expect(throws: CaptureFailure.self) { _ = try VirtualCameraFeed(format: .yuyv422) }
      #expect(failure?.reason == .busy)
      let other = try VirtualCameraFeed(VirtualCameraFeed.otherNode, format: .nv12)
      #expect(other.stop() == nil)
      #expect(feed.stop() == nil)
    }

    @Test("A format that is no uncompressed Y'CbCr and a file that is no device are refused")
    func refusals() throws {
      let size = VirtualCameraFeed.size
      let noFormat = #expect(throws: CaptureFailure.self) {
        _ = try VideoOutputDevice(path: VirtualCameraFeed.node, size: size, format: .rgba16, tags: .sRGB)
      }
      #expect(noFormat?.reason == .unsupported)
      for path in ["/dev/null", "/dev/video63"] {
        let failure = #expect(throws: CaptureFailure.self) {
          _ = try VideoOutputDevice(path: path, size: size, format: .yuyv422, tags: .sRGB)
        }
        #expect(failure?.description.contains(path) == true, "\(failure?.description ?? "")")
      }
    }
  }
}
