import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

/// Sequences are drawn, one character a frame at 30 frames a second: a digit is a confident horizon of so many degrees,
/// `?` one that is not confident (and wrong), `.` a frame without one.
@Suite struct HorizonTrackerTests {
  private static let interval = 1.0 / 30

  private func horizon(_ degrees: Double?, confidence: Double) -> Horizon {
    var horizon = Horizon.none()
    horizon.degrees = degrees
    horizon.deviation = degrees == nil ? nil : 0.2
    horizon.confidence = confidence
    return horizon
  }

  /// The levels after each frame of a drawing.
  private func levels(_ drawing: String, tracker: inout HorizonTracker, from start: Int = 0) -> [Double?] {
    drawing.enumerated().map { index, mark in
      let time = Timestamp(nanoseconds: 0).advanced(bySeconds: Double(start + index) * Self.interval)
      let seen =
        switch mark {
        case ".": horizon(nil, confidence: 0)
        case "?": horizon(33, confidence: 0.45)
        default: horizon(Double(String(mark)), confidence: 0.9)
        }
      return tracker.update(seen, at: time)
    }
  }

  private func levels(_ drawing: String) -> [Double?] {
    var tracker = HorizonTracker()
    return levels(drawing, tracker: &tracker)
  }

  @Test("There is no level before the first confident frame, and then it is that frame's")
  func starts() {
    let found = levels("..??.4")
    #expect(found.prefix(5).allSatisfy { $0 == nil })
    #expect(found.last == 4)
  }

  @Test("A steady horizon stays where it is")
  func steady() {
    #expect(levels("3333333333").allSatisfy { $0 == 3 })
  }

  @Test("The level holds through frames without a horizon, and through ones that are not confident")
  func holds() {
    var tracker = HorizonTracker()
    let before = levels("555555", tracker: &tracker).last
    #expect(tracker.state == .following)
    let during = levels("..??..??", tracker: &tracker, from: 6)
    #expect(during.allSatisfy { $0 == before })
    let held = Timestamp(nanoseconds: 0).advanced(bySeconds: 5 * Self.interval)
    #expect(tracker.state == .holding(since: held))
    #expect(levels("5", tracker: &tracker, from: 14) == [5])
    #expect(tracker.state == .following)
  }

  @Test("A single frame that errs does not move the level")
  func outlier() {
    #expect(levels("2222229222222").allSatisfy { $0 == 2 })
  }

  @Test(
    "A step is followed to nine tenths within half a second, without overshoot",
    arguments: ["1", "2", "5", "9"])
  func step(target: String) throws {
    let found = levels("000000" + String(repeating: target, count: 20)).compactMap(\.self)
    let goal = try #require(Double(target))
    #expect(found.count == 26)
    #expect(found[6 + 14] >= 0.9 * goal, "\(found)")
    #expect(found.allSatisfy { $0 <= goal + 1e-9 && $0 >= 0 })
    #expect(zip(found, found.dropFirst()).allSatisfy { $0 <= $1 + 1e-9 })
  }

  @Test("After a gap the level glides to the new horizon instead of jumping")
  func glides() throws {
    let found = levels("000000" + String(repeating: ".", count: 60) + String(repeating: "8", count: 15))
      .compactMap(\.self)
    let steps = zip(found, found.dropFirst()).map { $1 - $0 }
    #expect(try #require(steps.max()) < 5, "\(found)")
    #expect(try #require(found.last) > 7.2, "\(found)")
  }

  @Test("Noise of a fifth of a degree leaves the level within a tenth, and four times calmer")
  func calm() {
    var random = SeededRandom(seed: 3)
    var tracker = HorizonTracker()
    var (squares, worst, moved, noiseMoved, previous) = (0.0, 0.0, 0.0, 0.0, (level: 1.5, noise: 0.0))
    for index in 0..<3000 {
      let noise =
        0.2 * ((0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) })
      let time = Timestamp(nanoseconds: 0).advanced(bySeconds: Double(index) * Self.interval)
      let level = tracker.update(horizon(1.5 + noise, confidence: 0.8), at: time) ?? 0
      guard index >= 30 else { continue }
      squares += (level - 1.5) * (level - 1.5)
      worst = max(worst, abs(level - 1.5))
      moved += abs(level - previous.level)
      noiseMoved += abs(noise - previous.noise)
      previous = (level, noise)
    }
    #expect((squares / 2970).squareRoot() < 0.1)
    #expect(worst < 0.4)
    #expect(moved * 4 < noiseMoved)
  }

  @Test("A camera that turns evenly is followed with a lag of less than a third of a second")
  func turning() {
    var tracker = HorizonTracker()
    for index in 0..<90 {
      let time = Double(index) * Self.interval
      let level = tracker.update(
        horizon(-10 + 8 * time, confidence: 0.9), at: Timestamp(nanoseconds: 0).advanced(bySeconds: time))
      if index > 30 { #expect(abs((level ?? 0) - (-10 + 8 * time)) < 8 / 3.0) }
    }
  }

  @Test("Less sure frames confirm a level that they nearly agree with")
  func confirming() {
    var tracker = HorizonTracker()
    _ = levels("444444", tracker: &tracker)
    for index in 6..<60 {
      let time = Timestamp(nanoseconds: 0).advanced(bySeconds: Double(index) * Self.interval)
      tracker.update(horizon(4.8, confidence: 0.4), at: time)
    }
    #expect(abs((tracker.degrees ?? 0) - 4.8) < 0.05)
    #expect(tracker.state == .following)
  }

  @Test("Frames out of order, at the same time, and numbers that are none change nothing")
  func badInput() {
    var tracker = HorizonTracker()
    _ = levels("33333", tracker: &tracker)
    tracker.update(horizon(9, confidence: 1), at: Timestamp(nanoseconds: 0))
    #expect(tracker.degrees == 3)
    tracker.update(horizon(.nan, confidence: 1), at: Timestamp(nanoseconds: 1_000_000_000))
    tracker.update(horizon(.infinity, confidence: 1), at: Timestamp(nanoseconds: 2_000_000_000))
    #expect(tracker.degrees == 3)
  }
}
