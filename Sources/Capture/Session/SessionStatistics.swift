import FrameCore

/// Counts of a session's frames as they leave the source, before any output.
public struct SessionStatistics: Sendable, Hashable {
  /// `delivered` frames were passed to the outputs; `dropped` ones were lost or damaged by the source. Frames
  /// dropped by outputs are counted there; those in `unsettled` are not included.
  public var frames = FrameStatistics()
  /// Frames withheld at the start of streams because they were black or unsettled.
  public var unsettled = 0
  /// The number of interruptions of the running stream.
  public var interruptions = 0
  /// Whether the system granted the capture thread raised priority; without it, only a busy machine matters.
  public var hasRaisedPriority = false
}
