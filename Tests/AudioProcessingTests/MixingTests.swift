import AudioProcessingTestSupport
import FrameCore
import Libc
import TestSupport
import Testing

@testable import AudioProcessing

private let rate = 48_000
private func buffers(
  _ samples: [Float], _ layout: ChannelLayout = .mono, position: Int64 = 0, frames: Int = 480,
  silence: SilenceReason? = nil
) -> [AudioBuffer] {
  let format = AudioFormat(sampleRate: rate, layout: layout)
  let piece = frames * layout.channelCount
  return stride(from: 0, to: samples.count, by: piece).map { first in
    let at = position + Int64(first / layout.channelCount)
    return AudioBuffer(
      format: format, samples: Array(samples[first..<min(first + piece, samples.count)]),
      time: Timestamp(nanoseconds: 1_000_000 * at), position: at, silence: silence)
  }
}

@Suite("Gains")
struct AudioGainTests {
  @Test("a gain of 0 dB changes nothing, muting becomes silence in 10 ms without a step")
  func muting() {
    let gain = AudioGain()
    var ramp = AudioGain.Ramp(format: AudioFormat(sampleRate: rate, layout: .stereo))
    let original = TestSounds.tone(997, level: -3, seconds: 0.1, rate: rate)
    var samples = original
    ramp.apply(gain.factor, to: &samples)
    #expect(samples == original)
    gain.isMuted = true
    var muted = [Float](repeating: 1, count: 2 * 960)
    ramp.apply(gain.factor, to: &muted)
    // 480 samples down in equal steps, the same on both channels, then nothing.
    for index in 0..<960 {
      let expected = max(0, 1 - Float(index + 1) / 480)
      #expect(abs(muted[2 * index] - expected) < 1e-5 && muted[2 * index] == muted[2 * index + 1])
    }
    #expect(gain.decibels == 0)
    gain.isMuted = false
    gain.decibels = -6
    #expect(abs(gain.factor - 0.5012) < 1e-4 && abs(gain.decibels + 6) < 1e-5)
    gain.decibels = -.infinity
    #expect(gain.factor == 0 && gain.decibels == -.infinity)
  }

  @Test(
    "gains that change at random moments, also during a change, never step by more than one 480th of the way")
  func randomChanges() {
    var random = SeededRandom(seed: 12)
    var ramp = AudioGain.Ramp(format: AudioFormat(sampleRate: rate, layout: .mono))
    var last: Float = 1
    for _ in 0..<500 {
      let factor = Float.random(in: 0...2, using: &random)
      var samples = [Float](repeating: 1, count: Int.random(in: 1...700, using: &random))
      ramp.apply(factor, to: &samples)
      for sample in samples {
        #expect(abs(sample - last) <= 2 / 480 + 1e-6)
        last = sample
      }
      if samples.count >= 480 { #expect(last == factor) }
    }
  }
}

@Suite("Channels")
struct ChannelMatrixTests {
  @Test("are selected, doubled and exchanged")
  func selection() throws {
    let swapped = try ChannelMatrix(selecting: [1, 0], of: .stereo)
    #expect(swapped.apply(to: [1, 2, 3, 4]) == [2, 1, 4, 3] && swapped.output == .stereo)
    #expect(try ChannelMatrix(selecting: [2], of: .discrete(4)).apply(to: [1, 2, 3, 4]) == [3])
    #expect(try ChannelMatrix(selecting: [0, 0, 1], of: .stereo).output == .discrete(3))
    #expect(
      message { _ = try ChannelMatrix(selecting: [2], of: .stereo) }
        == "The sound has no channel 3, only 2; choose 1…2.")
    #expect(throws: SafelightError.self) { try ChannelMatrix(selecting: [], of: .mono) }
  }

