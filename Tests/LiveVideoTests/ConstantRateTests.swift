import LibraryTestSupport
import Safelight
import FrameCore
import Testing

@testable import LiveVideo

@Suite("A video of one rate")
struct ConstantRateTests {
  /// Which picture is seen at each place of a video, for pictures that come at `times` (seconds) and, where given, the
  /// last of which stands for `duration`.
  private func places(
    _ times: [Double], rate: Double, lost: Set<Int> = [], duration: Double? = nil
  ) throws -> [Int] {
    var clock = try #require(ConstantRate(FrameRateFraction(rate)))
    var seen: [Int] = []
    var shown = 0
    let start = Timestamp(nanoseconds: 5_000_000_000)
    for (index, seconds) in times.enumerated() {
      let time = start.advanced(bySeconds: seconds)
      guard !lost.contains(index) else {
        clock.lose(time)
        continue
      }
      let step = clock.place(time)
      seen += [Int](repeating: shown, count: step.repeats)
      shown = index
      if step.isWritten { seen.append(index) }
    }
    if let duration, let last = times.last {
      let repeats = clock.end(start.advanced(bySeconds: last), duration: duration)
      seen += [Int](repeating: shown, count: repeats)
    }
    return seen
  }

  @Test(
    "has every picture once where they come at that rate, however they jitter", arguments: [24, 29.97, 60])
  func even(rate: Double) throws {
    var generator = SystemRandomNumberGenerator()
    let exact = FrameRateFraction(rate)
    let interval = Double(exact.denominator) / Double(exact.numerator)
    for jitter in [0, 0.4] {
      let times = (0..<1000).map {
        (Double($0) + Double.random(in: 0...max(jitter, .leastNonzeroMagnitude), using: &generator))
          * interval
      }
      #expect(try places(times, rate: rate) == Array(0..<1000))
    }
  }

  @Test(
    "repeats pictures that stand for longer, and leaves out those that come sooner than there are places for")
  func uneven() throws {
    #expect(try places([0, 0.1, 0.5, 0.6], rate: 10) == [0, 1, 1, 1, 1, 2, 3])
    #expect(try places((0..<6).map { Double($0) / 5 }, rate: 10) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5])
    #expect(try places((0..<9).map { Double($0) / 20 }, rate: 10).count == 5)
    // Of a burst, what stands afterwards is its last picture.
    #expect(try places([0, 0.015, 0.02, 0.03, 0.5], rate: 10) == [0, 1, 3, 3, 3, 4])
  }

  @Test("lets the last picture stand for as long as it does")
  func lastPicture() throws {
    #expect(try places([0, 0.1], rate: 10, duration: 0.1) == [0, 1])
    #expect(try places([0, 0.1], rate: 10, duration: 0.5) == [0, 1, 1, 1, 1, 1])
    #expect(try places([0, 0.1], rate: 10, duration: .infinity) == [0, 1])
  }

  @Test("gives nobody other pictures for those that were lost on their way")
  func lost() throws {
    #expect(try places([0, 0.1, 0.2, 0.3, 0.4], rate: 10, lost: [1, 2]) == [0, 3, 4])
    #expect(try places([0, 0.1, 0.5, 0.6], rate: 10, lost: [2]) == [0, 1, 3])
    #expect(try places([0, 0.1, 0.2], rate: 10, lost: [0]) == [1, 2])
  }

  @Test("goes on where a clock was set anew")
  func clockSet() throws {
    #expect(try places([100, 100.1, 0, 0.1], rate: 10) == [0, 1, 2, 3])
    #expect(try places([0, 0.1, 90_000, 90_000.1], rate: 10) == [0, 1, 2, 3])
  }

  @Test("leaves out what no picture should stand for, and says how long that was")
  func gaps() throws {
    #expect(try places([0, 59], rate: 10).count == 591)
    #expect(try places([0, 0.1, 3599, 3599.1], rate: 10) == [0, 1, 2, 3])
    #expect(try places([0, 0.1], rate: 10, duration: 59).count == 591)
    #expect(try places([0, 0.1], rate: 10, duration: 90) == [0, 1])

    var clock = try #require(ConstantRate(FrameRateFraction(10)))
    func place(_ seconds: Double) -> Double? {
      _ = clock.place(Timestamp(nanoseconds: 0).advanced(bySeconds: seconds))
      return clock.takeGap()
    }
    #expect(place(100) == nil && place(159) == nil && place(99) == nil)
    let gap = try #require(place(200))
    // From the place after the last picture on.
    #expect(abs(gap - 100.9) < 0.001)
    #expect(clock.takeGap() == nil)
    _ = clock.end(Timestamp(nanoseconds: 0).advanced(bySeconds: 200), duration: 90)
    #expect(clock.takeGap() == 90)
  }

  @Test("lets a picture stand for a place that is longer than a minute, and for one that is missing")
  func slow() throws {
    #expect(try places([0, 100, 300, 400], rate: 0.01, duration: 100) == [0, 1, 1, 2, 3])
    var clock = try #require(ConstantRate(FrameRateFraction(0.01)))
    let start = Timestamp(nanoseconds: 0)
    _ = clock.place(start)
    #expect(clock.end(start, duration: 100) == 0 && clock.takeGap() == nil)
    // Two that are missing are a gap.
    #expect(clock.place(start.advanced(bySeconds: 300)).repeats == 0 && clock.takeGap() != nil)
  }

  @Test("needs a rate")
  func unknownRate() {
    #expect(ConstantRate(FrameRateFraction(0)) == nil)
  }
}
