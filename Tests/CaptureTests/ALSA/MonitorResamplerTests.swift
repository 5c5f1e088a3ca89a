import FrameCore
import Libc
import TestSupport
import Testing

@testable import Capture

@Suite("Resampling for monitoring")
struct MonitorResamplerTests {
  private func ring(_ count: Int, rate: Int = 48_000, _ signal: (Double) -> Double) -> MonitorRing {
    let ring = MonitorRing(sampleRate: rate, seconds: 0.5)
    let samples = (0..<count).map { Float(signal(Double($0) / Double(rate))) }
    #expect(
      ring.write(
        AudioBuffer(
          format: AudioFormat(sampleRate: rate, layout: .mono), samples: samples,
          time: Timestamp(nanoseconds: 0))))
    return ring
  }

  /// The largest error of a resampled sine of amplitude 1 against the sine itself.
  private func error(frequency: Double, step: Double) -> Double {
    let ring = ring(16_000) { sin(2 * .pi * frequency * $0) }
    var resampler = MonitorResampler(step: 1)
    resampler.move(to: 100)
    var output = [Float](repeating: 0, count: 2 * 4000)
    output.withUnsafeMutableBufferPointer { output in
      if let base = output.baseAddress { resampler.read(ring, 4000, step: step, into: base) }
    }
    return (0..<4000).reduce(0.0) { worst, index in
      let exact = sin(2 * .pi * frequency * (100 + Double(index) * step) / 48_000)
      return max(worst, abs(Double(output[2 * index]) - exact), abs(Double(output[2 * index + 1]) - exact))
    }
  }

  @Test(
    "A sine stays that sine at any speed near 1",
    arguments: [0.999, 0.9999, 1, 1.00005, 1.001] as [Double])
  func sines(step: Double) {
    // −80 dB where speech is, −60 dB up to 15 kHz.
    for frequency in [50.0, 440, 1_000, 5_000] {
      let error = error(frequency: frequency, step: step)
      #expect(error < 1e-4, "\(frequency) Hz: \(error)")
    }
    for frequency in [10_000.0, 15_000] {
      let error = error(frequency: frequency, step: step)
      #expect(error < 1e-3, "\(frequency) Hz: \(error)")
    }
  }

  @Test("What the loudspeaker's rate cannot carry is removed instead of mirrored")
  func mirrors() {
    // 30 kHz at 96 kHz would become 18 kHz at 48 kHz.
    let ring = ring(20_000, rate: 96_000) { sin(2 * .pi * 30_000 * $0) }
    var resampler = MonitorResampler(step: 2)
    resampler.move(to: 100)
    var output = [Float](repeating: 0, count: 2 * 4000)
    output.withUnsafeMutableBufferPointer { output in
      if let base = output.baseAddress { resampler.read(ring, 4000, step: 2, into: base) }
    }
    #expect(output.allSatisfy { abs($0) < 0.01 })
  }

  @Test("The window's Bessel function has the values of the tables")
  func bessel() {
    // Source: Abramowitz and Stegun, Handbook of Mathematical Functions, table 9.8 (e⁻ˣI₀(x)).
    for (x, scaled) in [(0.0, 1.0), (1, 0.46575_96077), (5, 0.18354_08126), (10, 0.12783_33372)] {
      #expect(abs(MonitorResampler.bessel(x) * exp(-x) - scaled) < 1e-9)
    }
  }

  @Test(
    "Ten minutes of clocks that differ: the age stays, and the speed becomes their ratio",
    arguments: [100e-6, -100e-6, 500e-6, 0])
  func control(drift: Double) {
    var random = SeededRandom(seed: 3)
    var control = LatencyControl(target: 0.014)
    var age = 0.014
    var speed = 1.0
    var (least, most) = (1.0, 0.0)
    var speeds: [Double] = []
    for tick in 0..<240_000 {
      let interval = 0.0025
      // Faster playing makes the sound younger, a fast capture clock makes it older.
      age += interval * (1 + drift - speed)
      let jitter = Double.random(in: -0.002...0.002, using: &random)
      speed = control.update(age: age + jitter, interval: interval)
      if tick > 24_000 {
        (least, most) = (min(least, age), max(most, age))
        speeds.append(speed)
      }
    }
    #expect(least > 0.013 && most < 0.015, "\(least)…\(most)")
    let mean = speeds.reduce(0, +) / Double(speeds.count)
    #expect(abs(mean - 1 - drift) < 1e-6)
    #expect((speeds.map { abs($0 - 1 - drift) }.max() ?? 1) < 100e-6, "a sixth of a cent")
  }
}
