/// What changed between two profiles, row by row, and whether it is more than noise.
///
/// A row has changed where its interval leaves out no change at all at the confidence given, the change is as large as the
/// least that counts, and both hold beside the run's own copies as well: machines drift, and a slower machine is not
/// slower code. The copies are memcpy for what the processor does, and those within a GPU's memory for what its kernels
/// do. Rows are judged each by itself: of twenty that did not change, one may seem to.
public struct ProfileComparison: Codable, Sendable, Hashable {
  public enum Verdict: String, Codable, Sendable, Hashable {
    case faster, slower
    case noSignificantChange
    /// Too few samples to tell.
    case untested
    /// A stage that only the run after has.
    case added
    /// A stage that only the run before has.
    case removed
  }

  public struct Row: Codable, Sendable, Hashable {
    /// `frame p50`, `frame p99`, a stage's kind, or `bake`.
    public var name: String
    /// Milliseconds, as the reports have them.
    public var before: Double?
    public var after: Double?
    /// Of the time, as a part of what it was: −0.05 is 5 % less. Estimated from all samples, so it can differ a little from
    /// what `before` and `after` give.
    public var change: Double?
    /// The ends of the interval of `change`; nil where there are too few samples.
    public var lowest: Double?
    public var highest: Double?
    /// The change beside that of copies: what is left of it where the machine itself had become as much slower. Nil where
    /// no copies are like it, as for what crosses the bus to a GPU.
    public var changeBesideCopy: Double?
    public var verdict: Verdict
    /// Why a row whose time changed is not judged faster or slower; nil for most.
    public var remark: String?
  }

  /// The confidence of intervals, 0…1.
  public var confidence: Double
  /// The least change that counts, as a part.
  public var leastEffect: Double
  /// How much longer memcpy took for each byte after than before, as a part; nil where it was not measured.
  public var copyChange: Double?
  /// As `copyChange`, of the copies within the GPU's memory; nil where not both runs were on one GPU.
  public var deviceCopyChange: Double?
  /// What the two runs did not have in common, a sentence each; empty where only the time differs.
  public var differences: [String]
  /// What each run said of its own circumstances, such as that the machine was not idle.
  public var notes: [String]
  /// The frame, then the stages in their order, then the bake.
  public var rows: [Row]
  /// Whether one of the runs, or both, was on a GPU.
  public var onDevice: Bool

  public static let defaultConfidence = 0.95
  public static let defaultLeastEffect = 0.01

  /// - Parameters:
  ///   - confidence: of each interval, above 0 and below 1.
  ///   - leastEffect: smaller changes do not count, however certain; as a part.
  public init(
    before: ProfileReport, after: ProfileReport, confidence: Double = Self.defaultConfidence,
    leastEffect: Double = Self.defaultLeastEffect
  ) {
    self.confidence = confidence
    self.leastEffect = leastEffect
    copyChange = Self.copyChange(before, after)
    deviceCopyChange = Self.deviceCopyChange(before, after)
    onDevice = before.device != nil || after.device != nil
    differences = Self.differences(before, after)
    notes = before.notes.map { "before: \($0)" } + after.notes.map { "after: \($0)" }
    rows = []
    rows = frameRows(before.frames, after.frames) + stageRows(before.stages, after.stages)
    if let row = bakeRow(before.bake, after.bake) { rows.append(row) }
  }

  // MARK: Rows

  private func frameRows(_ before: ProfileReport.FrameTimes, _ after: ProfileReport.FrameTimes) -> [Row] {
    let times = (
      before: before.milliseconds.filter(Self.isTime), after: after.milliseconds.filter(Self.isTime)
    )
    let tails = (
      before: ProfileTailInterval(times.before, confidence: confidence),
      after: ProfileTailInterval(times.after, confidence: confidence)
    )
    var tailChange: ProfileChange?
    if let first = tails.before, let second = tails.after, Self.isTime(before.p99), Self.isTime(after.p99) {
      tailChange = ProfileTailInterval.change(before: (before.p99, first), after: (after.p99, second))
    }
    return [
      row("frame p50", before.p50, after.p50, change(times.before, times.after), beside: frameCopies),
      row("frame p99", before.p99, after.p99, tailChange, beside: frameCopies),
    ]
  }

  /// Stages of one kind are matched in their order.
  private func stageRows(_ before: [ProfileReport.StageCost], _ after: [ProfileReport.StageCost]) -> [Row] {
    let difference = after.map(\.kind).difference(from: before.map(\.kind))
    var (removed, added): (Set<Int>, Set<Int>) = ([], [])
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var rows: [Row] = []
    var (first, second) = (0, 0)
    while first < before.count || second < after.count {
      if first < before.count, removed.contains(first) {
        rows.append(Row(name: before[first].kind, before: before[first].milliseconds, verdict: .removed))
        first += 1
      } else if second < after.count, added.contains(second) {
        rows.append(Row(name: after[second].kind, after: after[second].milliseconds, verdict: .added))
        second += 1
      } else {
        let (old, new) = (before[first], after[second])
        let isIdle = (old.samples + new.samples).contains(0)
        rows.append(
          row(
            old.kind, old.milliseconds, new.milliseconds, change(old.samples, new.samples),
            beside: copies(ofStage: old.kind), untested: isIdle ? "no time in some blocks" : "too few samples"
          ))
        first += 1
        second += 1
      }
    }
    return rows
  }

