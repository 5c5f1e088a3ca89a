import Synchronization

/// One source of values, any number of asynchronous sequences of them, each with a bounded buffer: a reader that is
/// slow or gone costs its own oldest values and nobody's time.
final class Broadcast<Element: Sendable>: Sendable {
  private struct State {
    var nextKey = 0
    var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
  }
  private let state = Mutex(State())
  private let limit: Int

  /// - Parameter keepingNewest: values that wait for a reader; older ones are lost to it.
  init(keepingNewest limit: Int) { self.limit = limit }

  /// The values from now on, after `first` where given. Ends when the reader's task is cancelled or at `finish()`.
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
      // Not under the lock of `send`: a stream may end while a value is being given to it.
      self?.state.withLock { _ = $0.continuations.removeValue(forKey: key) }
    }
    return stream
  }

  /// Whether anybody listens: where nobody does, `send` costs a lock and no more.
  func send(_ element: @autoclosure () -> Element) {
    let continuations = state.withLock { $0.continuations }
    guard !continuations.isEmpty else { return }
    let element = element()
    for continuation in continuations.values { continuation.yield(element) }
  }

  /// Ends all sequences that there are, once they are read.
  func finish() {
    let continuations = state.withLock { $0.continuations }
    for continuation in continuations.values { continuation.finish() }
  }

  deinit { finish() }
}
