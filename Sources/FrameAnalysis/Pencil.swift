#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Lines that are parallel in the world: in the picture they meet in one vanishing point, near or at infinity.
///
/// The vanishing point is heading(angle) / convergence, in the coordinates of `ImageLine`, so that parallel lines are
/// nothing special: their convergence is 0. At a point m, a line of the pencil runs along
///
///     heading(angle) − convergence · m
struct Pencil {
  /// Direction from the picture's centre to the vanishing point, radians counter-clockwise from right.
  var angle: Double
  /// One over the distance of the vanishing point from the picture's centre; negative where it lies opposite.
  var convergence: Double
  /// Standard deviations.
  var angleDeviation = Double.infinity
  var convergenceDeviation = Double.infinity
  /// The length of the lines that agree, beyond what chance would bring; in halves of the long edge.
  var support = 0.0
  /// The number of lines as if all were of one length: (Σ length)² / Σ length².
  var effectiveCount = 0.0
  /// How far the lines lie from one another, across the pencil: the standard deviation of their distances.
  var spread = 0.0

  init(angle: Double, convergence: Double) {
    self.angle = angle
    self.convergence = convergence
  }

  /// The pencil of two lines; nil where its vanishing point is the picture's centre.
  init?(_ a: ImageLine, _ b: ImageLine) {
    let (p, q) = (a.homogeneous, b.homogeneous)
    let x = p.y * q.z - p.z * q.y
    let y = p.z * q.x - p.x * q.z
    let w = p.x * q.y - p.y * q.x
    let distance = (x * x + y * y).squareRoot()
    guard distance > 1e-9 else { return nil }
    self.init(angle: atan2(-y, x), convergence: w / distance)
  }

  /// The angle from `line` to the pencil's line through its middle: positive where the pencil is turned
  /// counter-clockwise, radians, −π/2…π/2.
  @inline(__always)
  func residual(of line: ImageLine, along heading: SIMD2<Double>) -> Double {
    let way = heading - convergence * line.middle
    let across = -cross(line.direction, way)
    let along = (line.direction * way).sum()
    // The sign of a direction has no meaning. For the small angles that count, tan is the angle.
    guard abs(along) > abs(across) * 0.5 else { return .pi / 2 }
    return across / along
  }

  /// How far a line may point aside and still belong: this many deviations.
  static let reach = 3.0

  /// Sets `support`, `effectiveCount` and `spread` from `lines`, of which chance would align each as often as its
  /// tolerance is a part of `range`, radians.
  mutating func weigh(_ lines: [ImageLine], range: Double) {
    let heading = heading(angle)
    var (sum, total, squares) = (0.0, 0.0, 0.0)
    var (position, positionSquares) = (0.0, 0.0)
    for line in lines {
      let tolerance = Self.reach * line.deviation
      let part = residual(of: line, along: heading) / tolerance
      let agreement = max(1 - part * part, 0)
      // The mean of the agreement over directions at random.
      let chance = min(2 * tolerance / range * (2.0 / 3), 1)
      sum += line.length * (agreement - chance)
      guard agreement > 0 else { continue }
      let weight = line.length * agreement
      total += weight
      squares += weight * line.length
      let across = cross(heading, line.middle)
      position += weight * across
      positionSquares += weight * across * across
    }
    support = sum
    effectiveCount = squares > 0 ? total * total / squares : 0
    spread =
      total > 0 ? max(positionSquares / total - (position / total) * (position / total), 0).squareRoot() : 0
  }

  /// The pencil that fits the lines which agree with this one best, in the sense of maximum a posteriori:
  /// directions err as `ImageLine.deviation` says, the convergence is near 0 with the deviation `convergencePrior`.
  /// Gauss and Newton's iteration, each line weighted by Tukey's biweight.
  func refined(on lines: [ImageLine], convergencePrior: Double) -> Pencil {
    var pencil = self
    for _ in 0..<6 {
      let along = heading(pencil.angle)
      let turned = SIMD2(-sin(pencil.angle), -cos(pencil.angle))
      // Normal equations of (angle, convergence).
      let prior = 1 / (convergencePrior * convergencePrior)
      var (aa, ac, cc) = (1e-9, 0.0, prior)
      var (ra, rc) = (0.0, -pencil.convergence * prior)
      var (error, freedom) = (0.0, 0.0)
      for line in lines {
        let residual = pencil.residual(of: line, along: along)
        let part = residual / (Self.reach * line.deviation)
        guard abs(part) < 1 else { continue }
        let biweight = (1 - part * part) * (1 - part * part)
        let way = along - pencil.convergence * line.middle
        let scale = 1 / (line.direction * way).sum()
        let byAngle = -cross(line.direction, turned) * scale
        let byConvergence = cross(line.direction, line.middle) * scale
        let weight = biweight / (line.deviation * line.deviation)
        aa += weight * byAngle * byAngle
        ac += weight * byAngle * byConvergence
        cc += weight * byConvergence * byConvergence
        ra -= weight * byAngle * residual
        rc -= weight * byConvergence * residual
        error += weight * residual * residual
        freedom += biweight
      }
      let determinant = aa * cc - ac * ac
      guard determinant > 1e-12 else { break }
      pencil.angle += (cc * ra - ac * rc) / determinant
      pencil.convergence += (aa * rc - ac * ra) / determinant
      // Lines that err more than they should make the result less sure; a few that agree by luck do not make it surer.
      let inflation = max(1, freedom > 2 ? error / (freedom - 2) : 1)
      pencil.angleDeviation = (cc / determinant * inflation).squareRoot()
      pencil.convergenceDeviation = (aa / determinant * inflation).squareRoot()
    }
    return pencil
  }
}
