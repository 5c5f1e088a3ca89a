import LibraryTestSupport
import Safelight
import FoundationEssentials
import TestSupport
import Testing

@testable import Profiling

@Suite("Comparing two profiles")
struct ProfileComparisonTests {
  /// A report whose samples and frames are multiples of `factor`, with noise of some per cent and rare slow frames.
  private func makeRun(_ random: inout SeededRandom, factor: Double = 1, frames: Int = 600) -> ProfileReport {
    func noise() -> Double {
      (0..<4).reduce(0) { sum, _ in sum + Double.random(in: -0.02...0.02, using: &random) }
    }
    let times = (0..<frames).map { _ in
      let isSlow = Int.random(in: 0..<60, using: &random) == 0
      return factor * 2 * (1 + noise()) * (isSlow ? Double.random(in: 1.2...1.8, using: &random) : 1)
    }
    var report = makeReport(frames: times)
    report.stages = [("ycbcr", 0.5), ("baked", 1.5)].map { kind, milliseconds in
      let samples = (0..<16).map { _ in factor * milliseconds * (1 + noise()) }
      return makeStage(kind, factor * milliseconds, samples: samples)
    }
    report.bake?.milliseconds = factor * 3.2
    report.bake?.samples = (0..<9).map { _ in factor * 3.2 * (1 + noise()) }
    return report
  }

  private func verdicts(_ runs: Int, factor: Double, leastEffect: Double) -> [String: [ProfileComparison
    .Verdict]]
  {
    var random = SeededRandom(seed: 17)
    var verdicts: [String: [ProfileComparison.Verdict]] = [:]
    for _ in 0..<runs {
      let before = makeRun(&random)
      let after = makeRun(&random, factor: factor)
      for row in ProfileComparison(before: before, after: after, leastEffect: leastEffect).rows {
        verdicts[row.name, default: []].append(row.verdict)
      }
    }
    return verdicts
  }

  @Test("Of equal runs, at most one row of twenty seems to have changed, however small a change counts")
  func falsePositives() {
    let rows = verdicts(100, factor: 1, leastEffect: 0).values.joined()
    let changed = rows.count { $0 == .faster || $0 == .slower }
    #expect(rows.count { $0 != .untested } == 500)
    // Of 10,000 rows with other seeds, 317 did.
    #expect(changed <= 25, "\(changed) of 500")
  }

  @Test("A change of 5 % is found in nearly every run, with its direction")
  func power() {
    for (factor, verdict) in [(1.05, ProfileComparison.Verdict.slower), (1 / 1.05, .faster)] {
      let lists = verdicts(25, factor: factor, leastEffect: 0.01)
      for name in ["frame p50", "ycbcr", "baked", "bake"] {
        let found = lists[name]?.count { $0 == verdict } ?? 0
        #expect(found >= 20, "\(name): \(found) of 25")
      }
    }
  }

  @Test("A change that memcpy shared is not taken for one of the code")
  func drift() {
    var random = SeededRandom(seed: 1)
    let before = makeRun(&random)
    var after = makeRun(&random, factor: 1.1)
    #expect(ProfileComparison(before: before, after: after).rows[0].verdict == .slower)
    for index in after.roofline.points.indices { after.roofline.points[index].copy /= 1.1 }
    let row = ProfileComparison(before: before, after: after).rows[0]
    #expect(row.verdict == .noSignificantChange)
    #expect(row.remark == "memcpy changed as much")
    #expect(abs((row.change ?? 0) - 0.1) < 0.01)
    #expect(abs(row.changeBesideCopy ?? 1) < 0.01)
  }

  @Test("Stages are matched by kind and order, and those that came or went are listed in their places")
  func matching() {
    var (before, after) = (makeReport(), makeReport())
    before.stages = [
      makeStage("load", 1), makeStage("matrix", 2), makeStage("curve", 3), makeStage("store", 4),
    ]
    after.stages = [makeStage("load", 1), makeStage("baked", 2), makeStage("store", 4)]
    let rows = ProfileComparison(before: before, after: after).rows.dropFirst(2).dropLast()
    #expect(Set(rows.map(\.name)) == ["load", "matrix", "curve", "baked", "store"])
    #expect(rows.first?.name == "load" && rows.last?.name == "store")
    #expect(rows.filter { $0.verdict == .removed }.map(\.name) == ["matrix", "curve"])
    #expect(rows.filter { $0.verdict == .added }.map(\.name) == ["baked"])
  }

  @Test("Too few samples are said to be too few, not to be equal")
  func tooFew() {
    let rows = ProfileComparison(
      before: makeReport(frames: [2, 2, 2]), after: makeReport(frames: [4, 4, 4])
    ).rows
    #expect(rows.allSatisfy { $0.verdict == .untested })
    #expect(rows[0].change == 1)
    // A few hundred frames have a median, but say little of the hundredth part of them.
    let frames = (0..<300).map { 2 + Double($0 % 7) / 100 }
    let more = ProfileComparison(before: makeReport(frames: frames), after: makeReport(frames: frames)).rows
    #expect(more[0].verdict == .noSignificantChange)
    #expect(more[1].verdict == .untested)
  }

  @Test("A stage that had no time in some blocks is not said to have too few samples")
  func idleStage() {
    var report = makeReport()
    report.stages = [makeStage("wait", 0.1, samples: [0.1, 0, 0.1, 0.2, 0.1, 0.1, 0.1, 0.1], bytes: 0)]
    let row = ProfileComparison(before: report, after: report).rows[2]
    #expect(row.verdict == .untested && row.remark == "no time in some blocks")
  }

