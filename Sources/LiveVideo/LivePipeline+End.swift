import Capture
import FrameCore
import Rendering

extension LivePipeline {
  /// The limits at which a run ends by itself.
  public struct Limit: Sendable, Hashable {
    /// The number of rendered frames.
    public var frames: Int?
    /// The time since the first rendered frame, in seconds.
    public var seconds: Double?
    /// The length of what is rendered, in seconds by the frames' own times: other than `seconds` where frames come
    /// faster or slower than they are shown.
    public var footage: Double?

    public init(frames: Int? = nil, seconds: Double? = nil, footage: Double? = nil) {
      self.frames = frames
      self.seconds = seconds
      self.footage = footage
    }
  }

  /// Why a run ended.
  public enum End: Sendable {
    /// `stop` was called.
    case stopped
    case limitReached
    /// The source has no more frames.
    case sourceFinished
    /// The readers of all sinks have gone.
    case readersGone
    case failed(any Error)
  }

  // MARK: On the render thread

  func isEnough(_ flight: PendingFrames<SubmittedFrame>) -> Bool {
    guard let frames = limit.frames else { return false }
    return monitor.read { $0.statistics.rendered } + flight.count >= frames
  }

  func endNow() -> End? {
    monitor.read { state in
      if state.isStopping { return .stopped }
      if let frames = limit.frames, state.statistics.rendered >= frames { return .limitReached }
      if let seconds = limit.seconds, let first = state.firstFrame,
        Timestamp.now.seconds(since: first) >= seconds
      {
        return .limitReached
      }
      // A sink's error is reported once all sinks are closed.
      if state.runners.contains(where: { $0.failure != nil }) { return .stopped }
      guard !state.runners.isEmpty, !state.runners.contains(where: { $0.statistics.isOpen }) else {
        return nil
      }
      return .readersGone
    }
  }

  /// Whether a frame comes after the footage that was asked for.
  func isBeyondFootage(_ frame: Frame) -> Bool {
    guard let footage = limit.footage else { return false }
    let start = monitor.update { state in
      let start = state.footageStart ?? frame.time
      state.footageStart = start
      return start
    }
    // Times are rounded to nanoseconds.
    return frame.time.seconds(since: start) > footage - 1e-6
  }
}