  private func bakeRow(_ before: ProfileReport.Bake?, _ after: ProfileReport.Bake?) -> Row? {
    switch (before, after) {
    case (nil, nil): nil
    case (let before?, nil): Row(name: "bake", before: before.milliseconds, verdict: .removed)
    case (nil, let after?): Row(name: "bake", after: after.milliseconds, verdict: .added)
    case (let before?, let after?):
      row(
        "bake", before.milliseconds, after.milliseconds, change(before.samples ?? [], after.samples ?? []),
        beside: copyChange)
    }
  }

  // MARK: Judging

  private func change(_ before: [Double], _ after: [Double]) -> ProfileChange? {
    guard before.allSatisfy(Self.isTime), after.allSatisfy(Self.isTime) else { return nil }
    let samples = (before: ProfileRankInterval.batches(before), after: ProfileRankInterval.batches(after))
    return ProfileRankInterval(
      counts: (samples.before.count, samples.after.count), confidence: confidence
    )?.change(before: samples.before, after: samples.after)
  }

  /// - Parameters:
  ///   - copies: how copies changed that are like what the row is about; nil where none are.
  ///   - reason: why there is no `change`.
  private func row(
    _ name: String, _ before: Double, _ after: Double, _ change: ProfileChange?, beside copies: Double?,
    untested reason: String = "too few samples"
  ) -> Row {
    func besideCopies(_ change: Double) -> Double? { copies.map { (1 + change) / (1 + $0) - 1 } }
    guard let change else {
      let ratio = Self.isTime(before) && Self.isTime(after) ? after / before - 1 : nil
      return Row(
        name: name, before: before, after: after, change: ratio,
        changeBesideCopy: ratio.flatMap(besideCopies),
        verdict: .untested, remark: reason)
    }
    let (verdict, remark) = verdict(of: change, besideCopies)
    return Row(
      name: name, before: before, after: after, change: change.estimate, lowest: change.low,
      highest: change.high, changeBesideCopy: besideCopies(change.estimate), verdict: verdict, remark: remark)
  }

  private func verdict(of change: ProfileChange, _ besideCopies: (Double) -> Double?) -> (Verdict, String?) {
    let isSlower = change.low > 0 && change.estimate >= leastEffect
    let isFaster = change.high < 0 && change.estimate <= -leastEffect
    guard isSlower || isFaster else { return (.noSignificantChange, nil) }
    if let estimate = besideCopies(change.estimate), let low = besideCopies(change.low),
      let high = besideCopies(change.high)
    {
      let holds = isSlower ? low > 0 && estimate >= leastEffect : high < 0 && estimate <= -leastEffect
      guard holds else {
        return (.noSignificantChange, onDevice ? "copies changed as much" : "memcpy changed as much")
      }
    }
    return (isSlower ? .slower : .faster, nil)
  }

  /// Frames on a GPU are mostly its work; where one run was on the processor, nothing is like both.
  private var frameCopies: Double? { onDevice ? deviceCopyChange : copyChange }

  /// On a GPU the processor does the staging alone; the bus, and waiting, are like no copies that were measured.
  private func copies(ofStage kind: String) -> Double? {
    guard onDevice else { return copyChange }
    return switch kind {
    case "kernel", "reduce": deviceCopyChange
    case "staging": copyChange
    default: nil
    }
  }

  /// From a femtosecond to thirty years: the ratio of two is always a number.
  private static func isTime(_ value: Double) -> Bool { (1e-12...1e12).contains(value) }

  /// Of memcpy on the threads that the subjects ran on.
  private static func copyChange(_ before: ProfileReport, _ after: ProfileReport) -> Double? {
    func copy(_ report: ProfileReport) -> Double? {
      report.roofline.points.first { $0.threads == report.subject.threads }?.copy
    }
    guard before.subject.threads == after.subject.threads, let first = copy(before), let second = copy(after),
      isTime(first), isTime(second)
    else { return nil }
    return first / second - 1
  }

  /// Of the copies within a GPU's memory.
  private static func deviceCopyChange(_ before: ProfileReport, _ after: ProfileReport) -> Double? {
    guard let first = before.device, let second = after.device, first.name == second.name,
      isTime(first.copy), isTime(second.copy)
    else { return nil }
    return first.copy / second.copy - 1
  }
}
