import LibraryTestSupport
import Safelight
import Testing

@testable import FrameAnalysis
@testable import LiveVideo

/// The JSON of events is an interface: it is compared with recorded examples.
@Suite("Reports of events") struct LiveEventReportTests {
  private static func event(_ phase: DetectionEvent.Phase, changes: Set<DetectionEvent.Change>) -> LiveEvent {
    let detection = Detection(
      .code, outline: [(0.1, 0.2), (0.35, 0.2), (0.35, 0.4)].map { NormalizedPoint($0, $1) },
      confidence: 0.91234,
      text: "https://example.org/\u{1B}[2J\u{202E}", details: ["symbology": "QR code"])
    var track = DetectionTrack(
      id: 7, detection: detection, firstSeen: Timestamp(nanoseconds: 1_000_000_000),
      lastSeen: Timestamp(nanoseconds: 3_500_000_000), zones: ["door"])
    track.isStill = phase == .still
    return LiveEvent(
      .detection(
        DetectionEvent(
          phase, track, changes: changes, time: Timestamp(nanoseconds: 4_000_123_456), sequence: 120)),
      size: PixelSize(width: 1280, height: 720))
  }

  @Test("What is new is told with everything, later events with what has changed")
  func recorded() throws {
    try expectRecorded(LiveEventReport(Self.event(.new, changes: [])), as: "event-new")
    try expectRecorded(LiveEventReport(Self.event(.update, changes: [.outline])), as: "event-update")
    try expectRecorded(LiveEventReport(Self.event(.end, changes: [])), as: "event-end")
    try expectRecorded(
      LiveEventReport.complete(Self.event(.end, changes: []), trigger: "code:https*"), as: "event-trigger")
    let peak = FocusPeak(time: Timestamp(nanoseconds: 2_000_000_000), sequence: 60, value: 0.4321)
    try expectRecorded(
      LiveEventReport(LiveEvent(.focusPeak(peak), size: PixelSize(width: 640, height: 360))), as: "event-peak"
    )
  }

  @Test("No event's line holds a character that a terminal would obey")
  func harmless() throws {
    let line = try LiveEventReport(Self.event(.new, changes: [])).jsonLine()
    #expect(!line.unicodeScalars.contains { $0.controlsTerminals }, "\(line)")
  }
}
