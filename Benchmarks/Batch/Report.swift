import BenchmarkSupport
import Glibc
import Safelight

/// The result tables of a run.
struct Report {
  private let markdown = MarkdownReport()
  var text: String { markdown.text }

  func write(
    _ bench: Bench, ours: [Contender], rivals: [Contender], missing: [Contender], options: Options
  ) {
    markdown.title("How fast a folder of photos is edited")
    markdown.say(
      "Printed by `BatchEvaluation` (CONTRIBUTING.md) on \(Machine.date) on \(processorCount) cores of "
        + "\(Processor.current), \(Machine.system); \(SafelightVersion.software) with \(CPURenderer.instructionSet)."
    )
    markdown.say("Photos: \(bench.corpus.description).")
    markdown.say(
      """
      The edit: exposure, white balance, contrast, a 33³ table, straighten by 2°, 2048 pixels, JPEG with quality 92 and \
      4:4:4. Rivals do what of it they have, in the cheapest order; the commands are below. Times are medians of \
      runs that took turns (\(options.runs) of what works on all photos), processes started and files written. Memory is \
      the sum of the proportional set sizes of all processes (`smaps_rollup`), sampled every 50 ms in a run of its own.
      """)
    markdown.table(
      ["", "photos", "photos/s", "Mpx/s", "wall s", "processor s", "processor ms/Mpx", "peak MB"],
      (ours + rivals).compactMap { contender in
        guard let result = bench.results[contender.name], result.failure == nil else { return nil }
        return [
          contender.name, "\(result.photos)", fixed(result.photosPerSecond, 2),
          fixed(result.megapixelsPerSecond, 1), fixed(result.seconds, 2), fixed(result.processorSeconds, 2),
          fixed(result.processorMillisecondsPerMegapixel, 1), "\(result.peakMemory / 1_000_000)",
        ]
      })
    bars(bench, ours, rivals)
    colors(bench, ours, rivals)
    for contender in missing { markdown.say("Left out: \(contender.name): \(contender.reason).") }
    for contender in ours + rivals {
      if let reason = bench.results[contender.name]?.failure {
        markdown.say("Failed: \(contender.name): \(reason).")
      }
    }
    commands(bench, ours, rivals, options)
  }

  private func bars(_ bench: Bench, _ ours: [Contender], _ rivals: [Contender]) {
    guard let one = bench.results[ours[0].name], let two = bench.results[ours[1].name],
      let direct = bench.results[ours[2].name], one.failure == nil, two.failure == nil
    else { return }
    func row(_ what: String, _ value: Double, _ sign: String, _ bar: Double, _ digits: Int = 2) -> [String] {
      let isMet = sign == "≥" ? value >= bar : value <= bar
      return [what, fixed(value, digits), "\(sign) \(fixed(bar, digits))", isMet ? "met" : "missed"]
    }
    var rows = [
      row("2 jobs against 1", one.seconds / two.seconds, "≥", 1.85),
      row("peak memory with 2 jobs, MB", Double(two.peakMemory) / 1e6, "≤", 600, 0),
      row(
        "processes of their own against none, processor time", two.processorSeconds / direct.processorSeconds,
        "≤", 1.05),
    ]
    var names: [String] = []
    for rival in rivals.map(\.rival) where !names.contains(rival) { names.append(rival) }
    for name in names {
      let results = rivals.filter { $0.rival == name }.compactMap { bench.results[$0.name] }
        .filter { $0.failure == nil }
      guard let best = results.map(\.megapixelsPerSecond).max() else { continue }
      rows.append(
        row("against \(name)", two.megapixelsPerSecond / best, "≥", name.hasPrefix("vips") ? 1.5 : 10))
    }
    markdown.say(
      "Ratios of megapixels a second, Safelight with 2 jobs, against the better way of each rival:")
    markdown.table(["", "ratio", "bar", ""], rows)
  }

  /// Levels of 255 by which a channel's mean may differ from ours: programs weigh exposure, contrast and white
  /// balance differently, and some have no table; a picture that was not edited or not decoded differs by more.
  private static let tolerance = 48.0

  /// Whether the programs' pictures agree.
  private func colors(_ bench: Bench, _ ours: [Contender], _ rivals: [Contender]) {
    guard let own = bench.results[ours[0].name]?.meanColor else { return }
    func text(_ color: SIMD3<Double>) -> String {
      [color.x, color.y, color.z].map { fixed($0, 0) }.joined(separator: ", ")
    }
    var parts: [String] = []
    for contender in ours.dropFirst() + rivals {
      guard let result = bench.results[contender.name], result.failure == nil else { continue }
      guard let color = result.meanColor else {
        parts.append("\(contender.name): no result of its name")
        continue
      }
      let difference = color - own
      let isAlike = max(difference.max(), -difference.min()) <= Self.tolerance
      parts.append("\(contender.name): \(text(color))" + (isAlike ? "" : " (beyond the tolerance)"))
    }
    markdown.say(
      "Mean colour (R, G, B of 255) of the first photo's result, which may differ by \(fixed(Self.tolerance, 0)) a channel from "
        + "\(text(own)), ours: " + parts.joined(separator: "; ") + ".")
  }

  private func commands(
    _ bench: Bench, _ ours: [Contender], _ rivals: [Contender], _ options: Options
  ) {
    markdown.heading("Commands")
    for contender in ours + rivals {
      let variables = contender.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value) " }
      let command = contender.commands(["PHOTO"], "OUTPUT").first ?? []
      markdown.say("\(contender.name):")
      // Paths on this machine are of no interest.
      let text = (variables + [command.joined(separator: " ")]).joined()
        .replacing(bench.folder, with: "WORK").replacing(options.program, with: "safelight")
      markdown.say("    " + text)
    }
    for (name, text) in [
      ("vips.py", VipsScript.text), ("edit.pp3", RawTherapeeProfile.text(longEdge: 2048)),
      ("edit.xmp", DarktableSidecar.text),
    ] where !rivals.isEmpty {
      markdown.say("`\(name)`:")
      markdown.code(text)
    }
    guard !rivals.isEmpty else { return }
    markdown.say(
      """
      vips has no 3D table. darktable does exposure, white balance, contrast and the reduction, RawTherapee these and \
      the turn: their tables and darktable's geometry cannot be given on the command line without its database; both \
      are left out in their favour; darktable subsamples colour at this quality (4:2:2). Versions: \(Self.versions(bench.folder).joined(separator: "; ")).
      """)
  }

  /// - Parameter folder: a folder of this run, where nothing else writes.
  private static func versions(_ folder: String) -> [String] {
    [
      ["vips", "--version"], ["convert", "--version"], ["darktable-cli", "--version"],
      ["rawtherapee-cli", "-v"],
    ].compactMap { Machine.version($0, folder: folder) }
  }
}
