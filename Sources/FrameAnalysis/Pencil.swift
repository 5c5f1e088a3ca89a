import Libc

/// Lines that are parallel in the world: in the picture they meet in one vanishing point, near or at infinity.
///
/// The vanishing point is heading(angle) / convergence, in the coordinates of `ImageLine`, so that parallel lines
/// are no special case: their convergence is 0. At a point m, a line of the pencil runs along
///
///     heading(angle) − convergence · m
struct Pencil {
  /// The direction from the picture's centre to the vanishing point, in radians counter-clockwise from right.
  var angle: Double
  /// The reciprocal distance of the vanishing point from the picture's centre; negative if it lies in the opposite
  /// direction.
  var convergence: Double
  /// Standard deviations.
  var angleDeviation = Double.infinity
  var convergenceDeviation = Double.infinity
  /// The length of the lines that agree, beyond that expected by chance; in halves of the long edge.
  var support = 0.0
  /// The equivalent number of lines of equal length: (Σ length)² / Σ length².
  var effectiveCount = 0.0
  /// How far the lines extend over the picture: the standard deviation of the positions of all their points.
  var extent = 0.0

  init(angle: Double, convergence: Double) {
    self.angle = angle
    self.convergence = convergence
  }

  /// The pencil of two lines; nil if its vanishing point is the picture's centre.
  init?(_ a: ImageLine, _ b: ImageLine) {
    let (p, q) = (a.homogeneous, b.homogeneous)
    let x = p.y * q.z - p.z * q.y
    let y = p.z * q.x - p.x * q.z
    let w = p.x * q.y - p.y * q.x
    let distance = (x * x + y * y).squareRoot()
    guard distance > 1e-9 else { return nil }
    self.init(angle: atan2(-y, x), convergence: w / distance)
  }

  /// The angle from `line` to the pencil's line through its middle: positive if the pencil is turned
  /// counter-clockwise, in radians, −π/2…π/2.
  @inline(__always)
  func residual(of line: ImageLine, along heading: SIMD2<Double>) -> Double {
    let way = heading - convergence * line.middle
    let across = -cross(line.direction, way)
    let along = (line.direction * way).sum()
    // The sign of a direction has no meaning. For the small angles that count, tan is the angle.
    guard abs(along) > abs(across) * 0.5 else { return .pi / 2 }
    return across / along
  }

  /// How many deviations a line may be off and still belong.
  static let reach = 3.0

  /// Sets `support`, `effectiveCount` and `extent` from `lines`. Chance aligns each of them with a probability
  /// equal to its tolerance as a fraction of `range`, in radians.
  mutating func weigh(_ lines: [ImageLine], range: Double) {
    let heading = heading(angle)
    var (sum, total, squares) = (0.0, 0.0, 0.0)
    var (position, positionSquares) = (SIMD2<Double>(), 0.0)
    for line in lines {
      let tolerance = Self.reach * line.deviation
      let part = residual(of: line, along: heading) / tolerance
      let agreement = max(1 - part * part, 0)
      // The mean agreement of random directions.
      let chance = min(2 * tolerance / range * (2.0 / 3), 1)
      sum += line.length * (agreement - chance)
      guard agreement > 0 else { continue }
      let weight = line.length * agreement
      total += weight
      squares += weight * line.length
      position += weight * line.middle
      positionSquares += weight * ((line.middle * line.middle).sum() + line.length * line.length / 12)
    }
    support = sum
    effectiveCount = squares > 0 ? total * total / squares : 0
    guard total > 0 else { return }
    let mean = position / total
    extent = max(positionSquares / total - (mean * mean).sum(), 0).squareRoot()
  }

  /// The pencil that most likely made `lines`, some of which belong to it while the rest have random directions.
  ///
  /// Directions err by `ImageLine.deviation` and by a sway estimated from the lines themselves: walls are upright
  /// to within a fraction of a degree, tree trunks to a few. The convergence has mean 0 and deviation
  /// `convergencePrior`. Expectation maximization, with Gauss-Newton steps for the pencil.
  func refined(on lines: [ImageLine], convergencePrior: Double) -> Pencil {
    var pencil = self
    var sway = Self.firstSway * Self.firstSway
    var part = 0.5
    for _ in 0..<10 {
      let along = heading(pencil.angle)
      let turned = SIMD2(-sin(pencil.angle), -cos(pencil.angle))
      // Normal equations of (angle, convergence).
      let prior = 1 / (convergencePrior * convergencePrior)
      var (aa, ac, cc) = (1e-9, 0.0, prior)
      var (ra, rc) = (0.0, -pencil.convergence * prior)
      var (belonging, total, excess) = (0.0, 0.0, 0.0)
      for line in lines {
        let residual = pencil.residual(of: line, along: along)
        guard abs(residual) < Self.farthest else { continue }
        let variance = line.deviation * line.deviation + sway
        let likelihood =
          part * exp(-0.5 * residual * residual / variance) / (2 * Double.pi * variance).squareRoot()
        let share = likelihood / (likelihood + (1 - part) / (2 * Self.farthest))
        let way = along - pencil.convergence * line.middle
        let scale = 1 / (line.direction * way).sum()
        let byAngle = -cross(line.direction, turned) * scale
        let byConvergence = cross(line.direction, line.middle) * scale
        let weight = share / variance
        aa += weight * byAngle * byAngle
        ac += weight * byAngle * byConvergence
        cc += weight * byConvergence * byConvergence
        ra -= weight * byAngle * residual
        rc -= weight * byConvergence * residual
        belonging += share * line.length
        total += line.length
        excess += share * line.length * (residual * residual - line.deviation * line.deviation)
      }
      let determinant = aa * cc - ac * ac
      guard determinant > 1e-12, belonging > 0 else { break }
      pencil.angle += (cc * ra - ac * rc) / determinant
      pencil.convergence += (aa * rc - ac * ra) / determinant
      pencil.angleDeviation = (cc / determinant).squareRoot()
      pencil.convergenceDeviation = (aa / determinant).squareRoot()
      sway = min(max(excess / belonging, 0), Self.mostSway * Self.mostSway)
      part = min(max(belonging / total, 0.1), 0.95)
    }
    return pencil
  }

  /// Lines farther off are ignored, in radians.
  private static let farthest = 5 * Double.pi / 180
  private static let firstSway = 0.5 * Double.pi / 180
  private static let mostSway = 2 * Double.pi / 180
}
