import Safelight
import Libc

/// Reports the progress of a batch: a bar on a terminal, a line every few seconds elsewhere, and a summary at the
/// end.
final class BatchReporter {
  private let inputs: BatchInputs
  private let options: BatchOptions
  private let watched: String?
  private let isTerminal = isatty(2) == 1
  private let began = Timestamp.now
  private var lastLine = Timestamp.now
  private var rate = BatchRate()
  /// The time between lines without a terminal, in seconds.
  private static let interval = 5.0

  /// - Parameter watched: the watched folder, if any.
  init(_ inputs: BatchInputs, options: BatchOptions, watched: String?) {
    (self.inputs, self.options, self.watched) = (inputs, options, watched)
    for problem in inputs.problems where !inputs.photos.isEmpty { Output.note("Error: \(problem)") }
    for note in inputs.notes { Output.warning(note) }
    if let watched { Output.note("Watching \(watched); press Ctrl-C to stop") }
  }

  /// Whether standard output is reserved for the report.
  private var hasReportOnOutput: Bool { options.json == "-" }

  /// Prints a line for users: on standard error if the report is on standard output.
  private func line(_ text: String) {
    if hasReportOnOutput { Output.note(text) } else { Output.done(text) }
  }

  // MARK: While it runs

  func tick(_ progress: BatchRun.Progress) {
    let now = Timestamp.now
    rate.add(finished: progress.done + progress.failed, at: now.seconds(since: began))
    if watched != nil {
      for entry in progress.news where entry.status != .skipped { tell(entry) }
    } else if Verbosity.current == .verbose {
      for entry in progress.news where entry.status == .done { tell(entry) }
    }
    if isTerminal {
      Output.statusLine(
        BatchProgressLine.text(progress, rate: rate, isOpen: watched != nil, width: columns - 1))
    } else if watched == nil, now.seconds(since: lastLine) >= Self.interval {
      lastLine = now
      Output.note(BatchProgressLine.text(progress, rate: rate, isOpen: false, width: nil))
    }
  }

  /// Reports one photo of a watched folder.
  private func tell(_ entry: BatchReport.Entry) {
    clear()
    if entry.status == .done {
      for warning in entry.warnings { Output.warning("\(entry.input): \(warning)") }
      for found in entry.auto?.lines ?? [] { line("\(entry.input)  \(found)") }
      let size = "\(entry.width ?? 0)×\(entry.height ?? 0)"
      line("\(entry.input)  \(entry.output)  \(size)  \(PlainNumber.fixed(entry.seconds ?? 0, 2)) s")
      // Readers of a log need the line at once.
      try? Output.finish()
    } else {
      let reason = entry.reason ?? ""
      Output.note("Failed: " + (reason.contains(entry.input) ? reason : "\(entry.input): \(reason)"))
    }
  }

  func warn(_ text: String) {
    clear()
    Output.warning(text)
  }

  func stopping() {
    clear()
    Output.note("Finishing the photos in progress; press Ctrl-C again to abandon them")
  }

  private func clear() { if isTerminal { Output.statusLine("") } }

  private var columns: Int {
    var window = winsize()
    guard ioctl(2, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return 80 }
    return Int(window.ws_col)
  }

  // MARK: At the end

  func end(_ report: BatchReport) {
    clear()
    if watched == nil {
      BatchSummary.warnings(report).forEach { Output.warning($0) }
      BatchSummary.failures(report).forEach { Output.note($0) }
      if let crooked = BatchSummary.crooked(report) { Output.note(crooked) }
    }
    for note in report.notes ?? [] { Output.warning(note) }
    if let problem = report.problem { Output.note("Error: \(problem)") }
    line(BatchSummary.text(report, isWatch: watched != nil))
  }

  /// Reports files of a watched folder that were never complete.
  func tell(incomplete paths: [String]) {
    for path in paths { Output.warning("\(path) was not completely written and was not edited") }
  }

  /// - Returns: whether all results are on it.
  func drawSheet(_ report: BatchReport, in folder: String, to sheet: BatchContactSheet) throws -> Bool {
    let pictures = report.results.map {
      BatchContactSheet.Picture(path: FileContents.path($0.output, in: folder), name: $0.output)
    }
    guard !pictures.isEmpty else {
      Output.warning("There are no results to draw on \(sheet.path)")
      return true
    }
    let written: BatchContactSheet.Report
    do {
      written = try sheet.write(
        pictures, originals: report.entries.map(\.input),
        overwrite: options.overwrite)
    } catch let error as SafelightError {
      // The photos are done, but the report still has to be written.
      Output.note("Error: \(error)")
      return false
    }
    for warning in written.warnings + written.notes { Output.warning(warning) }
    let (first, last) = (written.pages.first ?? sheet.path, written.pages.last ?? sheet.path)
    line(
      written.pages.count > 1
        ? "\(first) … \(last)  \(pictures.count) pictures on \(written.pages.count) pages"
        : "\(first)  \(pictures.count) picture\(pictures.count == 1 ? "" : "s")")
    return written.warnings.isEmpty
  }

  /// - Parameter folder: the output folder.
  func write(_ report: BatchReport, in folder: String) throws {
    if let path = options.json, path != "-",
      let result = report.results.first(where: {
        FileContents.areSame(FileContents.path($0.output, in: folder), path)
      })
    {
      throw SafelightError(
        .invalidValue, "The report \(path) would replace a result, \(result.output)",
        remedy: "give it a name of its own")
    }
    try writeJSON(report.json())
  }

  /// `--dry-run`.
  func listing(_ results: [BatchRun.PlannedResult]) throws {
    if !hasReportOnOutput {
      for result in results {
        Output.entry(
          result.reason.map { "\(result.input)  \(result.action.rawValue): \($0)" }
            ?? "\(result.input)  \(result.output)"
            + (result.replaces == true ? "  replaces the existing file" : ""))
      }
    }
    try writeJSON(results.json())
  }

  /// - Parameter json: evaluated only if `--json` was given.
  private func writeJSON(_ json: @autoclosure () throws -> String) throws {
    guard let path = options.json else { return }
    let text = try json() + "\n"
    guard path != "-" else { return print(text, terminator: "") }
    try FileContents.write(
      Array(text.utf8), to: path, overwrite: options.overwrite || BatchReport.isReport(path)
    ).forEach(Output.warning)
  }
}
