import FrameCore
import Libc

/// Light that falls off from the centre of a frame to its corners.
///
///     r    = (|u|ᵖ + |v|ᵖ)^(1/p)                        0 at the centre, 1 in the corners
///     gain = 2^(stops · S(begin, end, r))
///
/// with S(a, b, r) = 3w² − 2w³, w = clip((r − a) / (b − a), 0, 1), and (u, v) the place in the frame. Lines of equal
/// light are ellipses of the frame's proportions; a positive roundness makes them circles, a negative one rounded
/// rectangles: superellipses with an exponent p up to 8.
public struct LightFalloff: Sendable, Hashable {
  /// EV in the corners; negative darkens.
  public let stops: Double
  /// The distances from the centre between which the light changes.
  public let begin, end: Double
  public let exponent: Double
  /// From pixels to (u, v). In single precision, which is enough for a gain: plans of live frames that are levelled
  /// anew have equal fields then, and share their tables.
  public private(set) var toFrame: AffineMap
  /// As a user set it, -1…1: part of `toFrame` and `exponent`.
  private let roundness: Double

  /// What the corners of ±100 % gain or lose, in EV.
  static let most = 4.0
  /// The least distance between both lights, so that an edge has no steps.
  private static let narrowest = 0.004

  /// - Parameters:
  ///   - amount: -1…1; negative darkens the corners.
  ///   - midpoint: 0…1; where half of it is reached, from near the centre to near the corners.
  ///   - feather: 0…1; how gradually the light changes.
  ///   - roundness: -1…1; 0 follows the frame's proportions, 1 is a circle.
  ///   - frame: what it is centred in.
  init(amount: Double, midpoint: Double, feather: Double, roundness: Double, frame: PixelSize) {
    stops = amount * Self.most
    self.roundness = roundness
    let middle = 0.35 + 0.6 * midpoint
    let half = max(feather * middle, Self.narrowest / 2)
    (begin, end) = (middle - half, middle + half)
    let power = roundness < 0 ? exp2(1 - 2 * roundness) : 2
    exponent = power
    let (w, h) = (Double(frame.width) / 2, Double(frame.height) / 2)
    // Half the side of a square whose corners are as far away.
    let round = ((w * w + h * h) / 2).squareRoot()
    let part = max(roundness, 0)
    func axis(_ half: Double) -> Double { half + part * (round - half) }
    // Then the corners are at r = 1.
    let corner = pow(pow(w / axis(w), power) + pow(h / axis(h), power), 1 / power)
    let (sx, sy) = (1 / (axis(w) * corner), 1 / (axis(h) * corner))
    toFrame = AffineMap(a: sx, b: 0, c: -w * sx, d: 0, e: sy, f: -h * sy).inSinglePrecision
  }

  /// Returns the gain at a place in pixels, in EV.
  func change(_ x: Double, _ y: Double) -> Double {
    let (u, v) = toFrame.apply(x, y)
    let r = pow(pow(abs(u), exponent) + pow(abs(v), exponent), 1 / exponent)
    return stops * ToneCurve.smoothStep(begin, end, r)
  }

  /// The same light ahead of which a resample now comes.
  func behind(_ map: AffineMap) -> LightFalloff {
    var moved = self
    moved.toFrame = map.then(toFrame).inSinglePrecision
    return moved
  }

  var hasFiniteNumbers: Bool {
    toFrame.isFinite && [stops, begin, end, exponent].allSatisfy(\.isFinite)
  }

  /// `vignette -2.00 EV from 0.33 to 0.98 round 30`
  var text: String {
    "vignette \(PlainNumber.fixed(stops, 2)) EV from \(PlainNumber.fixed(begin, 2)) to \(PlainNumber.fixed(end, 2))"
      + (roundness == 0 ? "" : " round \(PlainNumber.text((roundness * 1e4).rounded() / 100))")
  }
}
