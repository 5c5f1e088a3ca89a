import Safelight
import Synchronization
import Libc

/// Says on a terminal at standard error how many of a known number of things are done. Says nothing elsewhere, and nothing
/// of what takes less than half a second. From any thread.
final class CountedProgress: Sendable {
  private struct State {
    var done = 0
    var isShown = false
  }

  private let what: String
  private let total: Int
  private let isTerminal = isatty(2) == 1
  private let began = Timestamp.now
  private let state = Mutex(State())

  /// - Parameter what: what has been done to them: `measured 12/340 · DSC_0012.JPG`.
  init(_ what: String, of total: Int) { (self.what, self.total) = (what, total) }

  /// - Parameter path: what was done last.
  func advance(_ path: String) {
    state.withLock { state in
      state.done += 1
      guard isTerminal, total > 1, Timestamp.now.seconds(since: began) > 0.5 else { return }
      state.isShown = true
      Output.statusLine(
        VisibleText.fitting("\(what) \(state.done)/\(total) · \(path.fileName)", width: 78))
    }
  }

  /// Takes the line away.
  func end() { state.withLock { if $0.isShown { Output.statusLine("") } } }
}
