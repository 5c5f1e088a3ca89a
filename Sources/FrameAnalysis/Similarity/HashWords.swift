import AnalysisKernels

/// Hashes as kernels read them: their first words, then their second ones and so on.
final class HashWords: @unchecked Sendable {
  private let memory: UnsafeMutablePointer<UInt64>
  let count: Int

  init(_ hashes: some Collection<PerceptualHash>) {
    count = hashes.count
    memory = .allocate(capacity: max(4 * count, 1))
    for (index, hash) in hashes.enumerated() {
      for word in 0..<4 { memory[word * count + index] = hash.words[word] }
    }
  }

  /// The same hashes in another order.
  init(_ other: HashWords, order: [UInt32]) {
    count = other.count
    memory = .allocate(capacity: max(4 * count, 1))
    for word in 0..<4 {
      let (from, to) = (other.memory + word * count, memory + word * count)
      for (index, place) in order.enumerated() { to[index] = from[Int(place)] }
    }
  }

  deinit { memory.deallocate() }

  /// The words of all hashes at one place, 0…3, counted from the last one as written.
  func words(at place: Int) -> UnsafeBufferPointer<UInt64> {
    UnsafeBufferPointer(start: memory + place * count, count: count)
  }

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
