import ArgumentParser
import Synchronization

/// How much the program prints besides its requested output.
enum Verbosity: Sendable {
  /// Only errors.
  case quiet
  case usual
  /// Decisions, too.
  case verbose

  private static let shared = Mutex(Verbosity.usual)

  /// The verbosity of this run, set by the options.
  static var current: Verbosity {
    get { shared.withLock { $0 } }
    set { shared.withLock { $0 = newValue } }
  }
}

/// `--quiet` and `--verbose`, for all commands.
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
