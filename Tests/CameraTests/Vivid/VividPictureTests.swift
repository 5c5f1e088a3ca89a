import Capture
import FrameCore
import Testing
import Libc

extension CameraTests {
  @Suite("Pictures of vivid", .driver(.vivid))
  struct VividPictures {
    init() throws { try VividCamera.webcam.restore() }

    @Test(
      "Every format shows the bars in all its planes",
      arguments: [.yuyv422, .uyvy422, .nv12, .nv21, .nv16, .i420, .i422, .gray8, .rgba8] as [PixelFormat])
    func bars(format: PixelFormat) async throws {
      let size = PixelSize(width: 640, height: 480)
      let recording = try await Recording(
        DeviceInput(.camera(VividCamera.webcam.node)),
        StreamRequest(size: size, framesPerSecond: 25, encoding: .raw(format)))
      for _ in 0..<3 {
        let buffer = try await recording.frame().buffer
        #expect(buffer.size == size)
        #expect(buffer.format == format)
        #expect(ColorBars.first(in: buffer) == 0, "\(ColorBars.row(of: buffer))")
      }
      // A webcam of vivid's is sRGB, which means BT.601 in narrow range for Y'CbCr.
      let tags = try #require(recording.session.format?.tags)
      #expect(tags.primaries == .bt709)
      #expect(tags.transfer == .sRGB)
      if format.isYCbCr {
        #expect(tags.matrix == .bt601)
        #expect(tags.range == .limited)
      }
      await recording.session.stop()
    }

    @Test("A frame's memory is a dma-buf that holds the same samples")
    func dmaBuf() async throws {
      let recording = try await Recording(
        DeviceInput(.camera(VividCamera.webcam.node)),
        StreamRequest(size: PixelSize(width: 640, height: 480), encoding: .raw(.yuyv422)))
      let buffer = try await recording.frame().buffer
      let dmaBuf = try #require(buffer.dmaBuf)
      #expect(dmaBuf.base == buffer.planes[0].base)
      let mapping = mmap(nil, dmaBuf.bytes, PROT_READ, MAP_SHARED, dmaBuf.descriptor, 0)
      let shared = try #require(mapping == MAP_FAILED ? nil : mapping)
      defer { munmap(shared, dmaBuf.bytes) }
      #expect(memcmp(shared, dmaBuf.base, 2 * 640 * 480) == 0)
      await recording.session.stop()
    }

    @Test("300 frames of 1280×720 come in order, and none is lost here")
    func order() async throws {
      let camera = VividCamera.grabber
      try Shell.run(
        "v4l2-ctl -d \(try camera.node) --set-dv-bt-timings cta-861,width=1280,height=720,fps=25 || true")
      let recording = try await Recording(
        DeviceInput(.camera(camera.node)), StreamRequest(size: PixelSize(width: 1280, height: 720)),
        lateFrames: .keepAll(limit: 2))
      let frames = try await recording.take(300)
      await recording.session.stop()

      #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.sequence < $1.sequence && $0.time < $1.time })
      let statistics = recording.output.statistics
      #expect(statistics.droppedLate == 0)
      #expect(statistics.droppedOutOfBuffers == 0)
      #expect(statistics.droppedCorrupt == 0)
      #expect(statistics.captured == statistics.delivered + statistics.dropped + statistics.waiting)
      // Every sequence number is a frame that was delivered or one that was reported as lost by the driver.
      let span = Int(frames[299].sequence - frames[0].sequence) + 1
      let lost = recording.dropped.filter {
        (frames[0].sequence...frames[299].sequence).contains($0.sequence)
      }
      #expect(span == 300 + lost.count, "\(recording.summary)")
      #expect(lost.allSatisfy { $0.reason == .discontinuity })
    }

    @Test("A running session changes its size and format, and the pictures with it")
    func formatChange() async throws {
      let recording = try await Recording(
        DeviceInput(.camera(VividCamera.webcam.node)),
        StreamRequest(size: PixelSize(width: 640, height: 480), encoding: .raw(.yuyv422)))
      #expect(ColorBars.first(in: try await recording.frame().buffer) == 0)

      let size = PixelSize(width: 320, height: 180)
      try await recording.session.configure {
        $0.request = StreamRequest(size: size, encoding: .raw(.nv12))
      }
      var buffer = try await recording.frame().buffer
      // A frame of the former stream may have waited.
      if buffer.size != size { buffer = try await recording.frame().buffer }
      #expect(buffer.size == size)
      #expect(buffer.format == .nv12)
      #expect(ColorBars.first(in: buffer) == 0, "\(ColorBars.row(of: buffer))")

      let refused = await #expect(throws: CaptureFailure.self) {
        try await recording.session.configure {
          $0.request = StreamRequest(size: PixelSize(width: 1000, height: 1000))
        }
      }
      #expect(refused?.reason == .unsupported)
      #expect(refused?.description.contains("640×480") == true || refused?.description.contains("×") == true)
      #expect(
        try await recording.frame().buffer.size == size, "a refused change leaves the session as it was")
      await recording.session.stop()
    }
  }
}
