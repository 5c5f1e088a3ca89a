import FrameCore
import Libc

extension ProfileReport.FrameTimes {
  /// - Parameter milliseconds: the time of each frame, in order.
  init(_ milliseconds: [Double]) {
    let sorted = milliseconds.sorted()
    func percentile(_ part: Double) -> Double { OrderStatistics.percentile(part, ofSorted: sorted) }
    let mean = milliseconds.reduce(0, +) / Double(max(1, milliseconds.count))
    let differences = zip(milliseconds, milliseconds.dropFirst()).map { abs($0 - $1) }
    self.init(
      milliseconds: milliseconds, p50: percentile(0.5), p90: percentile(0.9), p99: percentile(0.99),
      p999: percentile(0.999), minimum: sorted.first ?? 0, maximum: sorted.last ?? 0, mean: mean,
      jitter: differences.reduce(0, +) / Double(max(1, differences.count)),
      framesPerSecond: mean > 0 ? 1000 / mean : 0)
  }
}
