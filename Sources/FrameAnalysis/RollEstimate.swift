#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
  /// How well the cues that agree bear the angle out, 0…1, before anything that contradicts.
  var strength = 0.0
  var kinds: Set<Horizon.Kind> = []

  /// How far pictures are commonly tilted, radians (one standard deviation), as far as it decides between what evidence
  /// leaves open. Many parallel lines that slant are likelier stairs, slopes and things seen from the side.
  private static let usualRoll = 15 * Double.pi / 180
  /// The same where one boundary without a rival crosses the picture: such are horizons, mostly.
  private static let usualRollOfBoundary = 26 * Double.pi / 180
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

  /// Joins the cues that agree with `hypothesis`, radians, by least squares over (roll, c).
  init?(near hypothesis: Double, of cues: [RollCue], offset: HorizonOffset) {
    var (aa, ac, ra, rc) = (0.0, 0.0, 0.0, 0.0)
    var cc = 1 / (offset.deviation * offset.deviation)
    var doubt: [Horizon.Kind: Double] = [:]
    for cue in cues where cue.strength >= Self.leastStrength {
      let (angle, deviation) = Self.roll(of: cue, offset: offset)
      let difference = angle - hypothesis
      guard abs(difference) <= 2.5 * deviation + 0.012 else { continue }
      let unsure = cue.convergenceDeviation * (abs(offset.mean) + offset.deviation)
      let variance = cue.deviation * cue.deviation + unsure * unsure + Self.modelError * Self.modelError
      let weight = cue.strength / variance
      // Unknowns: the roll from the hypothesis, c from its mean. cue = roll − convergence · c.
      aa += weight
      ac -= weight * cue.convergence
      cc += weight * cue.convergence * cue.convergence
      ra += weight * difference
      rc -= weight * cue.convergence * difference
      // A cue that cannot tell the roll to a degree adds little to it.
      let degrees = deviation * 180 / .pi
      let worth = cue.strength / (1 + degrees * degrees / 2.25)
      doubt[cue.kind, default: 1] *= 1 - worth
      kinds.insert(cue.kind)
    }
    let determinant = aa * cc - ac * ac
    guard !kinds.isEmpty, determinant > 0 else { return nil }
    angle = hypothesis + (cc * ra - ac * rc) / determinant
    deviation = (cc / determinant).squareRoot()
    strength = 1 - doubt.values.reduce(1, *)
    strength *= Self.plausibility(of: angle, by: kinds, boundary: 1 - (doubt[.boundary] ?? 1))
  }

  /// Whether `cue` is among what the estimate rests on.
  func agrees(with cue: RollCue, offset: HorizonOffset) -> Bool {
    guard cue.strength >= Self.leastStrength else { return false }
    let (angle, deviation) = Self.roll(of: cue, offset: offset)
    return abs(angle - self.angle) <= 2.5 * deviation + 0.012
  }

  /// How far a roll is to be believed, 0…1, before anything is known of the evidence but its kinds.
  private static func plausibility(
    of roll: Double, by kinds: Set<Horizon.Kind>, boundary strength: Double
  ) -> Double {
    func usual(_ deviation: Double) -> Double { exp(-0.5 * (roll / deviation) * (roll / deviation)) }
    let isLevel = kinds.contains(.horizontals) || kinds.contains(.boundary)
    // Upright and level lines that agree need no help from what is usual.
    if kinds.contains(.verticals), isLevel { return 0.75 + 0.25 * usual(usualRoll) }
    return usual(strength > 0.45 ? usualRollOfBoundary : usualRoll)
  }
}
