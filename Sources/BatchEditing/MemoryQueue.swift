/// A queue of tasks that wait for memory: a state machine without lock or thread.
///
/// They are served in order, or a large task would wait for ever while small ones pass it.
struct MemoryQueue {
  /// The memory that all tasks may take together, in bytes. A task that needs more than this runs alone.
  let bytes: Int
  private(set) var inUse = 0
  /// The number of running tasks.
  private(set) var running = 0
  private var tickets = 0
  private var serving = 0

  init(bytes: Int) { self.bytes = bytes }

  /// The number of waiting tasks.
  var waiting: Int { tickets - serving }

  /// Enqueues a task and returns its ticket.
  mutating func ask() -> Int {
    defer { tickets += 1 }
    return tickets
  }

  /// Takes the memory for a task if it is first in the queue and there is room, or if it would run alone. There
  /// may then be room for the next one too.
  mutating func admit(_ ticket: Int, _ bytes: Int) -> Bool {
    guard ticket == serving, running == 0 || inUse + bytes <= self.bytes else { return false }
    serving += 1
    running += 1
    inUse += bytes
    return true
  }

  /// Returns a task's memory.
  mutating func release(_ bytes: Int) {
    running -= 1
    inUse -= bytes
  }
}
