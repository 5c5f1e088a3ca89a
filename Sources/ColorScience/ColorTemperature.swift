/// The colour of a light as correlated colour temperature and distance from the Planckian locus.
///
/// Duv is the signed distance in CIE 1960 u, v, positive above the locus (greenish), negative below it
/// (pinkish). Source: Ohno (2013), “Practical use and calculation of CCT and Duv”, LEUKOS 10(1).
public struct ColorTemperature: Hashable, Sendable {
  /// Correlated colour temperature, in kelvin.
  public var kelvin: Double
  /// Signed distance from the Planckian locus in CIE 1960 u, v.
  public var duv: Double

  public init(kelvin: Double, duv: Double = 0) {
    self.kelvin = kelvin
    self.duv = duv
  }

  /// The temperatures searched for a chromaticity, in kelvin.
  public static let searchRange = 1000.0...100_000.0

  /// Finds the temperature of the point on the Planckian locus nearest to `chromaticity`, and the distance to it.
  ///
  /// Agrees with Ohno's combined method wherever that is exact: his method interpolates in a table by a triangle
  /// or a parabola, this one finds the foot of the perpendicular by bisection. If the nearest point is beyond
  /// `searchRange`, the result is the end of the range.
  public init(_ chromaticity: Chromaticity) {
    let uv = chromaticity.uv
    // The distance has a single minimum between the neighbours of the nearest tabulated point.
    let table = PlanckianTable.shared
    let nearest = table.indexNearest(to: uv)
    var low = table.mireds[max(nearest - 1, 0)]
    var high = table.mireds[min(nearest + 1, table.mireds.count - 1)]
    // (uv − locus) · tangent is positive before the foot and negative after it.
    for _ in 0..<40 {
      let middle = (low + high) / 2
      let point = PlanckianPoint(mired: middle)
      let ahead = ((uv - point.uv) * point.tangent).sum()
      if ahead > 0 { low = middle } else { high = middle }
    }
    let mired = (low + high) / 2
    let foot = PlanckianPoint(mired: mired)
    kelvin = 1e6 / mired
    duv = ((uv - foot.uv) * foot.normal).sum()
  }

  /// The chromaticity at `duv` from the Planckian locus, perpendicular to it at `kelvin`.
  public var chromaticity: Chromaticity {
    let point = PlanckianPoint(mired: 1e6 / kelvin)
    return Chromaticity(uv: point.uv + duv * point.normal)
  }

  /// Returns the chromaticity of a black body at `kelvin` > 0, with c₂ = 0.014388 m·K (ITS-90, CIE 15:2018).
  public static func planckianLocus(kelvin: Double) -> Chromaticity {
    Chromaticity(uv: PlanckianPoint(mired: 1e6 / kelvin).uv)
  }

  /// The temperatures for which CIE defines its daylight locus, in kelvin.
  public static let daylightRange = 4000.0...25_000.0

  /// Returns the chromaticity of CIE daylight D at `kelvin`, clamped to `daylightRange`.
  ///
  /// Source: CIE 15:2018, equations 4.9 to 4.11.
  public static func daylightLocus(kelvin: Double) -> Chromaticity {
    let kelvin = clamped(kelvin, to: daylightRange)
    let t = 1000 / kelvin
    let x =
      kelvin <= 7000
      ? ((-4.6070 * t + 2.9678) * t + 0.09911) * t + 0.244063
      : ((-2.0064 * t + 1.9018) * t + 0.24748) * t + 0.237040
    return Chromaticity(x: x, y: (-3.000 * x + 2.870) * x - 0.275)
  }

  /// The temperatures for which `whitePoint(kelvin:duv:)` is defined, in kelvin.
  public static let whitePointRange = 1667.0...25_000.0

  /// Returns the white for a temperature setting: daylight above 5000 K, a black body below 4000 K, and a smooth
  /// blend of both in u, v between; then moved by `duv` perpendicular to the Planckian locus.
  ///
  /// Continuously differentiable, except for the step of 4·10⁻⁷ in x at 7000 K in CIE's own polynomials; u is
  /// strictly decreasing. `kelvin` is clamped to `whitePointRange`.
  public static func whitePoint(kelvin: Double, duv: Double = 0) -> Chromaticity {
    let kelvin = clamped(kelvin, to: whitePointRange)
    let planckian = PlanckianPoint(mired: 1e6 / kelvin)
    let position = clamped((kelvin - 4000) / 1000, to: 0...1)
    let weight = position * position * (3 - 2 * position)
    var uv = planckian.uv
    if weight > 0 { uv += weight * (daylightLocus(kelvin: kelvin).uv - uv) }
    return Chromaticity(uv: uv + duv * planckian.normal)
  }
}

/// Returns `value` clamped to `range`; NaN becomes the lower bound.
private func clamped(_ value: Double, to range: ClosedRange<Double>) -> Double {
  value > range.lowerBound ? min(value, range.upperBound) : range.lowerBound
}
