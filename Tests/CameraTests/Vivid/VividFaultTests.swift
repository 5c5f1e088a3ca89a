import Capture
import FrameCore
import Testing

extension CameraTests {
  @Suite("Faults of vivid", .driver(.vivid))
  struct VividFaults {
    let camera = VividCamera.webcam
    let small = StreamRequest(size: PixelSize(width: 320, height: 180), framesPerSecond: 25)

    init() throws { try camera.restore() }

    private func record() async throws -> Recording {
      let recording = try await Recording(DeviceInput(.camera(camera.node)), small)
      try await recording.waitUntilRunning()
      return recording
    }

    @Test("A buffer with the error flag is one corrupt frame, and the stream goes on")
    func bufferFlag() async throws {
      let recording = try await record()
      try camera.inject(.bufferFlag)
      try await Guest.wait(for: "a corrupt frame") { recording.output.statistics.droppedCorrupt > 0 }
      _ = try await recording.take(5)
      #expect(recording.output.statistics.droppedCorrupt == 1)
      #expect(recording.session.state == .running)
      #expect(recording.session.statistics.interruptions == 0)
      await recording.session.stop()
    }

    @Test("Buffers that the driver drops are reported as gaps, each once")
    func gaps() async throws {
      let recording = try await record()
      // Five in a row would be a stall, and rightly an interruption: at 15 % that is one in 13,000.
      try camera.set("percentage_of_dropped_buffers", 15)
      try await Guest.wait(for: "gaps") {
        _ = try await recording.frame()
        return recording.output.statistics.droppedDiscontinuity >= 10
      }
      await recording.session.stop()
      let statistics = recording.output.statistics
      #expect(statistics.captured == statistics.delivered + statistics.dropped + statistics.waiting)
      let sequences = recording.dropped.map(\.sequence)
      #expect(Set(sequences).count == sequences.count)
      #expect(recording.session.statistics.interruptions == 0)
    }

    @Test("Sequence numbers go on where the driver's 32 bits wrap")
    func wrap() async throws {
      // vivid begins 128 frames before the wrap.
      try camera.set("wrap_sequence_number", 1)
      let recording = try await record()
      let first = try await recording.frame().sequence
      var last = first
      while last < first + 150 {
        let sequence = try await recording.frame().sequence
        #expect(sequence > last && sequence < last + 100)
        last = sequence
      }
      let statistics = recording.session.statistics.frames
      #expect(statistics.captured < 1000, "a wrap is no gap of four thousand million frames")
      #expect(recording.session.statistics.interruptions == 0)
      await recording.session.stop()
    }

    @Test(
      "A request that fails once is repeated, and the session starts",
      arguments: [VividCamera.Fault.requestBuffers, .queueBuffer, .streamOn])
    func transient(fault: VividCamera.Fault) async throws {
      try camera.inject(fault)
      let recording = try await record()
      _ = try await recording.take(5)
      await recording.session.stop()
    }

    @Test("A fatal streaming error interrupts with the reason inputOutput, and frames come again")
    func fatal() async throws {
      let recording = try await record()
      _ = try await recording.take(3)
      try camera.inject(.fatal)
      try await recording.waitForInterruption(.inputOutput)
      try await recording.waitUntilRunning()
      let frame = try await recording.frame()
      #expect(frame.buffer.size == small.size)
      await recording.session.stop()
    }

    @Test("A disconnected camera that is bound again streams again by itself")
    func disconnect() async throws {
      let recording = try await record()
      _ = try await recording.take(3)
      try camera.inject(.disconnect)
      let failure = try await recording.waitForInterruption(.disconnected)
      #expect(failure?.description.contains("vivid") == true)
      try VividCamera.unbindAll()
      try VividCamera.bindAll()
      try await recording.waitUntilRunning()
      try camera.restore()
      try await showsBars(recording)
      await recording.session.stop()
    }

    @Test("Unbinding in mid-stream is a disconnection, and binding ends it")
    func unbind() async throws {
      let recording = try await record()
      _ = try await recording.take(3)
      try VividCamera.unbindAll()
      try await recording.waitForInterruption(.disconnected)
      #expect(CaptureDevice.cameras().isEmpty)
      try VividCamera.bindAll()
      try await recording.waitUntilRunning()
      try camera.restore()
      try await showsBars(recording)
      await recording.session.stop()
    }

    /// Within the next frames, some of which may have been drawn before `restore()`.
    private func showsBars(_ recording: Recording) async throws {
      for _ in 0..<20 where ColorBars.first(in: try await recording.frame().buffer) == 0 { return }
      Issue.record("no bars: \(ColorBars.row(of: try await recording.frame().buffer))")
    }
  }
}
