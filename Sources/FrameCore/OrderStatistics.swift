/// Summaries of measured times.
package enum OrderStatistics {
  /// The smallest time that at least `part` of all times, 0…1, do not exceed (nearest rank); 0 of none.
  package static func percentile(_ part: Double, ofSorted times: [Double]) -> Double {
    guard !times.isEmpty else { return 0 }
    let rank = Int((part * Double(times.count)).rounded(.up))
    return times[min(max(rank, 1), times.count) - 1]
  }

  /// The middle one, or the mean of the two in the middle; 0 of none.
  package static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
