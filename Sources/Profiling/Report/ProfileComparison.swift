import FrameCore

/// The changes between two profiles, row by row, and whether they are more than noise.
///
/// A row has changed if its interval at the given confidence excludes zero, if the change is at least as large as
/// the least effect, and if both also hold relative to the run's own copies: machines drift, and a slower machine
/// is not slower code. The copies are memcpy for the processor's work, and those within a GPU's memory for its
/// kernels. Rows are judged individually: of twenty that did not change, one may seem to.
public struct ProfileComparison: JSONReport, Hashable {
  public enum Verdict: String, Codable, Sendable, Hashable {
    case faster, slower
    case noSignificantChange
    /// Too few samples to decide.
    case untested
    /// A stage that only the later run has.
    case added
    /// A stage that only the earlier run has.
    case removed
  }

  public struct Row: Codable, Sendable, Hashable {
    /// `frame p50`, `frame p99`, a stage's kind, or `bake`.
    public var name: String
    /// The times in milliseconds, as in the reports.
    public var before: Double?
    public var after: Double?
    /// The relative change of the time: −0.05 is 5 % less. Estimated from all samples, so it can differ slightly
    /// from what `before` and `after` give.
    public var change: Double?
    /// The ends of the interval of `change`; nil if there are too few samples.
    public var lowest: Double?
    public var highest: Double?
    /// The change relative to that of copies: the part that a slowdown of the machine itself does not explain. Nil
    /// if there are no comparable copies, as for data that crosses the bus to a GPU.
    public var changeBesideCopy: Double?
    public var verdict: Verdict
    /// Why a row whose time changed is not judged faster or slower; nil for most.
    public var remark: String?
  }

  /// The confidence of intervals, 0…1.
  public var confidence: Double
  /// The smallest relative change that counts.
  public var leastEffect: Double
  /// The relative change of memcpy's time per byte; nil if it was not measured.
  public var copyChange: Double?
  /// As `copyChange`, for copies within the GPU's memory; nil if the two runs were not on the same GPU.
  public var deviceCopyChange: Double?
  /// The differences between the two runs' conditions, one sentence each; empty if only the times differ.
  public var differences: [String]
  /// The notes of each run about its own circumstances, such as that the machine was not idle.
  public var notes: [String]
  /// The frame, then the stages in their order, then the bake.
  public var rows: [Row]
  /// Whether one of the runs, or both, was on a GPU.
  public var onDevice: Bool

  public static let defaultConfidence = 0.95
  public static let defaultLeastEffect = 0.01

  /// - Parameters:
  ///   - confidence: the confidence of each interval, above 0 and below 1.
  ///   - leastEffect: the smallest relative change that counts, however certain.
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

  /// Matches stages of one kind in their order.
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
  ///   - copies: the change of comparable copies; nil if there are none.
  ///   - reason: the reason if there is no `change`.
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

  /// Frames on a GPU are mostly its work; if only one run was on a GPU, no copies are comparable to both.
  private var frameCopies: Double? { onDevice ? deviceCopyChange : copyChange }

  /// On a GPU the processor does only the staging; no measured copies are comparable to bus transfers or waiting.
  private func copies(ofStage kind: String) -> Double? {
    guard onDevice else { return copyChange }
    return switch kind {
    case "kernel", "downsample": deviceCopyChange
    case "staging": copyChange
    default: nil
    }
  }

  /// Whether a time is between a femtosecond and thirty years, so that the ratio of two is always finite.
  private static func isTime(_ value: Double) -> Bool { (1e-12...1e12).contains(value) }

  /// Returns the change of memcpy on the threads that the subjects ran on.
  private static func copyChange(_ before: ProfileReport, _ after: ProfileReport) -> Double? {
    func copy(_ report: ProfileReport) -> Double? {
      report.roofline.points.first { $0.threads == report.subject.threads }?.copy
    }
    guard before.subject.threads == after.subject.threads, let first = copy(before), let second = copy(after),
      isTime(first), isTime(second)
    else { return nil }
    return first / second - 1
  }

  /// Returns the change of copies within a GPU's memory.
  private static func deviceCopyChange(_ before: ProfileReport, _ after: ProfileReport) -> Double? {
    guard let first = before.device, let second = after.device, first.name == second.name,
      isTime(first.copy), isTime(second.copy)
    else { return nil }
    return first.copy / second.copy - 1
  }
}
