import Synchronization

/// Whether work is to end early: shared by who asks for that and who does the work on threads of its own.
package final class WorkCancellation: Sendable {
  private struct State {
    var isCancelled = false
    var handlers: [Int: @Sendable () -> Void] = [:]
    var next = 0
  }
  private let state = Mutex(State())

  package init() {}

  /// - Throws: `CancellationError` where the work is to end.
  package func check() throws {
    guard !state.withLock({ $0.isCancelled }) else { throw CancellationError() }
  }

  package func cancel() {
    let handlers = state.withLock { state in
      state.isCancelled = true
      defer { state.handlers = [:] }
      return state.handlers.values
    }
    for handler in handlers { handler() }
  }

  /// Has `handler` called, from another thread, where the work is to end: it wakes what waits.
  ///
  /// - Returns: what `remove` takes when the handler's work is done.
  /// - Throws: `CancellationError` where the work is to end already.
  package func add(_ handler: @escaping @Sendable () -> Void) throws -> Int {
    try state.withLock { state in
      guard !state.isCancelled else { throw CancellationError() }
      state.next += 1
      state.handlers[state.next] = handler
      return state.next
    }
  }

  package func remove(_ number: Int?) {
    guard let number else { return }
    state.withLock { _ = $0.handlers.removeValue(forKey: number) }
  }
}

/// Runs `body` on a thread of its own while the task waits. What decodes, renders and encodes computes for long and waits for
/// threads of its own: on a thread of Swift's pool it would keep other tasks from running.
///
/// - Parameter cancellation: told where the task is cancelled; `body` must look at it.
/// - Throws: what `body` throws; `CancellationError` where the task was cancelled before; `SafelightError` where the system
///   grants no more threads.
package func runOnThread<Value: Sendable>(
  named name: String, cancelling cancellation: WorkCancellation = WorkCancellation(),
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try Task.checkCancellation()
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      do {
        try WorkerThread(name: name) {
          continuation.resume(with: Result { try body() })
        }.detach()
      } catch {
        continuation.resume(throwing: error)
      }
    }
  } onCancel: {
    cancellation.cancel()
  }
}
