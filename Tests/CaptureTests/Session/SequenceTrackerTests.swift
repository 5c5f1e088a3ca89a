import Testing

@testable import Capture

@Suite struct SequenceTrackerTests {
  @Test("Numbers without gaps pass as they are")
  func plain() {
    var tracker = SequenceTracker()
    for number: UInt64 in 7..<20 { #expect(tracker.frame(number) == (number, 0)) }
  }

  @Test("A gap that the source did not report is found, and one that it did is not counted twice")
  func gaps() {
    var tracker = SequenceTracker()
    _ = tracker.frame(0)
    #expect(tracker.frame(3) == (3, 2))
    #expect(tracker.lost(4, count: 2) == (4, 0))
    #expect(tracker.frame(6) == (6, 0))
    #expect(tracker.lost(9, count: 1) == (9, 2))
    #expect(tracker.frame(10) == (10, 0))
  }

  @Test("A stream that is opened again goes on where the last one ended, whatever its numbers")
  func reopened() {
    var tracker = SequenceTracker()
    _ = tracker.frame(41)
    tracker.begin()
    #expect(tracker.frame(0) == (42, 0))
    #expect(tracker.frame(2) == (44, 1))
    tracker.begin()
    #expect(tracker.lost(500, count: 3) == (45, 0))
    #expect(tracker.frame(503) == (48, 0))
  }

  @Test("A counter that falls back or jumps by millions was set anew: no frames are invented")
  func setAnew() {
    var tracker = SequenceTracker()
    _ = tracker.frame(100)
    #expect(tracker.frame(3) == (101, 0))
    #expect(tracker.frame(4) == (102, 0))
    #expect(tracker.frame(4_000_000_000) == (103, 0))
    #expect(tracker.frame(.max) == (104, 0))
    #expect(tracker.frame(0) == (105, 0), "64 bits wrap")
  }
}
