import Libc

/// A lock for what the whole process has one of, such as the instruction set that kernels use: tests of all modules run
/// in one process, some at the same time. The thread that holds it may take it again.
public final class ProcessWideLock: @unchecked Sendable {
  /// For the choice of the instruction set.
  public static let instructionSet = ProcessWideLock()

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  private init() {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }
}
