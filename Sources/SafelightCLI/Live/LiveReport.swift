import Safelight

/// What `live --json` prints: an object a line, one for each interval and one at the end.
struct LiveReport: Encodable {
  struct Latency: Encodable {
    let p50Milliseconds: Double
    let p99Milliseconds: Double
    let maximumMilliseconds: Double

    init?(_ histogram: LatencyHistogram) {
      guard let p50 = histogram.percentile(0.5), let p99 = histogram.percentile(0.99) else { return nil }
      p50Milliseconds = Output.rounded(p50 * 1000)
      p99Milliseconds = Output.rounded(p99 * 1000)
      maximumMilliseconds = Output.rounded(histogram.maximum * 1000)
    }
  }
  struct Sink: Encodable {
    let name: String
    let offered: Int
    let written: Int
    let dropped: Int
    let open: Bool
  }

  /// `interval` or `end`.
  let kind: String
  let seconds: Double
  let captured: Int
  let delivered: Int
  let rendered: Int
  let waiting: Int
  /// By reason; together with `delivered` and `waiting` they make `captured`.
  let dropped: [String: Int]
  /// Delivered, but not rendered since sinks held all pictures.
  let unrendered: Int
  let capturedPerSecond: Double
  let renderedPerSecond: Double
  let latency: Latency?
  let sinks: [Sink]
  let analyses: [String: Double]?
  /// Why the run ended.
  let end: String?

  init(
    kind: String, seconds: Double, total: LiveStatistics, interval: LiveStatusLine.Interval,
    analyses: [String: Double] = [:], end: String? = nil
  ) {
    self.kind = kind
    self.seconds = Output.rounded(seconds)
    captured = total.frames.captured
    delivered = total.frames.delivered
    rendered = total.rendered
    waiting = total.frames.waiting
    dropped = Dictionary(uniqueKeysWithValues: DropReason.allCases.map { ($0.rawValue, total.frames[$0]) })
    unrendered = total.unrendered
    capturedPerSecond = Output.rounded(interval.captured)
    renderedPerSecond = Output.rounded(interval.rendered)
    latency = Latency(interval.latency)
    sinks = total.sinks.map {
      Sink(name: $0.name, offered: $0.offered, written: $0.written, dropped: $0.dropped, open: $0.isOpen)
    }
    self.analyses = analyses.isEmpty ? nil : analyses
    self.end = end
  }
}
