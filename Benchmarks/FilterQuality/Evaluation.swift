import BenchmarkSupport
import Glibc
import Safelight

/// Measures what filters do to pictures, beside what is known to be right: noise that was added, edges without halos,
/// previews beside exports, the contrast of edges, the granularity of film, and bands in ramps.
///
///     swift run -c release --package-path Benchmarks FilterEvaluation --help
@main struct Evaluation {
  static func main() {
    do {
      if CommandLine.arguments.contains("--help") {
        print(Options.usage)
        return
      }
      try Machine.limitProcessors(to: 2)
      try Evaluation(options: try Options(CommandLine.arguments.dropFirst())).run()
    } catch {
      progress("FilterEvaluation: \(error)")
      exit(1)
    }
  }

  let options: Options
  let report = MarkdownReport()

  private func run() throws {
    report.title("What filters do to pictures")
    report.say(
      "All on the processor's renderer, in float unless said otherwise. The tests hold the other renderers to the same pictures: "
        + "within 1 of 255, with geometry 2.")
    try reportEdges()
    try reportHaze()
    try reportGlow()
    try reportNoise()
    try reportSharpness()
    try reportGrain()
    try reportBands()
    try reportPreviews()
    if let path = options.report {
      try FileContents.write(Array(report.text.utf8), to: path, overwrite: true)
    }
  }
}

/// The options of the command line.
struct Options {
  /// Photos that noise is added to and that previews are made of.
  var photos: [String] = []
  /// The Python that has OpenCV; nil leaves it out.
  var python: String?
  /// The file for the tables, as Markdown.
  var report: String?

  static let usage = "usage: FilterEvaluation [--opencv PYTHON] [--report FILE.md] [PHOTO]…"

  init(_ arguments: some Collection<String>) throws {
    var reader = ArgumentReader(arguments, usage: Self.usage)
    while let argument = reader.next() {
      switch argument {
      case "--opencv": python = try reader.value(of: argument)
      case "--report": report = try reader.value(of: argument)
      case _ where argument.hasPrefix("-"): throw reader.unknown(argument)
      default: photos.append(argument)
      }
    }
  }
}
