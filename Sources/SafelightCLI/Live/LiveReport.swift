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
    /// Written again and left out, in a video of one rate, so that its time is that of the source.
    let repeated: Int
    let skipped: Int
    let dropped: Int
    let open: Bool
  }

  /// What was measured last; only what was asked for is there.
  struct Analyses: Encodable {
    /// Of the last frame alone: nil where it shows no horizon.
    let horizonDegrees: Double?
    let horizonConfidence: Double?
    /// Steadied over frames: what `--straighten auto` turns by.
    let levelDegrees: Double?
    /// 256 bins on OKLab lightness.
    let histogram: [UInt32]?
    let meanLightness: Double?
    let contrast: Double?
    let sharpness: Double?
    /// Parts of the picture, 0…1.
    let clippedHighlights: Double?
    let clippedShadows: Double?

    init(_ reading: LiveAnalyzer.Reading) {
      horizonDegrees = reading.horizon?.degrees.map { Output.rounded($0) }
      horizonConfidence = reading.horizon.map { Output.rounded($0.confidence) }
      levelDegrees = reading.level.map { Output.rounded($0) }
      histogram = reading.histogram?.lightness
      meanLightness = reading.tone.map { Output.rounded($0.mean) }
      contrast = reading.tone.map { Output.rounded($0.contrast) }
      sharpness = reading.sharpness?.value.map { Output.rounded($0) }
      clippedHighlights = reading.clipping.map { Output.rounded($0.highlights, 5) }
      clippedShadows = reading.clipping.map { Output.rounded($0.shadows, 5) }
    }
  }

  /// `interval` or `end`.
  let kind: String
  let seconds: Double
  /// What rendered last: `cpu`, `vulkan` or `reference`.
  let backend: String
  /// The GPU's name, where one rendered.
  let device: String?
  /// Why another backend took the place of the one that was to render.
  let fallback: String?
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
  /// From capture to the rendered picture; nil where frames are not live.
  let latency: Latency?
  /// What rendering alone took.
  let rendering: Latency?
  let sinks: [Sink]
  let analyses: Analyses?
  /// Why the run ended.
  let end: String?

  init(
    kind: String, seconds: Double, backend: BackendReport, total: LiveStatistics,
    interval: LiveStatusLine.Interval,
    analyses: Analyses? = nil, end: String? = nil
  ) {
    self.kind = kind
    self.seconds = Output.rounded(seconds)
    (self.backend, device, fallback) = (backend.backend, backend.device, backend.fallback)
    captured = total.frames.captured
    delivered = total.frames.delivered
    rendered = total.rendered
    waiting = total.frames.waiting
    dropped = Dictionary(uniqueKeysWithValues: DropReason.allCases.map { ($0.rawValue, total.frames[$0]) })
    unrendered = total.unrendered
    capturedPerSecond = Output.rounded(interval.captured)
    renderedPerSecond = Output.rounded(interval.rendered)
    latency = Latency(interval.latency)
    rendering = Latency(interval.rendering)
    sinks = total.sinks.map {
      Sink(
        name: $0.name, offered: $0.offered, written: $0.written, repeated: $0.repeated, skipped: $0.skipped,
        dropped: $0.dropped, open: $0.isOpen)
    }
    self.analyses = analyses
    self.end = end
  }
}
