import FrameCore
import Libc

/// What a lens does to straight lines and to light, in numbers that need no database.
///
/// With r the distance from the lens's centre, in halves of the picture's diagonal:
///
///     r′ = r·(k₀ + k₁·r + k₂·r² + k₃·r³ + k₄·r⁴)       where what belongs at r was recorded
///     light′ = light·(1 + v₁·r² + v₂·r⁴ + v₃·r⁶)        how much of it was recorded at r
///
/// All models of Lensfun 0.3 are of this form: poly3 (k₀, k₂), poly5 (k₀, k₂, k₄), PTLens (k₀…k₃), pa (v₁…v₃).
/// Sources: Tsai, "A versatile camera calibration technique", 1987, for even terms; Hugin's manual, "Lens correction
/// model", for odd ones.
public struct LensProfile: Sendable, Hashable {
  /// k₀…k₄; 1, 0, 0, 0, 0 is a lens that keeps lines straight.
  public var distortion: [Double]
  /// The lens's centre beside the middle of the picture as stored, to the right and downwards, in halves of its diagonal.
  public var center: SIMD2<Double>
  /// v₁…v₃; 0, 0, 0 is light that falls off nowhere.
  public var vignetting: SIMD3<Double>

  /// - Parameter distortion: k₀…k₄; those that are left out are 0.
  public init(
    distortion: [Double] = [1], center: SIMD2<Double> = .zero, vignetting: SIMD3<Double> = .zero
  ) {
    self.distortion = (0..<Self.termCount).map { $0 < distortion.count ? distortion[$0] : 0 }
    (self.center, self.vignetting) = (center, vignetting)
  }

  /// How many numbers describe a distortion.
  public static let termCount = 5

  /// Whether lines stay where they are.
  public var isStraight: Bool { distortion == LensProfile().distortion }

  /// The most that light is brightened, as a factor: 4 EV, beyond which there is only noise.
  static let mostGain = 16.0

  /// Returns by how much light recorded at a distance r is brightened, 1…16.
  public func gain(at r: Double) -> Double {
    let s = r * r
    let recorded = 1 + s * (vignetting.x + s * (vignetting.y + s * vignetting.z))
    return recorded <= 1 / Self.mostGain ? Self.mostGain : max(1, 1 / recorded)
  }

  /// The largest gain in a picture.
  ///
  /// - Parameter radius: the distance of the corner that is furthest from the centre.
  func largestGain(within radius: Double) -> Double {
    let steps = 256
    return (0...steps).reduce(1) { max($0, gain(at: radius * Double($1) / Double(steps))) }
  }

  var isFinite: Bool {
    (distortion + [center.x, center.y, vignetting.x, vignetting.y, vignetting.z]).allSatisfy(\.isFinite)
  }
}

/// Distances from a lens's centre: where what belongs at r was recorded. Beyond `limit`, where profiles are guesses, it
/// goes on as a straight line, so that each distance is recorded at one place.
struct LensCurve: Sendable, Hashable {
  /// k₀…k₄ as in `LensProfile`.
  let terms: SIMD8<Double>
  let limit: Double
  /// The curve and its slope at `limit`.
  private let end, endSlope: Double

  init(terms: SIMD8<Double>, limit: Double) {
    (self.terms, self.limit) = (terms, limit)
    let (factor, change) = Self.factor(terms, limit)
    (end, endSlope) = (limit * factor, factor + limit * change)
  }

  /// The curve's slope may fall to this much of that in the centre; where it falls further, the curve goes on straight.
  private static let leastSlope = 0.25

