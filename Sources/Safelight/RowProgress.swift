import FrameCore

/// How far a producer of rows is: it advances and finishes, others wait.
final class RowProgress: Sendable {
  private struct State {
    var rows = 0
    var end: Result<Void, any Error>?
  }
  private let monitor = Monitor(State())

  func advance(to rows: Int) { monitor.update { $0.rows = rows } }

  /// No more rows will come; those waiting go on, or get the error. Only the first end counts.
  func finish(_ result: Result<Void, any Error>) {
    monitor.update { if $0.end == nil { $0.end = result } }
  }

  /// Returns once `rows` rows are there, or the producer ended.
  ///
  /// - Throws: what the producer failed with.
  func wait(for rows: Int) throws {
    try monitor.wait { state -> Void? in
      if case .failure(let error)? = state.end { throw error }
      return state.rows >= rows || state.end != nil ? () : nil
    }
  }

  /// Returns once the producer has ended.
  func waitForEnd() throws { try monitor.wait { $0.end }.get() }
}
