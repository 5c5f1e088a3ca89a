import FrameCore

/// The progress of a producer of rows and its consumer: one advances and finishes, the other waits and releases
/// what it no longer needs.
final class RowProgress: Sendable {
  private struct State {
    var rows = 0
    /// Rows above this one are no longer needed.
    var released = 0
    var end: Result<Void, any Error>?
  }
  private let monitor = Monitor(State())

  func advance(to rows: Int) { monitor.update { $0.rows = rows } }

  /// Ends production: waiting threads continue, or receive the error. Only the first call counts.
  func finish(_ result: Result<Void, any Error>) {
    monitor.update { if $0.end == nil { $0.end = result } }
  }

  /// Returns once `rows` rows are available or the producer has ended.
  ///
  /// - Throws: the producer's error.
  func wait(for rows: Int) throws {
    try monitor.wait { state -> Void? in
      if case .failure(let error)? = state.end { throw error }
      return state.rows >= rows || state.end != nil ? () : nil
    }
  }

  /// Returns once the producer has ended.
  func waitForEnd() throws { try monitor.wait { $0.end }.get() }

  /// Allows rows above `row` to be overwritten.
  func release(before row: Int) {
    monitor.update { $0.released = max($0.released, row) }
  }

  /// Returns true once rows above `row` may be overwritten; false if production has ended.
  func waitForRelease(before row: Int) -> Bool {
    monitor.wait { state -> Bool? in
      if state.end != nil { return false }
      return state.released >= row ? true : nil
    }
  }
}
