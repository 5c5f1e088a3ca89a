import Safelight
import Libc

/// How many files the process may have open. libdispatch, on which Swift's own threads run, ends the process where it
/// cannot open those that it waits with; so this is looked at before.
enum OpenFileLimit {
  /// The standard streams, the libraries' own, a source, its wake-ups and a few targets.
  static let needed = 16

  /// - Throws: `SafelightError(.noResources)` where live frames cannot be counted on to work.
  static func check() throws {
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    guard (0..<needed).contains(limit) else { return }
    throw SafelightError(
      .noResources, "The process may have \(limit) files open, and live frames take \(needed)",
      remedy: "raise the limit (ulimit -n)")
  }
}
