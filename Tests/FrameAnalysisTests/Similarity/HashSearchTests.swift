import FrameCore
import Synchronization
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite("Searching hashes")
struct HashSearchTests {
  /// Random hashes with neighbours of some of them, 0…40 bits away.
  static func hashes(_ count: Int, seed: UInt64) -> [PerceptualHash] {
    var random = SeededRandom(seed: seed)
    var hashes: [PerceptualHash] = []
    while hashes.count < count {
      var hash = PerceptualHash(words: SIMD4((0..<4).map { _ in random.next() }))
      if let other = hashes.randomElement(using: &random), Bool.random(using: &random) {
        hash = other
        for _ in 0..<Int.random(in: 0...40, using: &random) {
          let bit = Int.random(in: 0..<256, using: &random)
          hash.words[bit / 64] ^= 1 << UInt64(bit % 64)
        }
      }
      hashes.append(hash)
    }
    return hashes
  }

  @Test("finds those near one, as comparing each does", arguments: [0, 1, 2, 3, 5, 8, 17, 1000])
  func near(_ count: Int) {
    let hashes = Self.hashes(count, seed: UInt64(count))
    let search = HashSearch(hashes)
    for limit in [0, 1, 16, 31, 64, 128, 256] {
      for hash in hashes.prefix(20) + [
        PerceptualHash(words: .zero), PerceptualHash(words: .init(repeating: .max)),
      ] {
        let expected = hashes.indices.filter { hashes[$0].distance(to: hash) <= limit }
        for found in InstructionSet.allResults({ search.near(hash, within: limit) }) {
          #expect(found == expected, "\(limit) bits")
        }
      }
    }
  }

  @Test("finds each pair once, as comparing all does", arguments: [0, 1, 2, 700])
  func pairs(_ count: Int) {
    let hashes = Self.hashes(count, seed: 99)
    let search = HashSearch(hashes)
    for (limit, threads) in [(0, 1), (7, 2), (31, 1), (31, 3)] {
      let found = Mutex<[[Int]]>([])
      search.forEachPair(within: limit, threads: threads) { a, b in found.withLock { $0.append([a, b]) } }
      var expected: [[Int]] = []
      for a in hashes.indices {
        for b in hashes.indices where b > a && hashes[a].distance(to: hashes[b]) <= limit {
          expected.append([a, b])
        }
      }
      #expect(found.withLock { $0.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) } } == expected)
    }
  }
}
