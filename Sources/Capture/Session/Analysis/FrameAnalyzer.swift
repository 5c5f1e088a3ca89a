import FrameCore
import Synchronization

/// Runs analyses on live frames on its own thread, within a time budget.
///
/// Frames come from the analyzer's own output. Slow analyses make frames late only there, and never delay the
/// picture.
///
///     let analyzer = try FrameAnalyzer(
///       analyses: [LiveMeasurement("brightness") { try brightness(of: $0) }], budget: 0.008)
///     try await session.configure { try $0.add(analyzer.output) }
///     try analyzer.start()
///     for await report in analyzer.results { … }
public final class FrameAnalyzer<Value: Sendable>: Sendable {
  /// The output to add to a session.
  public let output: VideoDataOutput
  /// The time budget for all analyses of a frame, in seconds.
  public let budget: Double

  /// Performs the measurement with the given index on a frame; used only on the analyzer's thread, with everything
  /// it holds.
  package typealias Measure = (_ index: Int, _ frame: Frame) throws -> Value

  private let names: [String]
  private let makeMeasure: @Sendable () -> Measure
  private let shared = Mutex(Shared())
  private let schedule: Mutex<AnalysisSchedule>
  private let broadcast = Broadcast<AnalysisReport<Value>>(keepingNewest: 1)
  private let worker = Mutex<Worker?>(nil)

  private struct Shared {
    var latest: AnalysisReport<Value>?
    var statistics = AnalyzerStatistics()
  }

  private struct Worker {
    let thread: WorkerThread
    let stop: StopFlag
  }

  /// Whether the thread must end; a separate object, since the thread does not retain the analyzer.
  private final class StopFlag: Sendable {
    let isSet = Atomic(false)
  }

  /// - Parameters:
  ///   - output: used by no other consumer. By default it delivers the newest frame and does not slow down the
  ///     reading of files.
  ///   - budget: seconds for all analyses of a frame, above 0; once it is used up, those left over wait for the
  ///     next frame, where they come first. A running analysis is not interrupted.
  /// - Throws: `SafelightError` if there is no analysis, two share a name, or the budget is not above 0.
  public convenience init(
    output: VideoDataOutput = VideoDataOutput(holdsUnpacedSources: false),
    analyses: [LiveMeasurement<Value>], budget: Double
  ) throws {
    try self.init(output: output, names: analyses.map(\.name), budget: budget) {
      { index, frame in try analyses[index].analyze(frame) }
    }
  }

  /// - Parameters:
  ///   - intervals: the least seconds between two runs of each analysis, by the frames' times; nil runs all on every frame.
  ///   - makeMeasure: called on the analyzer's thread when it starts.
  package init(
    output: VideoDataOutput, names: [String], intervals: [Double]? = nil, budget: Double,
    makeMeasure: @escaping @Sendable () -> Measure
  ) throws {
    guard !names.isEmpty else {
      throw SafelightError(.invalidValue, "The analyzer has no analysis", remedy: "give it at least one")
    }
    guard budget > 0, budget.isFinite else {
      throw SafelightError(
        .invalidValue, "The analyzer's budget is \(budget) s",
        remedy: "give it seconds above 0, such as 0.008")
    }
    var statistics = AnalyzerStatistics()
    for name in names {
      guard statistics.analyses.updateValue(.init(), forKey: name) == nil else {
        throw SafelightError(
          .invalidValue, "Two analyses are called \(name)", remedy: "give each a name of its own")
      }
    }
    self.output = output
    self.names = names
    self.makeMeasure = makeMeasure
    self.budget = budget
    schedule = Mutex(
      AnalysisSchedule(
        intervals: intervals ?? names.map { _ in 0 }, budget: Int64(min(budget, 3600) * 1e9)))
    shared.withLock { $0.statistics = statistics }
  }

  deinit {
    // This may be the analyzer's own thread releasing the last reference; it cannot wait for itself.
    askToStop()?.thread.detach()
    broadcast.finish()
  }

  /// The latest results; nil before the first frame.
  public var latest: AnalysisReport<Value>? { shared.withLock { $0.latest } }

  /// The results from now on. A slow reader sees the newest report and misses earlier ones. Ends when the output's
  /// frames end and when the analyzer stops.
  public var results: AsyncStream<AnalysisReport<Value>> { broadcast.stream() }

  /// The cost of the analyses so far. Frames that they missed are in `output.statistics`.
  public var statistics: AnalyzerStatistics { shared.withLock { $0.statistics } }

  /// Starts analysing. Does nothing if already started.
  ///
  /// - Throws: `SafelightError` if no thread can be started.
  public func start() throws {
    try worker.withLock { worker in
      guard worker == nil else { return }
      let stop = StopFlag()
      let thread = try WorkerThread(name: "analyzer") { [weak self, output, broadcast, makeMeasure] in
        let measure = makeMeasure()
        while !stop.isSet.load(ordering: .acquiring) {
          // The analyzer is retained only while it works, so that releasing it ends its thread.
          if let frame = output.nextFrame(until: Timestamp.now.advanced(bySeconds: 1)) {
            self?.analyze(frame, measure)
          } else if output.isFinished {
            broadcast.finish()
            output.waitUntilReopened(until: Timestamp.now.advanced(bySeconds: 1))
          }
        }
      }
      worker = Worker(thread: thread, stop: stop)
    }
  }

  /// Ends the analysis; returns once the running one has finished. Must not be called by an analysis.
  public func stop() {
    askToStop()?.thread.join()
    broadcast.finish()
  }

  private func askToStop() -> Worker? {
    guard let ended = worker.withLock({ $0.take() }) else { return nil }
    ended.stop.isSet.store(true, ordering: .releasing)
    output.wake()
    return ended
  }

  // MARK: On the analyzer's thread

  private func analyze(_ frame: Frame, _ measure: Measure) {
    guard schedule.withLock({ $0.beginFrame(at: frame.time) }) else { return }
    var report = AnalysisReport<Value>(sequence: frame.sequence, time: frame.time, values: [:], failures: [:])
    while let index = schedule.withLock({ $0.next() }) {
      let name = names[index]
      let start = Timestamp.now
      do {
        report.values[name] = try measure(index, frame)
      } catch {
        report.failures[name] =
          error as? SafelightError
          ?? SafelightError(.invalidValue, "The analysis \(name) failed: \(error)")
      }
      let nanoseconds = Timestamp.now.nanoseconds - start.nanoseconds
      schedule.withLock { $0.ran(for: nanoseconds) }
      let hasFailed = report.failures[name] != nil
      shared.withLock {
        $0.statistics.analyses[name]?.count(nanoseconds: nanoseconds, hasFailed: hasFailed)
      }
    }
    let (skipped, isOverrun) = schedule.withLock { $0.endFrame() }
    shared.withLock { shared in
      for index in skipped { shared.statistics.analyses[names[index]]?.skipped += 1 }
      shared.statistics.frames += 1
      if isOverrun { shared.statistics.overruns += 1 }
      shared.latest = report
    }
    broadcast.send(report)
  }
}

extension AnalyzerStatistics.Analysis {
  fileprivate mutating func count(nanoseconds: Int64, hasFailed: Bool) {
    let seconds = Double(nanoseconds) / 1e9
    runs += 1
    if hasFailed { failures += 1 }
    lastSeconds = seconds
    longestSeconds = max(longestSeconds, seconds)
    totalSeconds += seconds
  }
}
