import FrameCore
import Libc

/// Keeps samples within ±1 without cutting them off: 5 ms before a peak the gain begins to fall, and
/// afterwards it comes back in about 100 ms. What does not exceed 1 passes unchanged, 5 ms later.
///
/// The gain is the mean, over those 5 ms, of the smallest gain that any sample within them needs; so it is
/// low enough when the peak comes, and never jumps. All channels have the same gain, which keeps directions.
public struct PeakLimiter: Sendable {
  /// How much later samples come out, in samples per channel.
  public let delay: Int
  /// Samples per channel that were made softer.
  public private(set) var limited: Int64 = 0
  /// The smallest gain so far, as a factor.
  public private(set) var smallestGain: Float = 1
  /// How much softer the softest was made, in dB; 0 if nothing was.
  public var largestReduction: Double { smallestGain < 1 ? -20 * log10(Double(smallestGain)) : 0 }

  private let channelCount: Int
  private let release: Double
  /// The last `delay` samples.
  private var waiting: [Float]
  private var place = 0
  /// Of the last `delay + 1` samples: the gains that they need, by their number, rising (a monotonic queue).
  private var needs: [(number: Int, gain: Float)] = []
  private var firstNeed = 0
  private var number = 0
  /// The last `delay + 1` gains before the mean.
  private var gains: [Double]
  private var sum: Double
  private var envelope = 1.0

  public init(format: AudioFormat) {
    channelCount = format.channelCount
    delay = max(1, format.sampleRate / 200)
    release = 1 - exp(-1 / (0.1 * Double(format.sampleRate)))
    waiting = [Float](repeating: 0, count: delay * format.channelCount)
    gains = [Double](repeating: 1, count: delay + 1)
    sum = Double(delay + 1)
    needs.reserveCapacity(2 * delay + 4)
  }

  /// Replaces interleaved samples by those of `delay` samples before, made softer where needed.
  public mutating func process(_ samples: inout [Float]) {
    for first in stride(from: 0, to: samples.count - channelCount + 1, by: channelCount) {
      var peak: Float = 0
      for channel in 0..<channelCount { peak = max(peak, abs(samples[first + channel])) }
      let gain = gain(after: peak > 1 ? 1 / peak : 1)
      for channel in 0..<channelCount {
        let old = waiting[place + channel]
        waiting[place + channel] = samples[first + channel]
        // Rounding may leave a little more than 1.
        samples[first + channel] = gain < 1 ? min(max(old * gain, -1), 1) : old
      }
      if gain < 1 {
        limited += 1
        smallestGain = min(smallestGain, gain)
      }
      place = (place + channelCount) % waiting.count
    }
  }

  private mutating func gain(after need: Float) -> Float {
    while needs.count > firstNeed, let last = needs.last, last.gain >= need { needs.removeLast() }
    needs.append((number, need))
    if needs[firstNeed].number < number - delay { firstNeed += 1 }
    // Moved to the front now and then, not for every sample.
    if firstNeed > delay {
      needs.removeFirst(firstNeed)
      firstNeed = 0
    }
    let smallest = Double(needs[firstNeed].gain)
    envelope = smallest < envelope ? smallest : envelope + (smallest - envelope) * release
    // It would never quite arrive: 0.001 dB are not heard.
    if smallest == 1, envelope > 0.9999 { envelope = 1 }
    let slot = number % gains.count
    sum += envelope - gains[slot]
    gains[slot] = envelope
    number += 1
    return min(Float(sum / Double(gains.count)), 1)
  }
}
