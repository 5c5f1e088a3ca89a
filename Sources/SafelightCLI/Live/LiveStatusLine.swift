import Safelight

/// The status line of a live run, from two readings of its statistics.
struct LiveStatusLine {
  /// `in 30.0 fps · out 30.0 fps · latency 4.1 ms, p99 6.3 ms · dropped 2 late`
  static func text(_ interval: LiveStatistics.Interval, total: LiveStatistics, extra: [String] = []) -> String
  {
    var parts = [
      "in \(PlainNumber.fixed(interval.captured, 1)) fps",
      "out \(PlainNumber.fixed(interval.rendered, 1)) fps",
    ]
    if let median = interval.latency.percentile(0.5), let p99 = interval.latency.percentile(0.99) {
      parts.append("latency \(milliseconds(median)), p99 \(milliseconds(p99))")
    }
    parts.append(drops(total))
    return (parts + extra).joined(separator: " · ")
  }

  /// The totals of the whole run, for its end.
  static func summary(_ total: LiveStatistics) -> String {
    var parts = [
      "\(total.rendered) frame\(total.rendered == 1 ? "" : "s") in \(PlainNumber.fixed(total.seconds, 1)) s"
    ]
    if total.rendered > 1, total.seconds > 0 {
      parts.append("\(PlainNumber.fixed(Double(total.rendered - 1) / total.seconds, 1)) fps")
    }
    if let median = total.latency.percentile(0.5), let p99 = total.latency.percentile(0.99) {
      parts.append("latency \(milliseconds(median)), p99 \(milliseconds(p99))")
    }
    parts.append(drops(total))
    for sink in total.sinks where sink.dropped > 0 {
      parts.append("\(sink.name) took \(sink.written) of \(sink.offered)")
    }
    for sink in total.sinks where sink.repeated > 0 || sink.skipped > 0 {
      parts.append("\(sink.name) repeated \(sink.repeated) and left out \(sink.skipped) to keep time")
    }
    return parts.joined(separator: " · ")
  }

  /// `dropped 3 late, 1 corrupt`, or `dropped 0`.
  static func drops(_ total: LiveStatistics) -> String {
    var reasons = DropReason.allCases.compactMap { reason -> String? in
      let count = total.frames[reason]
      return count > 0 ? "\(count) \(reason.text)" : nil
    }
    if total.unrendered > 0 { reasons.append("\(total.unrendered) because sinks held all pictures") }
    if total.spared > 0 { reasons.append("\(total.spared) to spare the machine") }
    return "dropped " + (reasons.isEmpty ? "0" : reasons.joined(separator: ", "))
  }

  static func milliseconds(_ seconds: Double) -> String {
    "\(PlainNumber.fixed(seconds * 1000, seconds < 0.1 ? 1 : 0)) ms"
  }
}

extension LiveAnalyzer.Reading {
  /// For the status line: `horizon -1.2° (0.87)`.
  var words: [String] {
    var words: [String] = []
    if let horizon {
      let angle = horizon.degrees.map {
        PlainNumber.fixed($0, 1) + "° (\(PlainNumber.fixed(horizon.confidence, 2)))"
      }
      words.append("horizon " + (angle ?? "none"))
    }
    if let tone { words.append("lightness \(PlainNumber.fixed(tone.mean, 2))") }
    if let sharpness {
      words.append("sharpness " + (sharpness.value.map { PlainNumber.fixed($0, 2) } ?? "–"))
    }
    if let clipping {
      words.append(
        "clipped \(PlainNumber.fixed(100 * clipping.highlights, 1)) % high, "
          + "\(PlainNumber.fixed(100 * clipping.shadows, 1)) % low")
    }
    if let focus { words.append("focus " + (focus.value.map { PlainNumber.fixed($0, 2) } ?? "–")) }
    return words
  }
}

extension DropReason {
  /// As in `2 late, 1 corrupt`.
  var text: String {
    switch self {
    case .late: "late"
    case .outOfBuffers: "out of buffers"
    case .discontinuity: "lost by the source"
    case .missedDeadline: "not made in time by the source"
    case .corrupt: "corrupt"
    }
  }
}
