import FrameCore

/// A session's frames, counted where they leave the source, before any output.
public struct SessionStatistics: Sendable, Hashable {
  /// `delivered` were handed to the outputs; `dropped` never reached them: the source lost or damaged them. What
  /// outputs drop is counted there. Frames in `unsettled` are not counted here.
  public var frames = FrameStatistics()
  /// Frames at the beginning of streams that were withheld because they were black or not settled.
  public var unsettled = 0
  /// How often the running stream was interrupted.
  public var interruptions = 0
  /// Whether the system granted the capture thread a raised priority; false costs nothing until the machine is busy.
  public var hasRaisedPriority = false
}
