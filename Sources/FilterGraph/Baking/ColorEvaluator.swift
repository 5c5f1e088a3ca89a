import ColorScience

/// Colours as three planes: R'G'B' with 1.0 full scale, or CIE L*, a*, b*.
public struct ColorPlanes: Sendable, Hashable {
  public var r, g, b: [Float]

  public init(r: [Float], g: [Float], b: [Float]) { (self.r, self.g, self.b) = (r, g, b) }
  public init(_ colors: [SIMD3<Float>]) {
    // Closures: key paths are slow.
    self.init(r: colors.map { $0.x }, g: colors.map { $0.y }, b: colors.map { $0.z })
  }
  public var count: Int { r.count }
  public subscript(i: Int) -> SIMD3<Float> { SIMD3(r[i], g[i], b[i]) }
}

/// A function of colours, prepared once and applied many times.
public protocol ColorFunction {
  /// Applies the function in place.
  func apply(to colors: inout ColorPlanes)
}

/// Colour stages, prepared once.
public protocol StageFunction: ColorFunction {
  /// The function at the nodes of a grid with these samples along each axis: int16 R, G, B, 0 a node, red fastest, at
  /// `BakedLUT.unit` a unit, clipped to -2…2.
  func nodes(along axis: [Float]) -> [Int16]
}

/// The arithmetic of baking, on many colours at once: how the optimizer bakes and proves tables without knowing a
/// renderer. Only `evaluate` must be written; the rest is done one colour after the other where it is not.
public protocol ColorEvaluator: Sendable {
  /// Runs exact colour stages.
  func evaluate(_ stages: [Stage], on colors: inout ColorPlanes)

  /// Stages to be evaluated more than once.
  func function(of stages: [Stage]) -> any StageFunction
  /// Encoded R'G'B' of `space`, clipped to 0…1 → CIE L*a*b* under the white of `space`. Within 1e-3.
  func labFunction(of space: ColorSpace) -> any ColorFunction
  /// Colours, clipped to 0…1 → the table's values. Within 1e-5.
  func interpolate(_ table: TetrahedralTable, at colors: inout ColorPlanes)
  /// ΔE2000 of colours in CIE L*a*b*, within 1e-3 where it is less than 5.
  func differences(_ labs: ColorPlanes, _ others: ColorPlanes) -> [Float]
  /// The sharpest bends of a table, at most one of each block of `block`³ nodes and at most `count`, the sharpest first.
  func bends(of table: TetrahedralTable, block: Int, count: Int) -> [TableBend]
}

extension ColorEvaluator {
  public func function(of stages: [Stage]) -> any StageFunction {
    PlainFunction { self.evaluate(stages, on: &$0) }
  }

  public func labFunction(of space: ColorSpace) -> any ColorFunction {
    let difference = ColorDifference(space: space)
    return PlainFunction { colors in
      for i in 0..<colors.count {
        let lab = difference.lab(SIMD3<Double>(colors[i]))
        (colors.r[i], colors.g[i], colors.b[i]) = (Float(lab.x), Float(lab.y), Float(lab.z))
      }
    }
  }

  public func interpolate(_ table: TetrahedralTable, at colors: inout ColorPlanes) {
    for i in 0..<colors.count {
      let out = table.evaluate(SIMD3<Double>(colors[i]))
      (colors.r[i], colors.g[i], colors.b[i]) = (Float(out.x), Float(out.y), Float(out.z))
    }
  }

  public func differences(_ labs: ColorPlanes, _ others: ColorPlanes) -> [Float] {
    (0..<labs.count).map { Float(deltaE2000(SIMD3<Double>(labs[$0]), SIMD3<Double>(others[$0]))) }
  }

  public func bends(of table: TetrahedralTable, block: Int, count: Int) -> [TableBend] {
    TableBend.sharpest(of: table, block: block, count: count)
  }
}

/// A function in plain code.
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

/// One colour after the other, in double precision: slow and obviously right.
public struct ExactEvaluator: ColorEvaluator {
  public init() {}

  public func evaluate(_ stages: [Stage], on colors: inout ColorPlanes) {
    for i in 0..<colors.count {
      let out = stages.reduce(SIMD3<Double>(colors[i])) { $1.evaluate($0) }
      (colors.r[i], colors.g[i], colors.b[i]) = (Float(out.x), Float(out.y), Float(out.z))
    }
  }
}
