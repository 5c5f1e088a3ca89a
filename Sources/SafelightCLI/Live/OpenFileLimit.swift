import Safelight
import Libc

/// The number of files that the process may have open. libdispatch, on which Swift's own threads run, aborts the
/// process if it cannot open the descriptors that it waits with, so the limit is checked first.
enum OpenFileLimit {
  /// The standard streams, the libraries' own descriptors, a source, its wake-ups and a few targets.
  static let needed = 16

  /// - Throws: `SafelightError(.noResources)` if live frames may not work.
  static func check() throws {
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    guard (0..<needed).contains(limit) else { return }
    throw SafelightError(
      .noResources, "The process may have only \(limit) files open, but live frames need \(needed)",
      remedy: "raise the limit (ulimit -n)")
  }
}
