import FrameCore

/// A bounded queue between two threads.
final class RecordingQueue<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var weight = 0
    var isClosed = false
  }

  private let monitor = Monitor(State())
  private let limit: Int
  private let weigh: @Sendable (Element) -> Int

  /// - Parameters:
  ///   - limit: the weight at which the queue is full.
  ///   - weigh: what an element counts for; 1 by default.
  init(limit: Int, weigh: @escaping @Sendable (Element) -> Int = { _ in 1 }) {
    self.limit = limit
    self.weigh = weigh
  }

  /// Whether nothing more fits.
  var isFull: Bool { monitor.read { $0.weight >= limit } }

  var count: Int { monitor.read { $0.elements.count } }

  /// Adds an element; returns false if the queue is full or closed.
  func offer(_ element: Element) -> Bool {
    monitor.update { state in
      guard state.weight < limit, !state.isClosed else { return false }
      state.elements.append(element)
      state.weight += weigh(element)
      return true
    }
  }

  /// Adds an element once there is room; returns false if the queue is closed.
  func put(_ element: Element) -> Bool {
    monitor.wait { state in
      if state.isClosed { return false }
      guard state.weight < limit else { return nil }
      state.elements.append(element)
      state.weight += weigh(element)
      return true
    } && wake()
  }

  /// Adds an element; where the queue is full, the oldest ones go for it.
  func replace(with element: Element) {
    monitor.update { state in
      guard !state.isClosed else { return }
      state.elements.append(element)
      state.weight += weigh(element)
      while state.weight > limit, state.elements.count > 1 {
        state.weight -= weigh(state.elements.removeFirst())
      }
    }
  }

  /// Returns once there is room.
  func waitForRoom() { monitor.wait { $0.weight < limit || $0.isClosed ? () : nil } }

  /// Adds an element however full the queue is.
  func add(_ element: Element) {
    monitor.update { state in
      state.elements.append(element)
      state.weight += weigh(element)
    }
  }

  private func wake() -> Bool {
    monitor.update { _ in }
    return true
  }

  /// Takes the oldest element; waits for one. Returns nil once the queue is closed and empty.
  func take() -> Element? {
    let taken: Element? = monitor.wait { state -> Element?? in
      guard !state.elements.isEmpty else { return state.isClosed ? .some(nil) : nil }
      let first = state.elements.removeFirst()
      state.weight -= weigh(first)
      return .some(first)
    }
    _ = wake()
    return taken
  }

  /// Closes the queue and forgets what is in it: there is no reader.
  func discard() {
    monitor.update { state in
      (state.elements, state.weight, state.isClosed) = ([], 0, true)
    }
  }

  /// Lets the reader end after what is in the queue.
  func close() { monitor.update { $0.isClosed = true } }
}
