import Safelight

/// Async work that a program's main thread begins and waits for, or asks after: the bridge to the library's async edges.
///
/// Not for tasks: a thread of their pool that waits may be the one the work needs.
final class Blocking: Sendable {
  private struct State {
    var hasBegun = false
    var result: Result<Void, any Error>?
  }
  private let state = Monitor(State())

  /// Begins the work.
  ///
  /// - Parameter whenDone: called once it is done or has failed, on any thread.
  init(
    whenDone: @escaping @Sendable () -> Void = {}, _ body: @escaping @Sendable () async throws -> Void
  ) {
    let state = state
    Task.detached {
      state.update { $0.hasBegun = true }
      do {
        try await body()
        state.update { $0.result = .success(()) }
      } catch {
        state.update { $0.result = .failure(error) }
      }
      whenDone()
    }
  }

  /// Whether the work is done.
  ///
  /// - Throws: what it failed with.
  func isDone() throws -> Bool {
    guard let result = state.read({ $0.result }) else { return false }
    try result.get()
    return true
  }

  /// Seconds that work may take to begin.
  private static let patience = 10.0

  /// Does the work and returns when it is done.
  ///
  /// - Throws: what it failed with; `SafelightError(.tooLarge)` where the system has no thread for it.
  static func run(_ body: @escaping @Sendable () async throws -> Void) throws {
    let state = Blocking(body).state
    // libdispatch asks for a thread again and again, for ever.
    let deadline = Timestamp.now.advanced(bySeconds: patience)
    guard state.wait(until: deadline, for: { $0.hasBegun ? true : nil }) != nil else {
      throw SafelightError(
        .tooLarge, "Cannot start a thread within \(PlainNumber.fixed(patience, 0)) s",
        remedy: "raise the limits of memory and processes (ulimit -v, ulimit -u) or run fewer programs")
    }
    try state.wait { $0.result }.get()
  }
}
