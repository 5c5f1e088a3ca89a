import FrameCore

extension HashSearch {
  private static let partBits = 16
  private static let parts = 256 / partBits

  /// Calls `body` once for each two hashes that differ in at most so many bits, with the lower place first; on several
  /// threads at once and in no order.
  ///
  /// - Parameters:
  ///   - limit: 0…31.
  ///   - threads: the number of threads, 1 or more.
  public func forEachPair(
    within limit: Int = PerceptualHash.nearestOthers, threads: Int = 1,
    _ body: @escaping @Sendable (_ first: Int, _ second: Int) -> Void
  ) {
    precondition(
      (0...31).contains(limit), "Of two hashes that differ in more bits, no part needs to be nearly equal")
    for part in 0..<Self.parts {
      let buckets = Buckets(hashes, part: part)
      ThreadTeam(name: "similar", threads: threads).run(Buckets.tasks) { task in
        buckets.forEachPair(within: limit, task: task, body)
      }
    }
  }

  /// The hashes in the order of one of their parts: those with the same value stand side by side.
  private struct Buckets: Sendable {
    /// The work on a part is done in so many pieces.
    static let tasks = 256
    private static let values = 1 << partBits

    private let part: Int
    /// Where the hashes with each value begin.
    private var starts = [Int](repeating: 0, count: values + 1)
    /// The place of each.
    private let order: [UInt32]
    private let hashes: HashWords
    private let mostOfAValue: Int

    init(_ unordered: HashWords, part: Int) {
      self.part = part
      let words = unordered.words(at: part * partBits / 64)
      let shift = UInt64(part * partBits % 64)
      func value(_ word: UInt64) -> Int { Int(truncatingIfNeeded: word >> shift) & (Self.values - 1) }
      for word in words { starts[value(word) + 1] += 1 }
      mostOfAValue = starts.max() ?? 0
      for value in 0..<Self.values { starts[value + 1] += starts[value] }
      var next = starts
      var order = [UInt32](repeating: 0, count: words.count)
      for (place, word) in words.enumerated() {
        order[next[value(word)]] = UInt32(place)
        next[value(word)] += 1
      }
      self.order = order
      hashes = HashWords(unordered, order: order)
    }

    func forEachPair(within limit: Int, task: Int, _ body: (Int, Int) -> Void) {
      var found = [UInt32](repeating: 0, count: mostOfAValue)
      // Values far from each other, so that pieces with many hashes are spread over the threads.
      for value in stride(from: task, to: Self.values, by: Self.tasks) {
        for index in starts[value]..<starts[value + 1] {
          let hash = hashes[index]
          compare(hash, index, index + 1..<starts[value + 1], limit, &found, body)
          for bit in 0..<partBits where value & 1 << bit == 0 {
            let other = value | 1 << bit
            compare(hash, index, starts[other]..<starts[other + 1], limit, &found, body)
          }
        }
      }
    }

    private func compare(
      _ hash: PerceptualHash, _ index: Int, _ range: Range<Int>, _ limit: Int, _ found: inout [UInt32],
      _ body: (Int, Int) -> Void
    ) {
      guard !range.isEmpty else { return }
      let total = hashes.near(hash, within: limit, in: range, &found)
      for place in 0..<total {
        let other = range.lowerBound + Int(found[place])
        guard isFirst(hash, hashes[other]) else { continue }
        let (a, b) = (Int(order[index]), Int(order[other]))
        body(min(a, b), max(a, b))
      }
    }

    /// Whether no earlier part of them is nearly equal, where they were found before.
    private func isFirst(_ a: PerceptualHash, _ b: PerceptualHash) -> Bool {
      (0..<part).allSatisfy { earlier in
        let word = earlier * partBits / 64
        let shift = UInt64(earlier * partBits % 64)
        return ((a.words[word] ^ b.words[word]) >> shift & 0xFFFF).nonzeroBitCount > 1
      }
    }
  }
}
