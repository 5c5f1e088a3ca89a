/// Four corners in samples or pixels of a picture, clockwise as displayed; the centre of the first sample is at
/// (0.5, 0.5).
package struct Quad: Sendable, Hashable {
  private var first, second, third, fourth: SIMD2<Double>

  package init(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>, _ d: SIMD2<Double>) {
    (first, second, third, fourth) = (a, b, c, d)
  }

  /// Corner 0…3; side `index` runs from it to the next.
  package subscript(index: Int) -> SIMD2<Double> {
    switch index & 3 {
    case 0: first
    case 1: second
    case 2: third
    default: fourth
    }
  }

  /// Twice the area is Σ xᵢ·yᵢ₊₁ − xᵢ₊₁·yᵢ; positive if the corners run clockwise as displayed.
  package var area: Double { cross(third - first, fourth - second) / 2 }

  package var center: SIMD2<Double> { (first + second + third + fourth) / 4 }

  package func side(_ index: Int) -> SIMD2<Double> { self[index + 1] - self[index] }

  /// Whether each corner turns clockwise: no three in a line, no two sides crossed.
  package var isConvex: Bool {
    for index in 0..<4 {
      let (a, b) = (side(index), side(index + 1))
      guard cross(a, b) > 1e-6 * ((a * a).sum() * (b * b).sum()).squareRoot() else { return false }
    }
    return true
  }

  package func map(_ change: (SIMD2<Double>) -> SIMD2<Double>) -> Quad {
    Quad(change(first), change(second), change(third), change(fourth))
  }

  /// The same corners clockwise, beginning with the one nearest to the picture's top left.
  package var startingAtTopLeft: Quad {
    let ring = area < 0 ? Quad(first, fourth, third, second) : self
    var best = 0
    for index in 1..<4 where ring[index].sum() < ring[best].sum() - 1e-9 { best = index }
    return Quad(ring[best], ring[best + 1], ring[best + 2], ring[best + 3])
  }

  /// Whether a point is inside.
  package func contains(_ p: SIMD2<Double>) -> Bool {
    for index in 0..<4 where cross(side(index), p - self[index]) < 0 { return false }
    return true
  }

  /// Whether another one lies within, or at most `margin` beyond its sides.
  package func encloses(_ other: Quad, margin: Double) -> Bool {
    for index in 0..<4 {
      let way = side(index)
      let least = -margin * (way * way).sum().squareRoot()
      for corner in 0..<4 where cross(way, other[corner] - self[index]) < least { return false }
    }
    return true
  }

  /// Whether corners or centres of one are inside of the other.
  package func mayOverlap(_ other: Quad) -> Bool {
    if contains(other.center) || other.contains(center) { return true }
    for index in 0..<4 where contains(other[index]) || other.contains(self[index]) { return true }
    return false
  }
}
