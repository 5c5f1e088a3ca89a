/// Async work that the main thread starts and waits for, or polls: the bridge to the library's async functions.
///
/// Not for use in tasks: a blocked thread of their pool may be the one that the work needs.
package final class Blocking: Sendable {
  /// A callback of the work, called once it has the threads that it needs.
  package typealias Begun = @Sendable () -> Void
  /// Makes a task of async work.
  package typealias Starter = @Sendable (@escaping @Sendable () async -> Void) -> Void

  private struct State {
    var hasBegun = false
    var result: Result<Void, any Error>?
  }
  private let state = Monitor(State())
  /// The time that the work may take to begin, in seconds, and its end.
  private let patience: Double
  private let deadline: Timestamp

  /// Begins the work.
  ///
  /// - Parameters:
  ///   - whenDone: called once it is done or has failed, on any thread.
  ///   - patience: the seconds that it may take to begin, since the system may have no thread for it.
  ///   - starter: starts the task; may block for ever.
  /// - Throws: `SafelightError(.noResources)` if the system refuses a thread at once.
  package init(
    whenDone: @escaping @Sendable () -> Void = {}, patience: Double = 20,
    starter: @escaping Starter = { work in _ = Task.detached { await work() } },
    _ body: @escaping @Sendable (_ begun: @escaping Begun) async throws -> Void
  ) throws {
    self.patience = patience
    deadline = Timestamp.now.advanced(bySeconds: patience)
    let state = state
    // If the system has no thread for a task, libdispatch keeps retrying on the submitting thread. Therefore that
    // is a thread nobody waits for.
    try WorkerThread(name: "task-start") {
      starter {
        do {
          try await body { state.update { $0.hasBegun = true } }
          state.update { $0.result = .success(()) }
        } catch {
          state.update { $0.result = .failure(error) }
        }
        whenDone()
      }
    }.detach()
  }

  /// Whether the work is done.
  ///
  /// - Throws: as `wait`.
  package func isDone() throws -> Bool {
    let (hasBegun, result) = state.read { ($0.hasBegun, $0.result) }
    if let result {
      try result.get()
      return true
    }
    guard hasBegun || Timestamp.now < deadline else { throw noThread }
    return false
  }

  /// Waits until the work is done.
  ///
  /// - Throws: the error of the work; `SafelightError(.noResources)` if the system has no thread for it.
  package func wait() throws {
    let hasBegun = state.wait(until: deadline) { $0.hasBegun || $0.result != nil ? true : nil }
    guard hasBegun != nil else { throw noThread }
    try state.wait { $0.result }.get()
  }

  private var noThread: SafelightError {
    SafelightError(
      .noResources, "Cannot start a thread within \(PlainNumber.text(patience)) s",
      remedy: "raise the limits of memory and processes (ulimit -v, ulimit -u) or run fewer programs")
  }
}
