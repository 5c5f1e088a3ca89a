/// One step of a table of colours that is a chain, as in the Common LUT Format.
package enum ColorStep: Hashable, Sendable {
  /// matrix · rgb + offset
  case affine(Matrix3x3, offset: SIMD3<Double>)
  /// A function of each channel: red, green, blue.
  case curves(ChannelCurve, ChannelCurve, ChannelCurve)
  /// Three curves of equally spaced samples.
  case table1D(LUT1D)
  /// A lattice, between whose nodes values are tetrahedral or trilinear.
  case table3D(LUT3D, isTrilinear: Bool)

  /// Returns the exact result.
  package func evaluate(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    func limited(_ x: Double) -> Double { ChannelCurve.limited(x) }
    switch self {
    case .affine(let matrix, let offset):
      // Infinite numbers would become none.
      let result = matrix * SIMD3(limited(rgb.x), limited(rgb.y), limited(rgb.z)) + offset
      return SIMD3(limited(result.x), limited(result.y), limited(result.z))
    case .curves(let red, let green, let blue):
      return SIMD3(red.evaluate(rgb.x), green.evaluate(rgb.y), blue.evaluate(rgb.z))
    case .table1D(let table): return table.evaluate(rgb)
    case .table3D(let table, let isTrilinear):
      return isTrilinear ? table.evaluateTrilinear(rgb) : table.evaluate(rgb)
    }
  }

  /// A function of all channels alike.
  static func curve(_ curve: ChannelCurve) -> ColorStep { .curves(curve, curve, curve) }

  /// Numbers that are equal only if the step is.
  var numbers: [Double] {
    func flat(_ colors: [SIMD3<Float>]) -> [Double] {
      colors.flatMap { [Double($0.x), Double($0.y), Double($0.z)] }
    }
    switch self {
    case .affine(let matrix, let offset):
      return [1] + (matrix.rows + [offset]).flatMap { [$0.x, $0.y, $0.z] }
    case .curves(let red, let green, let blue): return [2] + red.numbers + green.numbers + blue.numbers
    case .table1D(let table): return [3] + flat([table.domainMin, table.domainMax] + table.samples)
    case .table3D(let table, let isTrilinear):
      return [4, isTrilinear ? 1 : 0] + flat([table.domainMin, table.domainMax] + table.nodes)
    }
  }
}

extension LUT3D {
  /// Returns the value at `color` by trilinear interpolation: a weighted mean of the eight nodes around it. The input is
  /// clipped to the domain.
  package func evaluateTrilinear(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let position = LUTDomain.position(of: color, from: domainMin, to: domainMax, last: size - 1)
    let cell = SIMD3(
      min(Int(position.x), size - 2), min(Int(position.y), size - 2), min(Int(position.z), size - 2))
    let part = position - SIMD3<Double>(cell)
    let nodes = nodes
    let first = cell.x + size * (cell.y + size * cell.z)
    func row(_ index: Int) -> SIMD3<Double> {
      let (low, high) = (SIMD3<Double>(nodes[index]), SIMD3<Double>(nodes[index + 1]))
      return low + part.x * (high - low)
    }
    func plane(_ index: Int) -> SIMD3<Double> {
      let (low, high) = (row(index), row(index + size))
      return low + part.y * (high - low)
    }
    let (near, far) = (plane(first), plane(first + size * size))
    return near + part.z * (far - near)
  }
}
