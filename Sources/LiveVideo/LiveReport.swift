import Capture
import FilterGraph
import FrameAnalysis
import FrameCore
import Rendering

/// What a live session did, in an interval or in all.
public struct LiveReport: JSONReport {
  /// Whether the report covers an interval or the whole session.
  public enum Kind: String, Codable, Sendable {
    case interval, end
  }

  /// The median, the 99th percentile and the maximum of a time.
  public struct Latency: Codable, Sendable {
    public var p50Milliseconds: Double
    public var p99Milliseconds: Double
    public var maximumMilliseconds: Double

    init?(_ histogram: LatencyHistogram) {
      guard let p50 = histogram.percentile(0.5), let p99 = histogram.percentile(0.99) else { return nil }
      p50Milliseconds = PlainNumber.rounded(p50 * 1000)
      p99Milliseconds = PlainNumber.rounded(p99 * 1000)
      maximumMilliseconds = PlainNumber.rounded(histogram.maximum * 1000)
    }
  }

  /// The statistics of one sink, as in `SinkStatistics`.
  public struct Sink: Codable, Sendable {
    public var name: String
    /// Pictures offered to the sink, written by it, and dropped because it was busy.
    public var offered: Int
    public var written: Int
    public var dropped: Int
    /// Pictures that a video of constant frame rate repeats or leaves out to keep the time of its source.
    public var repeated: Int
    public var skipped: Int
    /// Whether the sink still takes pictures.
    public var open: Bool
  }

  /// The latest analyses; only those that were asked for are there.
  public struct Analyses: Codable, Sendable {
    /// The horizon of the last frame alone; nil if it shows none.
    public var horizonDegrees: Double?
    public var horizonConfidence: Double?
    /// The horizon steadied over frames, by which automatic straightening turns.
    public var levelDegrees: Double?
    /// 256 bins on OKLab lightness.
    public var histogram: [UInt32]?
    public var meanLightness: Double?
    public var contrast: Double?
    public var sharpness: Double?
    /// Shares of the picture, 0…1.
    public var clippedHighlights: Double?
    public var clippedShadows: Double?
    /// The sharpness of the middle at full resolution, 0…1.
    public var focus: Double?

    public init(_ reading: LiveAnalyzer.Reading) {
      horizonDegrees = reading.horizon?.degrees.map { PlainNumber.rounded($0) }
      horizonConfidence = reading.horizon.map { PlainNumber.rounded($0.confidence) }
      levelDegrees = reading.level.map { PlainNumber.rounded($0) }
      histogram = reading.histogram?.lightness
      meanLightness = reading.tone.map { PlainNumber.rounded($0.mean) }
      contrast = reading.tone.map { PlainNumber.rounded($0.contrast) }
      sharpness = reading.sharpness?.value.map { PlainNumber.rounded($0) }
      clippedHighlights = reading.clipping.map { PlainNumber.rounded($0.highlights, 5) }
      clippedShadows = reading.clipping.map { PlainNumber.rounded($0.shadows, 5) }
      focus = reading.focus?.value.map { PlainNumber.rounded($0) }
    }
  }

  /// What an analysis has cost so far, as in `AnalyzerStatistics`.
  public struct Cost: Codable, Sendable {
    public var runs: Int
    public var failures: Int
    /// Frames on which it was due and had to wait for others.
    public var skipped: Int
    public var meanMilliseconds: Double
    public var longestMilliseconds: Double

    public init(_ analysis: AnalyzerStatistics.Analysis) {
      (runs, failures, skipped) = (analysis.runs, analysis.failures, analysis.skipped)
      meanMilliseconds = PlainNumber.rounded(analysis.meanSeconds * 1000)
      longestMilliseconds = PlainNumber.rounded(analysis.longestSeconds * 1000)
    }
  }

  /// What is seen, and what it cost.
  public struct Sight: Sendable {
    public var reading: LiveAnalyzer.Reading
    public var tracks: [DetectionTrack]
    /// What was looked for.
    public var detectors: [String]
    public var statistics: AnalyzerStatistics

    public init(_ analyzer: LiveAnalyzer) {
      self.init(
        analyzer.latest, tracks: analyzer.tracks, detectors: analyzer.detectors,
        statistics: analyzer.statistics)
    }

    package init(
      _ reading: LiveAnalyzer.Reading, tracks: [DetectionTrack] = [], detectors: [String] = [],
      statistics: AnalyzerStatistics = AnalyzerStatistics()
    ) {
      (self.reading, self.tracks) = (reading, tracks)
      (self.detectors, self.statistics) = (detectors, statistics)
    }
  }

