import Libc

/// Sums of products of gradients: how much edges there are across every direction.
struct GradientTensor: Sendable, Hashable {
  var xx = 0.0
  var xy = 0.0
  var yy = 0.0

  /// The energy of gradients in all directions.
  var trace: Double { xx + yy }

  static func + (a: GradientTensor, b: GradientTensor) -> GradientTensor {
    GradientTensor(xx: a.xx + b.xx, xy: a.xy + b.xy, yy: a.yy + b.yy)
  }

  static func * (a: GradientTensor, scale: Double) -> GradientTensor {
    GradientTensor(xx: a.xx * scale, xy: a.xy * scale, yy: a.yy * scale)
  }

  /// The energies of this tensor over those of `reference`, in the two directions where the ratio is least
  /// and greatest, and the first of these directions in radians from x towards y.
  ///
  /// These are the generalized eigenvalues; `reference` must be positive definite.
  func ratios(to reference: GradientTensor) -> (least: Double, greatest: Double, direction: Double) {
    // reference = L · Lᵀ; the eigenvalues of L⁻¹ · self · L⁻ᵀ.
    let l11 = reference.xx.squareRoot()
    let l21 = reference.xy / l11
    let l22 = max(reference.yy - l21 * l21, Double.leastNormalMagnitude).squareRoot()
    let a = xx / (l11 * l11)
    let b = (xy / l11 - l21 * a) / l22
    let c = (yy - 2 * l21 * xy / l11 + l21 * l21 * a) / (l22 * l22)
    let middle = (a + c) / 2
    let radius = (((a - c) / 2) * ((a - c) / 2) + b * b).squareRoot()
    // The eigenvector of the least, and back by L⁻ᵀ.
    let turn = atan2(2 * b, a - c) / 2 + .pi / 2
    let y = sin(turn) / l22
    let x = (cos(turn) - l21 * y) / l11
    return (max(middle - radius, 0), middle + radius, atan2(y, x))
  }
}
