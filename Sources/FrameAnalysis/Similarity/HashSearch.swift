/// Finds hashes that are near each other among many: exactly, without a tree to be built first.
///
/// A search looks at all hashes, 32 bytes each, as fast as memory gives them. Finding all pairs uses that two hashes
/// which differ in at most 31 bits differ in at most one bit of one of their 16 parts of 16 bits: only hashes that
/// nearly agree in a part are compared.
public struct HashSearch: Sendable {
  let hashes: HashWords
  public var count: Int { hashes.count }

  /// Hashes that are searched at once: what is found of them stays in the processor's cache.
  private static let block = 1 << 14

  public init(_ hashes: some Collection<PerceptualHash>) { self.hashes = HashWords(hashes) }

  public subscript(_ place: Int) -> PerceptualHash { hashes[place] }

  /// Returns the places of the hashes that differ from one in at most so many bits, in ascending order.
  public func near(_ hash: PerceptualHash, within limit: Int = PerceptualHash.nearestOthers) -> [Int] {
    var found = [UInt32](repeating: 0, count: min(Self.block, count))
    var places: [Int] = []
    for start in stride(from: 0, to: count, by: Self.block) {
      let range = start..<min(start + Self.block, count)
      let total = hashes.near(hash, within: limit, in: range, &found)
      places += found[..<total].map { start + Int($0) }
    }
    return places
  }
}
