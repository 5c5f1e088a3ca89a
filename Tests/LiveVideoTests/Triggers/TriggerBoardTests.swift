import LibraryTestSupport
import Safelight
import Testing

@testable import FrameAnalysis
@testable import LiveVideo

/// Timelines are drawn, a character for 0.1 s. In each line of a drawing, a thing is there where its line has `x`, and in
/// the zone `door` where it has `d`; `s` says that it has become still.
@Suite("What events set off") struct TriggerBoardTests {
  private static func time(_ step: Int) -> Timestamp { Timestamp(nanoseconds: Int64(step) * 100_000_000) }

  private static func event(
    _ phase: DetectionEvent.Phase, _ id: UInt64, _ step: Int, kind: Detection.Kind, zones: [String],
    text: String?
  ) -> LiveEvent {
    let detection = Detection(
      kind, outline: [NormalizedPoint(0, 0), NormalizedPoint(1, 0), NormalizedPoint(1, 1)], confidence: 1,
      text: text)
    let track = DetectionTrack(
      id: id, detection: detection, firstSeen: time(0), lastSeen: time(step), zones: zones)
    return LiveEvent(
      .detection(DetectionEvent(phase, track, changes: [.zones], time: time(step), sequence: UInt64(step))),
      size: PixelSize(width: 64, height: 36))
  }

  /// The events of a drawing, by step.
  private static func events(
    _ lines: [String], kind: Detection.Kind = .motion, texts: [String?] = []
  ) -> [[LiveEvent]] {
    (0..<lines[0].count).map { step in
      lines.enumerated().compactMap { index, line in
        let marks = Array(line)
        let (before, now) = (step > 0 ? marks[step - 1] : ".", marks[step])
        guard now != before else { return nil }
        let phase: DetectionEvent.Phase =
          now == "." ? .end : before == "." ? .new : now == "s" ? .still : .update
        return event(
          phase, UInt64(index + 1), step, kind: kind, zones: now == "d" ? ["door"] : [],
          text: index < texts.count ? texts[index] : nil)
      }
    }
  }

  /// Draws when a pattern is set off (`!`) and whether something holds it (`-`).
  private func draw(
    _ pattern: String, interval: Double = 0, _ lines: String..., kind: Detection.Kind = .motion,
    texts: [String?] = []
  ) throws -> String {
    var board = TriggerBoard([try EventPattern(pattern)], interval: interval)
    return Self.events(lines, kind: kind, texts: texts).map { events in
      let hasFired = events.map { !board.take($0).isEmpty }.contains(true)
      return hasFired ? "!" : board.isHeld(0) ? "-" : "."
    }.joined()
  }

  @Test("The start is set off once for all that is there together, and the end when the last has gone")
  func presence() throws {
    let things = ("..xxxx......xx...", "....xxxx.....xxx.")
    #expect(try draw("motion:start", things.0, things.1) == "..!-----....!---.")
    #expect(try draw("motion:end", things.0, things.1) == "........!.......!")
    #expect(try draw("face:start", things.0, things.1) == ".................")
  }

  @Test("In a zone, what enters and leaves it counts")
  func zones() throws {
    #expect(try draw("motion:start@door", "..xxdddxxddx.", ".............") == "....!--..!-..")
    #expect(try draw("motion:end@door", "..xxdddxxddx.", ".............") == ".......!...!.")
  }

  @Test("What becomes still sets off its pattern, and holds it until it is gone")
  func still() throws {
    #expect(try draw("document:still", ".xxxssss..", kind: .document) == "....!---..")
  }

  @Test("A text that is like the pattern sets it off once for each thing")
  func texts() throws {
    let drawn = try draw(
      "code:https*", ".xxxx...", "..xxxx..", "...xxxx.", kind: .code,
      texts: ["https://a", "other", "https://b"])
    #expect(drawn == ".!-!---.")
  }

  @Test("A pattern is set off at most once within the interval; what is left out is counted")
  func rate() throws {
    let lines = Self.events(["x.x.x.x.x.x."])
    var board = TriggerBoard(
      [try EventPattern("motion:start"), try EventPattern("motion:end")], interval: 0.4)
    let fired = lines.map { $0.flatMap { board.take($0) } }
    #expect(fired == [[0], [1], [], [], [0], [1], [], [], [0], [1], [], []])
    #expect(board.counts.map(\.fired) == [3, 3] && board.counts.map(\.suppressed) == [3, 3])
  }

  @Test("A peak of the focus sets off its own pattern only")
  func peaks() throws {
    var board = TriggerBoard([try EventPattern("focus:peak"), try EventPattern("motion:start")], interval: 1)
    let peak = LiveEvent(
      .focusPeak(FocusPeak(time: Self.time(3), sequence: 3, value: 0.5)), size: PixelSize(width: 1, height: 1)
    )
    #expect(board.take(peak) == [0])
    #expect(!board.isHeld(0))
  }

  @Test("A recording begins with an event, goes on while what set it off is there, and ends a while after")
  func recording() {
    /// `!` an event, `-` held, `.` nothing; orders are `B` and `E`.
    func orders(_ drawing: String) -> String {
      var recording = TriggeredRecording(postRoll: 0.3)
      return drawing.enumerated().map { step, mark in
        switch recording.step(hasFired: mark == "!", isHeld: mark != ".", at: Self.time(step)) {
        case .begin: "B"
        case .end: "E"
        case nil: "."
        }
      }.joined()
    }
    #expect(orders("..!-----......") == "..B.......E...")
    #expect(orders("..!......!....") == "..B..E...B..E.")
    #expect(orders("..!..!........") == "..B.....E.....")
    // What is there does not begin a recording by itself.
    #expect(orders("..---.........") == "..............")
  }
}