  @Test("mono goes to both loudspeakers, stereo to its mean, and directions are not made up")
  func conversions() throws {
    #expect(try ChannelMatrix(from: .mono, to: .stereo).apply(to: [0.5, -1]) == [0.5, 0.5, -1, -1])
    #expect(try ChannelMatrix(from: .stereo, to: .mono).apply(to: [1, 0.5]) == [0.75])
    #expect(try ChannelMatrix(from: .discrete(4), to: .mono).apply(to: [1, 2, 3, 6]) == [3])
    #expect(try ChannelMatrix(from: .ambiX, to: .ambiX).apply(to: [1, 2, 3, 4]) == [1, 2, 3, 4])
    for (from, to) in [
      (ChannelLayout.stereo, ChannelLayout.ambiX), (.discrete(4), .stereo), (.mono, .discrete(2)),
    ] {
      #expect(throws: SafelightError.self) { try ChannelMatrix(from: from, to: to) }
    }
  }

  @Test("a source on the left is heard on the left, of AmbiX and of FuMa alike")
  func ambisonics() throws {
    // AmbiX of a plane wave: W 1, Y sin(azimuth), Z 0, X cos(azimuth); 90° is left.
    let left: [Float] = [1, 1, 0, 0]
    #expect(try ChannelMatrix(from: .ambiX, to: .stereo).apply(to: left) == [1, 0])
    let fuMa = try ChannelMatrix(from: .ambiX, to: .fuMa).apply(to: left)
    #expect(abs(fuMa[0] - 0.707107) < 1e-6 && Array(fuMa[1...]) == [0, 1, 0])
    let stereo = try ChannelMatrix(from: .fuMa, to: .stereo).apply(to: fuMa)
    #expect(abs(stereo[0] - 1) < 1e-6 && abs(stereo[1]) < 1e-6)
    let some: [Float] = [0.3, -0.2, 0.7, 0.1]
    let back = try ChannelMatrix(from: .fuMa, to: .ambiX).apply(
      to: ChannelMatrix(from: .ambiX, to: .fuMa).apply(to: some))
    for (a, b) in zip(back, some) { #expect(abs(a - b) < 1e-6) }
  }
}

@Suite("Changing a sample rate")
struct ResamplerTests {
  @Test(
    "a tone stays a tone, where it was, to -80 dB, and as long as it was",
    arguments: [(44_100, 48_000), (48_000, 44_100), (22_050, 48_000), (48_000, 16_000), (96_000, 48_000)])
  func tone(from: Int, to: Int) throws {
    let format = AudioFormat(sampleRate: from, layout: .stereo)
    let samples = TestSounds.tone(1000, level: -6, seconds: 1.003, rate: from)
    let resampler = try Resampler(format: format, outputRate: to)
    var output: [Float] = []
    for first in stride(from: 0, to: samples.count, by: 2 * 333) {
      output += try resampler.process(Array(samples[first..<min(first + 2 * 333, samples.count)]))
    }
    output += try resampler.finish()
    #expect(output.count == 2 * Int((Double(samples.count / 2) * Double(to) / Double(from)).rounded()))
    let amplitude = pow(10, -0.3)
    for index in stride(from: 200, to: output.count / 2 - 200, by: 7) {
      let ideal = amplitude * sin(2 * .pi * 1000 * Double(index) / Double(to))
      #expect(abs(Double(output[2 * index]) - ideal) < 1e-4 && output[2 * index] == output[2 * index + 1])
    }
  }

  @Test("equal rates change nothing, and impossible ones are refused")
  func edges() throws {
    let format = AudioFormat(sampleRate: 48_000, layout: .mono)
    let same = try Resampler(format: format, outputRate: 48_000)
    #expect(try same.process([0.1, 0.2]) == [0.1, 0.2] && same.finish().isEmpty)
    #expect(throws: SafelightError.self) { try Resampler(format: format, outputRate: 0) }
    let short = try Resampler(format: format, outputRate: 44_100)
    let count = try short.process([0.1, 0.2, 0.3]).count + short.finish().count
    #expect(count == 3)
  }
}

@Suite("Limiting")
struct PeakLimiterTests {
  @Test("what does not exceed full scale passes bit for bit, 5 ms later")
  func transparent() {
    let samples = TestSounds.noise(amplitude: 1, frames: 5000, channels: 2, seed: 9)
    var limiter = PeakLimiter(format: AudioFormat(sampleRate: rate, layout: .stereo))
    var output = samples + [Float](repeating: 0, count: 2 * limiter.delay)
    limiter.process(&output)
    #expect(limiter.delay == 240 && Array(output.dropFirst(480)) == samples && limiter.limited == 0)
  }

