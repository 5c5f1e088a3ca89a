import AudioProcessingTestSupport
import FrameCore
import Libc
import TestSupport
import Testing

@testable import AudioProcessing

@Suite("Lost sound in a synchronised stream")
struct SplicingTests {
  private static let start = Timestamp(nanoseconds: 5_000_000_000)
  private static let rate = 48_000

  /// Each sample tells the moment of its capture; never 0.
  private func ramp(_ ppm: Double, jitters: Bool = false, seed: UInt64 = 3) -> DriftingMicrophone {
    var microphone = DriftingMicrophone(rate: Self.rate, driftPPM: ppm, start: Self.start, seed: seed) {
      Float(($0 + 1) / 64)
    }
    if jitters { microphone.addUsualJitter() }
    return microphone
  }

  /// How late a sample's sound comes, in seconds.
  private func lateness(_ samples: [Float], _ index: Int, from start: Double = 0) -> Double {
    start + Double(index) / Double(Self.rate) - (Double(samples[index]) * 64 - 1)
  }

  private func silence(
    _ count: Int, _ microphone: DriftingMicrophone, _ reason: SilenceReason, at moment: Double
  )
    -> AudioBuffer
  {
    AudioBuffer(
      format: microphone.format, samples: [Float](repeating: 0, count: count),
      time: Self.start.advanced(bySeconds: moment), position: microphone.position, silence: reason)
  }

  @Test("an overrun is silence of its length, and sound after it is where it was")
  func overrun() throws {
    var microphone = ramp(70)
    let synchronizer = try AudioSynchronizer(.init(format: microphone.format))
    try synchronizer.start(at: Self.start)
    var samples: [Float] = []
    var reasons: [SilenceReason?] = []
    for step in 0..<400 {
      if step == 200 {
        let lost = silence(4321, microphone, .overrun, at: microphone.moment(of: microphone.position))
        try synchronizer.process(lost) {
          samples += $0.samples; reasons.append($0.silence)
        }
        microphone.position += 4321
      }
      // Positions that are skipped without a word are an overrun too.
      if step == 300 { microphone.position += 1234 }
      try synchronizer.process(microphone.next()) {
        samples += $0.samples; reasons.append($0.silence)
      }
    }
    // At the edges the resampler's filter rings: count what is far below the ramp.
    let silent = samples.indices.filter { samples[$0] < 0.5 / 64 }
    #expect(abs(silent.count - 5555) < 8)
    for index in stride(from: 100, to: samples.count, by: 499) where samples[index] > 1 / 64 {
      let isNearEdge = silent.contains { abs($0 - index) < 80 }
      if !isNearEdge { #expect(abs(lateness(samples, index)) < 60e-6) }
    }
    #expect(synchronizer.statistics.splices == 0)
    #expect(
      synchronizer.statistics.samples.silentOverrun == Int64(reasons.filter { $0 == .overrun }.count * 480))
    #expect(reasons.filter { $0 == .overrun }.count >= 8)
  }

  @Test(
    "a device that was away and counts on comes back at its own moment",
    arguments: [0.5, 3.0, 20], [-0.02, 0, 0.02, 0.4])
  func away(seconds: Double, miscounted: Double) throws {
    var microphone = ramp(-100, jitters: true)
    let synchronizer = try AudioSynchronizer(.init(format: microphone.format))
    try synchronizer.start(at: Self.start)
    var samples: [Float] = []
    for _ in 0..<500 { try synchronizer.process(microphone.next()) { samples += $0.samples } }
    // Silence is counted at the nominal rate, and never exactly as long as the device is away.
    let gone = microphone.moment(of: microphone.position)
    var filled = 0.0
    while filled < seconds {
      try synchronizer.process(silence(480, microphone, .disconnected, at: gone + filled)) {
        samples += $0.samples
      }
      microphone.position += 480
      filled += 0.01
    }
    microphone.start = Self.start.advanced(
      bySeconds: gone + filled + miscounted - microphone.moment(of: microphone.position))
    let again = gone + filled + miscounted
    // The moments that samples tell go on with the device's own clock.
    let shift = microphone.start.seconds(since: Self.start)
    for _ in 0..<1000 { try synchronizer.process(microphone.next()) { samples += $0.samples } }
    let first = try #require(samples.indices.dropFirst(240_200).first { samples[$0] > 1 / 64 })
    // What went out as silence cannot be taken back.
    let latest = max(again, gone + filled)
    let found = Double(first) / 48_000
    #expect(found > again - 5e-3 && found < latest + 5e-3, "\(found) instead of \(again)")
    var worst = 0.0
    for index in stride(from: first + 200, to: samples.count, by: 97) {
      worst = max(worst, abs(lateness(samples, index, from: -shift)))
    }
    #expect(worst < 5e-3, "\(worst * 1e3) ms")
  }

