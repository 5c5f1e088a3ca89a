/// Colours, and the grid nodes that tetrahedral interpolation blends for them, for tables that do not exist yet.
struct NodeBlends: Sendable {
  let colors: ColorPlanes
  /// The nodes' colours: the first node of every colour, then the second of every colour, and so on.
  let nodes: ColorPlanes
  /// The weight of each of `nodes`.
  private let weights: [Float]

  init(_ colors: ColorPlanes, on shape: TableShape) {
    self.colors = colors
    let axis = shape.axis
    let count = colors.count
    var nodes = [SIMD3<Float>](repeating: .zero, count: 4 * count)
    var weights = [Float](repeating: 0, count: 4 * count)
    for i in 0..<count {
      let cell = TetrahedralCell(SIMD3<Double>(colors[i]), size: shape.size, spacing: shape.spacing)
      for vertex in 0..<4 {
        let node = cell.vertex(vertex)
        nodes[vertex * count + i] = SIMD3(axis[node.x], axis[node.y], axis[node.z])
        weights[vertex * count + i] = Float(cell.weights[vertex])
      }
    }
    self.nodes = ColorPlanes(nodes)
    self.weights = weights
  }

  /// Creates blends for colours midway between two nodes, or on one.
  init(middles: [SIMD3<Float>], lower: [SIMD3<Float>], upper: [SIMD3<Float>]) {
    colors = ColorPlanes(middles)
    nodes = ColorPlanes(lower + upper)
    weights = [Float](repeating: 0.5, count: 2 * middles.count)
  }

  /// Returns the interpolated values, given the values of `nodes`.
  func blend(_ values: ColorPlanes) -> ColorPlanes {
    let count = colors.count
    func plane(_ values: [Float]) -> [Float] {
      var sums = [Float](repeating: 0, count: count)
      for start in stride(from: 0, to: values.count, by: count) {
        for i in 0..<count { sums[i] += weights[start + i] * values[start + i] }
      }
      return sums
    }
    return ColorPlanes(r: plane(values.r), g: plane(values.g), b: plane(values.b))
  }
}
