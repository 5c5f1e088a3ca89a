import FrameCore
import Testing

@testable import BatchEditing

@Suite("Parts of a batch")
struct BatchShardTests {
  private func photo(_ number: Int, folder: String = "") -> BatchInputs.Photo {
    BatchInputs.Photo(path: "/shoot/IMG_\(number).jpg", folder: folder)
  }

  @Test("hold every photo once", arguments: [1, 2, 3, 16, 1000])
  func partition(count: Int) throws {
    let shards = try (1...count).map { try BatchShard($0, of: count) }
    for number in 0..<200 {
      #expect(shards.count { $0.contains(photo(number)) } == 1)
    }
  }

  @Test("are about equally large: as even as chance, for names that differ in a number")
  func balance() throws {
    let (photos, parts) = (16_000, 16)
    let sizes = try (1...parts).map { part in
      let shard = try BatchShard(part, of: parts)
      return (0..<photos).count { shard.contains(photo($0)) }
    }
    // Binomial: a standard deviation of 31 about 1000.
    #expect(sizes.allSatisfy { abs($0 - photos / parts) < 5 * 31 }, "\(sizes)")
  }

  @Test("keep photos together whose results may get the same name, and tell folders apart")
  func names() throws {
    let shards = try (1...64).map { try BatchShard($0, of: 64) }
    func part(_ path: String, _ folder: String = "") -> Int? {
      shards.firstIndex { $0.contains(BatchInputs.Photo(path: path, folder: folder)) }
    }
    #expect(part("a/one.jpg") == part("b/one.PNG"))
    #expect(Set((0..<8).map { part("x/one.jpg", "day-\($0)") }).count > 1)
  }

  // A part must stay the same from version to version: runs of both may share a batch.
  @Test("do not change")
  func fixed() throws {
    let shards = try (1...1000).map { try BatchShard($0, of: 1000) }
    let parts = ["harbour.jpg", "IMG_0001.CR2", "ü.png"].map { name in
      shards.firstIndex { $0.contains(BatchInputs.Photo(path: name)) }
    }
    #expect(parts == [673, 347, 593])
  }

  @Test("are read from K/N")
  func text() throws {
    #expect(try BatchShard("3/16") == BatchShard(3, of: 16))
    #expect(try BatchShard("3/16").description == "3/16")
    for text in ["", "3", "0/16", "17/16", "3/0", "-1/4", "3/16/2", "a/b", "1/100001", " 1/2"] {
      #expect(throws: SafelightError.self) { try BatchShard(text) }
    }
  }
}
