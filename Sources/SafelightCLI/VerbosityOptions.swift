import ArgumentParser
import Synchronization

/// How much the program says beside what it is asked for.
enum Verbosity: Sendable {
  /// Errors alone.
  case quiet
  case usual
  /// What was decided, too.
  case verbose

  private static let shared = Mutex(Verbosity.usual)

  /// Of this run; set by the options.
  static var current: Verbosity {
    get { shared.withLock { $0 } }
    set { shared.withLock { $0 = newValue } }
  }
}

/// `--quiet` and `--verbose`, of all commands.
struct VerbosityOptions: ParsableArguments {
  @Flag(help: "Print only errors and the output that was asked for")
  var quiet = false

  @Flag(help: "Also print what is decided, on standard error")
  var verbose = false

  mutating func validate() throws {
    guard !quiet || !verbose else {
      throw ValidationError("--quiet and --verbose exclude each other; give one of them.")
    }
    if quiet { Verbosity.current = .quiet }
    if verbose { Verbosity.current = .verbose }
  }
}
