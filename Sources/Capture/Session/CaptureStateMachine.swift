import FrameCore

/// What a capture thread does next, and what its session says about it: a state machine without thread, clock or
/// source. Events go in with their time, `step(at:)` says what to do.
struct CaptureStateMachine {
  enum Event {
    /// The source is open; the interval between frames in nanoseconds where frames are due at a known rate.
    case opened(frameInterval: Int64?)
    case openingFailed(CaptureFailure)
    /// A frame came.
    case frame
    /// The source reported frames that it lost: it lives, but there is nothing to show.
    case lost
    /// No frame came until the deadline. Where consumers hold many, the source may have no memory to fill.
    case idle(consumersHoldFrames: Bool)
    /// Reading failed.
    case failed(CaptureFailure)
    /// The source has no more frames.
    case finished
    /// The system slept for so long.
    case slept(seconds: Double)
    /// Opening is worth a try.
    case mayReturn
    /// The source never comes back.
    case neverReturns
  }

  enum Step: Hashable {
    case open
    case read(until: Timestamp)
    /// Wait for the source with the stream closed.
    case awaitReturn(after: CaptureFailure, until: Timestamp)
    /// Leave the source alone, with the stream closed.
    case pause(until: Timestamp)
    case end
  }

  private enum Phase {
    case opening
    case streaming
    case awaiting(CaptureFailure)
    case pausing(until: Timestamp)
    case ended
  }

  /// The longest time, in nanoseconds, that a step blocks: so soon is a `stop` or a sleep of the system noticed.
  static let slice: Int64 = 250_000_000
  /// A source is stalled after so many frame intervals without a frame.
  static let stallIntervals: Int64 = 5
  /// The first frame may take longer: cameras set up buses and exposure first. Nanoseconds.
  static let firstFrameGrace: Int64 = 2_000_000_000
  /// How long a source may be silent while consumers hold many of its frames. Nanoseconds.
  static let heldFramesGrace: Int64 = 5_000_000_000
  /// The pauses between attempts to reopen a source that fails at once, in nanoseconds: doubled from the first to
  /// the last.
  static let pauses: ClosedRange<Int64> = 100_000_000...2_000_000_000
  /// A stream that lasted so long was a good one, and the next failure is a new one. Nanoseconds.
  static let steadyTime: Int64 = 1_000_000_000

  let sourceName: String
  private(set) var state = CaptureState.starting
  /// How often a running or starting stream was interrupted.
  private(set) var interruptions = 0
  private var phase = Phase.opening
  /// Whether a failure to open is waited out rather than final.
  private var outlastsFailures: Bool

  private var frameInterval: Int64?
  private var openedAt = Timestamp(nanoseconds: 0)
  /// When the source last showed that it lives.
  private var lastSign = Timestamp(nanoseconds: 0)
  private var lastGap: Int64 = 0
  private var hasFrames = false
  private var attempts = 0
  /// Cameras stretch their intervals in the dark far below the agreed rate; a stall that was none must not repeat.
  private var patience: Int64 = 1

  /// - Parameter outlastsFailures: false where the source must open now or never.
  init(sourceName: String, outlastsFailures: Bool) {
    self.sourceName = sourceName
    self.outlastsFailures = outlastsFailures
  }

  // MARK: What to do

  mutating func step(at now: Timestamp) -> Step {
    let sliceEnd = Timestamp(nanoseconds: now.nanoseconds + Self.slice)
    switch phase {
    case .opening: return .open
    case .streaming:
      // A stall that consumers hold off has passed already: then a slice at a time.
      guard let stallTime, stallTime > now else { return .read(until: sliceEnd) }
      return .read(until: min(stallTime, sliceEnd))
    case .awaiting(let failure): return .awaitReturn(after: failure, until: sliceEnd)
    case .pausing(let end):
      guard now >= end else { return .pause(until: min(end, sliceEnd)) }
      phase = .opening
      return .open
    case .ended: return .end
    }
  }

