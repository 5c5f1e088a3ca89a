import LibraryTestSupport
import Safelight
import TestSupport
import Testing

@testable import BatchEditing

@Suite("The queue for memory")
struct MemoryQueueTests {
  @Test("Works are admitted in turn, as many as there is room for, and one that is too large alone")
  func turns() {
    var queue = MemoryQueue(bytes: 10)
    let (small, large, other) = (queue.ask(), queue.ask(), queue.ask())
    #expect(queue.waiting == 3)
    func admit(_ ticket: Int, _ bytes: Int) -> Bool { queue.admit(ticket, bytes) }
    #expect(!admit(other, 1), "it is not its turn")
    #expect(admit(small, 4) && !admit(large, 25), "there is no room")
    #expect(!admit(other, 1), "a small one does not pass")
    queue.release(4)
    #expect(admit(large, 25) && !admit(other, 1))
    #expect(queue.inUse == 25 && queue.running == 1 && queue.waiting == 1)
    queue.release(25)
    #expect(admit(other, 1))
    queue.release(1)
    #expect(queue.inUse == 0 && queue.running == 0 && queue.waiting == 0)
  }

  @Test("Random works: the bound holds but for one alone, turns are kept, and all come to their turn")
  func randomEvents() {
    var random = SeededRandom(seed: 3)
    var queue = MemoryQueue(bytes: 100)
    var (waiting, running): ([(ticket: Int, bytes: Int)], [Int]) = ([], [])
    var problems: [String] = []
    var served = 0
    for step in 0..<20_000 {
      if step < 10_000, waiting.count < 8, random.next() % 2 == 0 {
        waiting.append((queue.ask(), Int(random.next() % 150)))
      } else if !running.isEmpty, random.next() % 2 == 0 {
        queue.release(running.remove(at: Int(random.next() % UInt64(running.count))))
      }
      // Whoever is woken first asks first.
      for index in waiting.indices.shuffled(using: &random) {
        guard queue.admit(waiting[index].ticket, waiting[index].bytes) else { continue }
        if waiting[index].ticket != served { problems.append("\(waiting[index]) before \(served)") }
        served += 1
        running.append(waiting.remove(at: index).bytes)
        break
      }
      if queue.inUse != running.reduce(0, +) || queue.running != running.count { problems.append("\(queue)") }
      if queue.inUse > 100, queue.running != 1 { problems.append("\(queue)") }
      if running.isEmpty, !waiting.isEmpty { problems.append("\(waiting.count) wait for nobody") }
    }
    while !running.isEmpty || !waiting.isEmpty {
      if let bytes = running.popLast() { queue.release(bytes) }
      while let first = waiting.first, queue.admit(first.ticket, first.bytes) {
        running.append(waiting.removeFirst().bytes)
      }
    }
    #expect(problems.isEmpty, "\(problems.prefix(3))")
    #expect(queue.waiting == 0 && queue.running == 0 && queue.inUse == 0)
  }
}
