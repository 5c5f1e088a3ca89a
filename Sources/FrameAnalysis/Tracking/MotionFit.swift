import Libc

/// The motion that most points share: a turn, a scale and a shift, or the change of perspective of a flat thing.
struct MotionFit {
  /// From the first places to the second.
  let map: Homography
  /// The part of the points that agree, 0…1.
  let agreement: Double

  /// Points agree if they are off by less, in samples.
  private static let tolerance = 1.2
  private static let trials = 60
  /// Perspective is fitted to at least so many points, if they then agree clearly better.
  private static let leastForPerspective = 12

  /// Nil if there are too few points, or if no four of them and a third of all agree.
  ///
  /// Source: M. Fischler, R. Bolles, Random sample consensus, Communications of the ACM 24, 1981; the samples are the
  /// same every time.
  init?(_ pairs: [(from: SIMD2<Double>, to: SIMD2<Double>)]) {
    guard pairs.count >= 4 else { return nil }
    var random: UInt64 = 0x9e37_79b9_7f4a_7c15
    func next(_ count: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((random >> 33) % UInt64(count))
    }
    var best: (map: Homography, count: Int, error: Double)?
    // Perspective moves points off a similarity: they are let in by three times as much, then judged.
    let loose = 3 * Self.tolerance
    for _ in 0..<Self.trials {
      let (a, b) = (next(pairs.count), next(pairs.count))
      guard a != b, let map = Self.similarity(pairs[a], pairs[b]) else { continue }
      var (count, error) = (0, 0.0)
      for pair in pairs {
        guard let there = map(pair.from) else { continue }
        let off = ((there - pair.to) * (there - pair.to)).sum()
        if off < loose * loose {
          count += 1
          error += off
        }
      }
      if let best, (best.count, -best.error) >= (count, -error) { continue }
      best = (map, count, error)
    }
    guard let best, best.count >= 4 else { return nil }
    var map = best.map
    for _ in 0..<3 {
      guard let fitted = Self.similarity(Self.agreeing(pairs, map, loose)) else { break }
      map = fitted
    }
    let similar = Self.agreeing(pairs, map, Self.tolerance)
    var chosen = (map, similar.count)
    let loosely = Self.agreeing(pairs, map, loose)
    if loosely.count >= Self.leastForPerspective, var flat = Self.perspective(loosely) {
      for _ in 0..<2 { flat = Self.perspective(Self.agreeing(pairs, flat, Self.tolerance)) ?? flat }
      let count = Self.agreeing(pairs, flat, Self.tolerance).count
      let both = Self.agreeing(similar, flat, Self.tolerance)
      if Double(count) > 1.2 * Double(similar.count) + 2
        || (count >= similar.count && Self.error(both, flat) < 0.5 * Self.error(both, map))
      {
        chosen = (flat, count)
      }
    }
    guard chosen.1 >= 4, 3 * chosen.1 >= pairs.count else { return nil }
    (self.map, agreement) = (chosen.0, Double(chosen.1) / Double(pairs.count))
  }

  private typealias Pair = (from: SIMD2<Double>, to: SIMD2<Double>)

  private static func agreeing(_ pairs: [Pair], _ map: Homography, _ tolerance: Double) -> [Pair] {
    pairs.filter { pair in
      guard let there = map(pair.from) else { return false }
      return ((there - pair.to) * (there - pair.to)).sum() < tolerance * tolerance
    }
  }

  private static func error(_ pairs: [Pair], _ map: Homography) -> Double {
    pairs.reduce(0) { sum, pair in
      guard let there = map(pair.from) else { return .infinity }
      return sum + ((there - pair.to) * (there - pair.to)).sum()
    }
  }

  /// The similarity through two pairs: as complex numbers, to = s · from + t.
  private static func similarity(_ a: Pair, _ b: Pair) -> Homography? {
    let (u, v) = (b.from - a.from, b.to - a.to)
    let square = (u * u).sum()
    guard square > 16 else { return nil }
    return similarity(scale: SIMD2((u * v).sum(), cross(u, v)) / square, a.from, a.to)
  }

