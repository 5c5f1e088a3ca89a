import Safelight

/// The summary of a batch, for people.
enum BatchSummary {
  /// `58 done · 1 skipped · 2 failed · 7.2 photos/s · 86 Mpx/s · 8 s, 15 s on one core`
  ///
  /// - Parameter isWatch: whether a folder was watched; the next watch then edits what is left.
  static func text(_ report: BatchReport, isWatch: Bool = false) -> String {
    let (done, skipped, failed) = (report.count(.done), report.count(.skipped), report.count(.failed))
    var parts = ["\(done) done"]
    if skipped > 0 {
      // A user who gets no result at all wants to know why.
      let reasons = Set(report.entries.filter { $0.status == .skipped }.map(\.reason))
      let reason = done + failed == 0 && reasons.count == 1 ? reasons.first ?? nil : nil
      parts.append("\(skipped) skipped" + (reason.map { ": \($0)" } ?? ""))
    }
    if failed > 0 { parts.append("\(failed) failed") }
    let left = report.count(.left)
    if left > 0 {
      parts.append(isWatch ? "\(left) left for the next watch" : "\(left) left; continue with --resume")
    }
    if done > 0, report.seconds > 0 {
      parts.append("\(PlainNumber.fixed(Double(done) / report.seconds, 1)) photos/s")
      parts.append("\(PlainNumber.fixed(report.megapixels / report.seconds, 0)) Mpx/s")
    }
    let work = report.entries.reduce(0) { $0 + ($1.seconds ?? 0) }
    let saved = work - report.seconds
    parts.append(BatchProgressLine.duration(report.seconds))
    if saved >= max(1, 0.1 * report.seconds) {
      parts.append("\(BatchProgressLine.duration(saved)) saved by editing several at a time")
    }
    return parts.joined(separator: " · ")
  }

  /// The warnings of all photos, grouped if they differ only in numbers and names.
  static func warnings(_ report: BatchReport) -> [String] {
    var groups: [(key: String, texts: [String])] = []
    var places: [String: Int] = [:]
    for entry in report.entries {
      for warning in entry.warnings {
        let key = BatchReport.kind(of: warning, entry)
        let text = warning.contains(entry.input) ? warning : "\(entry.input): \(warning)"
        if let place = places[key] {
          groups[place].texts.append(text)
        } else {
          places[key] = groups.count
          groups.append((key, [text]))
        }
      }
    }
    return groups.flatMap { group in
      group.texts.count <= 3 ? group.texts : ["\(group.texts.count) photos, the first: \(group.texts[0])"]
    }
  }

  /// The photos that were to be straightened and are as they were; nil if there are none.
  static func crooked(_ report: BatchReport) -> String? {
    let asked = report.entries.compactMap { entry in entry.auto?.straighten.map { (entry.input, $0) } }
    let left = asked.filter { $0.1.degrees == nil }
    guard let first = left.first else { return nil }
    return
      "\(left.count) of \(asked.count) photos not straightened, the first: \(first.0): \(first.1.summary)"
  }

  /// The failures with their reasons, grouped by reason.
  static func failures(_ report: BatchReport) -> [String] {
    report.failures.flatMap { reason, entries in
      guard entries.count > 1 else {
        return entries.map { entry in
          let reason = entry.reason ?? ""
          return "Failed: " + (reason.contains(entry.input) ? reason : "\(entry.input): \(reason)")
        }
      }
      let more = entries.count - 5
      return ["Failed, \(entries.count) photos, the first: \(reason)"]
        + entries.prefix(5).map { "  \($0.input)" } + (more > 0 ? ["  … and \(more) more; see --json"] : [])
    }
  }
}
