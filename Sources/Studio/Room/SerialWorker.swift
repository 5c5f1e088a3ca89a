import Safelight

/// Does one thing after another on a thread of its own: what is urgent first, and each kind in the order in which it was
/// asked for.
final class SerialWorker: Sendable {
  private struct State {
    var urgent: [@Sendable () -> Void] = []
    var rest: [@Sendable () -> Void] = []
    var isClosed = false
  }
  private let state = Monitor(State())
  private let thread: Joinable

  /// - Throws: `SafelightError` if the system grants no more threads.
  init(name: String) throws {
    let state = state
    thread = Joinable(
      try WorkerThread(name: name) {
        while let next = state.wait(for: Self.next) { next() }
      })
  }

  private static func next(_ state: inout State) -> (@Sendable () -> Void)?? {
    if !state.urgent.isEmpty { return .some(state.urgent.removeFirst()) }
    if !state.rest.isEmpty { return .some(state.rest.removeFirst()) }
    return state.isClosed ? .some(nil) : nil
  }

  func run(isUrgent: Bool = false, _ work: @escaping @Sendable () -> Void) {
    state.update { state in
      guard !state.isClosed else { return }
      if isUrgent { state.urgent.append(work) } else { state.rest.append(work) }
    }
  }

  /// Ends the thread once it has done what was asked for.
  func close() {
    state.update { $0.isClosed = true }
    thread.join()
  }
}
