/// Finds the pencil that most lines agree with, among those whose vanishing point lies in a range of directions.
/// Random sample consensus with a fixed sequence, so that the same lines always give the same pencil.
///
/// Source: M. A. Fischler, R. C. Bolles, Random Sample Consensus, Communications of the ACM 24, 1981.
struct PencilSearch {
  /// The middle of the range of angles, in radians: 0 for level lines, π/2 for upright ones.
  var axis: Double
  /// The maximum angle between the axis and the vanishing point's direction, in radians.
  var reach: Double
  /// The maximum convergence.
  var maximumConvergence: Double
  /// The prior standard deviation of convergences.
  var convergencePrior: Double

  /// Tries all pairs of this many longest lines, then random pairs.
  private static let exhaustive = 20
  private static let randomPairs = 260

  /// The angle of `pencil` from the axis, in radians, −π/2 ..< π/2.
  func offset(of pencil: Pencil) -> Double { lineAngle(pencil.angle - axis) }

  /// Whether a line may belong to a pencil in range: its direction is within the reach plus what convergence adds.
  func accepts(_ line: ImageLine) -> Bool {
    let along = abs((line.direction * heading(axis)).sum())
    return along > 0.6
  }

  /// The best pencil through `lines`; nil if none is in range.
  func best(among lines: [ImageLine]) -> Pencil? {
    guard !lines.isEmpty else { return nil }
    var winner: Pencil?
    func consider(_ found: Pencil?) {
      guard var pencil = found else { return }
      let offset = self.offset(of: pencil)
      guard abs(offset) <= reach, abs(pencil.convergence) <= maximumConvergence else { return }
      // The same vanishing point may be seen in either direction.
      if abs(pencil.angle - axis - offset) > 0.1 { pencil.convergence.negate() }
      pencil.angle = axis + offset
      pencil.weigh(lines, range: 2 * reach)
      let part = pencil.convergence / convergencePrior
      // Penalizes convergence: a random pair that happens to converge strongly must be supported by more lines.
      pencil.support /= 1 + 0.15 * part * part
      if pencil.support > (winner?.support ?? 0) { winner = pencil }
    }
    let longest = min(lines.count, Self.exhaustive)
    for i in 0..<longest {
      consider(Pencil(angle: -atan2(lines[i].direction.y, lines[i].direction.x), convergence: 0))
      for j in 0..<i { consider(Pencil(lines[i], lines[j])) }
    }
    if lines.count > longest {
      var random = FixedRandom()
      for _ in 0..<Self.randomPairs {
        let (i, j) = (random.next(below: lines.count), random.next(below: lines.count))
        if i != j { consider(Pencil(lines[i], lines[j])) }
      }
    }
    guard let winner else { return nil }
    var refined = winner.refined(on: lines, convergencePrior: convergencePrior)
    guard abs(offset(of: refined)) <= reach else { return nil }
    refined.weigh(lines, range: 2 * reach)
    return refined
  }
}
import Libc

/// A pseudo-random sequence that is the same every time (xorshift32; G. Marsaglia, 2003).
private struct FixedRandom {
  private var state: UInt32 = 0x9e37_79b9

  mutating func next(below bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    return Int(UInt64(state) * UInt64(bound) >> 32)
  }
}
