import ColorScience
import FilterGraph
import Filters
import Libc

/// The white balance that moves one colour to another, by Newton's method on the temperature, in mireds, and the tint.
struct BalanceSearch: Sendable {
  /// The temperatures that may be found, as 10⁶/K.
  var mireds: ClosedRange<Double>
  var tints: ClosedRange<Double>
  /// The temperature found is a multiple of this.
  var kelvinStep: Float

  /// - Parameters:
  ///   - color: linear RGB of the working space.
  ///   - wanted: a and b in OKLab that it is to have, at lightness 0.6.
  /// - Returns: the balance, and how far from `wanted` it leaves the colour.
  func balance(from color: SIMD3<Double>, to wanted: SIMD2<Double>) -> (filter: WhiteBalance, miss: Double) {
    let space = PlanBuilder.workingSpace
    func filter(_ at: SIMD2<Double>) -> WhiteBalance {
      WhiteBalance(temperature: Float(1e6 / at.x), tint: Float(at.y))
    }
    func miss(_ at: SIMD2<Double>) -> SIMD2<Double> {
      let lab = OKLab.fromXYZ(space.toXYZ * (filter(at).matrix * color))
      return SIMD2(lab.y, lab.z) * (0.6 / max(lab.x, 0.05)) - wanted
    }
    let lower = SIMD2(mireds.lowerBound, tints.lowerBound)
    let upper = SIMD2(mireds.upperBound, tints.upperBound)
    var at = SIMD2(1e6 / 6500, 0.0)
    for _ in 0..<12 {
      let here = miss(at)
      let alongMired = (miss(at + SIMD2(2, 0)) - here) / 2
      let alongTint = (miss(at + SIMD2(0, 2)) - here) / 2
      let determinant = alongMired.x * alongTint.y - alongMired.y * alongTint.x
      guard abs(determinant) > 1e-12 else { break }
      let step = SIMD2(
        (alongTint.y * here.x - alongTint.x * here.y) / determinant,
        (alongMired.x * here.y - alongMired.y * here.x) / determinant)
      at -= step.clamped(lowerBound: SIMD2(-40, -25), upperBound: SIMD2(40, 25))
      at = at.clamped(lowerBound: lower, upperBound: upper)
    }
    let found = filter(at)
    let left = miss(at)
    return (
      WhiteBalance(
        temperature: (found.temperature / kelvinStep).rounded() * kelvinStep, tint: found.tint.rounded()),
      hypot(left.x, left.y)
    )
  }
}
