import FrameCore
import Libc

/// Where a lens recorded what belongs at each place of a picture: along the line from its centre, nearer or further.
///
/// Coordinates are as those of `AffineMap`, of a picture that a lens took or of one that an affine map makes of it.
public struct LensWarp: Sendable, Hashable {
  let curve: LensCurve
  /// From the picture to the lens's plane: the centre at 0, half a diagonal of the whole picture 1 long.
  package let toLens: AffineMap
  package let fromLens: AffineMap
  /// Bounds of the second derivative, in the lens's plane; of the first; and of the part by which the latter changes over a
  /// distance of 1.
  let bend, stretch, change: Double

  init(_ curve: LensCurve, toLens: AffineMap) {
    (self.curve, self.toLens) = (curve, toLens)
    fromLens = toLens.inverse
    (bend, stretch, change) = curve.bounds
  }

  private init(_ other: LensWarp, toLens: AffineMap) {
    (curve, self.toLens, fromLens) = (other.curve, toLens, toLens.inverse)
    (bend, stretch, change) = (other.bend, other.stretch, other.change)
  }

  /// Returns the place at which what belongs at (`x`, `y`) was recorded.
  public func apply(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let q = toLens.apply(x, y)
    let factor = curve.factor((q.x * q.x + q.y * q.y).squareRoot()).value
    return fromLens.apply(q.x * factor, q.y * factor)
  }

  /// Returns the place at which what was recorded at (`x`, `y`) belongs.
  func inverse(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let q = toLens.apply(x, y)
    let recorded = hypot(q.x, q.y)
    guard recorded > 0 else { return (x, y) }
    let factor = curve.inverse(recorded) / recorded
    return fromLens.apply(q.x * factor, q.y * factor)
  }

  /// The affine map that touches this one at a place.
  func tangent(atX x: Double, y: Double) -> AffineMap {
    let q = toLens.apply(x, y)
    let r = (q.x * q.x + q.y * q.y).squareRoot()
    let (value, change) = curve.factor(r)
    let part = r > 0 ? change / r : 0
    // f·I + (f′/r)·q·qᵀ in the lens's plane.
    let local = AffineMap(
      a: value + part * q.x * q.x, b: part * q.x * q.y, c: q.x * value, d: part * q.x * q.y,
      e: value + part * q.y * q.y, f: q.y * value)
    let centred = toLens.then(.translation(-q.x, -q.y))
    return centred.then(local).then(fromLens)
  }

  /// The same warp in the picture that `map` makes of this one's.
  func moved(by map: AffineMap) -> LensWarp { LensWarp(self, toLens: map.inverse.then(toLens)) }

  /// The longest vectors that a unit vector becomes in the lens's plane, and one of that plane in the picture.
  var scales: (toLens: Double, fromLens: Double) { (toLens.norm, fromLens.norm) }

  /// The place that stays where it is.
  var centre: (x: Double, y: Double) { fromLens.apply(0, 0) }

  /// k₀…k₄ of the curve, and the distance up to which they hold: beyond it r·f(r) = slope·r + rest.
  package var numbers: (terms: [Double], limit: Double, slope: Double, rest: Double) {
    let (slope, rest) = curve.beyond
    return ((0..<LensProfile.termCount).map { curve.terms[$0] }, curve.limit, slope, rest)
  }

  var isFinite: Bool {
    toLens.isFinite && fromLens.isFinite
      && (0..<LensProfile.termCount).allSatisfy { curve.terms[$0].isFinite }
  }
}

extension AffineMap {
  /// By how much a vector is lengthened at most.
  fileprivate var norm: Double {
    let (sum, difference) = (hypot(a + e, d - b), hypot(a - e, d + b))
    return (sum + difference) / 2
  }
}

extension LensProfile {
  /// Whether pictures of a size can be corrected.
  ///
  /// - Parameter size: of the picture as stored, or turned.
  package func fits(_ size: PixelSize) -> Bool { isFinite && (isStraight || fitted(to: size) != nil) }

  /// Returns the curve for a picture, and by how much the corrected picture is enlarged so that no corner is empty, and no
  /// more: about the lens's centre, so that along each line from there one end is on the edge of the picture at most.
  ///
  /// - Parameter size: of the picture as stored.
  /// - Returns: nil if the profile folds the picture, or shrinks or enlarges it beyond a half and the double.
  func fitted(to size: PixelSize) -> (curve: LensCurve, zoom: Double)? {
    let (w, h) = (Double(size.width), Double(size.height))
    let unit = hypot(w, h) / 2
    let (x, y) = (w / 2 + center.x * unit, h / 2 + center.y * unit)
    let nearest = [x, y, w - x, h - y].min() ?? 0
    guard nearest > 0 else { return nil }
    let (least, most) = (nearest / unit, hypot(max(x, w - x), max(y, h - y)) / unit)
    guard let known = LensCurve(self, least: least, most: 2 * most) else { return nil }
    let steps = 256
    let zoom = (0...steps).reduce(0.0) { zoom, step in
      let edge = least + (most - least) * Double(step) / Double(steps)
      return max(zoom, edge / known.inverse(edge))
    }
    guard (0.5...2).contains(zoom) else { return nil }
    return (LensCurve(terms: known.terms, limit: min(known.limit, most / zoom)), zoom)
  }
}
