import Dispatch
import FrameCore

/// Delivers captured sound to one consumer, and drops the oldest that it takes too late.
///
/// There are three ways to take sound: `buffers` for tasks, `setDelegate` for a dispatch queue, and
/// `nextBuffer` for threads. An output has one consumer; the latest takes over, and a sequence being read
/// then ends. Several outputs in a session are independent taps of its sound.
///
/// Sound is delivered in order, and its positions tell where some was dropped. A slow consumer never delays
/// the capture or another output. When the session stops or the source ends, waiting sound is still
/// delivered; then `buffers` ends and `nextBuffer` returns nil. After another start, sound can be taken
/// again.
public final class AudioDataOutput: AudioCaptureOutput {
  typealias Consumer = OutputConsumer<Delegate>

  /// Everything behind the output's lock.
  struct State {
    var queue: AudioQueue
    var consumer = Consumer.nobody
    /// The session that owns the output.
    var session = SessionClaim()
    var isWoken = false
    /// The task waiting for sound.
    var continuation: CheckedContinuation<AudioBuffer?, Never>?
    var sequences = 0
    /// Whether a call of the delegate is scheduled.
    var isPumping = false
  }

  /// Accepted limits of waiting sound in seconds.
  public static let limits = 0.2...600.0

  /// Whether an unpaced source waits for this output's consumer instead of running ahead. Microphones never
  /// wait.
  public let holdsUnpacedSources: Bool
  let monitor: Monitor<State>

  /// - Parameters:
  ///   - limit: the longest sound that waits for the consumer, in seconds, in `limits`; the nearest one is
  ///   used.
  ///   - holdsUnpacedSources: false for side channels, such as meters, which must not slow down the reading
  ///   of a
  ///     file.
  public init(keepingNewest limit: Double = 2, holdsUnpacedSources: Bool = true) {
    let bounded = min(max(limit, Self.limits.lowerBound), Self.limits.upperBound)
    self.holdsUnpacedSources = holdsUnpacedSources
    monitor = Monitor(State(queue: AudioQueue(limit: bounded)))
  }

  /// Counts so far.
  public var statistics: AudioOutputStatistics { monitor.read { $0.queue.statistics } }

  /// Whether no sound waits and none will come: the session has stopped, the source has ended, or the output
  /// was removed from its session. False before the first start.
  public var isFinished: Bool { monitor.read { $0.queue.isFinished } }

  // MARK: Taking sound on a thread

  /// Returns the next sound; blocks until there is some, until `deadline`, or until `wake()`. Call it from
  /// one thread at a time.
  ///
  /// - Returns: nil at the deadline, when woken, or if no more sound will come (`isFinished`).
  public func nextBuffer(until deadline: Timestamp) -> AudioBuffer? {
    takeOver(.puller)
    let outcome = monitor.wait(until: deadline) { state -> AudioBuffer?? in
      guard state.consumer.isSame(as: .puller) else { return .some(nil) }
      if state.isWoken {
        state.isWoken = false
        return .some(nil)
      }
      if let buffer = state.queue.popFirst() { return buffer }
      return state.queue.isClosed ? .some(nil) : nil
    }
    return outcome ?? nil
  }

  /// Makes a blocked `nextBuffer`, or else the next one, return nil at once. Any thread may call it.
  public func wake() { monitor.update { $0.isWoken = true } }

  /// Makes `consumer` the output's consumer and notifies the former one.
  func takeOver(_ consumer: Consumer) {
    let former = monitor.update { state -> CheckedContinuation<AudioBuffer?, Never>? in
      guard !state.consumer.isSame(as: consumer) else { return nil }
      state.consumer = consumer
      return state.continuation.take()
    }
    former?.resume(returning: nil)
  }

  // MARK: The session's side

  public func attach(to session: ObjectIdentifier) throws {
    try monitor.update { try $0.session.claim(by: session) }
  }

  public func detach(from session: ObjectIdentifier) {
    monitor.update { $0.session.release(by: session) }
  }

  public func openSound(_ format: AudioFormat?) { monitor.update { $0.queue.open() } }

  public func accept(_ sound: AudioBuffer) {
    let (waiting, isIdle) = monitor.update {
      state -> ((CheckedContinuation<AudioBuffer?, Never>, AudioBuffer)?, Bool) in
      state.queue.append(sound)
      switch state.consumer {
      case .nobody, .puller: return (nil, false)
      case .sequence:
        guard let continuation = state.continuation.take() else { return (nil, false) }
        guard let buffer = state.queue.popFirst() else {
          state.continuation = continuation
          return (nil, false)
        }
        return ((continuation, buffer), false)
      case .delegate: return (nil, state.startsPump())
      }
    }
    if let (continuation, buffer) = waiting { continuation.resume(returning: buffer) }
    if isIdle { schedulePump() }
  }

  public func closeSound() {
    let continuation = monitor.update { state -> CheckedContinuation<AudioBuffer?, Never>? in
      state.queue.close()
      return state.continuation.take()
    }
    continuation?.resume(returning: nil)
  }

  public func waitForSoundRoom(until deadline: Timestamp) -> Bool {
    guard holdsUnpacedSources else { return true }
    return monitor.wait(until: deadline) { $0.queue.hasRoom || $0.queue.isClosed ? true : nil } ?? false
  }
}
