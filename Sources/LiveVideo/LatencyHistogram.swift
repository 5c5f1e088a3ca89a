/// A histogram of durations with eight buckets per octave: percentiles take constant memory, however many
/// durations are counted. A percentile is at most an eighth above the true one.
public struct LatencyHistogram: Sendable, Hashable {
  /// Buckets per octave.
  private static let resolution = 8.0
  /// The upper bound of the first bucket, in seconds.
  private static let first = 1e-5
  private static let bucketCount = 8 * 24

  private var counts = [Int](repeating: 0, count: bucketCount)
  public private(set) var count = 0
  /// The longest duration, in seconds.
  public private(set) var maximum = 0.0

  package init() {}

  /// Counts one duration.
  package mutating func add(seconds: Double) {
    // A piecewise linear log2 from the exponent and the significand: the frame loop calls no maths library.
    let ratio = max(seconds / Self.first, 1)
    let octave = Double(ratio.exponent)
    let bucket = Int(((octave + ratio.significand - 1) * Self.resolution).rounded(.up))
    counts[min(max(bucket, 0), Self.bucketCount - 1)] += 1
    count += 1
    maximum = max(maximum, seconds)
  }

  /// The duration, in seconds, that `fraction` (0…1) of the durations do not exceed; nil if there are none.
  public func percentile(_ fraction: Double) -> Double? {
    guard count > 0 else { return nil }
    let rank = max(1, Int((Double(count) * fraction).rounded(.up)))
    var seen = 0
    for (bucket, number) in counts.enumerated() {
      seen += number
      guard seen >= rank else { continue }
      return min(Self.bound(of: bucket), maximum)
    }
    return maximum
  }

  /// The upper bound of a bucket, in seconds: the inverse of the piecewise linear logarithm in `add`.
  private static func bound(of bucket: Int) -> Double {
    let position = Double(bucket) / resolution
    let octave = position.rounded(.down)
    return first * Double(sign: .plus, exponent: Int(octave), significand: 1 + position - octave)
  }

  /// The durations counted in `self` but not in the earlier state `start`.
  package func since(_ start: LatencyHistogram) -> LatencyHistogram {
    var difference = self
    for bucket in counts.indices { difference.counts[bucket] -= start.counts[bucket] }
    difference.count -= start.count
    // Without a new maximum, the longest of the remaining durations is only known by its bucket.
    if maximum == start.maximum {
      difference.maximum =
        difference.counts.lastIndex { $0 > 0 }.map { min(Self.bound(of: $0), maximum) } ?? 0
    }
    return difference
  }
}
