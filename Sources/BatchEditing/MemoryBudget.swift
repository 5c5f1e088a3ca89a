import FrameCore

/// Memory that several works share: each waits until there is room for what it takes, or until it is alone.
///
/// They wait in turn, or a large work would wait for ever while small ones pass it.
package final class MemoryBudget: Sendable {
  /// What all works may take together, bytes. A work that takes more by itself runs alone.
  package let bytes: Int
  private let queue: Monitor<MemoryQueue>

  package init(bytes: Int) {
    self.bytes = bytes
    queue = Monitor(MemoryQueue(bytes: bytes))
  }

  /// What the works at hand take, bytes.
  package var inUse: Int { queue.read { $0.inUse } }
  /// How many works are at hand.
  package var running: Int { queue.read { $0.running } }

  /// How many works wait.
  var waiting: Int { queue.read { $0.waiting } }

  /// Does a work once there is room for it.
  ///
  /// - Parameter bytes: what it takes at most.
  package func spend<Value>(_ bytes: Int, _ work: () throws -> Value) rethrows -> Value {
    acquire(bytes)
    defer { release(bytes) }
    return try work()
  }

  /// Waits until there is room for `bytes`, which are taken then.
  ///
  /// - Returns: whether there was none at first.
  @discardableResult
  func acquire(_ bytes: Int) -> Bool {
    let (ticket, isAdmitted) = queue.update { queue in
      let ticket = queue.ask()
      return (ticket, queue.admit(ticket, bytes))
    }
    if isAdmitted { return false }
    queue.wait { $0.admit(ticket, bytes) ? () : nil }
    // Wakes the next in turn.
    queue.update { _ in }
    return true
  }

  /// Gives back what `acquire` took.
  func release(_ bytes: Int) { queue.update { $0.release(bytes) } }
}
