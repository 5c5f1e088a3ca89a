import Libc

/// A point of the Planckian locus in CIE 1960 u, v, with its tangent and normal.
///
/// Points are parametrized in mired (10⁶/K), along which the locus is nearly evenly spaced.
struct PlanckianPoint {
  let uv: SIMD2<Double>
  /// The unit vector towards more mired (lower temperature).
  let tangent: SIMD2<Double>
  /// The unit vector perpendicular to the locus, towards greater v.
  let normal: SIMD2<Double>

  init(mired: Double) {
    var sum = SIMD3<Double>()
    var derivative = SIMD3<Double>()
    // Planck's law: M ∝ λ⁻⁵ / (e^(c₂/λT) − 1), here with c₂/λT = a · mired. Constant factors cancel in u, v.
    var wavelength = StandardObserver.firstWavelength
    for matching in StandardObserver.colorMatching {
      let a = 0.014388 / (wavelength * 1e-9) * 1e-6
      let exponential = expm1(a * mired)
      let power = 1e10 / (wavelength * wavelength * wavelength * wavelength * wavelength)
      let radiance = power / exponential
      sum += radiance * matching
      derivative -= (a * radiance * (1 + 1 / exponential)) * matching
      wavelength += StandardObserver.step
    }
    // u = 4X / (X + 15Y + 3Z), v = 6Y / (X + 15Y + 3Z), differentiated by the quotient rule.
    let weights = SIMD3<Double>(1, 15, 3)
    let scale = 1 / (weights * sum).sum()
    let slope = (weights * derivative).sum()
    uv = SIMD2(4 * sum.x, 6 * sum.y) * scale
    let direction = (SIMD2(4 * derivative.x, 6 * derivative.y) - uv * slope) * scale
    let length = (direction * direction).sum().squareRoot()
    tangent = direction / length
    // u grows with mired on the whole locus, so this is the side of greater v.
    normal = SIMD2(-tangent.y, tangent.x)
  }
}

/// Points of the locus from 1000 to 100,000 K, dense enough that the distance to any chromaticity has a single
/// minimum between the neighbours of the nearest.
struct PlanckianTable: Sendable {
  static let shared = PlanckianTable()

  /// 10…1000 mired, in steps of 2 %.
  let mireds: [Double]
  private let uv: [SIMD2<Double>]

  private init() {
    let count = 234
    mireds = (0..<count).map { 10 * pow(100, Double($0) / Double(count - 1)) }
    uv = mireds.map { PlanckianPoint(mired: $0).uv }
  }

  /// Returns the index of the point nearest to `target`; 0 for NaN.
  func indexNearest(to target: SIMD2<Double>) -> Int {
    var best = 0
    var bestDistance = Double.infinity
    for (index, point) in uv.enumerated() {
      let offset = target - point
      let distance = (offset * offset).sum()
      if distance < bestDistance {
        best = index
        bestDistance = distance
      }
    }
    return best
  }
}
