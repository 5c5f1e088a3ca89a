import FrameCore
import Libc
import TestSupport

/// A simulated microphone, whose clock runs at a rate of its own and whose measured times jitter. Every
/// sample is the value that `sound` has at the moment of its capture.
public struct DriftingMicrophone {
  public var format: AudioFormat
  /// How much faster than nominal its clock runs.
  public var driftPPM: Double
  /// Standard deviation of the measured times in seconds.
  public var jitter = 0.0
  public var spikeProbability = 0.0
  /// How late the time of a spike is, in seconds.
  public var spike = 0.0
  /// Samples per channel of a buffer.
  public var period: Int
  /// The moment of the first sample.
  public var start: Timestamp
  public var sound: (Double) -> Float
  /// The position of the next sample.
  public var position: Int64 = 0
  var random: SeededRandom

  public init(
    rate: Int, channels: Int = 1, driftPPM: Double, start: Timestamp = Timestamp(nanoseconds: 5_000_000_000),
    seed: UInt64 = 1, sound: @escaping (Double) -> Float
  ) {
    format = AudioFormat(sampleRate: rate, layout: ChannelLayout(channelCount: channels))
    self.driftPPM = driftPPM
    self.start = start
    self.sound = sound
    period = rate / 100
    random = SeededRandom(seed: seed)
  }

  /// As measured on real devices: 2 ms of jitter, and one time of a hundred 8 ms late (research/capture.md).
  public mutating func addUsualJitter() { (jitter, spikeProbability, spike) = (2e-3, 0.01, 8e-3) }

  /// The moment at which the sample at a position is captured, in seconds since `start`.
  public func moment(of position: Int64) -> Double {
    Double(position) / (Double(format.sampleRate) * (1 + driftPPM * 1e-6))
  }

  public mutating func next() -> AudioBuffer {
    var samples: [Float] = []
    samples.reserveCapacity(period * format.channelCount)
    for index in 0..<period {
      let value = sound(moment(of: position + Int64(index)))
      for _ in 0..<format.channelCount { samples.append(value) }
    }
    let time = measuredTime()
    defer { position += Int64(period) }
    return AudioBuffer(format: format, samples: samples, time: time, position: position)
  }

  /// The jittering time of the next sample.
  public mutating func measuredTime() -> Timestamp {
    var error = jitter * normal()
    if Double.random(in: 0..<1, using: &random) < spikeProbability { error += spike }
    return start.advanced(bySeconds: moment(of: position) + error)
  }

  /// Box–Muller.
  private mutating func normal() -> Double {
    let (a, b) = (
      Double.random(in: .leastNormalMagnitude..<1, using: &random), Double.random(in: 0..<1, using: &random)
    )
    return (-2 * log(a)).squareRoot() * cos(2 * .pi * b)
  }
}

/// How far a tone is from where it should be.
public enum ToneOffset {
  /// Returns for each window how late the tone comes in seconds: a sine of `frequency` that should begin with
  /// phase 0 at the first sample.
  ///
  /// - Precondition: a window holds whole cycles.
  public static func offsets(of samples: [Float], rate: Double, frequency: Double, window: Int) -> [Double] {
    let step = 2 * Double.pi * frequency / rate
    let reference = (0..<window).map { (sin(step * Double($0)), cos(step * Double($0))) }
    return stride(from: 0, through: samples.count - window, by: window).map { first in
      var (inPhase, quadrature) = (0.0, 0.0)
      samples.withUnsafeBufferPointer { samples in
        for index in 0..<window {
          let value = Double(samples[first + index])
          inPhase += value * reference[index].0
          quadrature += value * reference[index].1
        }
      }
      let start = step * Double(first)
      // The window itself begins at this phase of the tone.
      let phase = atan2(quadrature, inPhase) - start.truncatingRemainder(dividingBy: 2 * .pi)
      return -remainder(phase, 2 * .pi) / (2 * .pi * frequency)
    }
  }

  /// The largest absolute second difference of samples: a click stands out of a tone's.
  public static func largestSecondDifference(of samples: [Float]) -> Float {
    var worst: Float = 0
    samples.withUnsafeBufferPointer { samples in
      for index in 1..<max(1, samples.count - 1) {
        worst = max(worst, abs(samples[index - 1] + samples[index + 1] - 2 * samples[index]))
      }
    }
    return worst
  }
}
