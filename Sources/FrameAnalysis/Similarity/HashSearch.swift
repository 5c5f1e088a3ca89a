/// Finds hashes that are near each other among many: exactly, without a tree to be built first.
///
/// A search looks at all hashes, 32 bytes each, as fast as memory gives them. Finding all pairs uses that two hashes
/// which differ in at most 31 bits differ in at most one bit of one of their 16 parts of 16 bits: only hashes that
/// nearly agree in a part are compared.
public struct HashSearch: Sendable {
  /// The first, second, third and fourth words of the hashes.
  let words: [[UInt64]]
  public var count: Int { words[0].count }

  public init(_ hashes: some Sequence<PerceptualHash>) {
    var words: [[UInt64]] = [[], [], [], []]
    for hash in hashes {
      for place in 0..<4 { words[place].append(hash.words[place]) }
    }
    self.words = words
  }

  public subscript(_ index: Int) -> PerceptualHash {
    PerceptualHash(words: SIMD4(words[0][index], words[1][index], words[2][index], words[3][index]))
  }

  /// Returns the places of the hashes that differ from one in at most so many bits, in ascending order.
  public func near(_ hash: PerceptualHash, within limit: Int = PerceptualHash.nearestOthers) -> [Int] {
    var found = [UInt32](repeating: 0, count: count)
    let total = HashWords(self).near(hash, within: limit, in: 0..<count, &found)
    return found[..<total].map(Int.init)
  }
}
