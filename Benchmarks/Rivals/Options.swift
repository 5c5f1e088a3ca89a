import BenchmarkSupport
import Safelight

/// The options of the command line.
struct Options {
  /// Measures only works whose name contains this; nil measures all.
  var only: String?
  /// Whether rough figures are enough: fewer and shorter runs.
  var isQuick = false
  /// Whether only works with bars are measured, and a lost bar is an error.
  var checks = false
  /// Whether rivals are measured.
  var comparesRivals = true
  /// The file for the page.
  var report: String?
  /// The folder for the page, whose file is named after the processor.
  var results: String?
  /// The file for the figures, as JSON.
  var json: String?
  var program = ".build/release/safelight"
  var thresholds = "Benchmarks/thresholds.json"
  /// The folder of the pages that figures are compared with.
  var pages = "Benchmarks/Results"
  var helper = "Benchmarks/Rivals/rivals.py"
  var python = "Benchmarks/.rivals/bin/python"
  /// The folder for pictures during the run; nil uses memory if there is room.
  var folder: String?
  /// Whether only the names of the works are listed.
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
