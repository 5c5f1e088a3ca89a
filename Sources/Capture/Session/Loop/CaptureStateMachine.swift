import FrameCore

/// Decides a capture thread's next step and its session's state: a state machine without thread, clock or source.
/// Events are passed with their time; `step(at:)` returns what to do.
struct CaptureStateMachine {
  enum Event {
    /// The source is open; the frame interval is in nanoseconds, if the source has a known rate.
    case opened(frameInterval: Int64?)
    case openingFailed(CaptureFailure)
    /// A frame or sound arrived.
    case frame
    /// The source reported losses: it is alive, but there is nothing to show.
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
  /// A stream that lasted this long, in nanoseconds, was good; a later failure counts as a new one.
  static let steadyTime: Int64 = 1_000_000_000

  let sourceName: String
  private let rules: CaptureRules
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

  /// Whether the source was ever open, so that what it offers is known.
  private var hasOpened = false

  /// - Parameter outlastsFailures: false if the first attempt to open must succeed.
  init(sourceName: String, outlastsFailures: Bool, rules: CaptureRules = .frames) {
    self.sourceName = sourceName
    self.outlastsFailures = outlastsFailures
    self.rules = rules
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
      hasOpened = true
      frameInterval = interval
      openedAt = now
      expectFirstFrame(from: now)
    case .openingFailed(let failure):
      if outlastsFailures { interrupt(failure, at: now) } else { end(.failed(failure)) }
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
      interrupt(
        rules.stall(of: sourceName, nanoseconds: now.nanoseconds - lastSign.nanoseconds), at: now)
    case .failed(let failure):
      if isLasting(failure) { end(.failed(failure)) } else { interrupt(failure, at: now) }
    case .finished: end(.stopped)
    case .slept(let seconds):
      if case .streaming = phase {
        // The stream may have survived; if not, it will fail or stall.
        publishInterruption(rules.sleep(seconds: seconds))
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
    min(rules.pauses.lowerBound << Int64(min(attempts - 1, 8)), rules.pauses.upperBound)
  }

  private mutating func expectFirstFrame(from now: Timestamp) {
    lastSign = now
    lastGap = 0
    hasFrames = false
  }

  private mutating func interrupt(_ failure: CaptureFailure, at now: Timestamp) {
    publishInterruption(failure)
    // A source that offered a format before may offer it again, but nothing announces that.
    let isRetried = failure.reason == .unsupported && hasOpened && rules.retriesUnsupported
    phase = isRetried ? .pausing(until: now.advanced(by: rules.pauses.upperBound)) : .awaiting(failure)
  }

  /// Whether a failure of a stream recurs at the same point, so that waiting is pointless.
  private func isLasting(_ failure: CaptureFailure) -> Bool {
    failure.reason == .truncated || failure.reason == .unsupported && !rules.retriesUnsupported
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
}

extension Timestamp {
  func advanced(by nanoseconds: Int64) -> Timestamp {
    Timestamp(nanoseconds: self.nanoseconds + nanoseconds)
  }
}
