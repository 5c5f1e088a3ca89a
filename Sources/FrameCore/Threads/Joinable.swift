import Synchronization

/// A thread that any number of callers may wait for, any number of times.
package final class Joinable: Sendable {
  private let thread: Mutex<WorkerThread?>

  package init(_ thread: WorkerThread) { self.thread = Mutex(thread) }

  /// Returns once the thread has ended; must not be called by the thread itself.
  package func join() { thread.withLock { $0.take()?.join() } }
}
