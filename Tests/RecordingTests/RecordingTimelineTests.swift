import FrameCore
import TestSupport
import Testing

@testable import Recording

@Suite("The time of a recording")
struct RecordingTimelineTests {
  private func time(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: 5_000_000_000_000).advanced(bySeconds: seconds)
  }

  @Test("stands still in pauses")
  func standsStill() {
    var timeline = RecordingTimeline()
    let start = timeline.recordedTime(of: time(0))
    #expect(start == time(0).nanoseconds)
    timeline.pause(at: time(2))
    #expect(timeline.isPaused && timeline.recordedTime(of: time(1.9)) == time(1.9).nanoseconds)
    #expect(timeline.recordedTime(of: time(2)) == nil && timeline.recordedTime(of: time(9)) == nil)
    #expect(timeline.nearestRecordedTime(of: time(9)) == time(2).nanoseconds)
    timeline.resume(at: time(5))
    #expect(timeline.recordedTime(of: time(4.999)) == nil)
    #expect(timeline.recordedTime(of: time(5)) == time(2).nanoseconds)
    #expect(timeline.recordedTime(of: time(6)) == time(3).nanoseconds)
  }

  @Test("A pause begun twice, or ended before it began, changes nothing else")
  func oddOrders() {
    var timeline = RecordingTimeline()
    timeline.resume(at: time(1))
    timeline.pause(at: time(3))
    timeline.pause(at: time(4))
    timeline.resume(at: time(2))
    #expect(timeline.recordedTime(of: time(3)) == time(3).nanoseconds)
    timeline.pause(at: time(1))
    timeline.resume(at: time(4))
    #expect(timeline.recordedTime(of: time(4)) == time(3).nanoseconds)
  }

  @Test("Sound and pictures stay together over many pauses, within a sample", arguments: 0..<40)
  func samplesFollow(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let rate = [8000, 44_100, 48_000, 96_000][seed % 4]
    var timeline = RecordingTimeline()
    var moment = 1.0
    for _ in 0..<30 {
      moment += .random(in: 0.0003...2, using: &random)
      timeline.pause(at: time(moment))
      moment += .random(in: 0.00001...1.5, using: &random)
      timeline.resume(at: time(moment))
    }
    let epoch = time(0)
    var next: Int64 = 0
    var expected: Int64?
    while next < Int64(moment * Double(rate)) + 1000 {
      let count = Int.random(in: 1...3000, using: &random)
      for part in timeline.keptSamples(from: next, count: count, rate: rate, epoch: epoch) {
        // In order and without overlap, but for the rounding of a cut.
        if let expected { #expect(abs(part.position - expected) <= 1) }
        expected = part.position + Int64(part.count)
        // The middle of the part has the recorded time that a picture of the same moment has.
        let middle = next + Int64(part.offset) + Int64(part.count / 2)
        let clock = epoch.advanced(bySeconds: Double(middle) / Double(rate))
        guard let recorded = timeline.recordedTime(of: clock) else { continue }
        let own = Double(part.position + Int64(part.count / 2)) / Double(rate)
        let offset = own - Double(recorded - epoch.nanoseconds) / 1e9
        #expect(abs(offset) <= 1.51 / Double(rate), "\(offset)")
      }
      next += Int64(count)
    }
  }
}
