import BenchmarkSupport

/// The options of the command line.
struct Options {
  /// The number of photos in the corpus.
  var photoCount = 200
  /// The folder where the corpus is, or is made and kept; nil makes one for this run.
  var corpus: String?
  /// The program to measure.
  var program = ".build/release/safelight"
  /// The number of runs of fast contenders; the median counts.
  var runs = 3
  /// The file for the tables, as Markdown.
  var report: String?
  /// The file for the figures, as JSON.
  var json: String?
  /// Whether competitors are measured.
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
