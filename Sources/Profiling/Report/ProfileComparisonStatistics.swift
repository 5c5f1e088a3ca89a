import Libc

/// A relative change, −0.05 for 5 % less time, with an interval that contains the true change with the requested
/// confidence.
struct ProfileChange: Equatable {
  let estimate: Double
  let low: Double
  let high: Double

  /// - Parameter logarithms: the logarithm of the ratio of after to before.
  init(logarithms estimate: Double, low: Double, high: Double) {
    self.estimate = expm1(estimate)
    self.low = expm1(low)
    self.high = expm1(high)
  }
}

/// The change between two samples, whatever their distribution.
///
/// The Hodges–Lehmann estimate of the shift, which is the median of all differences between the samples, with the
/// interval that inverts the Mann–Whitney test, exact for samples this small. Applied to logarithms, the shift is
/// a ratio.
///
/// Source: Hollander, Wolfe and Chicken, "Nonparametric Statistical Methods", 3rd edition, 4.2 and 4.3.
struct ProfileRankInterval {
  /// More samples are merged into batches: 10 to 30 batches are enough, and long enough to be nearly independent.
  /// Source: Schmeiser, "Batch size effects in the analysis of simulation output", Operations Research 30 (1982).
  static let mostSamples = 20

  /// The interval reaches from the difference of this rank, counted from 1, to the one of the same rank from the
  /// end.
  let rank: Int

  /// - Parameter counts: the numbers of samples, 1…`mostSamples` each.
  /// - Returns: nil if no interval has this confidence: below four samples each for 95 %.
  init?(counts: (before: Int, after: Int), confidence: Double) {
    let (m, n) = (counts.before, counts.after)
    guard m > 0, n > 0 else { return nil }
    let orders = (1...m).reduce(1.0) { $0 * Double(n + $1) / Double($1) }
    // The number of orderings of the samples with each value 0, 1, … of the Mann–Whitney statistic: integers that
    // a Double represents exactly for samples of 20 and more. Source of the recurrence: Löffler, "Über eine
    // Partition der nat. Zahlen und ihre Anwendung beim U-Test", Wissenschaftliche Zeitschrift der Universität
    // Halle 32 (1983).
    var numbers = [1.0]
    var divisors = [0.0]
    var below = 1 / orders
    while below <= (1 - confidence) / 2, numbers.count <= m * n {
      let value = numbers.count
      divisors.append(
        (1...value).reduce(0) { sum, divisor in
          guard value % divisor == 0 else { return sum }
          let sign = (divisor <= m ? 1 : 0) - (divisor > n && divisor <= n + m ? 1 : 0)
          return sum + Double(sign * divisor)
        })
      let sum = (0..<value).reduce(0) { $0 + numbers[$1] * divisors[value - $1] }
      numbers.append(sum / Double(value))
      below += sum / Double(value) / orders
    }
    rank = numbers.count - 1
    if rank == 0 { return nil }
  }

  /// - Parameters: times above 0 in chronological order, as many as this interval was made for.
  func change(before: [Double], after: [Double]) -> ProfileChange {
    let (before, after) = (before.map { log($0) }, after.map { log($0) })
    let shift = shift(before: before, after: after)
    let widening = Self.widening(before, after)
    return ProfileChange(
      logarithms: shift.estimate, low: shift.estimate - widening * (shift.estimate - shift.low),
      high: shift.estimate + widening * (shift.high - shift.estimate))
  }

  /// Returns the shift between independent samples of any distribution.
  func shift(before: [Double], after: [Double]) -> (estimate: Double, low: Double, high: Double) {
    let differences = before.flatMap { first in after.map { $0 - first } }.sorted()
    let count = differences.count
    let median = (differences[(count - 1) / 2] + differences[count / 2]) / 2
    return (median, differences[rank - 1], differences[count - rank])
  }

