import Safelight

/// Finishes the deferred photos of a run, on a thread of its own, while nothing else is to be done.
final class DeferredFinisher: Sendable {
  private struct State {
    /// The ids of photos that are yet to be finished.
    var waiting: [String] = []
    var isPaused = true
    var isWorking = false
    var outcomes: [Result<DeliveredPhoto?, any Error>] = []
  }
  private let state = Monitor(State())

  /// - Throws: `SafelightError` if the system grants no more threads.
  init(_ photos: DeferredPhotos) throws {
    try WorkerThread(name: "finish") { [state] in
      // The camera and those who press come first.
      WorkerThread.lowerCurrentPriority()
      Self.work(photos, state)
    }.detach()
  }

  private static func work(_ photos: DeferredPhotos, _ state: Monitor<State>) {
    while true {
      let id = state.wait { state -> String? in
        guard !state.isPaused, !state.waiting.isEmpty else { return nil }
        state.isWorking = true
        return state.waiting.removeFirst()
      }
      let outcome = Result { try photos.finish(id) }
      state.update { state in
        state.isWorking = false
        state.outcomes.append(outcome)
      }
    }
  }

  func add(_ id: String) { state.update { $0.waiting.append(id) } }

  /// - Parameter isPaused: whether no further photo is begun.
  func pause(_ isPaused: Bool) {
    guard state.read({ $0.isPaused }) != isPaused else { return }
    state.update { $0.isPaused = isPaused }
  }

  /// Returns the photos that are not begun, which are then left to the caller.
  func takeWaiting() -> [String] {
    state.update { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// The number of photos that are not finished.
  var remaining: Int { state.read { $0.waiting.count + ($0.isWorking ? 1 : 0) } }

  /// Returns what was finished since the last call, and waits for it if there is nothing yet, but not beyond
  /// `deadline`. Of a photo that another program has finished nil is known.
  func takeOutcomes(until deadline: Timestamp = .now) -> [Result<DeliveredPhoto?, any Error>] {
    if deadline <= .now, state.read({ $0.outcomes.isEmpty }) { return [] }
    return state.wait(until: deadline) { state in
      guard !state.outcomes.isEmpty else { return nil }
      defer { state.outcomes = [] }
      return state.outcomes
    } ?? []
  }
}
