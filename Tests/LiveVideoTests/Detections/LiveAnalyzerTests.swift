import LibraryTestSupport
import Safelight
import Synchronization
import Testing

@testable import LiveVideo

/// Finds a face in every frame of an even number, and fails in the third look if it is asked to.
private struct TestDetector: FrameDetector {
  static let name = "test"
  var fails = false
  var looks = 0

  mutating func detections(in proxy: AnalysisProxy, of frame: Frame) throws -> [Detection] {
    looks += 1
    if fails, looks >= 3 { throw SafelightError(.unsupported, "The detector is broken", remedy: "mend it") }
    let outline = [(0.1, 0.1), (0.3, 0.1), (0.3, 0.3)].map { NormalizedPoint($0, $1) }
    return [Detection(.face, outline: outline, confidence: 0.9)]
  }
}

private struct OtherDetector: FrameDetector {
  static let name = "other"
  mutating func detections(in proxy: AnalysisProxy, of frame: Frame) throws -> [Detection] { [] }
}

@Suite("Detectors of live frames") struct LiveAnalyzerTests {
  /// Runs an analyzer on a scene until `isEnough`, and returns its events.
  private func events(
    _ analyzer: (@escaping @Sendable (LiveEvent) -> Void) throws -> LiveAnalyzer,
    until isEnough: @escaping @Sendable (LiveAnalyzer) -> Bool
  ) async throws -> (events: [LiveEvent], analyzer: LiveAnalyzer) {
    let events = Mutex<[LiveEvent]>([])
    let analyzer = try analyzer { event in events.withLock { $0.append(event) } }
    let session = CaptureSession()
    try await session.configure {
      try $0.add(SyntheticInput(size: PixelSize(width: 320, height: 180), framesPerSecond: 60))
      for output in analyzer.outputs { try $0.add(output) }
    }
    try analyzer.start()
    try await session.start()
    let deadline = Timestamp.now.advanced(bySeconds: 60)
    while !isEnough(analyzer), Timestamp.now < deadline { try await Task.sleep(for: .milliseconds(5)) }
    await session.stop()
    analyzer.stop()
    return (events.withLock { $0 }, analyzer)
  }

  @Test("A detector of the user's looks at its own rate, beside measurements, and its finds are followed")
  func ownRate() async throws {
    let detector = try LiveDetector(.face, framesPerSecond: 10) { TestDetector() }
    let (events, analyzer) = try await events({ occurred in
      try LiveAnalyzer([.histogram], detectors: [detector], occurred: occurred)
    }) { ($0.statistics.analyses["test"]?.runs ?? 0) >= 5 }
    let statistics = analyzer.statistics
    let looks = try #require(statistics.analyses["test"]?.runs)
    // Six frames to a look; a machine that is busy drops frames, so that fewer come.
    #expect(looks >= 5 && statistics.analyses["histogram"].map { $0.runs > looks } == true)
    #expect((statistics.analyses["test"]?.totalSeconds ?? 0) > 0 && analyzer.latest.histogram != nil)
    let phases = events.compactMap { event -> DetectionEvent.Phase? in
      if case .detection(let found) = event.subject { found.phase } else { nil }
    }
    // Nothing moves, so that all that may happen in between is that it becomes still.
    #expect(phases.first == .new && phases.last == .end && phases.count { $0 == .new } == 1, "\(phases)")
    #expect(events.allSatisfy { $0.size == PixelSize(width: 320, height: 180) })
    #expect(analyzer.tracks.isEmpty)
  }

  @Test("A detector with a thread of its own has an output of its own, and events of both meet")
  func ownThread() async throws {
    let detectors = [
      try LiveDetector(.face, hasOwnThread: true) { TestDetector() }, try LiveDetector.motion(),
    ]
    let (events, analyzer) = try await events({ occurred in
      try LiveAnalyzer([], detectors: detectors, occurred: occurred)
    }) { $0.statistics.analyses.values.allSatisfy { $0.runs >= 3 } }
    // One for what is shared, one for the detector, one for following what it finds.
    #expect(analyzer.outputs.count == 3 && analyzer.detectors == ["test", "motion"])
    #expect(Set(analyzer.statistics.analyses.keys) == ["test", "motion", LiveAnalyzer.tracking])
    #expect(
      events.contains { if case .detection(let found) = $0.subject { found.phase == .new } else { false } })
  }

  @Test("A detector that fails is told of once, counted each time, and does not disturb the others")
  func failing() async throws {
    let detectors = [
      try LiveDetector(.face) { TestDetector(fails: true) }, try LiveDetector(.code) { OtherDetector() },
    ]
    let (_, analyzer) = try await events({ try LiveAnalyzer([], detectors: detectors, occurred: $0) }) {
      ($0.statistics.analyses["test"]?.failures ?? 0) >= 3
    }
    #expect(analyzer.takeNotes() == ["test: The detector is broken; mend it."])
    #expect(analyzer.takeNotes().isEmpty)
    let other = analyzer.statistics.analyses["other"]
    #expect(other.map { $0.failures == 0 && $0.runs >= 3 } == true)
  }

  @Test("What cannot be is refused")
  func refused() throws {
    #expect(throws: SafelightError.self) { try LiveAnalyzer([]) }
    for rate in [0, -1, Double.nan, .infinity] {
      #expect(throws: SafelightError.self) {
        try LiveDetector(.face, framesPerSecond: rate) { OtherDetector() }
      }
    }
    for hasOwnThread in [false, true] {
      #expect(throws: SafelightError.self) {
        try LiveAnalyzer(
          [],
          detectors: [
            LiveDetector(.face) { OtherDetector() },
            LiveDetector(.code, hasOwnThread: hasOwnThread) { OtherDetector() },
          ])
      }
    }
    struct Missing: Error {}
    #expect(throws: Missing.self) {
      try LiveDetector(.face) { () throws -> OtherDetector in throw Missing() }
    }
  }
}
