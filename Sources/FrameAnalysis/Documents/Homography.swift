import Libc

/// A projective map of the plane: how a flat thing appears to a camera, or how one view of it becomes another.
///
///     (x, y) → ((a·x + b·y + c) / w, (d·x + e·y + f) / w),  w = g·x + h·y + i
///
/// Source: R. Hartley, A. Zisserman, Multiple View Geometry in Computer Vision, 2nd edition, 2004, chapter 2.
package struct Homography: Sendable, Hashable {
  /// Rows of the matrix.
  package var x, y, w: SIMD3<Double>

  package static let identity = Homography(x: SIMD3(1, 0, 0), y: SIMD3(0, 1, 0), w: SIMD3(0, 0, 1))

  package init(x: SIMD3<Double>, y: SIMD3<Double>, w: SIMD3<Double>) { (self.x, self.y, self.w) = (x, y, w) }

  /// The map of the unit square's corners (0,0), (1,0), (1,1), (0,1) to those of `quad`; nil if three of its corners
  /// are in a line.
  ///
  /// Source: P. Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989, section 2.2.3.
  package init?(unitSquareTo quad: Quad) {
    let (p0, p1, p2, p3) = (quad[0], quad[1], quad[2], quad[3])
    let sum = p0 - p1 + p2 - p3
    let (d1, d2) = (p1 - p2, p3 - p2)
    let area = cross(d1, d2)
    let scale = max((d1 * d1).sum(), (d2 * d2).sum())
    guard scale > 0, abs(area) > 1e-9 * scale else { return nil }
    let (g, h) = (cross(sum, d2) / area, cross(d1, sum) / area)
    x = SIMD3(p1.x - p0.x + g * p1.x, p3.x - p0.x + h * p3.x, p0.x)
    y = SIMD3(p1.y - p0.y + g * p1.y, p3.y - p0.y + h * p3.y, p0.y)
    w = SIMD3(g, h, 1)
    guard abs(determinant) > 1e-12 * scale else { return nil }
  }

  package var determinant: Double {
    x.x * (y.y * w.z - y.z * w.y) - x.y * (y.x * w.z - y.z * w.x) + x.z * (y.x * w.y - y.y * w.x)
  }

  /// The map back; nil if this one is singular.
  package var inverse: Homography? {
    let d = determinant
    guard d.isFinite, abs(d) > 1e-300 else { return nil }
    return Homography(
      x: SIMD3(y.y * w.z - y.z * w.y, x.z * w.y - x.y * w.z, x.y * y.z - x.z * y.y) / d,
      y: SIMD3(y.z * w.x - y.x * w.z, x.x * w.z - x.z * w.x, x.z * y.x - x.x * y.z) / d,
      w: SIMD3(y.x * w.y - y.y * w.x, x.y * w.x - x.x * w.y, x.x * y.y - x.y * y.x) / d)
  }

  /// The map of a point; nil if it goes to infinity or behind the camera.
  @inline(__always)
  package func callAsFunction(_ point: SIMD2<Double>) -> SIMD2<Double>? {
    let p = SIMD3(point.x, point.y, 1)
    let depth = (w * p).sum()
    guard depth > 1e-9 else { return nil }
    return SIMD2((x * p).sum(), (y * p).sum()) / depth
  }

  /// This map followed by `next`.
  package func then(_ next: Homography) -> Homography {
    func row(_ r: SIMD3<Double>) -> SIMD3<Double> { r.x * x + r.y * y + r.z * w }
    return Homography(x: row(next.x), y: row(next.y), w: row(next.w))
  }
}
