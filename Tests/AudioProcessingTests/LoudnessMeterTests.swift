import AudioProcessing
import AudioProcessingTestSupport
import CEBUR128
import FrameCore
import Libc
import Testing

@Suite("Measuring loudness")
struct LoudnessMeterTests {
  private func meter(_ samples: [Float], rate: Int = 48_000, channels: Int = 2) -> LoudnessMeter {
    var meter = LoudnessMeter(
      format: AudioFormat(sampleRate: rate, layout: ChannelLayout(channelCount: channels)))
    meter.process(samples)
    return meter
  }

  @Test("the coefficients at 48 kHz are those of BS.1770-4")
  func gainAtOneKilohertz() {
    // BS.1770-4, annex 1: a sine of 0 dB of full scale and 997 Hz on one front channel reads -3.01 LKFS.
    let tone = TestSounds.tone(997, level: 0, seconds: 10, rate: 48_000, channels: 1)
    #expect(abs(meter(tone, channels: 1).integrated + 3.01) < 0.01)
  }

  @Test(
    "integrated loudness of EBU Tech 3341's signals 1 to 5 is right within 0.1 LU",
    arguments: [
      ([(-23.0, 20.0)], -23.0), ([(-33, 20)], -33), ([(-36, 10), (-23, 60), (-36, 10)], -23),
      ([(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)], -23),
      ([(-26, 20), (-20, 20.1), (-26, 20)], -23),
    ] as [([(Double, Double)], Double)])
  func integrated(parts: [(Double, Double)], loudness: Double) {
    let meter = meter(TestSounds.tones(parts.map { (level: $0.0, seconds: $0.1) }))
    #expect(abs(meter.integrated - loudness) < 0.1, "\(meter.integrated)")
    if parts.count == 1 {
      #expect(abs(meter.momentary - loudness) < 0.1 && abs(meter.shortTermLoudness - loudness) < 0.1)
    }
  }

