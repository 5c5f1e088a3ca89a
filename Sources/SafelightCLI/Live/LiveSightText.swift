import Safelight

extension LiveReport.Sight {
  /// For the status line: `horizon -1.2° (0.87)`, `motion 2 (0.8 ms)`.
  var words: [String] {
    reading.words
      + detectors.map { name in
        let count = tracks.count { LiveDetectors.entry(name)?.kind == $0.detection.kind }
        let cost = statistics.analyses[name].map { " (\(LiveStatusLine.milliseconds($0.meanSeconds)))" } ?? ""
        return "\(name) \(count)\(cost)"
      }
  }

  /// What the analyses cost, for the end of a run: `motion 0.8 ms, at most 2.1 ms, 50 looks`; nil if there were none.
  var costs: String? {
    let analyses = statistics.analyses.filter { $0.value.runs > 0 }.sorted { $0.key < $1.key }
    guard !analyses.isEmpty else { return nil }
    return analyses.map { name, cost in
      "\(name) \(LiveStatusLine.milliseconds(cost.meanSeconds)), at most "
        + "\(LiveStatusLine.milliseconds(cost.longestSeconds)), \(cost.runs) looks"
        + (cost.failures > 0 ? ", \(cost.failures) failed" : "")
    }.joined(separator: " · ")
  }
}

extension LiveReport.Action {
  /// `motion:start → capture: 3 times, 1 too soon after the last, 1 failed`
  var words: String {
    "\(event) → \(action): \(fired) time\(fired == 1 ? "" : "s")"
      + (suppressed > 0 ? ", \(suppressed) too soon after the last" : "")
      + (failed > 0 ? ", \(failed) failed" : "")
  }
}

extension LiveEvent {
  private static let longestText = 80

  /// What comes and goes, for people; nil for the rest.
  var words: String? {
    switch subject {
    case .focusPeak(let peak): return "Sharpest: \(PlainNumber.fixed(peak.value, 2))"
    case .detection(let event):
      let track = event.track
      let text = track.detection.text.map { " “\($0.prefix(Self.longestText))”" } ?? ""
      let name = "\(track.detection.kind.rawValue) \(track.id)\(text)"
      switch event.phase {
      case .new:
        return "Seen: \(name)" + (track.zones.isEmpty ? "" : ", in \(track.zones.joined(separator: ", "))")
      case .end:
        return
          "Gone: \(name), after \(PlainNumber.fixed(track.lastSeen.seconds(since: track.firstSeen), 1)) s"
      case .still, .update: return nil
      }
    }
  }
}
