/// Every other node of a table along each axis, and cubics that the nodes between follow.
///
/// Most stages are so smooth that a cubic through four nodes is far closer to them than the table's own straight
/// lines, so an eighth of the nodes is all that has to be computed. Stages that bend sharply are found out: what a cubic
/// makes of them is compared with them where the table bends most.
package struct ThinGrid: Sendable, Hashable {
  /// The samples of the nodes computed.
  package let axis: [Float]
  /// For each node between: the weights of the four computed ones nearest to it.
  package let weights: [SIMD4<Float>]

  /// The largest ΔE2000 accepted at nodes between.
  static let acceptedMaximum = 0.15

  /// Nodes per axis of the tables worth it: smaller ones are computed as fast as they are refined.
  static let smallest = 33

  /// Those of all shapes of tables but the one whose nodes are creases of a look.
  static let ofShapes: [TableShape: ThinGrid] = Dictionary(
    uniqueKeysWithValues: TableForm.shapes.dropLast().compactMap { shape in
      ThinGrid(shape).map { (shape, $0) }
    })

  init?(_ shape: TableShape) {
    guard shape.size >= Self.smallest, shape.size % 2 == 1 else { return nil }
    let samples = shape.axis.map(Double.init)
    axis = stride(from: 0, to: shape.size, by: 2).map { shape.axis[$0] }
    let count = axis.count
    weights = (0..<count - 1).map { place in
      let first = Self.firstOfFour(at: place, of: count)
      let nodes = (0..<4).map { samples[2 * (first + $0)] }
      let at = samples[2 * place + 1]
      // Lagrange's, for nodes at any distance.
      return SIMD4(
        (0..<4).map { i in
          Float((0..<4).reduce(1) { $1 == i ? $0 : $0 * (at - nodes[$1]) / (nodes[i] - nodes[$1]) })
        })
    }
  }

  /// Returns the first of the four nodes nearest to the one between `place` and the next.
  package static func firstOfFour(at place: Int, of count: Int) -> Int { min(max(place - 1, 0), count - 4) }

  /// The shape of the grid that is computed.
  static func shape(of shape: TableShape) -> TableShape { TableShape((shape.size + 1) / 2, shape.spacing) }

  /// Returns all nodes, in scalar code: the reference for the kernels.
  package func refined(_ codes: [Int16]) -> [Int16] {
    let count = axis.count
    let size = 2 * count - 1
    let limit = Float(2 * BakedLUT.unit)
    var lengths = [count, count, count]
    var nodes = (0..<count * count * count).map { node in
      SIMD3<Int16>(codes[4 * node], codes[4 * node + 1], codes[4 * node + 2])
    }
    for direction in 0..<3 {
      var longer = lengths
      longer[direction] = size
      let stride = lengths[..<direction].reduce(1, *)
      nodes = (0..<longer.reduce(1, *)).map { node in
        var place = [node % longer[0], node / longer[0] % longer[1], node / (longer[0] * longer[1])]
        let between = place[direction] / 2
        let isKept = place[direction] % 2 == 0
        place[direction] = isKept ? between : Self.firstOfFour(at: between, of: count)
        let first = place[0] + lengths[0] * (place[1] + lengths[1] * place[2])
        guard !isKept else { return nodes[first] }
        let sum = (0..<4).reduce(SIMD3<Float>.zero) {
          $0 + weights[between][$1] * SIMD3<Float>(nodes[first + $1 * stride])
        }
        return SIMD3<Int16>(
          sum.clamped(lowerBound: SIMD3(repeating: -limit), upperBound: SIMD3(repeating: limit)),
          rounding: .toNearestOrEven)
      }
      lengths = longer
    }
    return nodes.flatMap { [$0.x, $0.y, $0.z, 0] }
  }
}
