import FrameCore

/// How far a producer of rows is, and how far its consumer: one advances and finishes, the other waits and lets go of
/// what it needs no more.
final class RowProgress: Sendable {
  private struct State {
    var rows = 0
    /// Rows above this one are needed no more.
    var released = 0
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

  /// Rows above `row` may be written over.
  func release(before row: Int) {
    monitor.update { $0.released = max($0.released, row) }
  }

  /// Returns once rows above `row` may be written over; false where an end was put to it.
  func waitForRelease(before row: Int) -> Bool {
    monitor.wait { state -> Bool? in
      if state.end != nil { return false }
      return state.released >= row ? true : nil
    }
  }
}
