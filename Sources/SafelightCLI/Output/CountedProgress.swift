import Safelight
import Synchronization
import Libc

/// Shows on a terminal at standard error how many of a known number of items are done. Shows nothing elsewhere,
/// or if the work takes less than half a second. May be used from any thread.
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

  /// - Parameter what: what is done to the items: `measured 12/340 · DSC_0012.JPG`.
  init(_ what: String, of total: Int) { (self.what, self.total) = (what, total) }

  /// - Parameter path: the item that was finished last.
  func advance(_ path: String) {
    state.withLock { state in
      state.done += 1
      guard isTerminal, total > 1, Timestamp.now.seconds(since: began) > 0.5 else { return }
      state.isShown = true
      Output.statusLine(
        VisibleText.fitting("\(what) \(state.done)/\(total) · \(path.fileName)", width: 78))
    }
  }

  /// Removes the line.
  func end() { state.withLock { if $0.isShown { Output.statusLine("") } } }
}
