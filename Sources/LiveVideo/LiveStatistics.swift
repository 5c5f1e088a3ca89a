import FrameCore

/// The statistics of a live run so far.
///
/// Frames add up: `frames.captured == frames.delivered + frames.dropped + frames.waiting`, and of the delivered ones
/// `rendered + unrendered + spared` have been through the frame loop.
public struct LiveStatistics: Sendable {
  /// The frames at the video data output that the frame loop reads from.
  public var frames = FrameStatistics()
  /// Frames that went through the plan.
  public var rendered = 0
  /// Frames that were delivered but not rendered, because sinks held all pictures.
  public var unrendered = 0
  /// Frames that were delivered but not rendered, because no sink takes them while the machine is under pressure.
  public var spared = 0
  /// The time from capture until the rendered picture is offered to the sinks.
  public var latency = LatencyHistogram()
  /// The time from submission to the rendered picture.
  public var rendering = LatencyHistogram()
  /// Seconds from the first rendered picture to the last.
  public var seconds = 0.0
  /// The times of the first frame; nil before it is rendered.
  public var first: FirstFrame?
  /// The sinks, in the order in which they were given.
  public var sinks: [SinkStatistics] = []

  package init() {}
}

/// When the first frame of a run reached the frame loop, had its plan, and was rendered.
public struct FirstFrame: Sendable, Hashable {
  public var received: Timestamp
  public var planned: Timestamp
  public var rendered: Timestamp
}

extension LiveStatistics {
  /// What was counted between two readings.
  public struct Interval: Sendable {
    /// Frames per second that the source made, and that were rendered.
    public let captured: Double
    public let rendered: Double
    /// Seconds from capture to the rendered picture.
    public let latency: LatencyHistogram
    /// Seconds of rendering alone.
    public let rendering: LatencyHistogram

    /// - Parameter seconds: the time between the readings.
    public init(from start: LiveStatistics, to end: LiveStatistics, seconds: Double) {
      captured = Double(end.frames.captured - start.frames.captured) / seconds
      rendered = Double(end.rendered - start.rendered) / seconds
      latency = end.latency.since(start.latency)
      rendering = end.rendering.since(start.rendering)
    }
  }
}
