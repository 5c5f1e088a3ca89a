import Capture
import FrameAnalysis
import FrameCore
import Synchronization

/// Measures live frames in parallel with rendering: the values in the status line, and the level for automatic
/// straightening.
///
/// Runs on an output and a thread of its own (`FrameAnalyzer`): while it is busy, frames are dropped there and
/// nowhere else. All measurements share one small copy of the frame.
public final class LiveAnalyzer: Sendable {
  /// What can be measured.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case horizon, histogram, sharpness, clipping
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

    package init() {}
  }

  /// The time that all measurements of a frame may take together, in seconds.
  public static let budget = 0.016

  private let analyzer: FrameAnalyzer<Void>
  private let reading: SharedReading

  /// - Parameters:
  ///   - levelChanged: called on the analyzer's thread with each new level.
  /// - Throws: `SafelightError` if `kinds` is empty.
  public init(_ kinds: Set<Kind>, levelChanged: @escaping @Sendable (Double) -> Void = { _ in }) throws {
    let reading = SharedReading()
    self.reading = reading
    analyzer = try FrameAnalyzer(
      budget: Self.budget, makeState: { Instruments(reading, levelChanged: levelChanged) },
      // In the order of `allCases`, the most expensive first, so that it is not always the one that is skipped.
      analyses: Kind.allCases.filter(kinds.contains).map { kind in
        PictureAnalysis(kind.rawValue) { instruments, picture, frame in
          instruments.measure(kind, in: picture, at: frame.time)
        }
      })
  }

  /// The output to add to a session.
  public var output: VideoDataOutput { analyzer.output }
  /// The latest measurements; empty before the first frame.
  public var latest: Reading { reading.value.withLock { $0 } }
  /// The cost of the measurements so far.
  public var statistics: AnalyzerStatistics { analyzer.statistics }

  /// Starts the thread that measures.
  ///
  /// - Throws: `SafelightError` if the thread cannot be started.
  public func start() throws { try analyzer.start() }
  /// Stops the analyzer, and returns when the current measurement is done.
  public func stop() { analyzer.stop() }
}

/// The latest measurements, shared between threads.
private final class SharedReading: Sendable {
  let value = Mutex(LiveAnalyzer.Reading())
}

/// The measuring instruments; used on the analyzer's thread only.
private struct Instruments {
  private let reading: SharedReading
  private let levelChanged: @Sendable (Double) -> Void
  private var steadied = SteadiedHorizon()
  private let sharpnessMeter = SharpnessMeter()
  private var histogram = Histogram()

  init(_ reading: SharedReading, levelChanged: @escaping @Sendable (Double) -> Void) {
    (self.reading, self.levelChanged) = (reading, levelChanged)
  }

  mutating func measure(_ kind: LiveAnalyzer.Kind, in proxy: AnalysisProxy, at time: Timestamp) {
    switch kind {
    case .horizon:
      let (horizon, level) = steadied.find(in: proxy, at: time)
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
    }
  }
}
