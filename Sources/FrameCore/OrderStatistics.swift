/// Summaries of measured times.
package enum OrderStatistics {
  /// Returns the smallest time that at least `part`, 0…1, of all times do not exceed (nearest rank); 0 if there
  /// are none.
  package static func percentile(_ part: Double, ofSorted times: [Double]) -> Double {
    guard !times.isEmpty else { return 0 }
    let rank = Int((part * Double(times.count)).rounded(.up))
    return times[min(max(rank, 1), times.count) - 1]
  }

  /// Returns the middle value, or the mean of the two middle ones; 0 if there are none.
  package static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