  @Test(
    "sound that was lost or repeated without a word is spliced once, without a click", arguments: [0.2, -0.2])
  func jump(seconds: Double) throws {
    var microphone = DriftingMicrophone(rate: Self.rate, driftPPM: 50, start: Self.start, seed: 4) {
      Float(0.5 * sin(2 * .pi * 100 * $0))
    }
    microphone.addUsualJitter()
    let synchronizer = try AudioSynchronizer(.init(format: microphone.format))
    try synchronizer.start(at: Self.start)
    var samples: [Float] = []
    for step in 0..<1500 {
      // The clock goes on by what was lost, the positions do not.
      if step == 600 { microphone.start = microphone.start.advanced(bySeconds: seconds) }
      try synchronizer.process(microphone.next()) { samples += $0.samples }
    }
    #expect(synchronizer.statistics.splices == 1)
    #expect(abs(synchronizer.statistics.offset) < 2)
    var worst: Float = 0
    for index in 100..<samples.count { worst = max(worst, abs(samples[index] - samples[index - 1])) }
    // A tone of 100 Hz moves by 2πf/r of its amplitude, a fade of 5 ms adds two amplitudes in 240 samples.
    let bound: Float = 0.5 * 2 * .pi * 100 / 48_000 + 1 / 240 + 0.001
    #expect(worst < bound, "\(worst)")
  }

  @Test("a clock that stands still is told, and sound goes on at the last rate or the nominal one")
  func stoppedClock() throws {
    for firstStopped in [0, 2000] {
      var microphone = ramp(100)
      let synchronizer = try AudioSynchronizer(.init(format: microphone.format))
      try synchronizer.start(at: Self.start)
      var samples: [Float] = []
      var frozen = Self.start
      for step in 0..<2500 {
        var buffer = microphone.next()
        if step < firstStopped { frozen = buffer.time } else { buffer.time = frozen }
        try synchronizer.process(buffer) { samples += $0.samples }
      }
      #expect(synchronizer.statistics.isClockStopped && synchronizer.statistics.clockJumps == 0)
      #expect(samples.count > 2480 * 480)
      // At the nominal rate 25 s of a device with 100 ppm are off by 2.5 ms.
      let bound = firstStopped == 0 ? 2.6e-3 : 0.2e-3
      for index in stride(from: 1000, to: samples.count, by: 4801) {
        #expect(abs(lateness(samples, index)) < bound, "\(index)")
      }
    }
  }

  @Test("without any sound the stream is silence of the right length")
  func noSound() throws {
    let format = AudioFormat(sampleRate: Self.rate, layout: .stereo)
    let synchronizer = try AudioSynchronizer(.init(format: format))
    try synchronizer.start(at: Self.start)
    var count = 0
    try synchronizer.finish(at: Self.start.advanced(bySeconds: 1.25)) {
      count += $0.frameCount
      #expect($0.silence == .disconnected && $0.samples.allSatisfy { $0 == 0 })
    }
    #expect(count == 60_000)
  }

  @Test("a device that is not there at first gives silence as time goes on, and sound when it comes")
  func laterDevice() throws {
    var microphone = ramp(0)
    let synchronizer = try AudioSynchronizer(.init(format: microphone.format))
    try synchronizer.start(at: Self.start)
    var samples: [Float] = []
    for step in 0..<100 {
      let moment = Double(step) / 100
      try synchronizer.process(silence(480, microphone, .disconnected, at: moment)) { samples += $0.samples }
      microphone.position += 480
    }
    #expect(samples.count > 45_000 && samples.allSatisfy { $0 == 0 })
    for _ in 0..<100 { try synchronizer.process(microphone.next()) { samples += $0.samples } }
    let first = try #require(samples.firstIndex { $0 > 0.5 / 64 })
    #expect(abs(first - 48_000) < 40)
  }

  @Test("another format is refused in one sentence")
  func format() throws {
    let synchronizer = try AudioSynchronizer(.init(format: AudioFormat(sampleRate: 48_000, layout: .mono)))
    let other = AudioBuffer(
      format: AudioFormat(sampleRate: 44_100, layout: .mono), samples: [0], time: Self.start)
    #expect(
      message { try synchronizer.process(other) { _ in } }
        == "The format of sound has changed while it was recorded; begin a new recording.")
  }
}
