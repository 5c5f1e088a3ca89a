import LibraryTestSupport
import Safelight
import Testing

@testable import FrameAnalysis
@testable import LiveVideo

/// The JSON of live reports is an interface: it is compared with a recorded example.
@Suite("Reports of live sessions")
struct LiveReportTests {
  @Test("The reports of an interval and of the end are those recorded")
  func recorded() throws {
    var start = LiveStatistics()
    start.frames.captured = 10
    start.rendered = 9
    var total = start
    (total.frames.captured, total.frames.delivered) = (70, 66)
    (total.frames.droppedLate, total.rendered, total.unrendered) = (3, 65, 1)
    for milliseconds in [2.0, 3, 4] {
      total.latency.add(seconds: milliseconds / 1000)
      total.rendering.add(seconds: milliseconds / 2000)
    }
    var sink = SinkStatistics(name: "out.y4m")
    (sink.offered, sink.written, sink.dropped, sink.repeated) = (65, 64, 1, 2)
    total.sinks = [sink]
    var reading = LiveAnalyzer.Reading()
    reading.horizon = Horizon(
      degrees: 1.5, deviation: 0.25, confidence: 0.75,
      evidence: Horizon.Evidence(kinds: [.gravity], segmentCount: 4, agreeingCount: 3))
    reading.level = 1.25
    reading.focus = SharpnessMeter().measure(AnalysisProxy())
    reading.focus?.value = 0.4375
    let interval = LiveStatistics.Interval(from: start, to: total, seconds: 2)
    #expect(interval.captured == 30 && interval.rendered == 28)
    let report = LiveReport(
      .interval, seconds: 2.5, backend: BackendReport(backend: "cpu", fallback: "the GPU was slower"),
      total: total, interval: interval, sight: Self.sight(reading), end: .stopped)
    // Nothing has ended yet.
    #expect(report.end == nil)
    try expectRecorded(report, as: "live-interval")
    try expectRecorded(
      LiveReport(
        .end, seconds: 3, backend: BackendReport(backend: "vulkan", device: "A GPU"), total: LiveStatistics(),
        interval: LiveStatistics.Interval(from: LiveStatistics(), to: LiveStatistics(), seconds: 3),
        actions: [
          LiveReport.Action(event: "motion:start", action: "capture", fired: 3, suppressed: 1, failed: 0)
        ], end: .sourceFinished), as: "live-end")
  }

  /// Two faces that were looked for five times, and what was measured.
  private static func sight(_ reading: LiveAnalyzer.Reading) -> LiveReport.Sight {
    var cost = AnalyzerStatistics.Analysis()
    (cost.runs, cost.failures, cost.skipped) = (5, 1, 2)
    (cost.totalSeconds, cost.longestSeconds) = (0.01, 0.004)
    var statistics = AnalyzerStatistics()
    statistics.analyses["faces"] = cost
    let tracks = (1...2).map { (number: UInt64) in
      let outline = [NormalizedPoint(0, 0), NormalizedPoint(0.5, 0), NormalizedPoint(0.5, 0.5)]
      return DetectionTrack(
        id: number, detection: Detection(.face, outline: outline, confidence: 1),
        firstSeen: Timestamp(nanoseconds: 0), lastSeen: Timestamp(nanoseconds: 0), zones: [])
    }
    return LiveReport.Sight(reading, tracks: tracks, detectors: ["faces"], statistics: statistics)
  }
}
