import Libc

/// Whether a quad can be a rectangle seen by a camera.
///
/// Opposite sides of a rectangle meet in vanishing points, seen at right angles from the camera: with u and v from the
/// picture's centre, f² = −u·v (R. Hartley, A. Zisserman, Multiple View Geometry, 2004, section 8.8).
enum QuadPlausibility {
  /// 1 if nothing speaks against it, towards 0 where much does.
  static func value(_ quad: Quad, width: Int, height: Int) -> Double {
    var value = 1.0
    for index in 0..<4 {
      let (a, b) = (-quad.side(index + 3), quad.side(index))
      let cosine = abs((a * b).sum()) / ((a * a).sum() * (b * b).sum()).squareRoot()
      // Corners of 45° and 135° are rare, those of 30° and 150° do not occur.
      value *= 1 - 0.5 * ramp(cosine, from: 0.5, to: 0.87)
    }
    for index in 0..<2 {
      let (a, b) = (quad.side(index), quad.side(index + 2))
      let ratio = ((a * a).sum() / (b * b).sum()).squareRoot()
      value *= 1 - 0.5 * ramp(max(ratio, 1 / ratio), from: 1.8, to: 3.5)
    }
    let aspect = (length(quad, 0) + length(quad, 2)) / (length(quad, 1) + length(quad, 3))
    value *= 1 - 0.5 * ramp(max(aspect, 1 / aspect), from: 3, to: 7)
    return value * focalPlausibility(quad, SIMD2(Double(width), Double(height)))
  }

  private static func length(_ quad: Quad, _ index: Int) -> Double {
    let side = quad.side(index)
    return (side * side).sum().squareRoot()
  }

  private static func focalPlausibility(_ quad: Quad, _ size: SIMD2<Double>) -> Double {
    let unit = max(size.x, size.y) / 2
    guard let map = Homography(unitSquareTo: quad.map { ($0 - size / 2) / unit }) else { return 0 }
    // Vanishing points of the two directions, homogeneous: the columns of the map.
    let (ux, uy, uw) = (map.x.x, map.y.x, map.w.x)
    let (vx, vy, vw) = (map.x.y, map.y.y, map.w.y)
    // f² · uw · vw = −(ux·vx + uy·vy). Compared for the focal length that suits best, within what lenses have.
    let product = uw * vw
    let dot = ux * vx + uy * vy
    let scale = ((ux * ux + uy * uy) * (vx * vx + vy * vy)).squareRoot()
    // Halves of the long edge: a field of view of 100° … 20°.
    var least = Double.infinity
    for squared in [0.7, 1.4, 2.8, 5.6, 11, 30] { least = min(least, abs(dot + squared * product) / scale) }
    if (dot + 0.7 * product) * (dot + 30 * product) < 0 { least = 0 }
    // The cosine of the angle that should be a right one.
    return 1 - 0.6 * ramp(least, from: 0.12, to: 0.5)
  }
}
