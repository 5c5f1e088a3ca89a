import Synchronization

/// The proofs that were last used: their tables take some 100 ms, too long for each plan of a slider that moves.
final class ProofCache: Sendable {
  static let shared = ProofCache()

  private struct Key: Hashable {
    let proof: SoftProof
    let space: ColorSpace
  }

  private static let most = 4
  private let tables = Mutex<[(key: Key, table: ColorLUT)]>([])

  /// Returns the table of a proof, made by `make` unless it is known.
  func table(of proof: SoftProof, for space: ColorSpace, make: () throws -> ColorLUT) throws -> ColorLUT {
    let key = Key(proof: proof, space: space)
    if let known = tables.withLock({ $0.first { $0.key == key }?.table }) { return known }
    let table = try make()
    tables.withLock { tables in
      tables.removeAll { $0.key == key }
      tables.append((key, table))
      if tables.count > Self.most { tables.removeFirst() }
    }
    return table
  }
}
