import FrameCore

/// Decides a capture thread's next step and its session's state: a state machine without thread, clock or source.
/// Events are passed with their time; `step(at:)` returns what to do.
struct CaptureStateMachine {
  enum Event {
    /// The source is open; the frame interval is in nanoseconds, if the source has a known rate.
    case opened(frameInterval: Int64?)
    case openingFailed(CaptureFailure)
    /// A frame arrived.
    case frame
    /// The source reported lost frames: it is alive, but there is nothing to show.
    case lost
    /// No frame arrived before the deadline. If consumers hold many, the source may have no free memory.
    case idle(consumersHoldFrames: Bool)
    /// Reading failed.
    case failed(CaptureFailure)
    /// The source has no more frames.
    case finished
    /// The system slept for this long.
    case slept(seconds: Double)
    /// Opening is worth another try.
    case mayReturn
    /// The source will never return.
    case neverReturns
  }

  enum Step: Hashable {
    case open
    case read(until: Timestamp)
    /// Close the stream and wait for the source.
    case awaitReturn(after: CaptureFailure, until: Timestamp)
    /// Close the stream and leave the source alone.
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

  /// The longest time, in nanoseconds, that a step blocks, and so the delay for noticing a `stop` or a system
  /// sleep.
  static let slice: Int64 = 250_000_000
  /// The number of frame intervals without a frame after which a source is stalled.
  static let stallIntervals: Int64 = 5
  /// The time allowed for the first frame, in nanoseconds: cameras first set up buses and exposure.
  static let firstFrameGrace: Int64 = 2_000_000_000
  /// How long, in nanoseconds, a source may be silent while consumers hold many of its frames.
  static let heldFramesGrace: Int64 = 5_000_000_000
  /// The pauses, in nanoseconds, between attempts to reopen a source that fails at once, doubling from first to
  /// last.
  static let pauses: ClosedRange<Int64> = 100_000_000...2_000_000_000
  /// A stream that lasted this long, in nanoseconds, was good; a later failure counts as a new one.
  static let steadyTime: Int64 = 1_000_000_000

  let sourceName: String
  private(set) var state = CaptureState.starting
  /// The number of interruptions of a starting or running stream.
  private(set) var interruptions = 0
  private var phase = Phase.opening
  /// Whether to wait after a failure to open instead of giving up.
  private var outlastsFailures: Bool

  private var frameInterval: Int64?
  private var openedAt = Timestamp(nanoseconds: 0)
  /// When the source last showed activity.
  private var lastSign = Timestamp(nanoseconds: 0)
  private var lastGap: Int64 = 0
  private var hasFrames = false
  private var attempts = 0
  /// A factor for the stall time: in the dark, cameras lengthen their intervals far beyond the agreed rate, and a
  /// false stall must not recur.
  private var patience: Int64 = 1

  /// - Parameter outlastsFailures: false if the first attempt to open must succeed.
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
      // The stall time may have passed if consumers delayed it; then read for a slice at a time.
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

  /// When the source is considered stalled; nil if it has no rate.
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
      // Only for a limited time, so that a consumer that never takes its frames cannot hide the loss of the
      // source.
      if consumersHoldFrames, now < lastSign.advanced(by: Self.heldFramesGrace) { return }
      patience = min(patience * 2, 16)
      interrupt(stall(at: now))
    case .failed(let failure):
      if failure.isLasting { end(.failed(failure)) } else { interrupt(failure) }
    case .finished: end(.stopped)
    case .slept(let seconds):
      if case .streaming = phase {
        // The stream may have survived; if not, it will fail or stall.
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

  // MARK: Failures that the session itself detects

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
        .device, "The system slept for \(Int(seconds.rounded())) s", remedy: "frames continue by themselves"))
  }
}

extension CaptureFailure {
  /// Whether such a failure recurs at the same point, so that waiting is pointless.
  fileprivate var isLasting: Bool { reason == .truncated || reason == .unsupported }
}

extension Timestamp {
  func advanced(by nanoseconds: Int64) -> Timestamp {
    Timestamp(nanoseconds: self.nanoseconds + nanoseconds)
  }
}