  /// When the source counts as stalled; nil where it has no rate.
  private var stallTime: Timestamp? {
    guard let frameInterval else { return nil }
    let due = Self.stallIntervals * patience * max(frameInterval, lastGap)
    return Timestamp(
      nanoseconds: lastSign.nanoseconds + (hasFrames ? due : max(due, Self.firstFrameGrace)))
  }

  // MARK: What happened

  mutating func handle(_ event: Event, at now: Timestamp) {
    if case .ended = phase { return }
    switch event {
    case .opened(let interval):
      phase = .streaming
      outlastsFailures = true
      frameInterval = interval
      openedAt = now
      expectFirstFrame(from: now)
    case .openingFailed(let failure):
      if outlastsFailures { interrupt(failure) } else { end(.failed(failure)) }
    case .frame:
      if hasFrames { lastGap = now.nanoseconds - lastSign.nanoseconds }
      lastSign = now
      hasFrames = true
      if now.nanoseconds - openedAt.nanoseconds >= Self.steadyTime { attempts = 0 }
      if state != .running { state = .running }
    case .lost: lastSign = now
    case .idle(let consumersHoldFrames):
      guard let stallTime, now >= stallTime else { return }
      // Not for ever: a consumer that never takes its frames must not hide that the source is gone.
      if consumersHoldFrames, now < lastSign.advanced(by: Self.heldFramesGrace) { return }
      patience = min(patience * 2, 16)
      interrupt(stall(at: now))
    case .failed(let failure):
      if failure.isLasting { end(.failed(failure)) } else { interrupt(failure) }
    case .finished: end(.stopped)
    case .slept(let seconds):
      if case .streaming = phase {
        // The stream may well live on; if not, it fails or stalls.
        publishInterruption(Self.sleep(seconds: seconds))
        expectFirstFrame(from: now)
      }
    case .mayReturn:
      phase = attempts == 0 ? .opening : .pausing(until: now.advanced(by: pause))
      attempts += 1
    case .neverReturns:
      if case .awaiting(let failure) = phase { end(.failed(failure)) }
    }
  }

  private var pause: Int64 {
    min(Self.pauses.lowerBound << Int64(min(attempts - 1, 8)), Self.pauses.upperBound)
  }

  private mutating func expectFirstFrame(from now: Timestamp) {
    lastSign = now
    lastGap = 0
    hasFrames = false
  }

  private mutating func interrupt(_ failure: CaptureFailure) {
    publishInterruption(failure)
    phase = .awaiting(failure)
  }

  private mutating func publishInterruption(_ failure: CaptureFailure) {
    switch state {
    case .interrupted(let former) where former.reason == failure.reason: break
    case .interrupted: state = .interrupted(failure)
    default:
      interruptions += 1
      state = .interrupted(failure)
    }
  }

  private mutating func end(_ state: CaptureState) {
    phase = .ended
    self.state = state
  }

  // MARK: Failures that the session finds itself

  private func stall(at now: Timestamp) -> CaptureFailure {
    let milliseconds = (now.nanoseconds - lastSign.nanoseconds) / 1_000_000
    return CaptureFailure(
      .stalled,
      SafelightError(
        .device, "No frame came from \(sourceName) for \(milliseconds) ms",
        remedy: "it is opened again; if it stalls often, try another cable or port, or a lower size or rate"))
  }

  private static func sleep(seconds: Double) -> CaptureFailure {
    CaptureFailure(
      .suspended,
      SafelightError(
        .device, "The system slept for \(Int(seconds.rounded())) s", remedy: "frames go on by themselves"))
  }
}

extension CaptureFailure {
  /// Whether a stream that failed so fails again in the same place, so that there is nothing to wait for.
  fileprivate var isLasting: Bool { reason == .truncated || reason == .unsupported }
}

extension Timestamp {
  func advanced(by nanoseconds: Int64) -> Timestamp {
    Timestamp(nanoseconds: self.nanoseconds + nanoseconds)
  }
}
