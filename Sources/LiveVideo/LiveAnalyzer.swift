import Capture
import FrameAnalysis
import FrameCore
import Synchronization

/// Measures live frames, and finds things in them, in parallel with rendering: the values in the status line, the level
/// for automatic straightening, events.
///
/// Runs on outputs and threads of its own (`FrameAnalyzer`): while it is busy, frames are dropped there and
/// nowhere else. Measurements and most detectors share one small copy of the frame; a detector that takes long has a
/// thread of its own. Another follows what was found through all frames in between, so that outlines stay on it.
public final class LiveAnalyzer: Sendable {
  /// What can be measured.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case horizon, histogram, sharpness, clipping, focus
  }

  /// The latest measurements; each value may come from a different frame.
  public struct Reading: Sendable {
    public var horizon: Horizon?
    /// The steadied level, in degrees as `Straighten` takes it; nil until a horizon is found.
    public var level: Double?
    public var histogram: Histogram?
    public var tone: ToneStatistics?
    public var sharpness: Sharpness?
    public var clipping: Clipping?
    /// The sharpness of the middle at full resolution.
    public var focus: Sharpness?

    package init() {}
  }

  /// The time that all measurements of a frame may take together, in seconds.
  public static let budget = 0.016

  /// The name of following in `statistics`, beside those of measurements and detectors. It runs only while something is
  /// there that moves with the picture.
  public static let tracking = "tracking"

  private let analyzers: [FrameAnalyzer<Void>]
  private let reading: SharedReading
  private let hub: DetectionHub
  /// The names of the detectors, in the order in which they were given.
  public let detectors: [String]

  /// - Parameters:
  ///   - kinds: what to measure.
  ///   - detectors: what to look for.
  ///   - zones: the zones that what is found is sorted by.
  ///   - occurred: called with each event, on the thread that found it; returns soon.
  ///   - levelChanged: called on the analyzer's thread with each new level.
  /// - Throws: `SafelightError` if there is nothing to do, or two detectors have one name.
  public init(
    _ kinds: Set<Kind>, detectors: [LiveDetector] = [], zones: [Zone] = [],
    occurred: @escaping @Sendable (LiveEvent) -> Void = { _ in },
    levelChanged: @escaping @Sendable (Double) -> Void = { _ in }
  ) throws {
    let reading = SharedReading()
    let hub = DetectionHub(detectors, zones: zones, occurred: occurred)
    (self.reading, self.hub) = (reading, hub)
    self.detectors = detectors.map(\.name)
    // In the order of `allCases`, the most expensive first, so that it is not always the one that is skipped.
    var shared = Kind.allCases.filter(kinds.contains).map { kind in
      PictureAnalysis<Instruments, Void>(kind.rawValue) { instruments, picture, frame in
        instruments.measure(kind, in: picture, of: frame)
      }
    }
    var analyzers: [FrameAnalyzer<Void>] = []
    for detector in detectors {
      let interval = detector.framesPerSecond.map { 1 / $0 } ?? 0
      guard detector.hasOwnThread else {
        shared.append(
          PictureAnalysis(detector.name, interval: interval) { _, picture, frame in
            try hub.look(detector, in: picture, of: frame)
          })
        continue
      }
      analyzers.append(
        try FrameAnalyzer(
          budget: Self.budget, makeState: {},
          analyses: [
            PictureAnalysis<Void, Void>(detector.name, interval: interval) { _, picture, frame in
              try hub.look(detector, in: picture, of: frame)
            }
          ]))
    }
    if detectors.contains(where: { DetectionTracker.followsFlow($0.kind) }) {
      analyzers.append(
        try FrameAnalyzer(
          output: VideoDataOutput(holdsUnpacedSources: false), names: [Self.tracking], budget: Self.budget
        ) {
          let proxy = AnalysisProxy()
          return { _, frame in try hub.follow(frame, proxy) }
        })
    }
    if !shared.isEmpty || analyzers.isEmpty {
      analyzers.insert(
        try FrameAnalyzer(
          budget: Self.budget, makeState: { Instruments(reading, hub, levelChanged: levelChanged) },
          analyses: shared), at: 0)
    }
    self.analyzers = analyzers
    let names = analyzers.flatMap { $0.statistics.analyses.keys }
    guard Set(names).count == names.count else {
      throw SafelightError(
        .invalidValue, "Two detectors have one name: \(names.sorted().joined(separator: ", "))",
        remedy: "give each a name of its own")
    }
  }

  /// The outputs to add to a session.
  public var outputs: [VideoDataOutput] { analyzers.map(\.output) }
  /// The latest measurements; empty before the first frame.
  public var latest: Reading { reading.value.withLock { $0 } }
  /// The cost of the measurements and detectors so far.
  public var statistics: AnalyzerStatistics {
    analyzers.dropFirst().reduce(into: analyzers[0].statistics) { sum, analyzer in
      let own = analyzer.statistics
      sum.frames = max(sum.frames, own.frames)
      sum.overruns += own.overruns
      sum.analyses.merge(own.analyses) { first, _ in first }
    }
  }

  /// What is there, as it was last found.
  public var tracks: [DetectionTrack] { hub.tracks }

  /// What is there, moved on to the time of a frame: as the picture moves, and at its own velocity.
  public func tracks(at time: Timestamp) -> [DetectionTrack] { hub.tracks(at: time) }

  /// Returns the first failure of each detector, one sentence each, and each only once.
  public func takeNotes() -> [String] { hub.takeNotes() }

  /// Starts the threads that measure.
  ///
  /// - Throws: `SafelightError` if a thread cannot be started.
  public func start() throws { for analyzer in analyzers { try analyzer.start() } }

  /// Stops the analyzer, ends all that is followed, and returns when the current measurements are done.
  public func stop() {
    for analyzer in analyzers { analyzer.stop() }
    hub.finish()
  }
}

