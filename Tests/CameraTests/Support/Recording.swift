import Capture
import Dispatch
import FrameCore
import Synchronization

/// A session on a camera, with one output whose frames a test takes, and everything the session said.
final class Recording: Sendable {
  let session = CaptureSession()
  let output: VideoDataOutput
  private let log = Mutex<(states: [CaptureState], read: Int)>(([], 0))
  private let drops = Mutex<[DroppedFrame]>([])

  /// A session that runs.
  ///
  /// - Parameter lateFrames: frames hold the driver's buffers while they wait, so there are not to be many.
  init(
    _ input: any CaptureInput, _ request: StreamRequest = StreamRequest(),
    lateFrames: LateFramePolicy = .discard(keepingNewest: 1)
  ) async throws {
    output = VideoDataOutput(lateFrames: lateFrames)
    let (session, output) = (session, output)
    try await session.configure {
      try $0.add(input)
      try $0.add(output)
      $0.request = request
    }
    Task { [weak self, states = session.states] in
      for await state in states { self?.log.withLock { $0.states.append(state) } }
    }
    Task { [weak self, drops = output.drops] in
      for await drop in drops { self?.drops.withLock { $0.append(drop) } }
    }
    try await session.start()
  }

  /// Frames that were dropped up to now, as the output reported them one by one.
  var dropped: [DroppedFrame] { drops.withLock { $0 } }

  /// The next frame.
  ///
  /// - Throws: `Guest.Expired` where none comes for two minutes.
  func frame() async throws -> Frame {
    let output = output
    let frame = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: output.nextFrame(until: .now.advanced(bySeconds: 120)))
      }
    }
    guard let frame else { throw Guest.Expired(description: "no frame for 120 s; \(summary)") }
    return frame
  }

  /// The next `count` frames' times and sequence numbers; the frames themselves go at once.
  func take(_ count: Int) async throws -> [(sequence: UInt64, time: Timestamp)] {
    var taken: [(UInt64, Timestamp)] = []
    while taken.count < count {
      let frame = try await frame()
      taken.append((frame.sequence, frame.time))
    }
    return taken
  }

  /// Waits until the session says that it runs, after whatever was waited for before.
  func waitUntilRunning() async throws { _ = try await wait(for: "running") { $0 == .running } }

  /// Waits until the session says that it is interrupted for `reason`, after whatever was waited for before.
  @discardableResult
  func waitForInterruption(_ reason: CaptureFailure.Reason) async throws -> CaptureFailure? {
    try await wait(for: "interrupted: \(reason)") { $0.reason == reason }.failure
  }

  private func wait(for what: String, _ matches: (CaptureState) -> Bool) async throws -> CaptureState {
    var found: CaptureState?
    do {
      try await Guest.wait(for: what) {
        log.withLock { log in
          while found == nil, log.read < log.states.count {
            if matches(log.states[log.read]) { found = log.states[log.read] }
            log.read += 1
          }
        }
        return found != nil
      }
    } catch let expired as Guest.Expired {
      throw Guest.Expired(description: "\(expired); \(summary)")
    }
    return found ?? .idle
  }

  /// For messages.
  var summary: String {
    "states \(log.withLock { $0.states }), output \(output.statistics), session \(session.statistics)"
  }
}
