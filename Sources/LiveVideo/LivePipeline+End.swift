extension LivePipeline {
  /// When a run ends by itself.
  public struct Limit: Sendable, Hashable {
    /// Rendered frames.
    public var frames: Int?
    /// Seconds from the first rendered frame on.
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
    /// Whoever read from the sinks has gone.
    case readersGone
    case failed(any Error)
  }
}
