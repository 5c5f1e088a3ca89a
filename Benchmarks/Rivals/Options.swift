import BenchmarkSupport
import Safelight

/// What to measure, from the command line.
struct Options {
  /// Works whose name has this in it; nil takes all.
  var only: String?
  /// Whether a hint of the figures is enough: fewer and shorter runs.
  var isQuick = false
  /// Whether only what bars need is measured, and a lost bar is an error.
  var checks = false
  /// Whether rivals are measured.
  var comparesRivals = true
  /// Where the page is written.
  var report: String?
  /// The folder where it is written under the name of the processor.
  var results: String?
  /// Where the figures are written as JSON.
  var json: String?
  var program = ".build/release/safelight"
  var thresholds = "Benchmarks/thresholds.json"
  /// The folder of the pages that figures are compared with.
  var pages = "Benchmarks/Results"
  var helper = "Benchmarks/Rivals/rivals.py"
  var python = "Benchmarks/.rivals/bin/python"
  /// Where pictures are kept while it runs; nil takes memory where there is room.
  var folder: String?
  /// Whether the names of the works are all that is wanted.
  var lists = false

  static let usage = """
    usage: RivalEvaluation [--only NAME] [--quick] [--check] [--no-rivals] [--list]
                           [--report FILE.md | --results DIR] [--json FILE.json] [--program PATH] [--folder DIR]
                           [--thresholds FILE.json] [--pages DIR] [--helper FILE.py] [--python PATH]
    """

  init(_ arguments: some Collection<String>) throws {
    var reader = ArgumentReader(arguments, usage: Self.usage)
    while let argument = reader.next() {
      switch argument {
      case "--only": only = try reader.value(of: argument)
      case "--quick": isQuick = true
      case "--check": checks = true
      case "--no-rivals": comparesRivals = false
      case "--report": report = try reader.value(of: argument)
      case "--results": results = try reader.value(of: argument)
      case "--json": json = try reader.value(of: argument)
      case "--program": program = try reader.value(of: argument)
      case "--thresholds": thresholds = try reader.value(of: argument)
      case "--pages": pages = try reader.value(of: argument)
      case "--helper": helper = try reader.value(of: argument)
      case "--python": python = try reader.value(of: argument)
      case "--folder": folder = try reader.value(of: argument)
      case "--list": lists = true
      default: throw reader.unknown(argument)
      }
    }
    if isQuick, results != nil {
      throw SafelightError(
        .invalidValue, "A quick run makes hints, which are not kept among results",
        remedy: "leave out --quick, or take --report")
    }
  }
}
