import FrameCore
import Synchronization
import Testing

@testable import Rendering

@Suite("Worker pools")
struct WorkerPoolTests {
  /// Counts how often each piece is done.
  private final class Counts: Sendable {
    private let counts: Mutex<[Int]>
    init(_ pieces: Int) { counts = Mutex([Int](repeating: 0, count: pieces)) }
    func add(_ piece: Int) { counts.withLock { $0[piece] += 1 } }
    var all: [Int] { counts.withLock { $0 } }
  }

  // Where threads look out for work, and where there are more of them than cores.
  @Test(
    "Every piece of every work is done once before its work returns, whoever brings it", arguments: [2, 64])
  func pieces(threads: Int) throws {
    let pool = WorkerPool(threads: threads)
    let failures = Mutex<[String]>([])
    let callers = try (0..<4).map { caller in
      try WorkerThread(name: "caller \(caller)") {
        for work in 0..<150 {
          let pieces = 1 + (work + caller) % 9
          let counts = Counts(pieces)
          pool.forEach(pieces) { counts.add($0) }
          let all = counts.all
          if all.contains(where: { $0 != 1 }) {
            failures.withLock { $0.append("caller \(caller), work \(work): \(all)") }
          }
        }
      }
    }
    callers.forEach { $0.join() }
    #expect(failures.withLock { $0 } == [])
  }

  @Test("A pool whose threads look out for work ends at once")
  func end() {
    for _ in 0..<20 {
      let pool = WorkerPool(threads: 2)
      pool.forEach(8) { _ in }
    }
  }
}
