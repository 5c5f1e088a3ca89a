import ColorScience
import FilterGraph
import Filters
import Libc

/// Points of other programs' curves, made to fit `PointCurve`.
enum CurvePoints {
  /// Why `PointCurve` cannot have them.
  struct Misfit: Error { let reason: String }

  /// The fall that is made level.
  private static let leastFall = 0.02

  /// The most points of a curve.
  static let most = 16

  /// Returns the points, at most 16 of them, rounded to ten thousandths.
  ///
  /// - Parameter points: of 0…1.
  /// - Throws: `Misfit` if there are fewer than two, or if the curve falls.
  static func fitted(_ points: [SIMD2<Double>]) throws -> [SIMD2<Double>] {
    guard points.count >= 2 else { throw Misfit(reason: "curves have 2…\(most) points here") }
    var highest = 0.0
    let rising = try points.enumerated().map { index, point in
      // A fall that nobody sees, as of curves that were measured, is level here.
      guard index == 0 || point.x >= points[index - 1].x, point.y >= highest - leastFall else {
        throw Misfit(reason: "curves rise from left to right here")
      }
      highest = max(highest, point.y)
      return SIMD2(point.x, highest)
    }
    var kept = spaced(rising.map { rounded($0) })
    guard kept.count >= 2 else { throw Misfit(reason: "curves have 2…\(most) points here") }
    while kept.count > most { kept.remove(at: leastMissed(kept)) }
    return kept
  }

  static func rounded(_ point: SIMD2<Double>) -> SIMD2<Double> {
    (point * 10_000).rounded(.toNearestOrEven) / 10_000
  }

  /// Leaves out points that are too near to the one before; the last one stays.
  private static func spaced(_ points: [SIMD2<Double>]) -> [SIMD2<Double>] {
    var kept: [SIMD2<Double>] = []
    for point in points where kept.last.map({ point.x - $0.x >= PointCurve.leastStep }) ?? true {
      kept.append(point)
    }
    if let last = points.last, let end = kept.last, end != last, kept.count > 1 {
      kept[kept.count - 1] = last
      // The end may have moved too near to the point before it.
      if kept.count > 2, last.x - kept[kept.count - 2].x < PointCurve.leastStep {
        kept.remove(at: kept.count - 2)
      }
    }
    return kept
  }

  /// The inner point whose removal changes a polygon through the points least.
  private static func leastMissed(_ points: [SIMD2<Double>]) -> Int {
    func miss(_ index: Int) -> Double {
      let (a, b, c) = (points[index - 1], points[index], points[index + 1])
      return abs(a.y + (c.y - a.y) * (b.x - a.x) / (c.x - a.x) - b.y) * (c.x - a.x)
    }
    return (1..<points.count - 1).min { miss($0) < miss($1) } ?? 1
  }

  /// Returns the tone, 0…1 encoded as sRGB, of linear light.
  static func tone(ofLight light: Double) -> Double {
    min(max(TransferFunction.sRGB.encode(min(max(light, 0), 1)), 0), 1)
  }

  /// Returns the tone of a lightness of CIELAB, 0…1 for 0…100.
  ///
  /// Source: CIE 15:2004, 8.2.1.
  static func tone(ofLightness lightness: Double) -> Double {
    let l = 100 * min(max(lightness, 0), 1)
    return tone(ofLight: l > 8 ? pow((l + 16) / 116, 3) : l * 27 / 24_389)
  }

  /// Returns the points of the curve that first goes through one and then through the other.
  static func composed(_ first: [SIMD2<Double>], then second: [SIMD2<Double>]) throws -> [SIMD2<Double>] {
    guard first != PointCurve.straight else { return second }
    guard second != PointCurve.straight else { return first }
    let (a, b) = (MonotoneCurve(first), MonotoneCurve(second))
    // Where the second curve has its points, in the places of the first.
    let places = second.map { point in
      var (low, high) = (0.0, 1.0)
      for _ in 0..<30 {
        let middle = (low + high) / 2
        if a.evaluate(middle) < point.x { low = middle } else { high = middle }
      }
      return (low + high) / 2
    }
    let all = Set(first.map(\.x) + places).sorted()
    return try fitted(all.map { SIMD2($0, b.evaluate(a.evaluate($0))) })
  }
}
