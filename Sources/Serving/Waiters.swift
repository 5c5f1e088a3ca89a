import Synchronization

/// Tasks that wait for values, each for one of a key, and for no longer than they said.
final class Waiters<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private typealias Continuation = CheckedContinuation<Value?, Never>

  private struct Waiter {
    let continuation: Continuation
    /// Ends the waiting.
    let timer: Task<Void, Never>

    func resume(returning value: Value?) {
      timer.cancel()
      continuation.resume(returning: value)
    }
  }

  private struct State {
    var waiting: [Key: [UInt64: Waiter]] = [:]
    var last: UInt64 = 0
    var isEnded = false
  }

  private let state = Mutex(State())

  var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

  /// Waits for a value.
  ///
  /// - Parameter present: returns a value that is there already; it must not ask for these waiters.
  /// - Returns: nil if none came in time, or at the end.
  func value(
    for key: Key, within time: Duration, unless present: @Sendable () -> Value? = { nil }
  ) async -> Value? {
    let id = state.withLock { state in
      state.last += 1
      return state.last
    }
    return await withCheckedContinuation { (continuation: Continuation) in
      // Nil if there is something to wait for.
      let answer = state.withLock { state -> Value?? in
        // Within the lock: what is given from now on finds this waiter.
        if let value = present() { return .some(value) }
        if state.isEnded { return .some(nil) }
        // It finds the waiter, as it needs the lock for that.
        let timer = Task {
          guard (try? await Task.sleep(for: time)) != nil else { return }
          take(id, of: key)?.resume(returning: nil)
        }
        state.waiting[key, default: [:]][id] = Waiter(continuation: continuation, timer: timer)
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  /// Gives a value to all that wait for it.
  func give(_ value: Value, to key: Key) {
    let waiting = state.withLock { $0.waiting.removeValue(forKey: key) }
    for waiter in waiting?.values.map({ $0 }) ?? [] { waiter.resume(returning: value) }
  }

  /// Nobody waits any longer.
  func end() {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      state.isEnded = true
      return state.waiting
    }
    for waiter in waiting.values.flatMap(\.values) { waiter.resume(returning: nil) }
  }

  private func take(_ id: UInt64, of key: Key) -> Waiter? {
    state.withLock { state in
      defer { if state.waiting[key]?.isEmpty == true { state.waiting[key] = nil } }
      return state.waiting[key]?.removeValue(forKey: id)
    }
  }
}
