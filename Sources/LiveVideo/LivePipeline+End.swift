extension LivePipeline {
  /// The limits at which a run ends by itself.
  public struct Limit: Sendable, Hashable {
    /// The number of rendered frames.
    public var frames: Int?
    /// The time since the first rendered frame, in seconds.
    public var seconds: Double?

    public init(frames: Int? = nil, seconds: Double? = nil) {
      self.frames = frames
      self.seconds = seconds
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
}
