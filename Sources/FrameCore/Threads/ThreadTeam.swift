import Synchronization

/// A few threads that share work divided into pieces; the caller takes part.
///
/// Threads start with the first work and end with the team; if the system grants fewer, fewer take part. Only one
/// thread at a time may submit work.
package final class ThreadTeam: Sendable {
  /// The number of threads that take part, including the caller.
  package let threads: Int

  private struct State {
    var body: (@Sendable (Int) -> Void)?
    var pieces = 0
    /// The first piece not yet taken.
    var next = 0
    /// The number of pieces taken but not finished.
    var underWay = 0
    var isStopping = false

    /// Takes the next piece, if any.
    mutating func take() -> (body: @Sendable (Int) -> Void, piece: Int)? {
      guard let body, next < pieces else { return nil }
      defer {
        next += 1
        underWay += 1
      }
      return (body, next)
    }
  }
  private let state = Monitor(State())
  private let name: String
  private let helpers = Mutex<[WorkerThread]?>(nil)

  /// - Parameter name: the base name of the threads, at most 12 characters.
  package init(name: String, threads: Int) {
    self.name = name
    self.threads = max(1, threads)
  }

  deinit {
    state.update { $0.isStopping = true }
    helpers.withLock { $0 ?? [] }.forEach { $0.join() }
  }

  /// Calls `body` once for each of 0..<pieces, in any order and on any thread; returns when all are done.
  package func run(_ pieces: Int, _ body: @escaping @Sendable (Int) -> Void) {
    guard threads > 1, pieces > 1 else {
      for piece in 0..<pieces { body(piece) }
      return
    }
    startHelpers()
    state.update {
      $0.body = body
      ($0.pieces, $0.next) = (pieces, 0)
    }
    while let (body, piece) = state.update({ $0.take() }) {
      body(piece)
      state.update { $0.underWay -= 1 }
    }
    state.wait { $0.underWay == 0 ? () : nil }
    state.update { $0.body = nil }
  }

  private func startHelpers() {
    helpers.withLock { helpers in
      guard helpers == nil else { return }
      let state = state
      var started: [WorkerThread] = []
      for number in 1..<threads {
        guard let helper = try? WorkerThread(name: "\(name) \(number)", { Self.help(state) }) else { break }
        started.append(helper)
      }
      helpers = started
    }
  }

  private static func help(_ state: Monitor<State>) {
    while let (body, piece) = state.wait(for: { state -> (body: @Sendable (Int) -> Void, piece: Int)?? in
      state.isStopping ? .some(nil) : state.take().map { .some($0) }
    }) {
      body(piece)
      state.update { $0.underWay -= 1 }
    }
  }
}
