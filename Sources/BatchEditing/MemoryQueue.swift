/// Works that wait in turn for memory: a state machine without lock or thread.
///
/// They wait in turn, or a large work would wait for ever while small ones pass it.
struct MemoryQueue {
  /// What all works may take together, bytes. A work that takes more by itself runs alone.
  let bytes: Int
  private(set) var inUse = 0
  /// How many works have what they asked for.
  private(set) var running = 0
  private var tickets = 0
  private var serving = 0

  init(bytes: Int) { self.bytes = bytes }

  /// How many works wait.
  var waiting: Int { tickets - serving }

  /// A work comes; the number of its turn.
  mutating func ask() -> Int {
    defer { tickets += 1 }
    return tickets
  }

  /// Takes the memory of a work, where it is its turn and there is room, or it would be alone. The next in turn may have
  /// room too.
  mutating func admit(_ ticket: Int, _ bytes: Int) -> Bool {
    guard ticket == serving, running == 0 || inUse + bytes <= self.bytes else { return false }
    serving += 1
    running += 1
    inUse += bytes
    return true
  }

  /// A work gives back what it took.
  mutating func release(_ bytes: Int) {
    running -= 1
    inUse -= bytes
  }
}