  @Test("nothing exceeds full scale, the gain never jumps, and it comes back")
  func limiting() {
    var random = SeededRandom(seed: 10)
    let tone = TestSounds.tone(200, level: -12, seconds: 4, rate: rate, channels: 1)
    // Peaks of up to 12 dB over full scale, single samples and bursts.
    var samples = tone
    for _ in 0..<40 {
      let place = Int.random(in: 0..<100_000, using: &random)
      let length = [1, 30, 3000].randomElement(using: &random) ?? 1
      for index in place..<place + length { samples[index] = tone[index] * 16 }
    }
    var limiter = PeakLimiter(format: AudioFormat(sampleRate: rate, layout: .mono))
    var output = samples + [Float](repeating: 0, count: limiter.delay)
    for first in stride(from: 0, to: output.count, by: 480) {
      var part = Array(output[first..<min(first + 480, output.count)])
      limiter.process(&part)
      output.replaceSubrange(first..<first + part.count, with: part)
    }
    var lastGain: Float?
    var steps: Float = 0
    for (before, after) in zip(samples, output.dropFirst(limiter.delay)) {
      #expect(abs(after) <= 1)
      guard abs(before) > 0.01 else { continue }
      let gain = after / before
      steps = max(steps, abs(gain - (lastGain ?? gain)))
      lastGain = gain
    }
    // At most the whole way in 5 ms, and gaps of some samples where the tone crosses 0.
    #expect(steps < 10 / 240.0, "\(steps)")
    #expect(limiter.limited > 1000 && limiter.largestReduction > 6 && limiter.largestReduction < 12.1)
    // One and a half seconds after the last peak it is as it was.
    #expect(output.suffix(10_000) == samples.suffix(10_000))
  }
}

@Suite("Laying a voice over a recording")
struct AudioMixerTests {
  @Test("the sum is exact, at the positions and times of the recording, with a gain for each")
  func sum() throws {
    let main = TestSounds.noise(amplitude: 0.3, frames: 9600, channels: 2, seed: 20)
    let voice = TestSounds.noise(amplitude: 0.3, frames: 3000, channels: 2, seed: 21)
    let mixer = AudioMixer(format: AudioFormat(sampleRate: rate, layout: .stereo))
    mixer.gains[1].decibels = -6.0206
    // The ramp to the gain is over before the voice begins.
    var output: [AudioBuffer] = []
    let lead = [Float](repeating: 0, count: 2 * 480)
    for buffer in buffers(lead + voice, .stereo, position: 2000 - 480, frames: 333) {
      try mixer.add(buffer, source: 1) { output.append($0) }
    }
    try mixer.end(source: 1) { output.append($0) }
    let inputs = buffers(main, .stereo)
    for buffer in inputs { try mixer.add(buffer) { output.append($0) } }
    try mixer.finish { output.append($0) }
    #expect(output.map(\.position) == inputs.map(\.position) && output.map(\.time) == inputs.map(\.time))
    let samples = output.flatMap(\.samples)
    #expect(samples.count == main.count)
    for index in main.indices {
      let place = index - 4000
      let added = place >= 0 && place < voice.count ? 0.5 * voice[place] : 0
      #expect(abs(samples[index] - main[index] - added) < 1e-5, "\(index)")
    }
    #expect(mixer.statistics == AudioMixer.Statistics())
  }

