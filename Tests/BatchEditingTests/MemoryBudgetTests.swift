import LibraryTestSupport
import Safelight
import FrameCore
import Synchronization
import Testing

@testable import BatchEditing
import Libc

@Suite("Memory that works share")
struct MemoryBudgetTests {
  @Test("Works run together as far as there is room, and one that is larger than the whole runs alone")
  func room() {
    let budget = MemoryBudget(bytes: 10)
    let seen = Mutex<Set<Int>>([])
    ThreadTeam(name: "budget", threads: 4).run(60) { piece in
      budget.spend(piece % 6 == 0 ? 25 : 4) {
        usleep(500)
        let inUse = budget.inUse
        _ = seen.withLock { $0.insert(inUse) }
      }
    }
    let found = seen.withLock { $0 }
    #expect(found.isSubset(of: [4, 8, 25]) && found.contains(25), "\(found)")
    #expect(budget.inUse == 0 && budget.running == 0)
  }

  @Test("What fails gives back what it took")
  func failure() {
    let budget = MemoryBudget(bytes: 10)
    #expect(throws: SafelightError.self) {
      try budget.spend(10) { throw SafelightError(.file, "It is gone") }
    }
    #expect(budget.inUse == 0 && budget.running == 0)
  }

  @Test("An analysis is counted with its decoder and a byte for each pixel of the photo")
  func analysis() throws {
    let scratch = try Scratch()
    try makePicture(40, 30).write(to: scratch("a.jpg"))
    var header = try PhotoHeader.read(scratch("a.jpg"))
    header.size = PixelSize(width: 12_000, height: 9000)
    header.decodingMemory = 0
    let plain = PhotoAnalysis.memory(of: header)
    // Far less than the decoded photo, of which only a part is in memory.
    #expect(plain > header.size.pixelCount && plain < 4 * header.size.pixelCount)
    header.decodingMemory = 1_188_000_000
    #expect(PhotoAnalysis.memory(of: header) - plain == header.decodingMemory)
  }
}
