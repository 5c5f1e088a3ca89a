import Safelight

/// Does one thing after another on a thread of its own.
final class SerialWorker: Sendable {
  private struct State {
    var work: [@Sendable () -> Void] = []
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
    if !state.work.isEmpty { return .some(state.work.removeFirst()) }
    return state.isClosed ? .some(nil) : nil
  }

  /// - Parameter isUrgent: whether it comes before what waits.
  func run(isUrgent: Bool = false, _ work: @escaping @Sendable () -> Void) {
    state.update { state in
      guard !state.isClosed else { return }
      state.work.insert(work, at: isUrgent ? 0 : state.work.endIndex)
    }
  }

  /// Ends the thread once it has done what was asked for.
  func close() {
    state.update { $0.isClosed = true }
    thread.join()
  }
}
