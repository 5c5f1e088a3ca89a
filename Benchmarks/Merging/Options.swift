import BenchmarkSupport

/// The options of the command line.
struct Options {
  /// Photos that serve as scenes beside the drawn one; at least 2000 × 1160 pixels.
  var photos: [String] = []
  /// The number of frames that are merged.
  var frames = 8
  /// The number of timed runs; the median counts.
  var runs = 9
  /// The Python that has OpenCV; nil leaves it out.
  var python: String?
  /// The folder for pictures of the results.
  var pictures: String?
  /// The file for the tables, as Markdown.
  var report: String?

  static let usage = """
    usage: MergeEvaluation [--frames N] [--runs N] [--opencv PYTHON] [--pictures DIR]
                           [--report FILE.md] [PHOTO]…
    """

  init(_ arguments: some Collection<String>) throws {
    var reader = ArgumentReader(arguments, usage: Self.usage)
    while let argument = reader.next() {
      switch argument {
      case "--frames": frames = try reader.count(of: argument, least: 2)
      case "--runs": runs = try reader.count(of: argument)
      case "--opencv": python = try reader.value(of: argument)
      case "--pictures": pictures = try reader.value(of: argument)
      case "--report": report = try reader.value(of: argument)
      case _ where argument.hasPrefix("-"): throw reader.unknown(argument)
      default: photos.append(argument)
      }
    }
  }
}
