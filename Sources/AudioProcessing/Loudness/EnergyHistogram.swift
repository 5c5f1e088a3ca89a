import Libc

/// Energies of blocks, by their loudness in steps of 0.01 LU, so that hours take no more memory than seconds.
/// The energies of a step are summed exactly; only gates are rounded, to a step.
struct EnergyHistogram {
  /// In LUFS: what is softer is not kept (the absolute gate of BS.1770-4).
  static let lowest = -70.0
  private static let highest = 30.0
  private static let stepsPerUnit = 100.0
  private var counts = [Int](repeating: 0, count: Int((highest - lowest) * stepsPerUnit))
  private var sums = [Double](repeating: 0, count: Int((highest - lowest) * stepsPerUnit))
  private(set) var count = 0

  /// Returns the loudness in LUFS of a mean of weighted squares; -∞ of silence.
  static func loudness(_ energy: Double) -> Double { energy > 0 ? -0.691 + 10 * log10(energy) : -.infinity }

  mutating func add(_ energy: Double) {
    let loudness = Self.loudness(energy)
    guard loudness >= Self.lowest, energy.isFinite else { return }
    let step = min(Int((loudness - Self.lowest) * Self.stepsPerUnit), counts.count - 1)
    counts[step] += 1
    sums[step] += energy
    count += 1
  }

  /// The mean energy of those that are louder than a gate `units` below the mean of all; nil if there are
  /// none.
  func gatedMean(_ units: Double) -> Double? {
    guard let first = firstStep(above: units) else { return nil }
    let number = counts[first...].reduce(0, +)
    return number > 0 ? sums[first...].reduce(0, +) / Double(number) : nil
  }

  /// The energies that `parts` of those above the gate do not exceed; nil if there are none.
  func gatedPercentiles(_ units: Double, _ parts: [Double]) -> [Double]? {
    guard let first = firstStep(above: units) else { return nil }
    let number = counts[first...].reduce(0, +)
    guard number > 0 else { return nil }
    return parts.map { part in
      var rest = Int((Double(number - 1) * part).rounded())
      for step in first..<counts.count where counts[step] > 0 {
        if rest < counts[step] { return sums[step] / Double(counts[step]) }
        rest -= counts[step]
      }
      return 0
    }
  }

  private func firstStep(above units: Double) -> Int? {
    guard count > 0 else { return nil }
    let mean = sums.reduce(0, +) / Double(count)
    let gate = Self.loudness(mean) - units
    return min(max(0, Int(((gate - Self.lowest) * Self.stepsPerUnit).rounded())), counts.count - 1)
  }
}
