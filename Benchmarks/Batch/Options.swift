import Safelight

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
    var rest = arguments[...]
    func value(of name: String) throws -> String {
      guard let text = rest.popFirst() else {
        throw SafelightError(.invalidValue, "\(name) needs a value.", remedy: Self.usage)
      }
      return text
    }
    func number(of name: String) throws -> Int {
      let text = try value(of: name)
      guard let number = Int(text), number > 0 else {
        throw SafelightError(.invalidValue, "\(name) is \"\(text)\", not a count.", remedy: Self.usage)
      }
      return number
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--photos": photoCount = try number(of: argument)
      case "--corpus": corpus = try value(of: argument)
      case "--program": program = try value(of: argument)
      case "--runs": runs = try number(of: argument)
      case "--no-rivals": comparesRivals = false
      case "--report": report = try value(of: argument)
      case "--json": json = try value(of: argument)
      default:
        throw SafelightError(.invalidValue, "There is no option \(argument).", remedy: Self.usage)
      }
    }
  }
}
