import FrameCore

/// What a live run has done so far.
///
/// Frames add up: `frames.captured == frames.delivered + frames.dropped + frames.waiting`, and of the delivered ones
/// `rendered + unrendered` have been through the frame loop.
public struct LiveStatistics: Sendable {
  /// At the frame-data output that the frame loop draws from.
  public var frames = FrameStatistics()
  /// Frames that went through the plan.
  public var rendered = 0
  /// Frames that were delivered but not rendered, since sinks held all pictures.
  public var unrendered = 0
  /// From capture to the rendered picture, handed to the sinks.
  public var latency = LatencyHistogram()
  /// Time that rendering alone took.
  public var rendering = LatencyHistogram()
  /// Seconds from the first rendered picture to the last.
  public var seconds = 0.0
  /// The first frame's way; nil before it is rendered.
  public var first: FirstFrame?
  public var sinks: [SinkStatistics] = []

  public init() {}
}

/// When the first frame of a run came to the frame loop, had its plan, and was rendered.
public struct FirstFrame: Sendable, Hashable {
  public var received: Timestamp
  public var planned: Timestamp
  public var rendered: Timestamp
}
