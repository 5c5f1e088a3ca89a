import FrameCore
import TestSupport
import Testing

@testable import Capture

/// A device with a clock of its own, whose samples are their numbers by true time, from 1.
private struct Bench {
  static let rate = 48_000
  var timeline: SoundTimeline
  let format: AudioFormat
  var buffers: [AudioBuffer] = []
  /// The number of the sample that is captured next.
  var now = 0
  var position: Int64 = 0
  private let start = Timestamp(nanoseconds: 7_123_456_789)

  init(layout: ChannelLayout = .mono) {
    format = AudioFormat(sampleRate: Self.rate, layout: layout)
    timeline = SoundTimeline(format: format)
  }

  func time(_ sample: Int) -> Timestamp {
    start.advanced(by: Int64((Double(sample) * 1e9 / Double(Self.rate)).rounded()))
  }

  mutating func open() {
    timeline.beginStream()
    position = 0
  }

  mutating func sound(_ count: Int, jitter: Double = 0) {
    let samples = (now..<now + count).flatMap {
      [Float](repeating: Float($0 + 1), count: format.channelCount)
    }
    let buffer = AudioBuffer(
      format: format, samples: samples, time: time(now).advanced(bySeconds: jitter), position: position)
    timeline.sound(buffer) { buffers.append($0) }
    now += count
    position += Int64(count)
  }

  mutating func lose(_ count: Int) {
    timeline.lost(count, .overrun, at: time(now)) { buffers.append($0) }
    now += count
    position += Int64(count)
  }

  /// The device is away for so many samples' time; silence is asked for `step` samples apart.
  mutating func away(_ count: Int, step: Int) {
    let end = now + count
    while now < end {
      now = min(end, now + step)
      _ = timeline.fill(until: time(now)) { buffers.append($0) }
    }
  }

  /// Whether positions count on from 0, and each captured sample is where its number says, `tolerance`
  /// samples beside it at most.
  func isInPlace(tolerance: Int = 0) -> Bool {
    var next: Int64 = 0
    for buffer in buffers {
      guard buffer.position == next, buffer.frameCount > 0 else { return false }
      next += Int64(buffer.frameCount)
      for (offset, value) in stride(from: 0, to: buffer.samples.count, by: format.channelCount).enumerated() {
        let sample = buffer.samples[value]
        if buffer.silence != nil {
          guard sample == 0 else { return false }
        } else {
          guard abs(Int(sample) - 1 - Int(buffer.position) - offset) <= tolerance else { return false }
        }
      }
    }
    return next == timeline.position
  }
}

@Suite struct SoundTimelineTests {
  @Test(
    "Losses, a device that goes away and its return: as many samples as time has passed, each in its place")
  func story() {
    var bench = Bench(layout: .stereo)
    bench.open()
    bench.sound(480)
    bench.lose(100)
    bench.sound(380)
    bench.away(1000, step: 333)
    bench.open()
    bench.sound(480)
    #expect(runs(bench.buffers) == "s480 overrun100 s380 disconnected1000 s480")
    #expect(bench.isInPlace())
    // Two blocks of 10 ms while it was away, and the rest when it was back.
    #expect(bench.buffers.filter { $0.silence == .disconnected }.map(\.frameCount) == [480, 480, 40])
    #expect(bench.buffers.allSatisfy { $0.time == bench.time(Int($0.position)) })
  }

  @Test("Sound from the time that silence has replaced already is cut off")
  func overlap() {
    var bench = Bench()
    bench.open()
    bench.sound(480)
    bench.away(960, step: 480)
    // The new stream's first samples are older than the newest silence.
    bench.now -= 700
    bench.open()
    bench.sound(480)
    #expect(bench.buffers.count == 3, "all of it came too late")
    bench.sound(480)
    bench.sound(480)
    #expect(runs(bench.buffers) == "s480 disconnected960 s740")
    #expect(bench.isInPlace())
  }

  @Test("Positions that a stream skips without a word are silence")
  func unreportedGap() {
    var bench = Bench()
    bench.open()
    bench.sound(480)
    (bench.now, bench.position) = (bench.now + 77, bench.position + 77)
    bench.sound(480)
    #expect(runs(bench.buffers) == "s480 overrun77 s480")
    #expect(bench.isInPlace())
  }

  @Test("A stream whose clock is wrong by more than a second is placed by its order")
  func wrongClock() {
    var bench = Bench()
    bench.open()
    bench.sound(480)
    bench.open()
    bench.sound(480, jitter: -5)
    #expect(runs(bench.buffers) == "s960")
  }

  @Test("Before the first sound nothing is owed")
  func nothingOwed() {
    var bench = Bench()
    bench.away(4800, step: 480)
    bench.open()
    bench.away(4800, step: 480)
    bench.sound(10)
    #expect(runs(bench.buffers) == "s10")
  }

  @Test("Long silence comes in pieces of a tenth of a second")
  func pieces() {
    var bench = Bench()
    bench.open()
    bench.sound(480)
    bench.now += 20_000
    bench.open()
    bench.sound(480)
    #expect(bench.buffers.map(\.frameCount) == [480, 4800, 4800, 4800, 4800, 800, 480])
    #expect(bench.isInPlace())
  }

  @Test("Whatever happens, every sample is where its time says", arguments: 0..<16)
  func random(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var bench = Bench(layout: seed % 2 == 0 ? .mono : .stereo)
    bench.open()
    bench.sound(480)
    for _ in 0..<200 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: bench.lose(Int.random(in: 1...6000, using: &random))
      case 1:
        bench.away(
          Int.random(in: 1...9000, using: &random), step: Int.random(in: 1...2000, using: &random))
        bench.now -= Int.random(in: 0...400, using: &random)
        bench.open()
        if Bool.random(using: &random) { bench.lose(Int.random(in: 1...900, using: &random)) }
      case 2:
        bench.now += Int.random(in: 0...3000, using: &random)
        bench.open()
      default: bench.sound(Int.random(in: 1...1000, using: &random))
      }
    }
    bench.sound(2000)
    #expect(bench.isInPlace())
    #expect(bench.timeline.position == Int64(bench.now), "as many samples as time has passed")
  }

  @Test("Behind stamps that jitter by 2 ms, 1 % of them late by 8 ms, silence has its length to 3 ms")
  func jitter() {
    var random = SeededRandom(seed: 5)
    var bench = Bench()
    var (former, errors) = (0, [Int]())
    for _ in 0..<200 {
      bench.open()
      // A stream's first stamp decides where it begins; here it is exact, so that only the end's estimate
      // errs.
      bench.sound(480)
      let error = Int(bench.timeline.position) - bench.now
      errors.append(abs(error - former))
      former = error
      for _ in 0..<30 {
        let isSpike = Int.random(in: 0..<100, using: &random) == 0
        let normal = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
        bench.sound(480, jitter: 0.002 * normal + (isSpike ? 0.008 : 0))
      }
      bench.away(4800, step: 480)
    }
    // The median of 15 has a deviation of 0.65 ms; the largest of 200 is some four times that.
    #expect(errors.max() ?? 0 <= 144 && errors.max() ?? 0 > 0)
    #expect(errors.sorted()[100] <= 30)
  }
}