  /// What came of something that was to be done at an event.
  public struct Action: Codable, Sendable {
    /// As it was asked for: `motion:start`, and `capture`, `record` or a command.
    public var event: String
    public var action: String
    /// How often it was done, and how often it was not because it had just been done.
    public var fired: Int
    public var suppressed: Int
    /// How often it did not succeed.
    public var failed: Int

    public init(event: String, action: String, fired: Int, suppressed: Int, failed: Int) {
      (self.event, self.action) = (event, action)
      (self.fired, self.suppressed, self.failed) = (fired, suppressed, failed)
    }
  }

  public var kind: Kind
  /// The time since the session began.
  public var seconds: Double
  /// The backend that rendered last: `cpu`, `vulkan` or `reference`.
  public var backend: String
  /// The GPU that rendered; nil if none did.
  public var device: String?
  /// Why another backend replaced the intended one; nil if none did.
  public var fallback: String?
  /// Frames that the source made, that were delivered, that were rendered, and that wait to be delivered.
  public var captured: Int
  public var delivered: Int
  public var rendered: Int
  public var waiting: Int
  /// Dropped frames by the names of `DropReason`; with `delivered` and `waiting` they add up to `captured`.
  public var dropped: [String: Int]
  /// Frames delivered but not rendered, because sinks held all pictures.
  public var unrendered: Int
  /// Frames delivered but not rendered, because no sink takes them while the machine is under pressure.
  public var spared: Int
  /// Frames per second in the interval.
  public var capturedPerSecond: Double
  public var renderedPerSecond: Double
  /// From capture to the rendered picture, in the interval; nil if frames are not live.
  public var latency: Latency?
  /// The time of rendering alone, in the interval.
  public var rendering: Latency?
  /// The sinks, in the order in which they were given.
  public var sinks: [Sink]
  public var analyses: Analyses?
  /// How many of each kind are there; nil if nothing is looked for.
  public var found: [String: Int]?
  /// What each analysis has cost since the session began, by name.
  public var costs: [String: Cost]?
  /// What came of each `--on`; only in the report of the end.
  public var actions: [Action]?
  /// Why the session ended; nil in the report of an interval.
  public var end: String?

  /// - Parameters:
  ///   - seconds: the time since the session began.
  ///   - total: the statistics since then.
  ///   - interval: what was counted in the interval.
  ///   - sight: what is seen; nil if nothing is analysed.
  ///   - actions: what came of what was to be done at events.
  ///   - end: why the session ended.
  public init(
    _ kind: Kind, seconds: Double, backend: BackendReport, total: LiveStatistics,
    interval: LiveStatistics.Interval, sight: Sight? = nil, actions: [Action]? = nil,
    end: LivePipeline.End? = nil
  ) {
    self.kind = kind
    self.seconds = PlainNumber.rounded(seconds)
    (self.backend, device, fallback) = (backend.backend, backend.device, backend.fallback)
    captured = total.frames.captured
    delivered = total.frames.delivered
    rendered = total.rendered
    waiting = total.frames.waiting
    dropped = Dictionary(uniqueKeysWithValues: DropReason.allCases.map { ($0.rawValue, total.frames[$0]) })
    (unrendered, spared) = (total.unrendered, total.spared)
    capturedPerSecond = PlainNumber.rounded(interval.captured)
    renderedPerSecond = PlainNumber.rounded(interval.rendered)
    latency = Latency(interval.latency)
    rendering = Latency(interval.rendering)
    sinks = total.sinks.map {
      Sink(
        name: $0.name, offered: $0.offered, written: $0.written, dropped: $0.dropped, repeated: $0.repeated,
        skipped: $0.skipped, open: $0.isOpen)
    }
    analyses = sight.map { Analyses($0.reading) }
    costs = sight?.statistics.analyses.mapValues(Cost.init)
    if let sight, !sight.detectors.isEmpty {
      found = Dictionary(sight.tracks.map { ($0.detection.kind.rawValue, 1) }, uniquingKeysWith: +)
    }
    self.actions = kind == .end ? actions : nil
    self.end = kind == .end ? end?.name ?? "stopped" : nil
  }
}

extension LivePipeline.End {
  /// The name in reports.
  fileprivate var name: String {
    switch self {
    case .stopped: "stopped"
    case .limitReached: "limit-reached"
    case .sourceFinished: "source-finished"
    case .readersGone: "readers-gone"
    case .failed: "failed"
    }
  }
}
