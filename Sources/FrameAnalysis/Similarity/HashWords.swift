import AnalysisKernels

/// The words of many hashes as kernels read them, in an order of their own.
final class HashWords: @unchecked Sendable {
  private let memory: UnsafeMutablePointer<UInt64>
  private let count: Int

  /// - Parameter order: the places of the hashes; nil takes them as they are.
  init(_ hashes: HashSearch, order: [UInt32]? = nil) {
    count = hashes.count
    memory = .allocate(capacity: max(4 * count, 1))
    for (place, words) in hashes.words.enumerated() {
      let plane = memory + place * count
      if let order {
        words.withUnsafeBufferPointer { words in
          for (index, from) in order.enumerated() { plane[index] = words[Int(from)] }
        }
      } else {
        words.withUnsafeBufferPointer {
          if let base = $0.baseAddress { plane.initialize(from: base, count: count) }
        }
      }
    }
  }

  deinit { memory.deallocate() }

  subscript(_ index: Int) -> PerceptualHash {
    PerceptualHash(
      words: SIMD4(
        memory[index], memory[count + index], memory[2 * count + index], memory[3 * count + index]))
  }

  /// Writes the places, counted from the beginning of the range, of those within it that differ from a hash in at most
  /// so many bits; returns how many there are.
  ///
  /// - Parameter found: has room for the range.
  func near(
    _ hash: PerceptualHash, within limit: Int, in range: Range<Int>, _ found: inout [UInt32]
  ) -> Int {
    let first = memory + range.lowerBound
    var hashes = sla_hash_words(
      words: (
        UnsafePointer(first), UnsafePointer(first + count), UnsafePointer(first + 2 * count),
        UnsafePointer(first + 3 * count)
      ))
    var words = (hash.words[0], hash.words[1], hash.words[2], hash.words[3])
    return withUnsafePointer(to: &words) { words in
      words.withMemoryRebound(to: UInt64.self, capacity: 4) {
        sla_near_hashes(&hashes, range.count, $0, UInt32(limit), &found)
      }
    }
  }
}
