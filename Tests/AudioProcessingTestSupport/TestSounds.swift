import Libc
import TestSupport

/// Interleaved sounds that meters and writers are tested with, from formulas and fixed seeds.
public enum TestSounds {
  /// A sine on all channels. `level` is its peak in dB of full scale.
  public static func tone(
    _ frequency: Double, level: Double, seconds: Double, rate: Int, channels: Int = 2, phase: Double = 0
  ) -> [Float] {
    let amplitude = pow(10, level / 20)
    return (0..<Int((seconds * Double(rate)).rounded())).flatMap { index in
      let angle = 2 * Double.pi * frequency * Double(index) / Double(rate) + phase
      return [Float](repeating: Float(amplitude * sin(angle)), count: channels)
    }
  }

  /// Tones of 1 kHz one after the other, each with its level and its seconds, as in EBU Tech 3341 and 3342.
  /// The wave goes on from one to the next.
  public static func tones(_ parts: [(level: Double, seconds: Double)], rate: Int = 48_000) -> [Float] {
    var samples: [Float] = []
    var index = 0
    for part in parts {
      let amplitude = pow(10, part.level / 20)
      for _ in 0..<Int((part.seconds * Double(rate)).rounded()) {
        let value = Float(amplitude * sin(2 * .pi * 1000 * Double(index) / Double(rate)))
        samples.append(value)
        samples.append(value)
        index += 1
      }
    }
    return samples
  }

  /// White noise, other on each channel; uniform within ±`amplitude`.
  public static func noise(amplitude: Float, frames: Int, channels: Int, seed: UInt64) -> [Float] {
    var random = SeededRandom(seed: seed)
    return (0..<frames * channels).map { _ in Float.random(in: -amplitude...amplitude, using: &random) }
  }

  /// What moves like speech: pulses of a voice through two resonances, in syllables and pauses of random
  /// length and loudness.
  public static func speech(seconds: Double, rate: Int, channels: Int, seed: UInt64) -> [Float] {
    var random = SeededRandom(seed: seed)
    let frames = Int(seconds * Double(rate))
    var samples: [Float] = []
    samples.reserveCapacity(frames * channels)
    var (left, gain, target, phase) = (0, 0.0, 0.0, 0.0)
    var resonances = [(0.0, 0.0), (0.0, 0.0)]
    var centres = [500.0, 1500.0]
    for _ in 0..<frames {
      if left == 0 {
        left = Int(Double.random(in: 0.08...0.4, using: &random) * Double(rate))
        let isPause = Double.random(in: 0..<1, using: &random) < 0.3
        target = isPause ? 0 : pow(10, Double.random(in: -30 ... -6, using: &random) / 20)
        centres = [
          Double.random(in: 300...800, using: &random), Double.random(in: 900...2500, using: &random),
        ]
      }
      left -= 1
      gain += (target - gain) * 60 / Double(rate)
      phase += 120 / Double(rate)
      var value = Double.random(in: -0.02...0.02, using: &random)
      if phase >= 1 {
        phase -= 1
        value += 1
      }
      var sum = 0.0
      for index in 0..<2 {
        let pole = 0.98
        let (last, before) = resonances[index]
        let next =
          value + 2 * pole * cos(2 * .pi * centres[index] / Double(rate)) * last - pole * pole * before
        resonances[index] = (next, last)
        sum += next
      }
      for channel in 0..<channels { samples.append(Float(0.05 * gain * sum * (channel == 0 ? 1 : 0.7))) }
    }
    return samples
  }
}
