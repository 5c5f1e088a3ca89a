import Safelight
import Synchronization
import Libc

/// Says how a live run goes: one calm line on a terminal, lines or JSON where asked for, and a summary at the end.
final class LiveReporter {
  /// Where reports go.
  private enum Style {
    /// One line that is written over, on a terminal.
    case statusLine
    /// In the preview, below the picture.
    case preview
    /// A line an interval.
    case lines
    /// JSON, an object a line.
    case json
    /// Only the summary.
    case quiet
  }

  /// The newest status line, for the preview.
  let line = StatusText()

  private let style: Style
  private let interval: Double
  private let began = Timestamp.now
  private var last: (statistics: LiveStatistics, time: Timestamp)
  private var first: LiveStatistics?
  private var hasAnnounced = false
  /// JSON goes where pictures do not.
  private let toStandardError: Bool
  private let renderer: any Renderer

  init(_ command: LiveCommand, _ renderer: any Renderer) {
    self.renderer = renderer
    interval = command.stats ?? 1
    last = (LiveStatistics(), began)
    toStandardError = command.writesToStandardOutput
    style =
      if command.json { .json } else if command.targets.contains(.preview) { .preview } else if isatty(2) == 1
      {
        .statusLine
      } else if command.stats != nil { .lines } else { .quiet }
  }

  /// Something that happened once, such as a camera's unplugging.
  func message(_ text: String) {
    switch style {
    case .preview: line.note(text)
    case .statusLine:
      Output.statusLine("")
      Output.note(text)
    default: Output.note(text)
    }
  }

  /// Reports where it is time to.
  func tick(
    _ statistics: LiveStatistics, _ format: StreamFormat, _ analyzer: LiveAnalyzer?, _ look: LiveLook
  ) throws {
    if !hasAnnounced, statistics.rendered > 0 {
      hasAnnounced = true
      // The first interval starts with the first picture, so that opening the source does not lower its rates.
      last = (statistics, Timestamp.now)
      return
    }
    let now = Timestamp.now
    let seconds = now.seconds(since: last.time)
    guard hasAnnounced, seconds >= interval else { return }
    let part = LiveStatistics.Interval(from: last.statistics, to: statistics, seconds: seconds)
    last = (statistics, now)
    let sight = analyzer.map(LiveReport.Sight.init)
    let text =
      "\(format.summary) · "
      + LiveStatusLine.text(part, total: statistics, extra: look.words + (sight?.words ?? []))
    switch style {
    case .statusLine: Output.statusLine(text)
    case .preview: line.text = text
    case .lines: Output.note(text)
    case .json: try report(.interval, statistics, part, sight)
    case .quiet: break
    }
  }

  /// Tells of something that was seen: in JSON of everything, otherwise of what comes and goes.
  func tell(_ event: LiveEvent) throws {
    switch style {
    case .json: try Output.jsonLine(LiveEventReport(event), toStandardError: toStandardError)
    case .statusLine, .lines: if let words = event.words { message(words) }
    // The picture shows it.
    case .preview, .quiet: break
    }
  }

  func end(
    _ statistics: LiveStatistics, _ end: LivePipeline.End?, _ analyzer: LiveAnalyzer?,
    _ actions: [LiveReport.Action]?
  ) throws {
    let sight = analyzer.map(LiveReport.Sight.init)
    let seconds = Timestamp.now.seconds(since: began)
    guard style == .json else {
      if style == .statusLine { Output.statusLine("") }
      Output.note(LiveStatusLine.summary(statistics))
      if let costs = sight?.costs, style != .preview { Output.note(costs) }
      for action in actions ?? [] where style != .preview { Output.note(action.words) }
      return
    }
    try report(
      .end, statistics, LiveStatistics.Interval(from: LiveStatistics(), to: statistics, seconds: seconds),
      sight, actions, end: end)
  }

  private func report(
    _ kind: LiveReport.Kind, _ statistics: LiveStatistics, _ interval: LiveStatistics.Interval,
    _ sight: LiveReport.Sight? = nil, _ actions: [LiveReport.Action]? = nil, end: LivePipeline.End? = nil
  ) throws {
    let report = LiveReport(
      kind, seconds: Timestamp.now.seconds(since: began), backend: renderer.backendReport,
      total: statistics, interval: interval, sight: sight, actions: actions, end: end)
    try Output.jsonLine(report, toStandardError: toStandardError)
  }
}

/// The text below a preview: the status line, or a message for its first seconds.
final class StatusText: Sendable {
  private struct State {
    var text = ""
    var note: (text: String, time: Timestamp)?
  }
  private let state = Mutex(State())
  /// Seconds that a message stands.
  private static let noteTime = 3.0

  var text: String {
    get {
      state.withLock { state in
        if let note = state.note, Timestamp.now.seconds(since: note.time) < Self.noteTime { return note.text }
        return state.text
      }
    }
    set { state.withLock { $0.text = newValue } }
  }

  func note(_ text: String) { state.withLock { $0.note = (text, Timestamp.now) } }
}

extension LiveLook {
  /// What keys have changed, for status lines.
  var words: [String] {
    (showsOriginal ? ["before"] : [])
      + (strength == 1 ? [] : ["strength \(PlainNumber.fixed(100 * strength, 0)) %"])
  }
}

extension StreamFormat {
  /// `1280×720 yuyv422 30 fps`
  var summary: String {
    let encoding = if case .mjpeg = encoding { "mjpeg" } else { pixelFormat.rawValue }
    let rate =
      framesPerSecond > 0 ? " \(PlainNumber.fixed(framesPerSecond, framesPerSecond.isWhole ? 0 : 2)) fps" : ""
    return "\(size) \(encoding)\(rate)"
  }
}

extension Double {
  fileprivate var isWhole: Bool { self == rounded() }
}
