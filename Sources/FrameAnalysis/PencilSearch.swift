/// Finds the pencil that most lines agree with, among those whose vanishing point lies in a range of directions:
/// random sample consensus with a fixed sequence, so that the same lines always give the same pencil.
///
/// Source: M. A. Fischler, R. C. Bolles, Random Sample Consensus, Communications of the ACM 24, 1981.
struct PencilSearch {
  /// The middle of the range of angles, radians: 0 for lines that are level, π/2 for upright ones.
  var axis: Double
  /// How far from the axis the vanishing point's direction may lie, radians.
  var reach: Double
  /// The largest convergence.
  var maximumConvergence: Double
  /// The standard deviation of convergences before any line is seen.
  var convergencePrior: Double

  /// All pairs of this many longest lines are tried, then pairs at random.
  private static let exhaustive = 20
  private static let randomPairs = 260

  /// The angle of `pencil` from the axis, radians, −π/2 ..< π/2.
  func offset(of pencil: Pencil) -> Double { lineAngle(pencil.angle - axis) }

  /// Whether a line may belong to a pencil in range: its direction lies within the reach and what convergence adds.
  func accepts(_ line: ImageLine) -> Bool {
    let along = abs((line.direction * heading(axis)).sum())
    return along > 0.6
  }

  /// The best pencil through `lines`, or nil where no two or no long one lie in range.
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
      // Convergence is dear: a random pair that happens to converge strongly must bring more lines.
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

/// A sequence of numbers without pattern that is the same every time (xorshift32; G. Marsaglia, 2003).
private struct FixedRandom {
  private var state: UInt32 = 0x9e37_79b9

  mutating func next(below bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    return Int(UInt64(state) * UInt64(bound) >> 32)
  }
}
