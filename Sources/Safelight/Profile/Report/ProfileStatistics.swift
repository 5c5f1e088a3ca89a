#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Summaries of measured times.
enum ProfileStatistics {
  /// The smallest time that at least `part` of all times, 0…1, do not exceed (nearest rank); 0 of none.
  static func percentile(_ part: Double, ofSorted times: [Double]) -> Double {
    guard !times.isEmpty else { return 0 }
    let rank = Int((part * Double(times.count)).rounded(.up))
    return times[min(max(rank, 1), times.count) - 1]
  }

  /// The middle one, or the mean of the two in the middle; 0 of none.
  static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

extension ProfileReport.FrameTimes {
  /// - Parameter milliseconds: of each frame, in order.
  init(_ milliseconds: [Double]) {
    let sorted = milliseconds.sorted()
    func percentile(_ part: Double) -> Double { ProfileStatistics.percentile(part, ofSorted: sorted) }
    let mean = milliseconds.reduce(0, +) / Double(max(1, milliseconds.count))
    let differences = zip(milliseconds, milliseconds.dropFirst()).map { abs($0 - $1) }
    self.init(
      milliseconds: milliseconds, p50: percentile(0.5), p90: percentile(0.9), p99: percentile(0.99),
      p999: percentile(0.999), minimum: sorted.first ?? 0, maximum: sorted.last ?? 0, mean: mean,
      jitter: differences.reduce(0, +) / Double(max(1, differences.count)),
      framesPerSecond: mean > 0 ? 1000 / mean : 0)
  }
}
