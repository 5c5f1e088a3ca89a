import FoundationEssentials
import Safelight

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Says how a batch goes: a bar on a terminal, a line every few seconds elsewhere, and a summary at the end.
final class BatchReporter {
  private let inputs: BatchInputs
  private let isTerminal = isatty(2) == 1
  private let began = Timestamp.now
  private var lastLine = Timestamp.now
  /// Seconds between lines where there is no terminal.
  private static let interval = 5.0

  init(_ inputs: BatchInputs) {
    self.inputs = inputs
    for problem in inputs.problems where !inputs.photos.isEmpty { Output.note("Error: \(problem)") }
    for note in inputs.notes { Output.warning(note) }
  }

  /// `--dry-run`.
  func listing(_ lines: [BatchRun.PlannedResult]) {
    for line in lines {
      if let reason = line.reason {
        Output.line("\(line.input)  \(line.isSkipped ? "skip" : "fail"): \(reason)")
      } else {
        Output.line("\(line.input)  \(line.output)")
      }
    }
  }

  func tick(_ progress: BatchRun.Progress) {
    let now = Timestamp.now
    guard isTerminal || now.seconds(since: lastLine) >= Self.interval else { return }
    lastLine = now
    let text = Self.text(progress, seconds: now.seconds(since: began), isTerminal: isTerminal)
    Output.note(isTerminal ? "\r\u{1B}[K" + text : text, terminator: isTerminal ? "" : "\n")
  }

  func stopping() {
    Output.note((isTerminal ? "\r\u{1B}[K" : "") + "Finishing the photos at work; Ctrl-C again gives them up")
  }

  /// `[██████░░░░] 61/100 · 7.2 photos/s · 5 s left · DSC_0061.JPG`
  static func text(_ progress: BatchRun.Progress, seconds: Double, isTerminal: Bool) -> String {
    let part = Double(progress.finished) / Double(max(progress.total, 1))
    var parts = ["\(progress.finished)/\(progress.total)"]
    if isTerminal {
      let width = 20
      let full = Int((part * Double(width)).rounded())
      parts[0] =
        "[" + String(repeating: "█", count: full) + String(repeating: "░", count: width - full) + "] "
        + parts[0]
    }
    if progress.failed > 0 { parts.append("\(progress.failed) failed") }
    if progress.done > 0, seconds > 0 {
      parts.append("\(PlainNumber.fixed(Double(progress.done) / seconds, 1)) photos/s")
      let left = seconds / Double(progress.finished) * Double(progress.total - progress.finished)
      parts.append("\(duration(left)) left")
    }
    if let current = progress.current.first {
      parts.append(current.split(separator: "/").last.map { String($0.prefix(40)) } ?? current)
    }
    return parts.joined(separator: " · ")
  }

  static func duration(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole % 3600 / 60) min"
  }

  func end(_ report: BatchReport) {
    if isTerminal { Output.note("\r\u{1B}[K", terminator: "") }
    for entry in report.entries {
      for warning in entry.warnings { Output.warning("\(entry.input): \(warning)") }
    }
    for (reason, photos) in report.failures {
      if photos.count == 1, let photo = photos.first {
        Output.note("Failed: \(reason.replacing("the photo", with: photo))")
      } else {
        Output.note("Failed, \(photos.count) photos: \(reason)")
        for photo in photos.prefix(5) { Output.note("  \(photo)") }
        if photos.count > 5 { Output.note("  … and \(photos.count - 5) more; see --json") }
      }
    }
    let (done, skipped, failed) = (report.count(.done), report.count(.skipped), report.count(.failed))
    var parts = ["\(done) done"]
    if skipped > 0 { parts.append("\(skipped) skipped") }
    if failed > 0 { parts.append("\(failed) failed") }
    let left = report.total - report.entries.count
    if left > 0 { parts.append("\(left) left; go on with --resume") }
    if done > 0, report.seconds > 0 {
      parts.append("\(PlainNumber.fixed(Double(done) / report.seconds, 1)) photos/s")
      parts.append("\(PlainNumber.fixed(report.megapixels / report.seconds, 0)) Mpx/s")
    }
    let work = report.entries.reduce(0) { $0 + ($1.seconds ?? 0) }
    parts.append(
      work > report.seconds * 1.1
        ? "\(Self.duration(report.seconds)), \(Self.duration(work)) on one core"
        : Self.duration(report.seconds))
    Output.line(parts.joined(separator: " · "))
  }

  func write(_ report: BatchReport, to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try FileContents.write([UInt8](try encoder.encode(report)) + [10], to: path)
  }
}