  /// Creates the curve as far as it rises; nil if it does not begin to, or folds the picture before `least`.
  ///
  /// - Parameters:
  ///   - least: of the curve, how far it must be known.
  ///   - most: how far it is asked for.
  init?(_ profile: LensProfile, least: Double, most: Double) {
    var terms = SIMD8<Double>.zero
    for (index, term) in profile.distortion.prefix(LensProfile.termCount).enumerated() { terms[index] = term }
    let steps = 1024
    var limit = 0.0
    guard terms[0] > 0 else { return nil }
    for step in 1...steps {
      let r = most * Double(step) / Double(steps)
      let (factor, change) = Self.factor(terms, r)
      guard factor + r * change >= Self.leastSlope * terms[0], factor > 0 else { break }
      limit = r
    }
    guard limit >= least else { return nil }
    self.init(terms: terms, limit: limit)
  }

  /// f(r) = k₀ + k₁·r + …, and its derivative.
  private static func factor(_ k: SIMD8<Double>, _ r: Double) -> (value: Double, change: Double) {
    (
      k[0] + r * (k[1] + r * (k[2] + r * (k[3] + r * k[4]))),
      k[1] + r * (2 * k[2] + r * (3 * k[3] + r * 4 * k[4]))
    )
  }

  /// Returns by what a place at a distance r is moved away from the centre, and how that factor changes with r.
  func factor(_ r: Double) -> (value: Double, change: Double) {
    guard r > limit else { return Self.factor(terms, r) }
    let value = endSlope + (end - endSlope * limit) / r
    return (value, (endSlope - value) / r)
  }

  /// Beyond the limit: a and b of r·factor(r) = a·r + b.
  var beyond: (slope: Double, rest: Double) { (endSlope, end - endSlope * limit) }

  /// Returns the distance that is recorded at `recorded`: the inverse of r·factor(r).
  func inverse(_ recorded: Double) -> Double {
    guard recorded < end else { return limit + (recorded - end) / endSlope }
    // Newton's steps, kept within what is known of the root.
    var (low, high) = (0.0, limit)
    var r = min(recorded / terms[0], limit)
    for _ in 0..<60 {
      let (value, change) = Self.factor(terms, r)
      let error = r * value - recorded
      if error > 0 { high = r } else { low = r }
      if abs(error) < 1e-14 { break }
      let next = r - error / (value + r * change)
      r = next > low && next < high ? next : (low + high) / 2
    }
    return r
  }

  /// The largest of what bounds how the plane is bent and stretched, over all distances.
  ///
  /// Of W(q) = q·f(|q|), the second derivative along a unit vector has the parts g″c² + f′s² away from the centre and
  /// 2f′cs across, with g = r·f, c and s the vector's cosine and sine: at most √(max(|g″|, |f′|)² + f′²). The first one is
  /// at most max(f, g′). Both are taken at 256 distances, and between these they change by no more than their own
  /// derivatives, bounded by the sums of the terms' sizes.
  var bounds: (bend: Double, stretch: Double, change: Double) {
    let steps = 256
    let half = limit / Double(steps) / 2
    // Sums of sizes: of f″ and of g‴.
    var (secondOfFactor, third) = (0.0, 0.0)
    for n in 2..<LensProfile.termCount {
      let size = abs(terms[n]) * pow(limit, Double(n - 2)) * Double(n * (n - 1))
      secondOfFactor += size
      third += size * Double(n + 1)
    }
    var (bend, stretch, change, firsts) = (0.0, 0.0, 0.0, 0.0)
    for step in 0...steps {
      let r = limit * Double(step) / Double(steps)
      let (value, first) = Self.factor(terms, r)
      let second = 2 * terms[2] + r * (6 * terms[3] + r * 12 * terms[4])
      let curved = 2 * first + r * second
      bend = max(bend, hypot(max(abs(curved), abs(first)), first))
      stretch = max(stretch, value, value + r * first)
      firsts = max(firsts, abs(first), abs(curved))
      change = max(change, abs(first) / value, abs(curved) / (value + r * first))
    }
    let mostThird = max(third, secondOfFactor)
    return (
      bend + half * hypot(mostThird, secondOfFactor), stretch + half * (firsts + half * mostThird), change
    )
  }
}
