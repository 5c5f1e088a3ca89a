import FrameCore
import Testing

@Suite("Async work that the main thread waits for")
struct BlockingTests {
  private struct Broken: Error {}

  /// Does something on a thread of its own, as the main thread would: a test that waited itself would hold
  /// one of the threads that tasks need.
  private func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      do {
        try WorkerThread(name: "caller") { continuation.resume(with: Result(catching: body)) }.detach()
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// What it fails with.
  private func failure(_ body: @escaping @Sendable () throws -> Void) async -> String? {
    do {
      try await onThread(body)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private static let refusal =
    "Cannot start a thread within 0.01 s; raise the limits of memory and processes (ulimit -v, ulimit -u) "
    + "or run fewer programs."

  @Test("is waited for, and fails with its own error")
  func results() async throws {
    let count = Monitor(0)
    // Other tests may hold the threads of tasks for long.
    try await onThread {
      try Blocking(patience: 1000) { begun in
        begun()
        count.update { $0 += 1 }
      }.wait()
    }
    #expect(count.read { $0 } == 1)
    await #expect(throws: Broken.self) {
      try await onThread { try Blocking(patience: 1000) { _ in throw Broken() }.wait() }
    }
  }

  @Test("is given up where the system has no thread for it, also where asking for one never returns")
  func noThread() async throws {
    let isOver = Monitor(false)
    defer { isOver.update { $0 = true } }
    let message = await failure {
      try Blocking(patience: 0.01, starter: { _ in isOver.wait { $0 ? () : nil } }) { _ in }.wait()
    }
    #expect(message == Self.refusal)
    let work = try Blocking(patience: 0, starter: { _ in }) { _ in }
    #expect(throws: SafelightError.self) { try work.isDone() }
    #expect(try Blocking(patience: 1000, starter: { _ in }) { _ in }.isDone() == false)
  }

  @Test("is given up where it waits for a second thread that never comes")
  func noSecondThread() async throws {
    let (forever, end) = AsyncStream.makeStream(of: Void.self)
    defer { end.finish() }
    let message = await failure {
      try Blocking(patience: 0.01) { _ in for await _ in forever {} }.wait()
    }
    #expect(message == Self.refusal)
  }

  @Test("may take any time once it has begun")
  func longWork() async throws {
    let (beginning, tellBegun) = AsyncStream.makeStream(of: Void.self)
    let (work, endWork) = AsyncStream.makeStream(of: Void.self)
    let blocking = try Blocking(patience: 0) { begun in
      begun()
      tellBegun.finish()
      for await _ in work {}
    }
    for await _ in beginning {}
    #expect(try blocking.isDone() == false)
    endWork.finish()
    try await onThread { try blocking.wait() }
    #expect(try blocking.isDone())
  }
}
