import Safelight

/// The state of the studio's camera, which belongs to a thread of its own: `StudioCamera` has it handle what happens.
/// Whatever takes long — opening, closing, controls, movies — is done by a worker beside it.
final class CameraDesk {
  typealias Event = @Sendable (CameraDesk) -> Void
  typealias Post = @Sendable (@escaping Event) -> Void

  /// What runs beside the desk.
  struct Parts: Sendable {
    let sources: CameraSources
    let viewfinder: Viewfinder
    let aside: CameraAside
    /// Opens and closes sources, sets controls, begins and ends movies: one after another.
    let worker: SerialWorker
    let renderer: CPURenderer
    /// Where photos and movies go.
    let folder: String
    /// Puts a written photo into the list, and calls back with its id.
    let photoTaken: @Sendable (_ path: String, _ listed: @escaping @Sendable (_ id: String) -> Void) -> Void
  }

  /// A page that is connected.
  final class Page {
    let peer: any StudioPeer
    var isShowing = false
    var assist = CameraAssist()

    init(_ peer: any StudioPeer) { self.peer = peer }
  }

  enum Phase: Equatable {
    case closed, opening
    case running
    /// Waits by itself until the cause is gone.
    case interrupted
    case failed
  }

  let parts: Parts
  let post: Post
  var pages: [Int: Page] = [:]
  var look: CameraLook
  var phase = Phase.closed
  /// The source that is shown, or was last, and the format that was asked for.
  var entry: CameraSources.Entry?
  var wantedFormat: Int?
  var run: CameraRun?
  /// Changes with each opening: what comes from earlier ones is not heard.
  var generation = 0
  var problem: SafelightError?
  /// Of frames, upright.
  var size: PixelSize?
  var capabilities: [CameraCapability] = []
  var microphone: String?
  var pressure = SystemPressureMonitor()
  /// Bursts and brackets under way, with what they are answered by.
  var series: [(series: CameraSeries, order: CameraPhotos.Order)] = []
  var movie: CameraMovie?
  /// Whether a movie is being begun or ended.
  var isMovieChanging = false
  var level = CameraLevel()
  private var lookVersion = 0
  /// Of requests for small pictures.
  var looksVersion = 0
  /// When the camera is closed, since no page shows it.
  private var closesAt: Timestamp?
  private var nextReport: Timestamp?
  private var nextMovieReport = Timestamp(nanoseconds: 0)
  private var lastReport = Timestamp.now
  private var captured = 0

  /// Seconds that the camera stays open after the last page has left it.
  static let patience = 3.0
  private static let (reportInterval, movieInterval, seriesInterval) = (1.0, 0.2, 0.05)

  init(_ parts: Parts, post: @escaping Post) {
    (self.parts, self.post) = (parts, post)
    look = CameraLook(folder: parts.folder)
  }

  /// The pages that show the camera.
  var viewers: [Page] { pages.values.filter(\.isShowing) }

  func tell(_ type: String, _ fields: [String: JSONValue]) {
    for page in viewers { page.peer.send(type, fields) }
  }

  // MARK: Time

  /// Does what is due; returns when something is again.
  func work() -> Timestamp {
    let now = Timestamp.now
    var next: [Timestamp] = []
    if let closesAt {
      if closesAt <= now { close() } else { next.append(closesAt) }
    }
    tellEndedSeries()
    if !series.isEmpty { next.append(now.advanced(bySeconds: Self.seriesInterval)) }
    if movie != nil, !isMovieChanging {
      if nextMovieReport <= now {
        nextMovieReport = now.advanced(bySeconds: Self.movieInterval)
        reportMovie()
      }
      next.append(nextMovieReport)
    }
    if let due = nextReport {
      if due <= now {
        report(at: now)
        nextReport = now.advanced(bySeconds: Self.reportInterval)
      }
      next.append(nextReport ?? now)
    }
    return next.min() ?? now.advanced(bySeconds: 3600)
  }

  /// Pages came or went: the camera is closed a while after the last one has left.
  func updateViewers() {
    let isSeen = !viewers.isEmpty
    if isSeen {
      closesAt = nil
    } else if run != nil || phase == .opening || phase == .failed {
      closesAt = closesAt ?? .now.advanced(bySeconds: Self.patience)
    }
    parts.aside.findLevel(run != nil && viewers.contains { $0.assist.level })
  }

  func startReports() {
    (lastReport, nextReport) = (.now, Timestamp.now.advanced(bySeconds: Self.reportInterval))
    captured = run?.output.statistics.captured ?? 0
  }

  func stopReports() { (nextReport, closesAt) = (nil, nil) }

  // MARK: The look

  /// Has frames rendered with the newest look.
  ///
  /// - Parameter input: of a page whose change this is.
  func showLook(input: (peer: Int, number: Int)? = nil) {
    lookVersion += 1
    parts.viewfinder.show(
      Viewfinder.Look(recipe: look.recipe, zoom: look.zoom, version: lookVersion), input: input)
    movie?.change(look.recipe)
  }

  /// A look could not be shown: whoever made it is told.
  func lookFailed(_ error: any Error, version: Int) {
    guard version == lookVersion else { return }
    for page in viewers { page.peer.send(error, photo: CameraRequest.photo) }
  }

  // MARK: Reports

  private func report(at now: Timestamp) {
    guard let run else { return }
    let seconds = max(0.001, now.seconds(since: lastReport))
    let total = run.output.statistics.captured
    let rate = Double(total - captured) / seconds
    (captured, lastReport) = (total, now)
    let (pressure, level) = (pressure.current.level, level)
    let reports = parts.viewfinder.takeReports()
    for page in viewers {
      guard let report = reports[page.peer.id] else { continue }
      func milliseconds(_ fraction: Double) -> JSONValue {
        report.latency.percentile(fraction).map { .number(PlainNumber.rounded(1000 * $0, 1)) } ?? .null
      }
      page.peer.send(
        "live",
        [
          "fps": .number(PlainNumber.rounded(Double(report.sent) / seconds, 1)),
          "captured": .number(PlainNumber.rounded(rate, 1)), "dropped": report.drops.json,
          "latency": .object(["p50": milliseconds(0.5), "p95": milliseconds(0.95)]),
          "pressure": .string(pressure.rawValue),
          "levelDegrees": page.assist.level ? level.degrees.map { .number($0) } ?? .null : .null,
          "confidence": .number(page.assist.level ? level.confidence : 0),
          "evidence": .array(page.assist.level ? level.evidence : []),
        ])
    }
  }
}

extension ViewfinderPage.Drops {
  /// By reason.
  var json: JSONValue {
    .object([
      "page": .number(page), "late": .number(late), "source": .number(source), "failed": .number(failed),
    ])
  }
}
