@testable import FrameAnalysis

/// How well a found quad agrees with a page: the Jaccard index (intersection over union) in the plane of the page, as in
/// SmartDoc 2015 (J.-C. Burie and others, ICDAR 2015), so that near and far parts count alike.
package func documentJaccard(_ found: [SIMD2<Double>], _ truth: [SIMD2<Double>], ratio: Double) -> Double {
  guard found.count == 4, truth.count == 4,
    let map = Homography(unitSquareTo: Quad(truth[0], truth[1], truth[2], truth[3]))?.inverse
  else { return 0 }
  var polygon: [SIMD2<Double>] = []
  for corner in found {
    guard let place = map(corner) else { return 0 }
    polygon.append(SIMD2(place.x * ratio, place.y))
  }
  let page = [SIMD2(0, 0), SIMD2(ratio, 0), SIMD2(ratio, 1), SIMD2(0, 1)]
  let whole = abs(polygonArea(polygon)) + ratio
  for index in 0..<4 {
    polygon = polygonClipped(polygon, by: page[index], page[(index + 1) & 3])
  }
  let common = abs(polygonArea(polygon))
  return common / (whole - common)
}

private func polygonArea(_ points: [SIMD2<Double>]) -> Double {
  points.indices.reduce(0.0) { $0 + cross(points[$1], points[($1 + 1) % points.count]) } / 2
}

/// The part of a polygon on the right of a line (I. Sutherland, G. Hodgman, 1974).
private func polygonClipped(_ points: [SIMD2<Double>], by a: SIMD2<Double>, _ b: SIMD2<Double>) -> [SIMD2<
  Double
>] {
  var result: [SIMD2<Double>] = []
  for index in points.indices {
    let (p, q) = (points[index], points[(index + 1) % points.count])
    let (s, t) = (cross(b - a, p - a), cross(b - a, q - a))
    if s >= 0 { result.append(p) }
    if s * t < 0 { result.append(p + (q - p) * (s / (s - t))) }
  }
  return result
}
