import BenchmarkSupport
import FoundationEssentials
import Safelight

/// The results page of a run: the bars, then a table for each work.
struct ResultsPage {
  /// The machine and versions of a run.
  struct Setting {
    var commit: String
    var instructions: String
    var versions: [String]
    /// The number of ready processes before it began: above 0.5, something else was running.
    var load: Double
    var isQuick: Bool
  }

  typealias Result = (work: Work, measurements: [Measurement])

  private let markdown = MarkdownReport()
  var text: String { markdown.text }

  init(_ results: [Result], _ judgements: [Bar.Judgement], _ setting: Setting) {
    markdown.title("How fast Safelight is, beside others")
    markdown.say(
      "Printed by `make bench-rivals` (CONTRIBUTING.md) on \(Machine.date) on \(processorCount) cores of "
        + "\(Processor.current), \(Machine.system); \(SafelightVersion.software) at \(setting.commit) with "
        + "\(setting.instructions). Load average before: \(fixed(setting.load, 2))."
        + (setting.isQuick ? " A quick run: hints, not figures." : ""))
    markdown.say(
      """
      Everybody is held to two cores. Contenders take turns within one run on one machine (ABAB…, everybody first in \
      another round); absolute times are \
      this machine's, ratios carry over. Everybody's first run is not counted, and at least three are, but where it says \
      otherwise. The ratio of a contender is the median of its runs over the median of Safelight's; the least and the most \
      show the spread. Libraries run in a process of their own that times \
      each call by itself; FFmpeg's filters are timed by its `bench` filter, without start-up and reading; programs are \
      whole processes from start to end, their files in memory. Before timing, results are compared with Safelight's: \
      the mean and the largest difference of a pixel in levels of 255, without the outermost 8 pixels, must be \
      within the tolerance that is given, or the contender is left out. Edits, whose settings mean other things in each \
      program, are compared as 64×64 means after the mean and the gain of each channel were matched: the mean difference \
      must be at most \(fixed(Tolerance.edit.mean, 0)) levels, the number of pixels within 5 %, and the result nearer to \
      Safelight's than the unedited picture is.
      """)
    bars(judgements)
    for result in results { table(result) }
    markdown.heading("What took part")
    markdown.say(
      setting.versions.map { "- \($0)" }.joined(separator: "\n"))
    markdown.say(
      """
      Not here: libplacebo, which runs on Vulkan only, while these are works of a processor; darktable and RawTherapee \
      but for whole photos, since they have no other way in.
      """)
  }

  private func bars(_ judgements: [Bar.Judgement]) {
    guard !judgements.isEmpty else { return }
    markdown.heading("Bars")
    let lost = judgements.count { if case .lost = $0.verdict { true } else { false } }
    let known = judgements.count { if case .knownMiss = $0.verdict { true } else { false } }
    let met = judgements.count { if case .met = $0.verdict { true } else { false } }
    let apart = judgements.count { if case .notJudged = $0.verdict { true } else { false } }
    let skipped = judgements.count - lost - known - met - apart
    markdown.say(
      "\(met) met, \(known + lost) missed" + (apart > 0 ? ", \(apart) for other processors" : "")
        + (skipped > 0 ? ", \(skipped) not measured" : "")
        + ". “≤” is Safelight's time over the other's, “≥” the other's over Safelight's.")
    markdown.table(
      ["", "against", "measured", "bar", ""], leftAligned: [0, 1, 4],
      judgements.map { judgement in
        let bar = judgement.bar
        let unit =
          bar.against.isEmpty ? bar.unit.map { $0.rawValue.isEmpty ? "" : " " + $0.rawValue } ?? "" : " ×"
        return [
          bar.name, bar.against.isEmpty ? "" : judgement.rival,
          judgement.value.map { Self.number($0) + unit } ?? "-",
          (bar.sense == .atMost ? "≤ " : "≥ ") + Self.number(bar.bar) + unit, Self.text(judgement.verdict),
        ]
      })
    let notes = judgements.flatMap { judgement in
      [judgement.bar.note, Self.reason(judgement.verdict)].compactMap { $0 }
        .map { "- \(judgement.bar.name): \($0)" }
    }
    if !notes.isEmpty { markdown.say(notes.joined(separator: "\n")) }
  }

