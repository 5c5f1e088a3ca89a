import Libc

/// A rectangle as a camera sees it, in long edges from the picture's centre, and what follows for its proportions.
struct PageView {
  private let quad: Quad
  private let cornerError: Double

  init(_ quad: Quad, cornerError: Double) { (self.quad, self.cornerError) = (quad, cornerError) }

  struct Estimate {
    /// Width to height.
    var ratio: Double
    /// Relative.
    var deviation: Double
    var source: PageShape.FocalSource
  }

  /// The columns of the map from the unit square: the page's directions, as far as its sides go.
  private struct Directions {
    let a, b: SIMD3<Double>

    init?(_ quad: Quad) {
      guard let map = Homography(unitSquareTo: quad) else { return nil }
      a = SIMD3(map.x.x, map.y.x, map.w.x)
      b = SIMD3(map.x.y, map.y.y, map.w.y)
    }

    private func seen(_ v: SIMD3<Double>, _ focal: Double) -> SIMD3<Double> {
      SIMD3(v.x / focal, v.y / focal, v.z)
    }

    func ratio(_ focal: Double) -> Double {
      let (p, q) = (seen(a, focal), seen(b, focal))
      return ((p * p).sum() / (q * q).sum()).squareRoot()
    }

    /// The cosine of the angle between the sides, for this focal length.
    func cosine(_ focal: Double) -> Double {
      let (p, q) = (seen(a, focal), seen(b, focal))
      return (p * q).sum() / ((p * p).sum() * (q * q).sum()).squareRoot()
    }
  }

  /// Logarithms of focal lengths in long edges: phones' main cameras have 0.7…0.8, webcams 0.8…1, twice as much with
  /// longer lenses.
  private static let usual = (mean: log(0.85), deviation: 0.3)
  private static let focals = (0..<161).map { exp(log(0.25) + Double($0) / 160 * log(5.0 / 0.25)) }
  /// Lenses distort, pages bend: radians.
  private static let angleError = 0.004

  func estimate(focalLength: Double?) -> Estimate? {
    guard let directions = Directions(quad) else { return nil }
    // The eight views whose corners are off by their error.
    var moved: [Directions] = []
    for corner in 0..<4 {
      for axis in 0..<2 {
        guard let view = Directions(nudged(corner, axis)) else { return nil }
        moved.append(view)
      }
    }
    func spread(_ value: (Directions) -> Double) -> Double {
      let mean = value(directions)
      return moved.reduce(0) { $0 + (value($1) - mean) * (value($1) - mean) }
    }
    func relativeVariance(_ focal: Double) -> Double { spread { log($0.ratio(focal)) } }
    if let focalLength {
      return Estimate(
        ratio: directions.ratio(focalLength), deviation: relativeVariance(focalLength).squareRoot(),
        source: .known)
    }
    var (mass, mean, square, logs, logSquares) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for focal in Self.focals {
      let off = (log(focal) - Self.usual.mean) / Self.usual.deviation
      let cosine = directions.cosine(focal)
      let variance = spread { $0.cosine(focal) } + Self.angleError * Self.angleError
      let weight = exp(-off * off / 2 - cosine * cosine / (2 * variance)) / variance.squareRoot()
      let value = log(directions.ratio(focal))
      mass += weight
      mean += weight * value
      square += weight * value * value
      logs += weight * log(focal)
      logSquares += weight * log(focal) * log(focal)
    }
    // No focal length fits: the sides are not those of a rectangle. The usual one is taken.
    guard mass > 1e-12 else {
      return Estimate(ratio: directions.ratio(exp(Self.usual.mean)), deviation: 0.1, source: .usual)
    }
    mean /= mass
    logs /= mass
    let focalDeviation = max(logSquares / mass - logs * logs, 0).squareRoot()
    let variance = max(square / mass - mean * mean, 0) + relativeVariance(exp(logs))
    return Estimate(
      ratio: exp(mean), deviation: variance.squareRoot(),
      source: focalDeviation < Self.usual.deviation / 2 ? .page : .usual)
  }

  private func nudged(_ corner: Int, _ axis: Int) -> Quad {
    func point(_ index: Int) -> SIMD2<Double> {
      var p = quad[index]
      if index == corner { p[axis] += cornerError }
      return p
    }
    return Quad(point(0), point(1), point(2), point(3))
  }
}
