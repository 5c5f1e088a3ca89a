import ColorScience

/// Colours as three planes, 1.0 full scale.
public struct ColorPlanes: Sendable, Hashable {
  public var r, g, b: [Float]

  public init(r: [Float], g: [Float], b: [Float]) { (self.r, self.g, self.b) = (r, g, b) }
  public init(_ colors: [SIMD3<Float>]) {
    self.init(r: colors.map(\.x), g: colors.map(\.y), b: colors.map(\.z))
  }
  public var count: Int { r.count }
  public subscript(i: Int) -> SIMD3<Float> { SIMD3(r[i], g[i], b[i]) }
}

/// Runs exact colour stages on many colours at once: how the optimizer bakes and proves tables without
/// knowing a renderer.
public protocol ColorEvaluator: Sendable {
  func evaluate(_ stages: [Stage], on colors: inout ColorPlanes)
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