  @Test("sources that come in any order and in any pieces give the same sum")
  func order() throws {
    var random = SeededRandom(seed: 22)
    let main = TestSounds.noise(amplitude: 0.4, frames: 20_000, channels: 1, seed: 23)
    let voice = TestSounds.noise(amplitude: 0.4, frames: 20_000, channels: 1, seed: 24)
    for _ in 0..<20 {
      let mixer = AudioMixer(format: AudioFormat(sampleRate: rate, layout: .mono))
      var queues = [
        buffers(main, frames: Int.random(in: 1...900, using: &random)),
        buffers(voice, frames: Int.random(in: 1...900, using: &random)),
      ]
      var samples: [Float] = []
      // The voice begins first, so that it is waited for.
      try mixer.add(queues[1].removeFirst(), source: 1) { samples += $0.samples }
      while !(queues[0].isEmpty && queues[1].isEmpty) {
        let source = Int.random(in: 0...1, using: &random)
        guard !queues[source].isEmpty else { continue }
        try mixer.add(queues[source].removeFirst(), source: source) { samples += $0.samples }
      }
      try mixer.finish { samples += $0.samples }
      #expect(samples == zip(main, voice).map(+) && mixer.statistics.missing == 0)
    }
  }

  @Test("a voice that stays away is waited for a second, then counted as missing, and the recording goes on")
  func missing() throws {
    let mixer = AudioMixer(format: AudioFormat(sampleRate: rate, layout: .mono))
    var count = 0
    try mixer.add(buffers([Float](repeating: 0.1, count: 480))[0], source: 1) { count += $0.frameCount }
    let main = buffers([Float](repeating: 0.2, count: 3 * rate))
    for buffer in main { try mixer.add(buffer) { count += $0.frameCount } }
    #expect(abs(count - 2 * rate) <= 960)
    try mixer.finish { count += $0.frameCount }
    #expect(count == 3 * rate)
    #expect(abs(Int(mixer.statistics.missing) - 2 * rate) <= 960)
  }

  @Test("a sum beyond full scale is limited and counted, not cut off")
  func limited() throws {
    let tone = TestSounds.tone(300, level: -1, seconds: 1, rate: rate, channels: 1)
    let mixer = AudioMixer(format: AudioFormat(sampleRate: rate, layout: .mono))
    var samples: [Float] = []
    for (main, voice) in zip(buffers(tone), buffers(tone)) {
      try mixer.add(voice, source: 1) { samples += $0.samples }
      try mixer.add(main) { samples += $0.samples }
    }
    try mixer.finish { samples += $0.samples }
    #expect(samples.count == tone.count && samples.allSatisfy { abs($0) <= 1 })
    #expect(mixer.statistics.limited > 40_000)
    #expect(abs(mixer.statistics.largestReduction - 5.02) < 0.1)
    // A wave that was cut off would stay at full scale.
    let flat = zip(samples, samples.dropFirst()).count { abs($0) > 0.99 && $0 == $1 }
    #expect(flat < 10)
  }

  @Test("silence stays marked as silence unless a voice is heard")
  func silence() throws {
    let mixer = AudioMixer(format: AudioFormat(sampleRate: rate, layout: .mono))
    var reasons: [SilenceReason?] = []
    for buffer in buffers([Float](repeating: 0, count: 9600), silence: .disconnected) {
      if buffer.position == 4800 {
        try mixer.add(buffers([0.5, 0.5], position: 4900)[0], source: 1) { reasons.append($0.silence) }
        try mixer.end(source: 1) { reasons.append($0.silence) }
      }
      try mixer.add(buffer) { reasons.append($0.silence) }
    }
    try mixer.finish { reasons.append($0.silence) }
    #expect(reasons.count == 20 && reasons.indices.filter { reasons[$0] == nil } == [10])
  }

  @Test("another rate is refused in one sentence")
  func otherFormat() {
    let mixer = AudioMixer(format: AudioFormat(sampleRate: 44_100, layout: .mono))
    #expect(throws: SafelightError.self) { try mixer.add(buffers([0])[0]) { _ in } }
  }
}
