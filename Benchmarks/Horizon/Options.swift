import BenchmarkSupport

/// The options of the command line.
struct Options {
  /// The number of scenes of each kind.
  var sceneCount = 40
  /// Files and folders of photos.
  var photos: [String] = []
  /// A table of names and labels, separated by tabs: `level`, `none` or anything else.
  var labels: String?
  /// How many of the worst answers are drawn, and into which folder.
  var worst: (count: Int, folder: String)?
  /// The file for the tables, as Markdown.
  var report: String?
  /// Whether the coefficients of the confidence are fitted and printed.
  var fits = false
  /// The file for a table with one row per answer, for inspection.
  var answers: String?

  static let usage = """
    usage: HorizonEvaluation [--scenes N] [--labels FILE.tsv] [--worst N DIR] [--report FILE.md]
                             [--answers FILE.tsv] [--fit] [PHOTO | DIR]…
    """

  init(_ arguments: some Collection<String>) throws {
    var reader = ArgumentReader(arguments, usage: Self.usage)
    while let argument = reader.next() {
      switch argument {
      case "--scenes": sceneCount = try reader.count(of: argument, least: 0)
      case "--labels": labels = try reader.value(of: argument)
      case "--worst": worst = (try reader.count(of: argument, least: 0), try reader.value(of: argument))
      case "--report": report = try reader.value(of: argument)
      case "--answers": answers = try reader.value(of: argument)
      case "--fit": fits = true
      case _ where argument.hasPrefix("-"): throw reader.unknown(argument)
      default: photos.append(argument)
      }
    }
  }
}
