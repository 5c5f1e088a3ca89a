import FrameCore

/// Something that is measured on live frames, under a name; without state of its own.
public struct LiveMeasurement<Value: Sendable>: Sendable {
  /// Unique within an analyzer; for people and for `AnalyzerStatistics`.
  public let name: String
  /// Runs on the analyzer's thread, for one frame at a time.
  public let analyze: @Sendable (Frame) throws -> Value

  public init(_ name: String, _ analyze: @escaping @Sendable (Frame) throws -> Value) {
    self.name = name
    self.analyze = analyze
  }
}

/// What the analyses found on one frame.
public struct AnalysisReport<Value: Sendable>: Sendable {
  /// The frame's position in the source's sequence.
  public var sequence: UInt64
  /// When the frame was captured.
  public var time: Timestamp
  /// By name; an analysis that the budget left no time for, or that threw, is not there.
  public var values: [String: Value]

  /// The analyses that threw on this frame, with what they threw.
  public var failures: [String: SafelightError]
}

/// What the analyses of an analyzer cost.
public struct AnalyzerStatistics: Sendable, Hashable {
  /// The times of one analysis.
  public struct Analysis: Sendable, Hashable {
    /// How often it ran to its end or threw.
    public var runs = 0
    /// How often it threw.
    public var failures = 0
    /// Frames on which it did not run, since those before it had spent the budget.
    public var skipped = 0
    /// Seconds of the last run, of the longest, and of all together.
    public var lastSeconds = 0.0
    public var longestSeconds = 0.0
    public var totalSeconds = 0.0

    public init() {}

    /// Seconds of a run on average; 0 before the first.
    public var meanSeconds: Double { runs > 0 ? totalSeconds / Double(runs) : 0 }
  }

  /// Frames analyzed.
  public var frames = 0
  /// Frames on which the analyses together took longer than the budget.
  public var overruns = 0
  /// By name.
  public var analyses: [String: Analysis] = [:]

  public init() {}
}
