import FrameCore

/// A memory budget shared by several tasks: each waits until there is room for it, or until it runs alone.
///
/// They are served in order, or a large task would wait for ever while small ones pass it.
package final class MemoryBudget: Sendable {
  /// The memory that all tasks may take together, in bytes. A task that needs more than this runs alone.
  package let bytes: Int
  private let queue: Monitor<MemoryQueue>

  package init(bytes: Int) {
    self.bytes = bytes
    queue = Monitor(MemoryQueue(bytes: bytes))
  }

  /// The memory in use, in bytes.
  package var inUse: Int { queue.read { $0.inUse } }
  /// The number of running tasks.
  package var running: Int { queue.read { $0.running } }

  /// The number of waiting tasks.
  var waiting: Int { queue.read { $0.waiting } }

  /// Runs a task once there is room for it.
  ///
  /// - Parameter bytes: the most memory it takes.
  package func spend<Value>(_ bytes: Int, _ work: () throws -> Value) rethrows -> Value {
    acquire(bytes)
    defer { release(bytes) }
    return try work()
  }

  /// Waits until there is room for `bytes`, and takes them.
  ///
  /// - Returns: whether it had to wait.
  @discardableResult
  func acquire(_ bytes: Int) -> Bool {
    let (ticket, isAdmitted) = queue.update { queue in
      let ticket = queue.ask()
      return (ticket, queue.admit(ticket, bytes))
    }
    if isAdmitted { return false }
    queue.wait { $0.admit(ticket, bytes) ? () : nil }
    // Wakes the next task in the queue.
    queue.update { _ in }
    return true
  }

  /// Returns the memory that `acquire` took.
  func release(_ bytes: Int) { queue.update { $0.release(bytes) } }
}
