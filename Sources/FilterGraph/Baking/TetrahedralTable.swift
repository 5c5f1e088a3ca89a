/// The grid cell that contains a colour, and the path through it.
struct TetrahedralCell {
  /// The corner nearest to the origin.
  private(set) var corner = SIMD3<Int>.zero
  /// The axes in descending order of the fractions: the path follows them from the corner to the opposite one.
  private(set) var path = (0, 1, 2)
  /// The weights of the four vertices on that path.
  let weights: SIMD4<Double>

  init(_ rgb: SIMD3<Double>, size: Int, spacing: NodeSpacing) {
    let last = size - 1
    var fractions = SIMD3<Double>.zero
    for axis in 0..<3 {
      let position = spacing.position(of: min(max(rgb[axis], 0), 1)) * Double(last)
      // NaN has no position; the origin is as good as any.
      corner[axis] = position.isNaN ? 0 : min(Int(position), last - 1)
      fractions[axis] = position - Double(corner[axis])
    }
    if fractions[path.0] < fractions[path.1] { swap(&path.0, &path.1) }
    if fractions[path.1] < fractions[path.2] { swap(&path.1, &path.2) }
    if fractions[path.0] < fractions[path.1] { swap(&path.0, &path.1) }
    let (first, second, third) = (fractions[path.0], fractions[path.1], fractions[path.2])
    weights = SIMD4(1 - first, first - second, second - third, third)
  }

  /// Returns the node coordinates of vertex 0, 1, 2 or 3.
  func vertex(_ index: Int) -> SIMD3<Int> {
    var vertex = corner
    if index > 0 { vertex[path.0] += 1 }
    if index > 1 { vertex[path.1] += 1 }
    if index > 2 { vertex[path.2] += 1 }
    return vertex
  }
}

/// A 3D table of int16 nodes with tetrahedral interpolation in scalar code: the reference for the kernels.
package struct TetrahedralTable: Sendable {
  /// int16 R, G, B, 0 per node, red fastest, at `BakedLUT.unit` codes per unit.
  package let codes: [Int16]
  /// The number of nodes per axis.
  package let size: Int
  package let spacing: NodeSpacing
  /// The slope outside 0…1: value + slope · (input - clipped input).
  package private(set) var slopeOutside = 0.0

  init(codes: [Int16], size: Int, spacing: NodeSpacing) {
    (self.codes, self.size, self.spacing) = (codes, size, spacing)
  }

  func extended(by slope: Double) -> TetrahedralTable {
    var table = self
    table.slopeOutside = slope
    return table
  }

  package func evaluate(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let cell = TetrahedralCell(rgb, size: size, spacing: spacing)
    var value = SIMD3<Double>.zero
    for index in 0..<4 {
      let vertex = cell.vertex(index)
      value += cell.weights[index] * node(vertex.x + size * (vertex.y + size * vertex.z))
    }
    return value + slopeOutside * (rgb - rgb.clamped(lowerBound: .zero, upperBound: .one))
  }

  private func node(_ index: Int) -> SIMD3<Double> {
    SIMD3(Double(codes[4 * index]), Double(codes[4 * index + 1]), Double(codes[4 * index + 2]))
      / Double(BakedLUT.unit)
  }
}
