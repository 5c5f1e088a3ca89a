import FrameCore
import MovieIO
import TestSupport
import Testing

@Suite("Ticks of a movie")
struct TickClockTests {
  @Test("Ticks are the nearest to the time, exactly, over a week")
  func nearest() {
    var random = SeededRandom(seed: 1)
    let origin = Timestamp(nanoseconds: 12_345_678_901)
    let clock = TickClock(origin: origin)
    for _ in 0..<10_000 {
      let elapsed = Int64.random(in: -1_000_000_000...604_800_000_000_000, using: &random)
      let tick = clock.nearest(to: Timestamp(nanoseconds: origin.nanoseconds + elapsed))
      // 1/90000 s is 100000/9 ns: the distance is at most half of that.
      #expect(abs(tick * 100_000 - elapsed * 9) <= 50_000)
    }
  }

  @Test("Ticks increase, whatever the times do")
  func increasing() {
    var random = SeededRandom(seed: 2)
    var clock = TickClock(origin: Timestamp(nanoseconds: 0))
    var (last, time): (Int64?, Int64) = (nil, 0)
    for _ in 0..<10_000 {
      time += Int64.random(in: -20_000...40_000, using: &random)
      let tick = clock.tick(at: Timestamp(nanoseconds: time))
      if let last { #expect(tick > last) }
      last = tick
    }
  }
}
