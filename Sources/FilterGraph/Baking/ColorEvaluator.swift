import ColorScience

/// Colours as three planes: R'G'B' with 1.0 full scale, or CIE L*, a*, b*.
package struct ColorPlanes: Sendable, Hashable {
  package var r, g, b: [Float]

  package init(r: [Float], g: [Float], b: [Float]) { (self.r, self.g, self.b) = (r, g, b) }
  package init(_ colors: [SIMD3<Float>]) {
    // Closures, because key paths are slow.
    self.init(r: colors.map { $0.x }, g: colors.map { $0.y }, b: colors.map { $0.z })
  }
  package var count: Int { r.count }
  package subscript(i: Int) -> SIMD3<Float> { SIMD3(r[i], g[i], b[i]) }
}

/// A function of colours, prepared once and applied many times.
package protocol ColorFunction {
  /// Applies the function in place.
  func apply(to colors: inout ColorPlanes)
}

/// Colour stages, prepared once and applied many times.
package protocol StageFunction: ColorFunction {
  /// Evaluates the function at the nodes of a grid with these samples along each axis: int16 R, G, B, 0 per node,
  /// red fastest, at `BakedLUT.unit` codes per unit, clipped to -2…2.
  func nodes(along axis: [Float]) -> [Int16]
}

/// The arithmetic of baking, on many colours at once: lets the optimizer bake and prove tables independently of a
/// renderer. Only `evaluate` is required; the defaults of the others process one colour at a time.
package protocol ColorEvaluator: Sendable {
  /// Applies exact colour stages.
  func evaluate(_ stages: [Stage], on colors: inout ColorPlanes)

  /// Prepares stages for repeated evaluation.
  func function(of stages: [Stage]) -> any StageFunction
  /// Prepares the conversion from encoded R'G'B' of `space`, clipped to 0…1, to CIE L*a*b* under the white of
  /// `space`. Accurate to 1e-3.
  func labFunction(of space: ColorSpace) -> any ColorFunction
  /// Replaces colours, clipped to 0…1, by the table's values. Accurate to 1e-5.
  func interpolate(_ table: TetrahedralTable, at colors: inout ColorPlanes)
  /// Returns all nodes of a table from every other one along each axis. Within two codes of `ThinGrid.refined`.
  func refined(_ codes: [Int16], by grid: ThinGrid) -> [Int16]
  /// Returns ΔE2000 of colours in CIE L*a*b*, accurate to 1e-3 below 5.
  func differences(_ labs: ColorPlanes, _ others: ColorPlanes) -> [Float]
  /// Returns the sharpest bends of a table, sharpest first: at most one per block of `block`³ nodes and at most
  /// `count`.
  func bends(of table: TetrahedralTable, block: Int, count: Int) -> [TableBend]
}

extension ColorEvaluator {
  package func function(of stages: [Stage]) -> any StageFunction {
    PlainFunction { self.evaluate(stages, on: &$0) }
  }

  package func labFunction(of space: ColorSpace) -> any ColorFunction {
    let difference = ColorDifference(space: space)
    return PlainFunction { colors in
      for i in 0..<colors.count {
        let lab = difference.lab(SIMD3<Double>(colors[i]))
        (colors.r[i], colors.g[i], colors.b[i]) = (Float(lab.x), Float(lab.y), Float(lab.z))
      }
    }
  }

  package func interpolate(_ table: TetrahedralTable, at colors: inout ColorPlanes) {
    for i in 0..<colors.count {
      let out = table.evaluate(SIMD3<Double>(colors[i]))
      (colors.r[i], colors.g[i], colors.b[i]) = (Float(out.x), Float(out.y), Float(out.z))
    }
  }

  package func refined(_ codes: [Int16], by grid: ThinGrid) -> [Int16] { grid.refined(codes) }

  package func differences(_ labs: ColorPlanes, _ others: ColorPlanes) -> [Float] {
    (0..<labs.count).map { Float(deltaE2000(SIMD3<Double>(labs[$0]), SIMD3<Double>(others[$0]))) }
  }

  package func bends(of table: TetrahedralTable, block: Int, count: Int) -> [TableBend] {
    TableBend.sharpest(of: table, block: block, count: count)
  }
}

/// A function in scalar code.
private struct PlainFunction: StageFunction {
  let body: (inout ColorPlanes) -> Void

  func apply(to colors: inout ColorPlanes) { body(&colors) }

  func nodes(along axis: [Float]) -> [Int16] {
    var colors = ColorPlanes(
      axis.flatMap { b in axis.flatMap { g in axis.map { r in SIMD3(r, g, b) } } })
    body(&colors)
    let limit = Float(2 * BakedLUT.unit)
    func code(_ value: Float) -> Int16 {
      let scaled = value * Float(BakedLUT.unit)
      return scaled.isNaN ? 0 : Int16(min(max(scaled, -limit), limit).rounded())
    }
    return (0..<colors.count).flatMap { [code(colors.r[$0]), code(colors.g[$0]), code(colors.b[$0]), 0] }
  }
}

/// Evaluates one colour at a time in double precision: slow and obviously correct.
package struct ExactEvaluator: ColorEvaluator {
  package init() {}

  package func evaluate(_ stages: [Stage], on colors: inout ColorPlanes) {
    for i in 0..<colors.count {
      let out = stages.reduce(SIMD3<Double>(colors[i])) { $1.evaluate($0) }
      (colors.r[i], colors.g[i], colors.b[i]) = (Float(out.x), Float(out.y), Float(out.z))
    }
  }
}
