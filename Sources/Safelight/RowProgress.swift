import Dispatch
import Synchronization

/// How far a producer of rows is: one thread adds, one other waits.
final class RowProgress: Sendable {
  private struct State {
    var rows = 0
    var end: Result<Void, any Error>?
  }
  private let state = Mutex(State())
  private let changed = DispatchSemaphore(value: 0)

  func advance(to rows: Int) {
    state.withLock { $0.rows = rows }
    changed.signal()
  }

  /// No more rows will come; those waiting go on, or get the error.
  func finish(_ result: Result<Void, any Error>) {
    state.withLock { $0.end = result }
    changed.signal()
  }

  /// Returns once `rows` rows are there.
  ///
  /// - Throws: what the producer failed with.
  func wait(for rows: Int) throws {
    while true {
      let (ready, end) = state.withLock { ($0.rows >= rows, $0.end) }
      if case .failure(let error)? = end { throw error }
      if ready || end != nil { return }
      changed.wait()
    }
  }

  /// Returns once the producer has ended.
  func waitForEnd() throws {
    while true {
      if let end = state.withLock({ $0.end }) { return try end.get() }
      changed.wait()
    }
  }
}
