import BenchmarkSupport

/// What to measure, from the command line.
struct Options {
  /// Photos of the corpus.
  var photoCount = 200
  /// Where the corpus lies, or is made to stay; nil makes one for this run.
  var corpus: String?
  /// The program to measure.
  var program = ".build/release/safelight"
  /// Runs of what is fast; the median counts.
  var runs = 3
  /// Where the tables are written as Markdown.
  var report: String?
  /// Where the figures are written as JSON.
  var json: String?
  /// Whether rivals are measured.
  var comparesRivals = true

  static let usage = """
    usage: BatchEvaluation [--photos N] [--corpus DIR] [--program PATH] [--runs N] [--no-rivals]
                           [--report FILE.md] [--json FILE.json]
    """

  init(_ arguments: some Collection<String>) throws {
    var reader = ArgumentReader(arguments, usage: Self.usage)
    while let argument = reader.next() {
      switch argument {
      case "--photos": photoCount = try reader.count(of: argument)
      case "--corpus": corpus = try reader.value(of: argument)
      case "--program": program = try reader.value(of: argument)
      case "--runs": runs = try reader.count(of: argument)
      case "--no-rivals": comparesRivals = false
      case "--report": report = try reader.value(of: argument)
      case "--json": json = try reader.value(of: argument)
      default: throw reader.unknown(argument)
      }
    }
  }
}