  @Test("short-term loudness of signal 9 is constantly -23 LUFS after 3 s, momentary of signal 12 after 1 s")
  func windows() {
    let short = TestSounds.tones(
      (0..<5).flatMap { _ in [(level: -20.0, seconds: 1.34), (level: -30.0, seconds: 1.66)] })
    let momentary = TestSounds.tones(
      (0..<25).flatMap { _ in [(level: -20.0, seconds: 0.18), (level: -30.0, seconds: 0.22)] })
    var first = meter([])
    var second = meter([])
    for block in 0..<100 {
      let samples = block * 9600..<(block + 1) * 9600
      first.process(Array(short[samples]))
      second.process(Array(momentary[samples]))
      if block >= 30 { #expect(abs(first.shortTermLoudness + 23) < 0.1, "\(block)") }
      if block >= 10 { #expect(abs(second.momentary + 23) < 0.1, "\(block)") }
    }
  }

  @Test(
    "the range of EBU Tech 3342's signals 1 to 4 is right within 1 LU",
    arguments: [
      ([-20.0, -30], 10.0), ([-20, -15], 5), ([-40, -20], 20), ([-50, -35, -20, -35, -50], 15),
    ] as [([Double], Double)])
  func range(levels: [Double], range: Double) {
    let meter = meter(TestSounds.tones(levels.map { (level: $0, seconds: 20) }))
    #expect(abs(meter.range - range) < 1, "\(meter.range)")
  }

  @Test(
    "the true peak of EBU Tech 3341's signals 15 to 19 is within +0.2 and -0.4 dB",
    arguments: [
      (4.0, 0.0, 0.5, -6.0), (4, 45, 0.5, -6), (6, 60, 0.5, -6), (8, 67.5, 0.5, -6), (4, 45, 1.41, 3),
    ] as [(Double, Double, Double, Double)])
  func truePeak(divisor: Double, degrees: Double, amplitude: Double, peak: Double) {
    let tone = TestSounds.tone(
      48_000 / divisor, level: 20 * log10(amplitude), seconds: 2, rate: 48_000, phase: degrees * .pi / 180)
    // The signals of EBU fade in and out, so that their edges make no peak of their own.
    let faded = tone.indices.map { index in
      tone[index] * Float(min(1, Double(min(index, tone.count - 1 - index)) / 2000))
    }
    for value in meter(faded).truePeak { #expect(value - peak < 0.2 && value - peak > -0.4, "\(value)") }
  }

  @Test("peaks and levels of channels are theirs alone")
  func levels() {
    // A square wave of 0.5 on the left, silence on the right.
    let samples = (0..<9600).flatMap { [$0 / 24 % 2 == 0 ? 0.5 : -0.5, 0] as [Float] }
    let meter = meter(samples)
    #expect(abs(meter.levels[0].rms + 6.0206) < 1e-3 && abs(meter.levels[0].peak + 6.0206) < 1e-3)
    #expect(meter.levels[1].rms == -.infinity && meter.levels[1].peak == -.infinity)
    #expect(abs(meter.samplePeak[0] + 6.0206) < 1e-3 && meter.samplePeak[1] == -.infinity)
    #expect(meter.truePeak[0] > -6.02 && meter.truePeak[1] == -.infinity)
    #expect(abs(meter.duration - 0.2) < 1e-9)
  }

  @Test("silence, and sound that is too short, have no loudness")
  func nothing() {
    let silent = meter([Float](repeating: 0, count: 480_000))
    #expect(silent.integrated == -.infinity && silent.momentary == -.infinity && silent.range == 0)
    let short = meter(TestSounds.tone(1000, level: -20, seconds: 0.3, rate: 48_000))
    #expect(short.momentary == -.infinity && short.integrated == -.infinity)
  }

  @Test("of ambisonics the omnidirectional channel counts, with FuMa's 3 dB")
  func ambisonics() {
    let mono = TestSounds.tone(1000, level: -20, seconds: 2, rate: 48_000, channels: 1)
    for (layout, gain) in [(ChannelLayout.ambiX, Float(1)), (.fuMa, Float(0.5).squareRoot())] {
      var meter = LoudnessMeter(format: AudioFormat(sampleRate: 48_000, layout: layout))
      meter.process(mono.flatMap { [$0 * gain, 0.9, -0.9, 0.9] })
      #expect(abs(meter.integrated - self.meter(mono, channels: 1).integrated) < 1e-3)
    }
  }
}

@Suite("Loudness beside libebur128", .enabled(if: cebur128_is_there(), "libebur128-1 is not installed"))
struct LoudnessComparisonTests {
  struct Sound: CustomTestStringConvertible {
    var name: String
    var rate: Int
    var channels: Int
    var samples: @Sendable () -> [Float]
    var testDescription: String { "\(name), \(rate) Hz, \(channels) channels" }
  }

  static let sounds: [Sound] = [
    Sound(name: "noise", rate: 48_000, channels: 2) {
      TestSounds.noise(amplitude: 0.3, frames: 480_000, channels: 2, seed: 1)
    },
    Sound(name: "noise", rate: 44_100, channels: 1) {
      TestSounds.noise(amplitude: 0.05, frames: 441_000, channels: 1, seed: 2)
    },
    Sound(name: "noise", rate: 96_000, channels: 2) {
      TestSounds.noise(amplitude: 0.7, frames: 480_000, channels: 2, seed: 3)
    },
    Sound(name: "noise", rate: 192_000, channels: 1) {
      TestSounds.noise(amplitude: 0.7, frames: 960_000, channels: 1, seed: 4)
    },
    Sound(name: "tone of 60 Hz", rate: 16_000, channels: 1) {
      TestSounds.tone(60, level: -12, seconds: 12, rate: 16_000, channels: 1)
    },
    Sound(name: "tone of 5 kHz", rate: 32_000, channels: 2) {
      TestSounds.tone(5000, level: -3, seconds: 12, rate: 32_000)
    },
    Sound(name: "speech", rate: 48_000, channels: 2) {
      TestSounds.speech(seconds: 60, rate: 48_000, channels: 2, seed: 5)
    },
    Sound(name: "speech", rate: 22_050, channels: 1) {
      TestSounds.speech(seconds: 90, rate: 22_050, channels: 1, seed: 6)
    },
    Sound(name: "speech", rate: 48_000, channels: 4) {
      TestSounds.speech(seconds: 20, rate: 48_000, channels: 4, seed: 7)
    },
    Sound(name: "range signal 4 of Tech 3342", rate: 48_000, channels: 2) {
      TestSounds.tones([-50, -35, -20, -35, -50].map { (level: $0, seconds: 20) })
    },
  ]

  @Test("every value agrees within 0.1 LU, at all times", arguments: sounds)
  func agreement(sound: Sound) throws {
    let reference = try #require(cebur128_new(UInt32(sound.channels), UInt(sound.rate)))
    defer { cebur128_free(reference) }
    var meter = LoudnessMeter(
      format: AudioFormat(sampleRate: sound.rate, layout: ChannelLayout(channelCount: sound.channels)))
    let samples = sound.samples()
    // Neither of them may depend on how sound is cut into buffers; libebur128 gives values in between blocks
    // too.
    let block = (sound.rate + 5) / 10 * sound.channels
    var worst = 0.0
    func compare(_ ours: Double, _ theirs: Double, _ what: String, _ first: Int) {
      // Below -70 LUFS nothing counts, and the library gives -∞ later than we do.
      guard max(ours, theirs) > -70 else { return }
      worst = max(worst, abs(ours - theirs))
      #expect(abs(ours - theirs) < 0.1, "\(what) at \(first / block): \(ours), \(theirs)")
    }
    for first in stride(from: 0, to: samples.count - block + 1, by: block) {
      let part = Array(samples[first..<first + block])
      for piece in stride(from: 0, to: part.count, by: 480 * sound.channels) {
        meter.process(Array(part[piece..<min(piece + 480 * sound.channels, part.count)]))
      }
      #expect(cebur128_add(reference, part, part.count / sound.channels))
      if first >= 3 * block { compare(meter.momentary, cebur128_momentary(reference), "momentary", first) }
      if first >= 29 * block {
        compare(meter.shortTermLoudness, cebur128_short_term(reference), "short-term", first)
      }
    }
    compare(meter.integrated, cebur128_integrated(reference), "integrated", 0)
    #expect(abs(meter.range - cebur128_range(reference)) < 0.1)
    for channel in 0..<sound.channels {
      let truePeak = 20 * log10(cebur128_true_peak(reference, UInt32(channel)))
      #expect(abs(meter.truePeak[channel] - truePeak) < 0.1, "\(meter.truePeak[channel]), \(truePeak)")
      let samplePeak = 20 * log10(cebur128_sample_peak(reference, UInt32(channel)))
      #expect(abs(meter.samplePeak[channel] - samplePeak) < 1e-4)
    }
    if getenv("SAFELIGHT_SHOW") != nil {
      print("\(sound.testDescription): \(meter.integrated) LUFS, \(meter.range) LU, off by \(worst) LU")
    }
  }
}
