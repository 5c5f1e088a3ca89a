import FrameCore
import TestSupport
import Testing

@testable import Capture

@Suite("Leaving frames out evenly")
struct FrameRateLimiterTests {
  /// The times of a camera in seconds, each off by up to `jitter` intervals.
  private func camera(
    _ rate: Double, seconds: Double, jitter: Double, seed: UInt64, from begin: Double = 100
  ) -> [Double] {
    var random = SeededRandom(seed: seed)
    return (0..<Int(seconds * rate)).map {
      begin + (Double($0) + Double.random(in: -jitter...jitter, using: &random)) / rate
    }
  }

  private func kept(_ times: [Double], _ limiter: inout FrameRateLimiter) -> [Double] {
    times.filter { limiter.keeps(Timestamp(nanoseconds: Int64($0 * 1e9))) }
  }

  @Test(
    "As many frames of a jittering camera stay as are wanted, within half an interval and its jitter",
    arguments: [(30.0, 24.0), (30, 15), (29.97, 24), (29.97, 15), (60, 30), (60, 24), (25, 15), (50, 15)],
    1...5)
  func even(rates: (camera: Double, wanted: Double), seed: UInt64) throws {
    let jitter = 0.2
    var limiter = FrameRateLimiter()
    try limiter.setRate(rates.wanted)
    let times = camera(rates.camera, seconds: 120, jitter: jitter, seed: seed)
    let kept = kept(times, &limiter)
    #expect(abs(Double(kept.count) - 120 * rates.wanted) <= 2)
    #expect(limiter.kept == kept.count && limiter.leftOut == times.count - kept.count)
    // The distances from the grid through the first frame: its offset is not known, its spread is.
    let offsets = kept.enumerated().map { $1 - kept[0] - Double($0) / rates.wanted }
    let (least, most) = (offsets.min() ?? 0, offsets.max() ?? 0)
    // Half an interval to each side; the mean interval is estimated from jittering ones, hence the tenth.
    #expect(most - least <= (1 + 2 * jitter + 0.1) / rates.camera, "\(least)…\(most)")
  }

  @Test("Of a camera without jitter every second frame stays at half its rate, four of any five at 24")
  func patterns() throws {
    for (rate, run, staying) in [(15.0, 2, 1), (24, 5, 4), (20, 3, 2)] {
      var limiter = FrameRateLimiter()
      try limiter.setRate(rate)
      let stays = camera(30, seconds: 10, jitter: 0, seed: 1)
        .map { limiter.keeps(Timestamp(nanoseconds: Int64(($0 * 1e9).rounded()))) }
      for begin in 0...(stays.count - run) {
        #expect(stays[begin..<(begin + run)].filter(\.self).count == staying, "\(rate) from frame \(begin)")
      }
    }
  }

  @Test("Nothing is left out without a rate, of a slower camera, or of one about as fast")
  func nothingLeftOut() throws {
    for (camera, wanted) in [(30.0, nil), (12, 15), (15, 15), (15.4, 15), (24, 30), (30.03, 30)]
      as [(Double, Double?)]
    {
      var limiter = FrameRateLimiter()
      try limiter.setRate(wanted)
      let times = self.camera(camera, seconds: 60, jitter: 0.02, seed: 3)
      #expect(kept(times, &limiter).count == times.count, "\(camera) → \(String(describing: wanted))")
    }
  }

  @Test(
    "A rate that rises again keeps all frames at once; one that falls leaves no gap longer than its interval")
  func changes() throws {
    var limiter = FrameRateLimiter()
    let first = kept(camera(30, seconds: 10, jitter: 0.1, seed: 5), &limiter)
    try limiter.setRate(15)
    let second = kept(camera(30, seconds: 10, jitter: 0.1, seed: 6, from: 110), &limiter)
    try limiter.setRate(nil)
    let third = kept(camera(30, seconds: 10, jitter: 0.1, seed: 7, from: 120), &limiter)
    #expect(first.count == 300 && abs(second.count - 150) <= 1 && third.count == 300)
    let gaps = zip(first + second, (first + second).dropFirst()).map { $1 - $0 }
    #expect((gaps.max() ?? 1) < 1 / 15.0 + 0.5 / 30 + 0.2 / 30)
  }

  @Test("After a gap, and after a clock that was set back, the rate is the wanted one again")
  func gaps() throws {
    for begin in [200.0, 50] {
      var limiter = FrameRateLimiter()
      try limiter.setRate(15)
      _ = kept(camera(30, seconds: 10, jitter: 0, seed: 1), &limiter)
      let after = kept(camera(30, seconds: 10, jitter: 0, seed: 1, from: begin), &limiter)
      #expect(abs(after.count - 150) <= 1)
      let steps = zip(after, after.dropFirst()).map { $1 - $0 }
      #expect((steps.min() ?? 0) > 1.5 / 30, "frames come together after a jump to \(begin)")
    }
  }

  @Test("A rate that is not above 0 is refused")
  func refusal() {
    var limiter = FrameRateLimiter()
    for rate in [0, -15, .nan, .infinity] as [Double] {
      #expect(throws: SafelightError.self) { try limiter.setRate(rate) }
    }
  }
}