/// The latest measurements, shared between threads.
private final class SharedReading: Sendable {
  let value = Mutex(LiveAnalyzer.Reading())
}

/// The measuring instruments; used on the analyzer's thread only.
private struct Instruments {
  private let reading: SharedReading
  private let hub: DetectionHub
  private let levelChanged: @Sendable (Double) -> Void
  private var steadied = SteadiedHorizon()
  private let sharpnessMeter = SharpnessMeter()
  private let focusMeter = FocusMeter()
  private var focusPeaks = FocusPeaks()
  private var histogram = Histogram()

  init(_ reading: SharedReading, _ hub: DetectionHub, levelChanged: @escaping @Sendable (Double) -> Void) {
    (self.reading, self.hub, self.levelChanged) = (reading, hub, levelChanged)
  }

  mutating func measure(_ kind: LiveAnalyzer.Kind, in proxy: AnalysisProxy, of frame: Frame) {
    switch kind {
    case .horizon:
      let (horizon, level) = steadied.find(in: proxy, at: frame.time)
      reading.value.withLock { ($0.horizon, $0.level) = (horizon, level) }
      if let level { levelChanged(level) }
    case .histogram:
      histogram.update(from: proxy)
      let (histogram, tone) = (histogram, ToneStatistics(histogram))
      reading.value.withLock { ($0.histogram, $0.tone) = (histogram, tone) }
    case .sharpness:
      let sharpness = sharpnessMeter.measure(proxy)
      reading.value.withLock { $0.sharpness = sharpness }
    case .clipping:
      let clipping = Clipping(proxy)
      reading.value.withLock { $0.clipping = clipping }
    case .focus:
      let focus = focusMeter.measure(frame)
      reading.value.withLock { $0.focus = focus }
      if let peak = focusPeaks.take(focus.value, at: frame.time, sequence: frame.sequence) {
        hub.tell(peak, size: proxy.sourceSize)
      }
    }
  }
}
