import FrameCore

/// A named, stateless measurement on live frames.
public struct LiveMeasurement<Value: Sendable>: Sendable {
  /// Unique within an analyzer; for users and for `AnalyzerStatistics`.
  public let name: String
  /// Runs on the analyzer's thread, one frame at a time.
  public let analyze: @Sendable (Frame) throws -> Value

  public init(_ name: String, _ analyze: @escaping @Sendable (Frame) throws -> Value) {
    self.name = name
    self.analyze = analyze
  }
}

/// The results of the analyses on one frame.
public struct AnalysisReport<Value: Sendable>: Sendable {
  /// The frame's position in the source's sequence.
  public var sequence: UInt64
  /// The time when the frame was captured.
  public var time: Timestamp
  /// Results by name, without analyses that threw or that the budget left no time for.
  public var values: [String: Value]

  /// The analyses that threw on this frame, with their errors.
  public var failures: [String: SafelightError]
}

/// The cost of an analyzer's analyses.
public struct AnalyzerStatistics: Sendable, Hashable {
  /// The times of one analysis.
  public struct Analysis: Sendable, Hashable {
    /// The number of runs, including those that threw.
    public var runs = 0
    /// The number of runs that threw.
    public var failures = 0
    /// Frames on which it did not run, because earlier ones had used up the budget.
    public var skipped = 0
    /// Durations in seconds: of the last run, of the longest, and in total.
    public var lastSeconds = 0.0
    public var longestSeconds = 0.0
    public var totalSeconds = 0.0

    package init() {}

    /// The mean duration of a run in seconds; 0 before the first.
    public var meanSeconds: Double { runs > 0 ? totalSeconds / Double(runs) : 0 }
  }

  /// Frames analyzed.
  public var frames = 0
  /// Frames on which the analyses together exceeded the budget.
  public var overruns = 0
  /// By name.
  public var analyses: [String: Analysis] = [:]

  package init() {}
}
