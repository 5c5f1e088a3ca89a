import LibraryTestSupport
import Safelight
import TestSupport
import Testing

@testable import Profiling
import Libc

@Suite("Statistics of comparisons")
struct ProfileComparisonStatisticsTests {
  /// Source: the usual tables of critical values of the Mann–Whitney test, two-sided, 5 %, such as Zar, "Biostatistical
  /// Analysis", table B.11.
  @Test(
    "Ranks are those of the printed tables",
    arguments: [(4, 4, 0), (5, 5, 2), (6, 7, 6), (8, 8, 13), (10, 10, 23), (12, 15, 49), (20, 20, 127)])
  func ranks(before: Int, after: Int, critical: Int) {
    #expect(ProfileRankInterval(counts: (before, after), confidence: 0.95)?.rank == critical + 1)
  }

  @Test("Three samples each allow no interval at 95 %")
  func tooFew() {
    #expect(ProfileRankInterval(counts: (3, 3), confidence: 0.95) == nil)
    #expect(ProfileRankInterval(counts: (0, 8), confidence: 0.95) == nil)
  }

  /// Source: Hollander and Wolfe, "Nonparametric Statistical Methods", the permeability of the chorioamnion at term and
  /// at 12 to 26 weeks, whose estimate is printed there; the interval is that of `wilcox.test` of R.
  @Test("Estimate and interval are those of the textbook")
  func textbook() throws {
    let term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
    let early = [1.15, 0.88, 0.90, 0.74, 1.21]
    let interval = try #require(ProfileRankInterval(counts: (10, 5), confidence: 0.95))
    let shift = interval.shift(before: term, after: early)
    #expect(abs(shift.estimate - -0.305) < 1e-9)
    #expect(abs(shift.low - -0.76) < 1e-9)
    #expect(abs(shift.high - 0.15) < 1e-9)
  }

  @Test("The interval misses the truth at most once in twenty, whatever the distribution")
  func coverage() throws {
    let interval = try #require(ProfileRankInterval(counts: (12, 12), confidence: 0.95))
    for isSkewed in [false, true] {
      var random = SeededRandom(seed: 12)
      func sample(_ random: inout SeededRandom) -> Double {
        let part = Double.random(in: 0.0001..<1, using: &random)
        return isSkewed ? 2 - log(part) : 2 + part
      }
      let missed = (0..<800).count { _ in
        let before = (0..<12).map { _ in sample(&random) }
        let change = interval.change(before: before, after: (0..<12).map { _ in 1.5 * sample(&random) })
        return !(change.low...change.high).contains(0.5)
      }
      // An interval that never misses would be of no use either.
      #expect((8...40).contains(missed), "\(missed) of 800")
    }
  }

  @Test("Runs that drift are not taken for runs that differ")
  func drift() throws {
    let interval = try #require(ProfileRankInterval(counts: (20, 20), confidence: 0.95))
    var random = SeededRandom(seed: 9)
    // Frames of which each is like the one before: a first-order autoregression with a memory of ten frames.
    func times(_ random: inout SeededRandom) -> [Double] {
      var level = 0.0
      return (0..<400).map { _ in
        level = 0.9 * level + Double.random(in: -0.02...0.02, using: &random)
        return 2 + level
      }
    }
    let changed = (0..<300).count { _ in
      let (before, after) = (times(&random), times(&random))
      let change = interval.change(
        before: ProfileRankInterval.batches(before), after: ProfileRankInterval.batches(after))
      return !(change.low...change.high).contains(0)
    }
    // 15 ± 4 at the level aimed at; without regard to the order of samples it is 40.
    #expect(changed <= 24, "\(changed) of 300")
  }

  @Test("The interval of the 99th percentile holds it in at least 95 of 100 runs, of clustered frames too")
  func tail() {
    for cluster in [1, 6] {
      var random = SeededRandom(seed: 99)
      var (missed, made) = (0, 0)
      for _ in 0..<300 {
        // Each value stands for a while: as many frames, but fewer independent ones.
        let times = (0..<2400 / cluster).flatMap { _ in
          [Double](repeating: 1 + Double.random(in: 0..<1, using: &random), count: cluster)
        }
        guard let interval = ProfileTailInterval(times, confidence: 0.95) else { continue }
        made += 1
        if !(interval.low...interval.high).contains(1.99) { missed += 1 }
      }
      #expect(made > 200, "\(made) of clusters of \(cluster)")
      #expect(Double(missed) <= 0.06 * Double(made), "\(missed) of \(made), clusters of \(cluster)")
    }
  }

  @Test("Below 368 frames the 99th percentile has no interval at 95 %")
  func fewFrames() {
    // 0.99³⁶⁷ is above 0.025 and 0.99³⁶⁸ below. Every other frame is slower than its neighbours: no clusters.
    func times(_ count: Int) -> [Double] {
      (0..<count).map { frame -> Double in Double(1 + frame % 2) + 1e-6 * Double(frame) }
    }
    #expect(ProfileTailInterval(times(367), confidence: 0.95) == nil)
    #expect(ProfileTailInterval(times(368), confidence: 0.95) != nil)
    #expect(ProfileTailInterval([], confidence: 0.95) == nil)
  }

  @Test("Batches are the medians of neighbours and leave no sample out")
  func batches() {
    #expect(ProfileRankInterval.batches([3, 1, 2]) == [3, 1, 2])
    #expect(ProfileRankInterval.batches([]).isEmpty)
    let samples: [Double] = (0..<60).map(Double.init)
    let medians: [Double] = stride(from: 1, to: 60, by: 3).map(Double.init)
    #expect(ProfileRankInterval.batches(samples) == medians)
  }
}
