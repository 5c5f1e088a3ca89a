/// A lattice sampled from a function of colours, and how far it is from it between its nodes.
package struct SampledLattice: Sendable {
  package let table: LUT3D
  package let error: Deviation

  /// The largest and the mean distance of a channel from what it stands for, 1.0 being white.
  package struct Deviation: Hashable, Sendable {
    package var maximum = 0.0
    package var mean = 0.0

    package init() {}
  }

  /// Samples a function over a box.
  ///
  /// The distance is measured at `probes` colours of a sequence that fills the box evenly, and on its grey diagonal, by
  /// the interpolation of `LUT3D.evaluate`.
  ///
  /// - Throws: `SafelightError` if the function's values are not finite.
  package init(
    size: Int, from low: SIMD3<Float> = .zero, to high: SIMD3<Float> = .one, probes: Int = 20_000,
    _ function: (SIMD3<Double>) -> SIMD3<Double>
  ) throws {
    let (start, range) = (SIMD3<Double>(low), SIMD3<Double>(high - low))
    let last = Double(size - 1)
    var nodes: [SIMD3<Float>] = []
    nodes.reserveCapacity(size * size * size)
    for blue in 0..<size {
      for green in 0..<size {
        for red in 0..<size {
          let part = SIMD3(Double(red), Double(green), Double(blue)) / last
          nodes.append(SIMD3<Float>(function(start + part * range)))
        }
      }
    }
    let table = try LUT3D(size: size, nodes: nodes, domainMin: low, domainMax: high)
    self.table = table
    error = Self.deviation(from: low, to: high, probes: probes, { table.evaluate($0) }, function)
  }

  /// Measures how far two functions of colours differ over a box.
  package static func deviation(
    from low: SIMD3<Float> = .zero, to high: SIMD3<Float> = .one, probes: Int,
    _ one: (SIMD3<Double>) -> SIMD3<Double>, _ other: (SIMD3<Double>) -> SIMD3<Double>
  ) -> Deviation {
    let (start, range) = (SIMD3<Double>(low), SIMD3<Double>(high - low))
    var error = Deviation()
    for color in probeColors(probes) {
      let place = start + color * range
      let difference = one(place) - other(place)
      let largest = max(abs(difference.x), abs(difference.y), abs(difference.z))
      error.maximum = max(error.maximum, largest)
      error.mean += largest
    }
    error.mean /= Double(max(probes, 1))
    return error
  }

  /// Colours that fill the unit cube evenly, a tenth of them grey.
  ///
  /// Source: Roberts (2018), “The Unreasonable Effectiveness of Quasirandom Sequences”: multiples of the powers of
  /// 1/1.2207440846, modulo 1.
  package static func probeColors(_ count: Int) -> [SIMD3<Double>] {
    let step = SIMD3(0.8191725133961645, 0.6710436067037893, 0.5497004779019703)
    return (0..<count).map { index in
      let product = (Double(index) + 0.5) * step
      let color = product - product.rounded(.down)
      return index % 10 == 0 ? SIMD3(repeating: color.x) : color
    }
  }
}
