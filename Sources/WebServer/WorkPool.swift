import NIOPosix

/// The threads that run the site's code, apart from the network's thread and from the threads of Swift's tasks, which
/// blocking code would exhaust.
final class WorkPool: TaskExecutor {
  private let pool: NIOThreadPool

  init(threads: Int) {
    pool = NIOThreadPool(numberOfThreads: threads)
    pool.start()
  }

  /// Runs work on a thread of the pool; on the calling one if the pool has been stopped, so that no work is lost.
  func run(_ work: @escaping @Sendable () -> Void) { pool.submit { _ in work() } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    run { job.runSynchronously(on: executor) }
  }

  /// Waits for the work that has begun.
  func stop() throws { try pool.syncShutdownGracefully() }
}
