import Synchronization

/// A request to end work early, shared by its requester and the threads that do the work.
package final class WorkCancellation: Sendable {
  private struct State {
    var isCancelled = false
    var handlers: [Int: @Sendable () -> Void] = [:]
    var next = 0
  }
  private let state = Mutex(State())

  package init() {}

  /// - Throws: `CancellationError` if the work was cancelled.
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

  /// Registers `handler` to be called, from another thread, if the work is cancelled, so that it can wake waiting
  /// threads.
  ///
  /// - Returns: the number to pass to `remove` once the handler is no longer needed.
  /// - Throws: `CancellationError` if the work is already cancelled.
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

/// Runs `body` on its own thread while the task waits. Decoding, rendering and encoding compute for long and wait
/// for their own threads; on a thread of Swift's pool they would block other tasks.
///
/// - Parameter cancellation: cancelled with the task; `body` must check it.
/// - Throws: what `body` throws; `CancellationError` if the task was cancelled before; `SafelightError` if the
///   system grants no more threads.
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
