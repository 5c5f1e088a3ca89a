import FrameCore

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
    var rest = arguments[...]
    func value(of name: String) throws -> String {
      guard let text = rest.popFirst() else {
        throw SafelightError(.invalidValue, "\(name) needs a value.", remedy: Self.usage)
      }
      return text
    }
    func number(of name: String) throws -> Int {
      let text = try value(of: name)
      guard let number = Int(text), number >= 0 else {
        throw SafelightError(.invalidValue, "\(name) is \"\(text)\", not a count.", remedy: Self.usage)
      }
      return number
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--scenes": sceneCount = try number(of: argument)
      case "--labels": labels = try value(of: argument)
      case "--worst": worst = (try number(of: argument), try value(of: argument))
      case "--report": report = try value(of: argument)
      case "--answers": answers = try value(of: argument)
      case "--fit": fits = true
      case _ where argument.hasPrefix("-"):
        throw SafelightError(.invalidValue, "There is no option \(argument).", remedy: Self.usage)
      default: photos.append(argument)
      }
    }
  }
}
