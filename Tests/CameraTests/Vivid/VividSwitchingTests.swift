import Capture
import FrameCore
import Testing

extension CameraTests {
  @Suite("Several sessions and cameras", .driver(.vivid))
  struct VividSwitching {
    let size = StreamRequest(size: PixelSize(width: 320, height: 180), framesPerSecond: 25)

    init() throws {
      try VividCamera.webcam.restore()
      try VividCamera.otherWebcam.restore()
      // Another picture, to tell the cameras apart: white.
      try VividCamera.otherWebcam.set("test_pattern", 6)
    }

    private func input(_ camera: VividCamera) throws -> DeviceInput { try DeviceInput(.camera(camera.node)) }

    /// Whether the picture is the other camera's.
    private func isWhite(_ frame: Frame) -> Bool {
      (0..<8).allSatisfy {
        ColorBars.samples(frame.buffer, x: $0 * 40 + 20, y: 90).first ?? 0 >= 230
      }
    }

    @Test("A second session on a device is told that it is busy, and the first goes on")
    func busy() async throws {
      let first = try await Recording(input(.webcam), size)
      try await first.waitUntilRunning()
      let failure = await #expect(throws: CaptureFailure.self) {
        _ = try await Recording(self.input(.webcam), size)
      }
      #expect(failure?.reason == .busy)
      #expect(failure?.description.contains("this program") == true, "\(failure?.description ?? "")")
      _ = try await first.take(5)
      #expect(first.session.statistics.interruptions == 0)
      await first.session.stop()
      let second = try await Recording(input(.webcam), size)
      _ = try await second.take(2)
      await second.session.stop()
    }

    @Test("A device that another program holds is busy, and that program is named")
    func heldByAnother() async throws {
      let node = try VividCamera.webcam.node
      try Shell.run(
        "v4l2-ctl -d \(node) --stream-mmap --stream-count=100000 >/dev/null 2>&1 & echo $! >/run/holder")
      defer {
        _ = try? Shell.outcome(
          "kill $(cat /run/holder); while [ -e /proc/$(cat /run/holder) ]; do sleep 0.1; done")
      }
      try await Guest.wait(for: "v4l2-ctl to stream") {
        try Shell.outcome("v4l2-ctl -d \(node) -v width=320,height=180").output.contains("busy")
      }
      let failure = await #expect(throws: CaptureFailure.self) {
        _ = try await Recording(self.input(.webcam), size)
      }
      #expect(failure?.reason == .busy)
      #expect(failure?.description.contains("v4l2-ctl") == true, "\(failure?.description ?? "")")
    }

    @Test("Two cameras stream at once in two sessions")
    func twoCameras() async throws {
      let one = try await Recording(input(.webcam), size)
      let other = try await Recording(input(.otherWebcam), size)
      for _ in 0..<5 {
        #expect(ColorBars.first(in: try await one.frame().buffer) == 0)
        #expect(isWhite(try await other.frame()))
      }
      await one.session.stop()
      await other.session.stop()
    }

    @Test("A running session switches to another camera and back")
    func switching() async throws {
      let (one, other) = (try input(.webcam), try input(.otherWebcam))
      let recording = try await Recording(one, size)
      #expect(ColorBars.first(in: try await recording.frame().buffer) == 0)
      try await recording.session.configure { $0.replaceInput(with: other) }
      try await comes("the other camera", in: recording) { isWhite($0) }
      try await recording.session.configure { $0.replaceInput(with: one) }
      try await comes("the first camera", in: recording) { ColorBars.first(in: $0.buffer) == 0 }
      await recording.session.stop()
    }

    @Test("Where the new camera cannot be opened, the session keeps the old one")
    func fallback() async throws {
      let (one, other) = (try input(.webcam), try input(.otherWebcam))
      let holder = try await Recording(try input(.otherWebcam), size)
      let recording = try await Recording(one, size)
      try await recording.waitUntilRunning()
      let failure = await #expect(throws: CaptureFailure.self) {
        try await recording.session.configure { $0.replaceInput(with: other) }
      }
      #expect(failure?.reason == .busy)
      for _ in 0..<5 { #expect(ColorBars.first(in: try await recording.frame().buffer) == 0) }
      #expect(await recording.session.configuration.input?.id == one.id)
      await holder.session.stop()
      await recording.session.stop()
    }

    /// Frames of the camera before may still wait.
    private func comes(_ what: String, in recording: Recording, _ matches: (Frame) -> Bool) async throws {
      for _ in 0..<5 where matches(try await recording.frame()) { return }
      Issue.record("no frame of \(what): \(recording.summary)")
    }
  }
}