  /// Returns how much wider the interval must be than for independent samples: consecutive samples are correlated
  /// if a machine warms up or has other work now and then, and carry less information than as many independent
  /// ones.
  ///
  /// √((1+r)/(1−r)) for a lag-1 autocorrelation r, from both runs, corrected for the bias of short series, and
  /// never below 1. Sources: Bayley and Hammersley, "The effective number of independent observations in an
  /// autocorrelated time series", Journal of the Royal Statistical Society Supplement 8 (1946); Kendall, "Note on
  /// bias in the estimation of autocorrelation", Biometrika 41 (1954).
  private static func widening(_ before: [Double], _ after: [Double]) -> Double {
    let correlations = [before, after].map { samples in
      let count = Double(samples.count)
      let mean = samples.reduce(0, +) / count
      let offsets = samples.map { $0 - mean }
      let variance = offsets.reduce(0) { $0 + $1 * $1 }
      guard variance > 0 else { return 0.0 }
      let found = zip(offsets, offsets.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / variance
      return (found + 1 / count) / (1 - 3 / max(count, 4))
    }
    let correlation = min(max(0, (correlations[0] + correlations[1]) / 2), 0.95)
    return ((1 + correlation) / (1 - correlation)).squareRoot()
  }

  /// Returns the medians of batches of consecutive samples, at most `mostSamples`.
  static func batches(_ samples: [Double]) -> [Double] {
    let count = min(mostSamples, samples.count)
    return (0..<count).map { index in
      let range = samples.count * index / count..<samples.count * (index + 1) / count
      let sorted = samples[range].sorted()
      return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
  }
}

/// The change of the 99th percentile between two runs, whatever the distribution of their frames.
///
/// The interval of each percentile comes from order statistics; the two are combined by the method of Donner and
/// Zou. Slow frames come in clusters, so the effective number of frames of a run is reduced by the extremal index
/// of its slowest twentieth.
///
/// Sources: Hahn and Meeker, "Statistical Intervals" (1991), 5.2; Donner and Zou, "Closed-form confidence
/// intervals for functions of the normal mean and standard deviation", Statistical Methods in Medical Research 21
/// (2012), the method of variance estimates recovery; Smith and Weissman, "Estimating the extremal index", Journal
/// of the Royal Statistical Society B 56 (1994), the runs estimator.
struct ProfileTailInterval: Equatable {
  let low: Double
  let high: Double

  private static let tail = 0.01

  /// - Parameter times: the times of frames in chronological order, above 0.
  /// - Returns: nil for too few frames: below 368 for 95 %, and more if slow ones come in clusters.
  init?(_ times: [Double], confidence: Double) {
    let descending = times.sorted(by: >)
    let independent = Self.independentCount(times, threshold: descending)
    let half = (1 - confidence) / 2
    // The number of frames that exceed the true percentile is binomial: `fewest - 1` or fewer, or `most` or more,
    // are improbable.
    var below = 0.0
    var fewest = 0
    var most = 0
    while most <= independent {
      below += Self.binomial(most, of: independent)
      most += 1
      if below <= half { fewest = most }
      if below >= 1 - half { break }
    }
    guard fewest > 0, most <= independent else { return nil }
    let scale = Double(times.count) / Double(independent)
    high = descending[max(1, Int(Double(fewest) * scale)) - 1]
    low = descending[min(times.count, Int((Double(most) * scale).rounded(.up))) - 1]
  }

  /// - Parameters: the percentiles within their intervals, all above 0.
  static func change(
    before: (value: Double, interval: ProfileTailInterval),
    after: (value: Double, interval: ProfileTailInterval)
  ) -> ProfileChange {
    func logarithms(_ run: (value: Double, interval: ProfileTailInterval)) -> (Double, Double, Double) {
      let value = min(max(run.value, run.interval.low), run.interval.high)
      return (log(run.interval.low), log(value), log(run.interval.high))
    }
    let (beforeLow, before, beforeHigh) = logarithms(before)
    let (afterLow, after, afterHigh) = logarithms(after)
    let shift = after - before
    return ProfileChange(
      logarithms: shift, low: shift - hypot(after - afterLow, beforeHigh - before),
      high: shift + hypot(afterHigh - after, before - beforeLow))
  }

  private static func independentCount(_ times: [Double], threshold descending: [Double]) -> Int {
    guard !times.isEmpty else { return 0 }
    let part = 0.05
    let threshold = descending[min(times.count - 1, Int(Double(times.count) * part))]
    var (exceeding, clusters) = (0, 0)
    var isInCluster = false
    for time in times {
      let exceeds = time > threshold
      if exceeds { exceeding += 1 }
      if exceeds, !isInCluster { clusters += 1 }
      isInCluster = exceeds
    }
    guard exceeding > 0 else { return times.count }
    // Independent frames exceed it consecutively by chance, too.
    let index = min(1, Double(clusters) / Double(exceeding) / (1 - part))
    return max(1, Int(Double(times.count) * index))
  }

  /// Returns the probability that `count` of `trials` are in the tail.
  private static func binomial(_ count: Int, of trials: Int) -> Double {
    let (k, n) = (Double(count), Double(trials))
    let ways: Double = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
    let chance: Double = k * log(tail) + (n - k) * log1p(-tail)
    return exp(ways + chance)
  }
}
