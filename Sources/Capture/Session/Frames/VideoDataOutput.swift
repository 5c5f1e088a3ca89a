import Dispatch
import FrameCore

/// Delivers captured frames to one consumer, one at a time, and drops those that come too late for it, with a
/// reason.
///
/// There are three ways to take frames: `frames` for tasks, `setDelegate` for a dispatch queue, and `nextFrame`
/// for threads, which allocates nothing and involves no tasks. An output has one consumer; the latest takes over,
/// and a sequence being read then ends.
///
/// Late frames are treated as by AVFoundation's `AVCaptureVideoDataOutput`: delivery is serial and in order of
/// capture; the consumer is busy from when it receives a frame until it asks for the next one or its closure
/// returns; `LateFramePolicy` decides about frames captured meanwhile. Each dropped frame is counted in
/// `statistics` and reported once. A slow consumer never delays the capture or another output.
///
/// When the session stops or the source ends, waiting frames are still delivered; then `frames` ends and
/// `nextFrame` returns nil. After another start, frames can be taken again.
public final class VideoDataOutput: CaptureOutput {
  public let purpose: OutputPurpose
  public let lateFrames: LateFramePolicy

  /// Whether an unpaced source waits for this output's consumer instead of running ahead. Cameras never wait.
  public let holdsUnpacedSources: Bool

  let monitor: Monitor<State>
  let dropped = Broadcast<DroppedFrame>(keepingNewest: 256)

  /// - Parameters:
  ///   - holdsUnpacedSources: false for side channels, such as analysis, which must not slow down the reading of a
  ///     file.
  public init(
    lateFrames: LateFramePolicy = .discard(keepingNewest: 1), purpose: OutputPurpose = .data,
    holdsUnpacedSources: Bool = true
  ) {
    self.purpose = purpose
    self.lateFrames = lateFrames
    self.holdsUnpacedSources = holdsUnpacedSources
    monitor = Monitor(State(queue: LateFrameQueue(lateFrames)))
  }

  /// Counts of frames so far. Reading only locks for the duration of a copy.
  public var statistics: FrameStatistics { monitor.read { $0.queue.statistics } }

  /// Whether no frame waits and none will come: the session has stopped, the source has ended, or the output was
  /// removed from its session. False before the first start.
  public var isFinished: Bool { monitor.read { $0.queue.isFinished } }

  /// Undelivered frames from now on. A reader may lag by 256; beyond that it loses the oldest. The stream does not
  /// end with the session, which may restart: cancel the task that reads it.
  public var drops: AsyncStream<DroppedFrame> { dropped.stream() }

  // MARK: Taking frames on a thread

  /// Returns the next frame; blocks until there is one, until `deadline`, or until `wake()`. Allocates nothing.
  ///
  /// Call it from one thread at a time. Each call means that the previous frame is finished.
  ///
  /// - Returns: nil at the deadline, when woken, or if no more frames will come (`isFinished`).
  public func nextFrame(until deadline: Timestamp) -> Frame? {
    switch takeOver(.puller, asking: true) {
    case .deliver(let frame): return frame
    case .finished: return nil
    case .wait: break
    }
    if let outcome = monitor.wait(until: deadline, for: { $0.pulled() }) { return outcome.frame }
    // A frame may have been delivered between the deadline and this point.
    return monitor.update { state in
      if let outcome = state.pulled() { return outcome.frame }
      if state.isPulling { state.queue.pause() }
      return nil
    }
  }

  /// Makes a blocked `nextFrame`, or else the next one that would block, return nil at once. Any thread may call
  /// it.
  public func wake() { monitor.update { $0.isWoken = true } }

  /// Blocks while the output is closed, until `deadline`, or until woken.
  func waitUntilReopened(until deadline: Timestamp) {
    _ = monitor.wait(until: deadline) { state in
      if state.isWoken {
        state.isWoken = false
        return true
      }
      return state.queue.isClosed ? nil : true
    }
  }

  /// Makes `consumer` the output's consumer and notifies the former one.
  func takeOver(_ consumer: State.Consumer, asking: Bool) -> LateFrameQueue<Frame>.Answer {
    let (answer, former) = monitor.update { state in
      var former: CheckedContinuation<Frame?, Never>?
      if !state.consumer.isSame(as: consumer) {
        former = state.continuation.take()
        state.reports = nil
        state.handed = nil
        state.queue.pause()
        state.consumer = consumer
      }
      return (asking ? state.queue.ready() : .wait, former)
    }
    former?.resume(returning: nil)
    return answer
  }

  // MARK: The session's side

  public func attach(to session: ObjectIdentifier) throws {
    try monitor.update { try $0.session.claim(by: session) }
  }

  public func detach(from session: ObjectIdentifier) {
    monitor.update { $0.session.release(by: session) }
  }

  public func open() { monitor.update { $0.queue.reopen() } }

  public func accept(_ frame: Frame) {
    let (wakeUp, drop) = monitor.update { $0.captured(frame) }
    perform(wakeUp)
    if let drop { dropped.send(drop) }
  }

  public func sourceDropped(first: DroppedFrame, count: Int) {
    guard count > 0 else { return }
    let listed = min(count, DroppedFrame.largestList)
    let wakeUp = monitor.update { state in
      state.queue.sourceDropped(first.reason, count: count)
      var wakeUp = WakeUp.nobody
      for offset in 0..<listed where state.report(.drop(first.following(offset))) { wakeUp = .delegate }
      return wakeUp
    }
    perform(wakeUp)
    for offset in 0..<listed { dropped.send(first.following(offset)) }
  }

  public func close() {
    let continuation = monitor.update { state in state.queue.close() ? state.continuation.take() : nil }
    continuation?.resume(returning: nil)
  }

  public var holdsFrames: Bool { monitor.read { $0.queue.holdsFrames } }

  public func waitForRoom(until deadline: Timestamp) -> Bool {
    guard holdsUnpacedSources else { return true }
    return monitor.wait(until: deadline) { $0.queue.hasRoom || $0.queue.isClosed ? true : nil } ?? false
  }

  private func perform(_ wakeUp: WakeUp) {
    switch wakeUp {
    case .nobody: break
    case .task(let continuation, let frame): continuation.resume(returning: frame)
    case .delegate: schedulePump()
    }
  }
}

extension DroppedFrame {
  /// The most frames of one gap that are listed individually; the size of a larger one is in the statistics.
  fileprivate static let largestList = 256

  /// Returns the frame `offset` places after this one in the same gap.
  fileprivate func following(_ offset: Int) -> DroppedFrame {
    DroppedFrame(sequence: sequence &+ UInt64(offset), time: time, reason: reason)
  }
}
