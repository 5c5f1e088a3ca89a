import BenchmarkSupport

/// What the command line asks for.
struct Options {
  /// Scenes of each kind.
  var sceneCount = 40
  /// Files and folders of photos.
  var photos: [String] = []
  /// A table of names and labels, tab between them: `level`, `none` or anything else.
  var labels: String?
  /// How many of the worst answers are drawn, and where to.
  var worst: (count: Int, folder: String)?
  /// Where the tables are written as Markdown.
  var report: String?
  /// Whether the coefficients of the confidence are fitted and printed.
  var fits = false
  /// Where every answer is written as a row of a table, for looking into.
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
