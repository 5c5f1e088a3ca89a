import Libc

/// A projective map of the plane, as between two photos of a flat thing, or of anything from one place:
///
///     x' = (a·x + b·y + c) / w,  y' = (d·x + e·y + f) / w,  w = g·x + h·y + i
///
/// Straight lines stay straight. Where w is 0 lies the horizon of the plane; beyond it there is nothing to see.
/// Coordinates are as those of `AffineMap`.
public struct Projection: Sendable, Hashable {
  public let a, b, c, d, e, f, g, h, i: Double

  public init(
    a: Double, b: Double, c: Double, d: Double, e: Double, f: Double, g: Double, h: Double, i: Double
  ) {
    (self.a, self.b, self.c) = (a, b, c)
    (self.d, self.e, self.f) = (d, e, f)
    (self.g, self.h, self.i) = (g, h, i)
  }

  public init(_ map: AffineMap) {
    self.init(a: map.a, b: map.b, c: map.c, d: map.d, e: map.e, f: map.f, g: 0, h: 0, i: 1)
  }

  /// Creates the map that takes the corners of a rectangle, clockwise from the top left one at 0, 0, to four places.
  ///
  /// Nil unless they are the corners of a convex quadrilateral, clockwise. Source: Heckbert, "Fundamentals of texture
  /// mapping and image warping", 1989, section 2.2.3.
  public init?(width: Double, height: Double, onto corners: [(x: Double, y: Double)]) {
    guard corners.count == 4, width > 0, height > 0 else { return nil }
    for index in 0..<4 {
      let (p, q, r) = (corners[index], corners[(index + 1) % 4], corners[(index + 2) % 4])
      // Positive if they turn clockwise, y pointing down.
      let turn = (q.x - p.x) * (r.y - q.y) - (q.y - p.y) * (r.x - q.x)
      let scale = hypot(q.x - p.x, q.y - p.y) * hypot(r.x - q.x, r.y - q.y)
      guard turn > 1e-6 * scale else { return nil }
    }
    let (p0, p1, p2, p3) = (corners[0], corners[1], corners[2], corners[3])
    let (dx1, dx2, sx) = (p1.x - p2.x, p3.x - p2.x, p0.x - p1.x + p2.x - p3.x)
    let (dy1, dy2, sy) = (p1.y - p2.y, p3.y - p2.y, p0.y - p1.y + p2.y - p3.y)
    let determinant = dx1 * dy2 - dx2 * dy1
    let g = (sx * dy2 - dx2 * sy) / determinant
    let h = (dx1 * sy - sx * dy1) / determinant
    // Of the unit square; a rectangle is scaled to it first.
    let (a, b) = (p1.x - p0.x + g * p1.x, p3.x - p0.x + h * p3.x)
    let (d, e) = (p1.y - p0.y + g * p1.y, p3.y - p0.y + h * p3.y)
    self.init(
      a: a / width, b: b / height, c: p0.x, d: d / width, e: e / height, f: p0.y, g: g / width, h: h / height,
      i: 1)
  }

  /// Returns the place that (`x`, `y`) is mapped to.
  public func apply(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let w = depth(x, y)
    return ((a * x + b * y + c) / w, (d * x + e * y + f) / w)
  }

  /// w of a place: above 0 for what is seen, if it is at one seen place.
  func depth(_ x: Double, _ y: Double) -> Double { g * x + h * y + i }

  /// Returns the map that applies `self` first and then `next`.
  public func then(_ next: Projection) -> Projection {
    func row(_ x: Double, _ y: Double, _ z: Double) -> (Double, Double, Double) {
      (x * a + y * d + z * g, x * b + y * e + z * h, x * c + y * f + z * i)
    }
    let (first, second, third) = (
      row(next.a, next.b, next.c), row(next.d, next.e, next.f), row(next.g, next.h, next.i)
    )
    return Projection(
      a: first.0, b: first.1, c: first.2, d: second.0, e: second.1, f: second.2, g: third.0, h: third.1,
      i: third.2)
  }

  public func then(_ next: AffineMap) -> Projection { then(Projection(next)) }

  /// The inverse map; not finite if this one has no inverse.
  public var inverse: Projection {
    let determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return Projection(
      a: (e * i - f * h) / determinant, b: (c * h - b * i) / determinant, c: (b * f - c * e) / determinant,
      d: (f * g - d * i) / determinant, e: (a * i - c * g) / determinant, f: (c * d - a * f) / determinant,
      g: (d * h - e * g) / determinant, h: (b * g - a * h) / determinant, i: (a * e - b * d) / determinant)
  }

  /// The affine map that touches this one at a place: of the same value and the same derivatives.
  func tangent(atX x: Double, y: Double) -> AffineMap {
    let (place, w) = (apply(x, y), depth(x, y))
    let (xx, xy) = ((a - place.x * g) / w, (b - place.x * h) / w)
    let (yx, yy) = ((d - place.y * g) / w, (e - place.y * h) / w)
    return AffineMap(
      a: xx, b: xy, c: place.x - xx * x - xy * y, d: yx, e: yy, f: place.y - yx * x - yy * y)
  }

  var isFinite: Bool { [a, b, c, d, e, f, g, h, i].allSatisfy(\.isFinite) }
}
