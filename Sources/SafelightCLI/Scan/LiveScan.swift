import ArgumentParser
import Libc
import Safelight

/// Watches a live source, and takes each page that lies still.
final class LiveScan {
  /// Why no more pages are taken.
  private enum End {
    case enough, signal(Int32), sourceEnded, late(Double)
  }

  private let options: ScanSourceOptions
  private let scan: DocumentScan
  private let pages: ScannedPages
  private let output: String
  private let signals: Signals
  private let source: LiveSource
  private let input: any CaptureInput
  private let session = CaptureSession()
  private let messages = SessionMessages()
  private let frames: VideoDataOutput
  private let preview: ScanPreview?
  private let watch = PageWatch()
  private let renderer = CPURenderer()
  private var reports: [ScanReport] = []
  private var told: ScanGuideText?
  /// What is to be told if it stays so, and since when it is.
  private var pending: (text: ScanGuideText, since: Timestamp)?
  private var hasSeenPage = false

  /// The time for the first frame, in seconds: cameras set up exposure first.
  private static let patience = 10.0
  /// Of what changes to and fro in a shorter time, in seconds, nothing is told.
  private static let restlessness = 0.25

  /// - Throws: `SafelightError` if there is no such source, or the terminal cannot show a preview.
  init(
    _ options: ScanSourceOptions, _ scan: DocumentScan, to pages: ScannedPages, output: String,
    _ signals: Signals
  ) throws {
    (self.options, self.scan, self.pages, self.output) = (options, scan, pages, output)
    self.signals = signals
    source = try LiveSource(options.source ?? "default")
    // Every frame of a file is looked at, however long that takes; a file that is watched keeps its own rate.
    let isPaced = !source.isFile || options.preview
    input = try source.makeInput(
      paced: isPaced, size: options.requested.size, framesPerSecond: options.requested.fps)
    frames = VideoDataOutput(lateFrames: isPaced ? .discard(keepingNewest: 1) : .keepAll(limit: 2))
    preview = options.preview ? try ScanPreview { [signals] in signals.wake() } : nil
  }

  /// Takes pages until there are enough of them, and completes the file.
  ///
  /// - Parameter tell: gets what was taken, and the length of the file in bytes.
  /// - Throws: `SafelightError` if no page was taken, or fewer than asked for: these are written all the same.
  func run(tell: ([ScanReport], Int) throws -> Void) throws {
    defer { preview?.close() }
    let outcome = Result {
      defer { session.stopAndWait() }
      try start()
      return try follow()
    }
    preview?.close()
    guard !reports.isEmpty else { throw try failure(outcome.get()) }
    signals.release()
    try tell(reports, try pages.finish())
    switch try outcome.get() {
    case .enough: break
    case .signal, .sourceEnded, .late:
      guard let wanted = options.pages, reports.count < wanted else { break }
      throw SafelightError(
        .invalidValue, "Only \(reports.count) of \(wanted) pages were taken, and are in \(output)",
        remedy: "lay each down until it is taken, and take it away before the next")
    }
  }

  private func start() throws {
    let (session, input, frames, shown, options) = (session, input, frames, preview?.output, options)
    // Nothing is mirrored: pages must be readable.
    let connection = Connection(mirroring: .off)
    try messages.follow(session.states)
    try Blocking { begun in
      try await session.configure {
        begun()
        try $0.add(input)
        try $0.add(frames, connection: connection)
        if let shown { try $0.add(shown, connection: connection) }
        $0.request = options.requested.request()
        $0.settling = input is DeviceInput ? .automatic : .off
      }
    }.wait()
    try preview?.start()
    let opening = try Blocking { begun in
      await session.reach(begun)
      try await session.start()
    }
    while try !opening.isDone() {
      if let signal = signals.wait(seconds: 0.01) { throw ExitCode(128 + signal) }
    }
  }

  private func follow() throws -> End {
    let began = Timestamp.now
    var hasFrame = false
    told = .searching
    say(ScanGuideText.searching.rawValue)
    while true {
      if let signal = signals.wait(seconds: 0) { return .signal(signal) }
      if preview?.isClosed == true { return .signal(SIGINT) }
      for message in messages.take() { say(message.text) }
      if let failure = messages.failure { throw failure }
      let seconds = Timestamp.now.seconds(since: began)
      if let limit = options.seconds, seconds > limit { return .late(limit) }
      guard let frame = frames.nextFrame(until: Timestamp.now.advanced(bySeconds: 0.05)) else {
        if frames.isFinished {
          if case .failed(let failure) = session.state { throw failure }
          return .sourceEnded
        }
        guard hasFrame || seconds < Self.patience else {
          throw SafelightError(
            .device, "No frame came from \(input.name) within \(PlainNumber.fixed(Self.patience, 0)) s",
            remedy: "check that the source sends pictures")
        }
        continue
      }
      hasFrame = true
      let page = try watch.look(at: frame)
      hasSeenPage = hasSeenPage || watch.guide.outline != nil
      preview?.show(watch.guide)
      if let page { try take(page, in: frame) }
      if let wanted = options.pages, reports.count >= wanted { return .enough }
      tell(ScanGuideText(watch.guide.state), at: frame.time)
    }
  }

  private func take(_ found: Detection, in frame: Frame) throws {
    let page = try scan.scan(frame, showing: found, renderer: renderer)
    try pages.append(page)
    let report = ScanReport(page, number: reports.count + 1, of: source.description, writtenTo: output)
    reports.append(report)
    say("Page \(report.page) taken: \(report.words)")
  }

  // MARK: Telling

  private func tell(_ next: ScanGuideText, at time: Timestamp) {
    guard next != told else {
      pending = nil
      return
    }
    let since = pending.flatMap { $0.text == next ? $0.since : nil } ?? time
    pending = (next, since)
    guard next == .next || time.seconds(since: since) >= Self.restlessness else { return }
    (told, pending) = (next, nil)
    say(next.rawValue)
  }

  private func say(_ text: String) {
    if let preview { preview.say(text) } else { Output.note(text) }
  }

  /// Why no page was taken.
  private func failure(_ end: End) -> any Error {
    let what: String
    switch end {
    case .signal(let number):
      Output.note("No page was taken, so nothing is written.")
      return ExitCode(128 + number)
    case .late(let limit): what = "No page was taken within \(PlainNumber.text(limit)) s"
    case .sourceEnded, .enough: what = "The source ended before a page was taken"
    }
    return hasSeenPage
      ? SafelightError(
        .invalidValue, "\(what): one was seen, but it did not lie still and sharp for long enough",
        remedy: "hold it still for \(PlainNumber.text(watch.guide.settings.holdSeconds)) s")
      : SafelightError(
        .invalidValue, "\(what): none was seen",
        remedy: "show all four edges of a page, before something that differs from it")
  }
}

/// What to do for a page to be taken.
enum ScanGuideText: String {
  case searching = "Looking for a page …"
  case moving = "A page: hold it still …"
  case holdStill = "Hold still …"
  case next = "Take it away, and lay down the next, or press Ctrl-C."

  init(_ state: DocumentGuide.State) {
    self =
      switch state {
      case .searching: .searching
      case .found: .moving
      case .holdStill: .holdStill
      case .steady: .next
      }
  }
}

extension ScanReport {
  /// `A4, measured …`, for people.
  var words: String {
    let paper = paper ?? "\(PlainNumber.fixed(proportions, 3)) : 1"
    return "\(paper), \(explanation)"
  }
}
