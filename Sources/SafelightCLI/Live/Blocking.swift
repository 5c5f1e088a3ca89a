import Dispatch
import Synchronization

/// Waits on the calling thread for async work: the bridge from a program's main thread to the library's async edges.
///
/// Not for tasks: a thread of their pool that waits may be the one the work needs.
enum Blocking {
  /// Work that was begun and is asked after.
  final class Pending: Sendable {
    private let result = Mutex<Result<Void, any Error>?>(nil)

    init(_ body: @escaping @Sendable () async throws -> Void) {
      Task.detached { [self] in
        do {
          try await body()
          result.withLock { $0 = .success(()) }
        } catch {
          result.withLock { $0 = .failure(error) }
        }
      }
    }

    /// Whether the work is done.
    ///
    /// - Throws: what it failed with.
    func isDone() throws -> Bool {
      guard let result = result.withLock({ $0 }) else { return false }
      try result.get()
      return true
    }
  }

  static func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    let result = Box<Value>()
    Task.detached {
      do {
        let value = try await body()
        result.store(.success(value))
      } catch {
        result.store(.failure(error))
      }
      done.signal()
    }
    done.wait()
    return try result.take()
  }

  private final class Box<Value: Sendable>: Sendable {
    private let value = Mutex<Result<Value, any Error>?>(nil)
    func store(_ result: Result<Value, any Error>) { value.withLock { $0 = result } }
    func take() throws -> Value {
      guard let result = value.withLock({ $0 }) else { throw CancellationError() }
      return try result.get()
    }
  }
}
