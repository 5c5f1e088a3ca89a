import Safelight

/// Async work that a program's main thread begins and waits for, or asks after: the bridge to the library's async edges.
///
/// Not for tasks: a thread of their pool that waits may be the one the work needs.
final class Blocking: Sendable {
  private let result = Monitor<Result<Void, any Error>?>(nil)

  /// Begins the work.
  ///
  /// - Parameter whenDone: called once it is done or has failed, on any thread.
  init(
    whenDone: @escaping @Sendable () -> Void = {}, _ body: @escaping @Sendable () async throws -> Void
  ) {
    let result = result
    Task.detached {
      do {
        try await body()
        result.update { $0 = .success(()) }
      } catch {
        result.update { $0 = .failure(error) }
      }
      whenDone()
    }
  }

  /// Whether the work is done.
  ///
  /// - Throws: what it failed with.
  func isDone() throws -> Bool {
    guard let result = result.read({ $0 }) else { return false }
    try result.get()
    return true
  }

  /// Does the work and returns when it is done.
  static func run(_ body: @escaping @Sendable () async throws -> Void) throws {
    try Blocking(body).result.wait { $0 }.get()
  }
}
