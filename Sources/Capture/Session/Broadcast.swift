import Synchronization

/// Distributes values to any number of asynchronous sequences, each with a bounded buffer: a slow reader loses its
/// own oldest values and delays nobody.
final class Broadcast<Element: Sendable>: Sendable {
  private struct State {
    var nextKey = 0
    var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
  }
  private let state = Mutex(State())
  private let limit: Int

  /// - Parameter keepingNewest: the number of values that wait for a reader; it loses older ones.
  init(keepingNewest limit: Int) { self.limit = limit }

  /// Returns the values from now on, preceded by `first` if given. Ends when the reader's task is cancelled or at
  /// `finish()`.
  func stream(after first: Element? = nil) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(limit))
    if let first { continuation.yield(first) }
    let key = state.withLock { state in
      state.nextKey += 1
      state.continuations[state.nextKey] = continuation
      return state.nextKey
    }
    continuation.onTermination = { [weak self] _ in
      // Not under the lock that `send` uses, since a stream may end while a value is being passed to it.
      self?.state.withLock { _ = $0.continuations.removeValue(forKey: key) }
    }
    return stream
  }

  /// Sends a value to all readers; without readers, this only costs a lock.
  func send(_ element: @autoclosure () -> Element) {
    let continuations = state.withLock { $0.continuations }
    guard !continuations.isEmpty else { return }
    let element = element()
    for continuation in continuations.values { continuation.yield(element) }
  }

  /// Ends all current sequences once their values have been read.
  func finish() {
    let continuations = state.withLock { $0.continuations }
    for continuation in continuations.values { continuation.finish() }
  }

  deinit { finish() }
}