  /// The similarity of least squares.
  private static func similarity(_ pairs: [Pair]) -> Homography? {
    guard pairs.count >= 2 else { return nil }
    let count = Double(pairs.count)
    let from = pairs.reduce(SIMD2<Double>.zero) { $0 + $1.from } / count
    let to = pairs.reduce(SIMD2<Double>.zero) { $0 + $1.to } / count
    var (scale, square) = (SIMD2<Double>.zero, 0.0)
    for pair in pairs {
      let (u, v) = (pair.from - from, pair.to - to)
      scale += SIMD2((u * v).sum(), cross(u, v))
      square += (u * u).sum()
    }
    guard square > 16 else { return nil }
    return similarity(scale: scale / square, from, to)
  }

  private static func similarity(scale: SIMD2<Double>, _ from: SIMD2<Double>, _ to: SIMD2<Double>)
    -> Homography?
  {
    let size = (scale * scale).sum()
    guard size > 0.1, size < 10 else { return nil }
    return Homography(
      x: SIMD3(scale.x, -scale.y, to.x - scale.x * from.x + scale.y * from.y),
      y: SIMD3(scale.y, scale.x, to.y - scale.y * from.x - scale.x * from.y), w: SIMD3(0, 0, 1))
  }

  /// The projective map of least algebraic squares, of points whose centre is the origin and whose mean distance is
  /// about 1 (R. Hartley, In defense of the eight-point algorithm, 1997).
  private static func perspective(_ pairs: [Pair]) -> Homography? {
    guard pairs.count >= 6 else { return nil }
    let count = Double(pairs.count)
    let from = pairs.reduce(SIMD2<Double>.zero) { $0 + $1.from } / count
    let to = pairs.reduce(SIMD2<Double>.zero) { $0 + $1.to } / count
    let spread = pairs.reduce(0.0) { $0 + (($1.from - from) * ($1.from - from)).sum() } / count
    guard spread > 4 else { return nil }
    let unit = spread.squareRoot()
    // Normal equations of the eight unknowns, and the right side.
    var rows = [[Double]](repeating: [Double](repeating: 0, count: 9), count: 8)
    func add(_ line: [Double]) {
      for i in 0..<8 { for j in 0..<9 { rows[i][j] += line[i] * line[j] } }
    }
    for pair in pairs {
      let (p, q) = ((pair.from - from) / unit, (pair.to - to) / unit)
      add([p.x, p.y, 1, 0, 0, 0, -q.x * p.x, -q.x * p.y, q.x])
      add([0, 0, 0, p.x, p.y, 1, -q.y * p.x, -q.y * p.y, q.y])
    }
    guard let h = solved(rows) else { return nil }
    let inner = Homography(x: SIMD3(h[0], h[1], h[2]), y: SIMD3(h[3], h[4], h[5]), w: SIMD3(h[6], h[7], 1))
    let before = Homography(
      x: SIMD3(1 / unit, 0, -from.x / unit), y: SIMD3(0, 1 / unit, -from.y / unit), w: SIMD3(0, 0, 1))
    let after = Homography(x: SIMD3(unit, 0, to.x), y: SIMD3(0, unit, to.y), w: SIMD3(0, 0, 1))
    return before.then(inner).then(after)
  }

  /// Gauss-Jordan elimination with pivots; nil if singular.
  private static func solved(_ system: [[Double]]) -> [Double]? {
    var rows = system
    let count = rows.count
    for column in 0..<count {
      guard let pivot = (column..<count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
        abs(rows[pivot][column]) > 1e-10
      else { return nil }
      rows.swapAt(column, pivot)
      for row in 0..<count where row != column {
        let factor = rows[row][column] / rows[column][column]
        for index in column...count { rows[row][index] -= factor * rows[column][index] }
      }
    }
    return (0..<count).map { rows[$0][count] / rows[$0][$0] }
  }
}