  static func text(_ verdict: Bar.Verdict) -> String {
    switch verdict {
    case .met: "met"
    case .knownMiss: "missed"
    case .lost: "**missed**"
    case .notJudged: "for other processors"
    case .skipped: "not measured"
    }
  }

  /// Why a bar was not measured.
  private static func reason(_ verdict: Bar.Verdict) -> String? {
    if case .skipped(let reason) = verdict { "not measured: \(reason)" } else { nil }
  }

  private func table(_ result: Result) {
    let (work, measurements) = result
    markdown.heading(work.title)
    if !work.note.isEmpty { markdown.say(work.note) }
    guard let own = measurements.first?.value else {
      markdown.say("Not measured: \(measurements.first?.reason ?? "nobody took part").")
      return
    }
    let hasRates = work.pixels > 0 && work.quantity == .seconds
    let compares = measurements.contains { $0.difference != nil }
    var heads = ["", "median, \(Self.unit(work.quantity))", "least", "most", "runs"]
    if hasRates { heads.append("Mpx/s") }
    let hasKernels = hasRates && measurements.contains { $0.samplesPerPixel != nil }
    if hasKernels { heads.append("ns a sample") }
    heads.append("ratio")
    if compares { heads += ["differs: mean", "max"] }
    let rows = measurements.compactMap { measurement -> [String]? in
      guard let value = measurement.value else { return nil }
      let scaled = measurement.samples.map { $0 * measurement.scale }
      let spread = [scaled.min() ?? .nan, scaled.max() ?? .nan]
      var row = [measurement.title, Self.text(value, work.quantity)]
      row += spread.map { Self.text($0, work.quantity) } + ["\(scaled.count)"]
      if hasRates { row.append(Self.number(Double(work.pixels) / 1e6 / value)) }
      if hasKernels {
        row.append(
          measurement.samplesPerPixel.map { fixed(value * 1e9 / Double(work.pixels * $0), 3) } ?? "")
      }
      row.append(measurement.id == measurements.first?.id ? "1" : Self.number(value / own))
      if compares {
        row += [measurement.difference?.mean, measurement.difference?.maximum].map { difference in
          difference.map { $0.isNaN ? "-" : fixed($0, 2) } ?? ""
        }
      }
      return row
    }
    markdown.table(heads, rows)
    for measurement in measurements {
      guard let reason = measurement.reason else { continue }
      markdown.say("Left out: \(measurement.title): \(reason).")
    }
  }

  // MARK: Figures

  private static func unit(_ quantity: Work.Quantity) -> String {
    switch quantity {
    case .seconds: "ms"
    case .bytes: "MB"
    case .number: "value"
    }
  }

  private static func text(_ value: Double, _ quantity: Work.Quantity) -> String {
    number(quantity == .seconds ? value * 1e3 : quantity == .bytes ? value / 1e6 : value)
  }

  /// Three significant digits, without an exponent.
  static func number(_ value: Double) -> String {
    let size = abs(value)
    return fixed(value, size >= 100 || value == value.rounded() ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3)
  }
}

/// The figures of a run as JSON, for programs.
struct ResultsFile: Encodable {
  struct Row: Encodable {
    var work, contender, title: String
    var samples: [Double]
    var scale: Double
    var meanDifference, maximumDifference: Double?
    var leftOut: String?
  }

  struct Judged: Encodable {
    var name, verdict, against: String
    var value: Double?
    var bar: Double
  }

  var commit: String
  var rows: [Row]
  var bars: [Judged]

  init(_ results: [ResultsPage.Result], _ judgements: [Bar.Judgement], commit: String) {
    self.commit = commit
    rows = results.flatMap { work, measurements in
      measurements.map {
        Row(
          work: work.id, contender: $0.id, title: $0.title, samples: $0.samples, scale: $0.scale,
          meanDifference: $0.difference?.mean,
          maximumDifference: $0.difference.flatMap { $0.maximum.isNaN ? nil : $0.maximum }, leftOut: $0.reason
        )
      }
    }
    bars = judgements.map {
      Judged(
        name: $0.bar.name, verdict: Self.word($0.verdict), against: $0.rival, value: $0.value,
        bar: $0.bar.bar)
    }
  }

  private static func word(_ verdict: Bar.Verdict) -> String {
    switch verdict {
    case .met: "met"
    case .knownMiss: "missed, as known"
    case .lost: "lost"
    case .notJudged: "not judged"
    case .skipped: "skipped"
    }
  }

  func bytes() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
  }
}
