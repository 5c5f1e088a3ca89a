import Libc

/// What one piece of evidence implies for the roll of the camera.
///
/// A pencil of level lines implies roll = angle + asin(convergence · c), where c is the distance of the horizon
/// below the picture's centre, in halves of the long edge; for parallel lines c does not matter. Upright lines and
/// a boundary give the roll itself.
struct RollCue {
  var kind: Horizon.Kind
  /// In radians.
  var angle: Double
  var convergence: Double
  var deviation: Double
  /// The standard deviation of `convergence`.
  var convergenceDeviation = 0.0
  /// The weight of the cue by itself, 0…1.
  var strength: Double
  /// The lines that the cue is based on, if any.
  var pencil: Pencil?
}

/// The distance of the horizon below the picture's centre, in halves of the long edge, as far as is known.
struct HorizonOffset {
  var mean: Double
  var deviation: Double

  /// Cameras are mostly held about level: two thirds of pictures have their horizon within 0.35.
  static let unknown = HorizonOffset(mean: 0, deviation: 0.35)

  /// A vanishing point of upright lines and the horizon are conjugate: c = f² · convergence, where f is the focal
  /// length in halves of the long edge. Assumes lenses of 24…50 mm (for 36 mm film): f² = 2.3, give or take 60 %.
  init(verticals pencil: Pencil) {
    let squaredFocalLength = 2.3
    mean = squaredFocalLength * pencil.convergence
    let focal = 0.6 * mean
    let measured = squaredFocalLength * min(pencil.convergenceDeviation, 0.3)
    deviation = min((focal * focal + measured * measured + 0.05 * 0.05).squareRoot(), 0.5)
  }

  private init(mean: Double, deviation: Double) {
    self.mean = mean
    self.deviation = deviation
  }
}

/// The roll that the cues around one hypothesis agree on.
struct RollEstimate {
  /// In radians.
  var angle = 0.0
  var deviation = 0.0
  var kinds = HorizonKinds()

  /// Cues with less weight have no effect.
  private static let leastStrength = 0.05
  /// Errors that no cue measures: lens distortion, walls out of plumb.
  private static let modelError = 0.2 * Double.pi / 180

  /// The roll that `cue` implies, given `offset`.
  static func roll(of cue: RollCue, offset: HorizonOffset) -> (angle: Double, deviation: Double) {
    let bent = min(max(cue.convergence * offset.mean, -0.9), 0.9)
    let unknown = cue.convergence * offset.deviation
    let unsure = cue.convergenceDeviation * (abs(offset.mean) + offset.deviation)
    let variance =
      cue.deviation * cue.deviation + unknown * unknown + unsure * unsure + modelError * modelError
    return (cue.angle + asin(bent), variance.squareRoot())
  }

  /// Whether `cue`, within its accuracy, implies the roll `angle`, in radians.
  static func agrees(_ cue: RollCue, with angle: Double, offset: HorizonOffset) -> Bool {
    guard cue.strength >= leastStrength else { return false }
    let told = roll(of: cue, offset: offset)
    return abs(told.angle - angle) <= 2.5 * told.deviation + 0.012
  }

  /// Combines the cues that agree with `hypothesis`, in radians, by least squares over (roll, c).
  init?(near hypothesis: Double, of cues: [RollCue], offset: HorizonOffset) {
    var (aa, ac, ra, rc) = (0.0, 0.0, 0.0, 0.0)
    var cc = 1 / (offset.deviation * offset.deviation)
    for cue in cues where Self.agrees(cue, with: hypothesis, offset: offset) {
      let difference = Self.roll(of: cue, offset: offset).angle - hypothesis
      let unsure = cue.convergenceDeviation * (abs(offset.mean) + offset.deviation)
      let variance = cue.deviation * cue.deviation + unsure * unsure + Self.modelError * Self.modelError
      let weight = cue.strength / variance
      // Unknowns: the roll from the hypothesis, c from its mean. cue = roll − convergence · c.
      aa += weight
      ac -= weight * cue.convergence
      cc += weight * cue.convergence * cue.convergence
      ra += weight * difference
      rc -= weight * cue.convergence * difference
      kinds.insert(HorizonKinds(cue.kind))
    }
    let determinant = aa * cc - ac * ac
    guard !kinds.isEmpty, determinant > 0 else { return nil }
    angle = hypothesis + (cc * ra - ac * rc) / determinant
    deviation = (cc / determinant).squareRoot()
  }
}
