import FrameCore

/// Memory that several works share: each waits until there is room for what it takes, or until it is alone.
///
/// They wait in turn, or a large work would wait for ever while small ones pass it.
package final class MemoryBudget: Sendable {
  private struct State {
    var inUse = 0
    var running = 0
    var tickets = 0
    var serving = 0
  }

  /// What all works may take together, bytes. A work that takes more by itself runs alone.
  package let bytes: Int
  private let state = Monitor(State())

  package init(bytes: Int) { self.bytes = bytes }

  /// What the works at hand take, bytes.
  package var inUse: Int { state.read { $0.inUse } }
  /// How many works are at hand.
  package var running: Int { state.read { $0.running } }

  /// Does a work once there is room for it.
  ///
  /// - Parameter bytes: what it takes at most.
  package func spend<Value>(_ bytes: Int, _ work: () throws -> Value) rethrows -> Value {
    acquire(bytes)
    defer { release(bytes) }
    return try work()
  }

  /// Waits until there is room for `bytes`, which are taken then.
  func acquire(_ bytes: Int) {
    let bound = self.bytes
    let ticket = state.update { state in
      state.tickets += 1
      return state.tickets - 1
    }
    state.wait { state -> Void? in
      guard state.serving == ticket, state.running == 0 || state.inUse + bytes <= bound else { return nil }
      state.running += 1
      state.inUse += bytes
      return ()
    }
    // Wakes the next in turn.
    state.update { $0.serving += 1 }
  }

  /// Gives back what `acquire` took.
  func release(_ bytes: Int) {
    state.update { state in
      state.running -= 1
      state.inUse -= bytes
    }
  }
}
