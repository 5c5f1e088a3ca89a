import Capture
import FrameCore
import Synchronization
import Testing

extension CameraTests {
  @Suite("Photos of a camera", .driver(.vivid), .timeLimit(.minutes(2)))
  struct VividPhotos {
    /// Notes the times of all frames that the session delivers.
    private final class FrameTimes: CaptureOutput {
      private let state = Mutex<[(sequence: UInt64, time: Timestamp)]>([])
      var all: [(sequence: UInt64, time: Timestamp)] { state.withLock { $0 } }

      var purpose: OutputPurpose { .data }
      var holdsFrames: Bool { false }
      func attach(to session: ObjectIdentifier) throws {}
      func detach(from session: ObjectIdentifier) {}
      func open() {}
      func close() {}
      func sourceDropped(first: DroppedFrame, count: Int) {}
      func waitForRoom(until deadline: Timestamp) -> Bool { true }
      func accept(_ frame: Frame) { state.withLock { $0.append((frame.sequence, frame.time)) } }
    }

    private struct Taken {
      let settings: ResolvedPhotoSettings
      let sequence: UInt64
      let offset: Double
    }

    @Test("1,000 presses at random moments get frames within half an interval of them")
    func presses() async throws {
      try VividCamera.webcam.restore()
      let times = FrameTimes()
      let output = PhotoOutput<Taken> { captured, _ in
        let frame = captured.referenceFrame
        return Taken(settings: captured.settings, sequence: frame.sequence, offset: captured.offset)
      }
      let session = CaptureSession()
      try await session.configure {
        try $0.add(DeviceInput(.camera(VividCamera.webcam.node)))
        try $0.add(times)
        try $0.add(output)
        $0.request = StreamRequest(size: PixelSize(width: 320, height: 180), framesPerSecond: 25)
      }
      try await session.start()
      for await readiness in output.readinesses where readiness == .ready { break }
      // Half a second of frames from before the first press.
      try await Guest.wait(for: "frames") { times.all.count > 13 }
      var captures: [(press: Timestamp, photo: PhotoCapture<Taken>)] = []
      var random = SystemRandomNumberGenerator()
      for _ in 0..<1000 {
        try await Task.sleep(for: .microseconds(Int.random(in: 500...9500, using: &random)))
        let press = Timestamp.now
        captures.append(
          (press, try output.capture(PhotoSettings(qualityPrioritization: .speed), pressedAt: press)))
      }
      var photos: [(press: Timestamp, taken: Taken)] = []
      for (press, photo) in captures { photos.append((press, try await photo.photo())) }
      await session.stop()
      // vivid stamps its frames with times to come; the offset is on its clock, as it was found.
      let frames = times.all
      var nearest = 0
      for (_, taken) in photos {
        let index = try #require(frames.firstIndex { $0.sequence == taken.sequence })
        let before = index > 0 ? frames[index].time.seconds(since: frames[index - 1].time) : .infinity
        let after =
          index + 1 < frames.count ? frames[index + 1].time.seconds(since: frames[index].time) : .infinity
        // The estimate of the difference of clocks may change by a little in between.
        #expect(abs(taken.offset) <= max(before, after) / 2 + 0.001, "\(taken)")
        if taken.offset <= before / 2, taken.offset >= -after / 2 { nearest += 1 }
        #expect(taken.settings.zeroShutterLag == .applies)
      }
      // A frame that comes sooner than any lately is not waited for: the machine's timers are slow at times.
      #expect(nearest >= 990)
    }
  }
}
