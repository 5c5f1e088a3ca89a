/// A smooth curve through points that never turns back between them.
///
/// Each piece is the cubic with the values and slopes of its ends. The slope of a point between two others is the
/// harmonic mean of the slopes beside it, weighted by their widths, or 0 at a turn; that of an end follows from three
/// points, limited so that the curve does not turn there. Between two points the curve is a straight line.
///
/// Source: Fritsch and Butland, "A method for constructing local monotone piecewise cubic interpolants", SIAM J. Sci.
/// Stat. Comput. 5, 1984, which is the method of Fritsch and Carlson (1980) with a formula for the slopes; ends as in
/// SciPy's `PchipInterpolator`.
public struct MonotoneCurve: Sendable, Hashable {
  /// At least two, x strictly increasing.
  public let points: [SIMD2<Double>]
  private let slopes: [Double]

  /// - Parameter points: at least two, x strictly increasing.
  package init(_ points: [SIMD2<Double>]) {
    self.points = points
    let widths = zip(points, points.dropFirst()).map { $1.x - $0.x }
    let rises = zip(points, points.dropFirst()).map { ($1.y - $0.y) / ($1.x - $0.x) }
    guard rises.count > 1 else {
      slopes = points.map { _ in rises.first ?? 0 }
      return
    }
    slopes = points.indices.map { index in
      if index == 0 { return Self.end(widths[0], widths[1], rises[0], rises[1]) }
      if index == rises.count {
        return Self.end(widths[index - 1], widths[index - 2], rises[index - 1], rises[index - 2])
      }
      let (before, after) = (rises[index - 1], rises[index])
      guard before * after > 0 else { return 0 }
      let (first, second) = (
        2 * widths[index] + widths[index - 1], widths[index] + 2 * widths[index - 1]
      )
      return (first + second) / (first / before + second / after)
    }
  }

  /// The slope at an end: of the parabola through three points, but neither against the first piece nor over three
  /// times as steep.
  private static func end(_ width: Double, _ next: Double, _ rise: Double, _ nextRise: Double) -> Double {
    let slope = ((2 * width + next) * rise - width * nextRise) / (width + next)
    if slope * rise <= 0 { return 0 }
    return rise * nextRise <= 0 && abs(slope) > 3 * abs(rise) ? 3 * rise : slope
  }

  /// Returns the value at `x`; before the first point that of the first, behind the last that of the last.
  public func evaluate(_ x: Double) -> Double {
    guard x > points[0].x else { return points[0].y }
    guard let next = points.firstIndex(where: { x < $0.x }) else { return points[points.count - 1].y }
    let (a, b) = (points[next - 1], points[next])
    let width = b.x - a.x
    let t = (x - a.x) / width
    let (t2, t3) = (t * t, t * t * t)
    // Hermite's basis.
    return a.y * (2 * t3 - 3 * t2 + 1) + width * slopes[next - 1] * (t3 - 2 * t2 + t)
      + b.y * (3 * t2 - 2 * t3) + width * slopes[next] * (t3 - t2)
  }

  /// The slope at the last point.
  var endSlope: Double { slopes[slopes.count - 1] }
}
