import FrameCore

/// A thread that makes one blocking call after another for a thread that must not block.
final class SideThread<Outcome: Sendable>: Sendable {
  private struct State {
    var call: (@Sendable () -> Outcome)?
    var outcome: Outcome?
    var isEnding = false
    var thread: WorkerThread?
  }

  private let name: String
  private let state = Monitor(State())

  /// - Parameter name: at most 15 characters.
  init(name: String) { self.name = name }

  /// Begins a call; the former one must have ended.
  ///
  /// - Throws: `SafelightError` if the system grants no thread.
  func begin(_ call: @escaping @Sendable () -> Outcome) throws {
    if state.read({ $0.thread == nil }) {
      let thread = try WorkerThread(name: name) { [self] in run() }
      state.update { $0.thread = thread }
    }
    state.update { $0.call = call }
  }

  /// Blocks until the call has ended, or until `deadline`; returns nil then.
  func outcome(until deadline: Timestamp) -> Outcome? {
    state.wait(until: deadline) { $0.outcome.take() }
  }

  /// Ends the thread after its present call.
  ///
  /// - Returns: the outcome that nobody has taken.
  func end() -> Outcome? {
    let thread = state.update { state in
      state.isEnding = true
      return state.thread.take()
    }
    thread?.join()
    return state.update { $0.outcome.take() }
  }

  private func run() {
    while true {
      let call = state.wait { state -> (@Sendable () -> Outcome)?? in
        if let call = state.call.take() { return .some(call) }
        return state.isEnding ? .some(nil) : nil
      }
      guard let call else { return }
      let outcome = call()
      state.update { $0.outcome = outcome }
    }
  }
}
