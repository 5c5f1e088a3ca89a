import Libc

/// What one part of the evidence says about the roll of the camera.
///
/// A pencil of level lines says roll = angle + asin(convergence · c), c being how far below the picture's centre the
/// horizon runs, in halves of the long edge: for parallel lines c does not matter. Upright lines and a boundary say
/// the roll itself.
struct RollCue {
  var kind: Horizon.Kind
  /// Radians.
  var angle: Double
  var convergence: Double
  var deviation: Double
  /// Standard deviation of `convergence`.
  var convergenceDeviation = 0.0
  /// How much the cue is worth by itself, 0…1.
  var strength: Double
  /// The lines that it was told by, where it was lines.
  var pencil: Pencil?
}

/// Where the horizon runs below the picture's centre, in halves of the long edge, as far as is known.
struct HorizonOffset {
  var mean: Double
  var deviation: Double

  /// Cameras are mostly held about level: two thirds of pictures have their horizon within 0.35.
  static let unknown = HorizonOffset(mean: 0, deviation: 0.35)

  /// A vanishing point of upright lines and the horizon are conjugate: c = f² · convergence, f being the focal length
  /// in halves of the long edge. Lenses of 24…50 mm (for 36 mm film) are assumed: f² = 2.3, give or take 60 %.
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
  /// Radians.
  var angle = 0.0
  var deviation = 0.0
  var kinds = HorizonKinds()

  /// Cues that are worth less move nothing.
  private static let leastStrength = 0.05
  /// What no cue measures: bent lenses, walls out of plumb.
  private static let modelError = 0.2 * Double.pi / 180

  /// What `cue` says about the roll, given `offset`.
  static func roll(of cue: RollCue, offset: HorizonOffset) -> (angle: Double, deviation: Double) {
    let bent = min(max(cue.convergence * offset.mean, -0.9), 0.9)
    let unknown = cue.convergence * offset.deviation
    let unsure = cue.convergenceDeviation * (abs(offset.mean) + offset.deviation)
    let variance =
      cue.deviation * cue.deviation + unknown * unknown + unsure * unsure + modelError * modelError
    return (cue.angle + asin(bent), variance.squareRoot())
  }

  /// Whether `cue` says, as far as it can tell, that the roll is `angle`, radians.
  static func agrees(_ cue: RollCue, with angle: Double, offset: HorizonOffset) -> Bool {
    guard cue.strength >= leastStrength else { return false }
    let told = roll(of: cue, offset: offset)
    return abs(told.angle - angle) <= 2.5 * told.deviation + 0.012
  }

  /// Joins the cues that agree with `hypothesis`, radians, by least squares over (roll, c).
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