  /// The factor that a row's change beside copies leaves of a row that took 10 % longer.
  private func left(_ row: ProfileComparison.Row?) -> Double? {
    row?.changeBesideCopy.map { ((1 + $0) / 1.1 * 1e6).rounded() / 1e6 }
  }

  @Test("What a GPU does is judged beside its own copies, and what the processor does beside memcpy")
  func device() throws {
    func run(_ factor: Double) -> ProfileReport {
      var report = makeReport()
      report.frames = makeFrameTimes([2, 2, 2].map { $0 * factor })
      report.device = makeDevice()
      report.stages = ["staging", "upload", "downsample", "kernel", "download", "wait"].map {
        makeStage($0, factor, samples: [factor])
      }
      report.bake?.milliseconds *= factor
      return report
    }
    let before = run(1)
    var after = run(1.1)
    after.device?.copy /= 2
    for index in after.roofline.points.indices { after.roofline.points[index].copy /= 4 }
    let comparison = ProfileComparison(before: before, after: after)
    #expect(comparison.deviceCopyChange == 1 && comparison.copyChange == 3)
    let rows = Dictionary(uniqueKeysWithValues: comparison.rows.map { ($0.name, $0) })
    for name in ["frame p50", "kernel", "downsample"] { #expect(left(rows[name]) == 0.5, "\(name)") }
    for name in ["staging", "bake"] { #expect(left(rows[name]) == 0.25, "\(name)") }
    for name in ["upload", "download", "wait"] {
      let row = try #require(rows[name])
      #expect(row.changeBesideCopy == nil, "\(name)")
    }
    #expect(comparison.text.contains("beside copies") && !comparison.text.contains("beside memcpy  "))
    #expect(
      comparison.text.contains("Copies within the GPU's memory: +100 % time for each byte, memcpy: +300 %."))
    after.device?.name = "Another GPU"
    let other = ProfileComparison(before: before, after: after)
    #expect(other.deviceCopyChange == nil && other.rows[0].changeBesideCopy == nil)
    #expect(other.text.contains("not on the same GPU"))
    after.device = nil
    #expect(ProfileComparison(before: before, after: after).rows[0].changeBesideCopy == nil)
  }

  @Test("A kernel that became slower as its GPU's copies did is not taken for slower code")
  func deviceDrift() {
    func run(_ factor: Double) -> ProfileReport {
      var report = makeReport()
      report.device = makeDevice()
      report.stages = [makeStage("kernel", factor, samples: (0..<16).map { factor * (1 + Double($0) / 1e4) })]
      return report
    }
    var after = run(1.1)
    #expect(ProfileComparison(before: run(1), after: after).rows[2].verdict == .slower)
    // The processor's memory says nothing of a GPU's.
    for index in after.roofline.points.indices { after.roofline.points[index].copy /= 1.1 }
    #expect(ProfileComparison(before: run(1), after: after).rows[2].verdict == .slower)
    after.device?.copy /= 1.1
    let row = ProfileComparison(before: run(1), after: after).rows[2]
    #expect(row.verdict == .noSignificantChange && row.remark == "copies changed as much")
  }

  @Test("Runs of other filters, sizes or machines are compared, and it is said what differs")
  func differences() {
    var after = makeReport()
    #expect(ProfileComparison(before: makeReport(), after: after).differences.isEmpty)
    after.subject.filters = []
    after.subject.inputWidth = 3840
    after.subject.interpolation = "bilinear"
    after.machine.processor = "Xeon"
    after.machine.release = "0.7.0"
    #expect(
      ProfileComparison(before: makeReport(), after: after).differences == [
        "The chain of filters differs: exposure +0.7 → straighten 2.4° before, none after.",
        "The input differs: 1920×1080 yuyv before, 3840×1080 yuyv after.",
        "The interpolation differs: sharp before, bilinear after.",
        "The processor differs: EPYC before, Xeon after.",
      ])
  }

  @Test("What the runs said of their circumstances is repeated below the table")
  func notes() {
    var after = makeReport()
    after.notes = []
    let comparison = ProfileComparison(before: makeReport(), after: after)
    #expect(comparison.notes == ["before: The machine was not idle."])
    #expect(comparison.text.hasSuffix("\nnote, before: The machine was not idle.\n"))
  }

  @Test("The text is a table whose columns stand below each other")
  func text() {
    var random = SeededRandom(seed: 3)
    let before = makeRun(&random)
    let text = ProfileComparison(before: before, after: makeRun(&random, factor: 1.2)).text
    let lines = text.split(separator: "\n")
    let ends = lines[..<6].map { line in
      line.firstRange(of: "ms  ").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
    }
    #expect(Set(ends[1...]).count == 1, "\(text)")
    #expect(lines[1].hasPrefix("frame p50") && lines[1].hasSuffix("slower"), "\(text)")
    #expect(
      text.contains("as well.\n") && text.contains("95 % interval") && text.contains("below 1 %"), "\(text)")
  }

  @Test("A comparison survives JSON, whatever the reports hold")
  func json() throws {
    var after = makeReport(frames: [0, .infinity, 1e-300, 1e300])
    after.stages = [makeStage("baked", 0)]
    after.roofline.points = []
    let comparison = ProfileComparison(before: makeReport(), after: after)
    // Times of the report itself are the profiler's; everything derived from them is finite.
    for row in comparison.rows {
      for value in [row.change, row.lowest, row.highest, row.changeBesideCopy] {
        #expect(value?.isFinite ?? true)
      }
    }
    let equal = ProfileComparison(before: makeReport(), after: makeReport())
    #expect(try JSONDecoder().decode(ProfileComparison.self, from: JSONEncoder().encode(equal)) == equal)
  }
}
