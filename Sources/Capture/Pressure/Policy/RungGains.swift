import FrameCore

/// What each step of a ladder gains, learned from the load before and after it.
struct RungGains: Sendable {
  /// Windows after a change whose mean is believed.
  private static let windows = 4

  /// A change whose effect is being measured.
  private struct Trial: Sendable {
    let range: Range<Int>
    let isUndo: Bool
    let before: Double
  }
  /// Steps taken at once, and the factor of all of them that are still engaged.
  private struct Group: Sendable {
    var range: Range<Int>
    var factor: Double
  }
  private var trial: Trial?
  private var groups: [Group] = []

  /// The factor by which step `index` is taken to change the load when it is engaged.
  func expected(_ index: Int, _ rungs: [PressureRung]) -> Double {
    let rung = rungs[index]
    if let gain = rung.gain { return gain }
    // Others of its kind tell more than a guess: where pictures are what costs, no preset helps.
    let known = rungs.filter { $0.kind == rung.kind }.compactMap(\.gain)
    return known.isEmpty ? rung.expected : known.reduce(0, +) / Double(known.count)
  }

  /// The factor by which undoing step `index` is taken to raise the load.
  ///
  /// - Parameter atWorst: as much as it can be, if it is not known, instead of halfway to what is likely.
  func cost(_ index: Int, _ rungs: [PressureRung], atWorst: Bool) -> Double {
    let rung = rungs[index]
    if let gain = rung.gain { return 1 / max(gain, rung.least) }
    let group = groups.last { $0.range.contains(index) }
    let worst = max(group?.factor ?? 0, rung.least, 0.05)
    let likely = max(expected(index, rungs), worst)
    return atWorst ? 1 / worst : 1 / (worst * likely).squareRoot()
  }

  /// Begins to measure a change.
  ///
  /// - Parameter before: the mean share before it; nil if unknown.
  mutating func changed(_ range: Range<Int>, isUndo: Bool, before: Double?) {
    if let before {
      trial = Trial(range: range, isUndo: isUndo, before: before)
    } else if let last = trial, !isUndo, !last.isUndo, last.range.upperBound == range.lowerBound {
      // No frame since the last steps: what was before them is before these.
      trial = Trial(range: last.range.lowerBound..<range.upperBound, isUndo: false, before: last.before)
    } else {
      trial = nil
    }
    // What was engaged again is in a new group, if any.
    if !isUndo { groups.removeAll { $0.range.overlaps(range) } }
  }

  /// Takes what was measured since the change.
  mutating func learn(_ history: LoadHistory, _ rungs: inout [PressureRung]) {
    guard let trial, let after = history.meanShare(), after > 0, trial.before > 0 else { return }
    let ratio = trial.isUndo ? trial.before / after : after / trial.before
    let unknown = trial.range.filter { rungs[$0].kind != .frameRate }
    // Exact factors of frame rates are taken out of what several steps did together.
    let exact = trial.range.filter { rungs[$0].kind == .frameRate }
      .reduce(1) { $0 * (rungs[$1].gain ?? 1) }
    if let only = unknown.first, unknown.count == 1 {
      rungs[only].gain = min(1, max(rungs[only].least, ratio / exact))
    } else if !unknown.isEmpty, !trial.isUndo {
      groups.removeAll { $0.range == trial.range }
      groups.append(Group(range: trial.range, factor: min(1, ratio / exact)))
    }
    if history.windows.count >= Self.windows { close(trial, rungs) }
  }

  private mutating func close(_ trial: Trial, _ rungs: [PressureRung]) {
    self.trial = nil
    guard trial.isUndo else { return }
    groups = groups.compactMap { group in
      guard group.range.overlaps(trial.range) else { return group }
      // What the others still do together.
      let undone = trial.range.clamped(to: group.range).filter { rungs[$0].kind != .frameRate }
      let factor = undone.reduce(group.factor) { $0 / (rungs[$1].gain ?? 1) }
      let rest = group.range.lowerBound..<max(group.range.lowerBound, trial.range.lowerBound)
      return rest.isEmpty ? nil : Group(range: rest, factor: min(1, factor))
    }
  }

  /// The change did not happen.
  mutating func abandon() { trial = nil }

  /// Step `index` is gone; those above it move down.
  mutating func removed(_ index: Int) {
    trial = nil
    groups = groups.compactMap { group in
      guard !group.range.contains(index) else { return nil }
      guard group.range.lowerBound > index else { return group }
      return Group(range: (group.range.lowerBound - 1)..<(group.range.upperBound - 1), factor: group.factor)
    }
  }
}
