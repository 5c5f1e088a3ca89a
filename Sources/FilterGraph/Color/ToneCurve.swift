import Libc

/// The ends of the range of tones: a gain, and for lifted blacks an offset, that depend on a colour's brightness.
///
///     n   = Σ|c|³ / Σ c²                                         brightness of a colour c; of a grey, its value
///     out = gain(n) · c + offset(n)                              scene-linear RGB
///
/// One gain for all three channels keeps their ratios, and so hue and saturation; an offset mixes in white. Greys
/// follow f(n) = gain(n) · n + offset(n), which is strictly increasing and smooth and nearly keeps 0.18. In the order
/// in which they take effect, with amounts of -1…1, e = log2(n / 0.18) and S(a, b, e) = 3u² − 2u³,
/// u = clip((e − a) / (b − a), 0, 1):
///
///     whites      n · 2^(0.6 · whites · S(-0.5, 3.5, e))
///     blacks > 0  n + 0.012 · blacks · (1 − n)²                  below white
///     blacks < 0  n · n · (1 + k) / (n + k),                     k = 0.012 · |blacks|
///
/// Highlights and shadows depend on the light around a pixel: `LocalLight`.
///
/// Source of the brightness: the power norm of darktable's filmic module, which is smooth and never exceeds the
/// largest channel.
public struct ToneCurve: Sendable, Hashable {
  /// -1…1; 0 changes nothing.
  public var whites, blacks: Double

  public init(whites: Double = 0, blacks: Double = 0) {
    self.whites = whites
    self.blacks = blacks
  }

  package var isNeutral: Bool { whites == 0 && blacks == 0 }

  /// The brightness range, in EV from middle grey, in which gain and offset vary; beyond it they are constant.
  package static let stops = -14.0...6.0

  private static let middleGrey = 0.18
  /// The level to which full blacks lift black: 28.6 of 255 in sRGB.
  private static let deepestBlack = 0.012

  /// Returns the brightness of a colour in EV from middle grey, clamped to `stops`.
  package static func brightness(_ rgb: SIMD3<Double>) -> Double {
    // Larger values exceed `stops` anyway, and this bound keeps cubes finite in single precision.
    let levels = pointwiseMin(rgb.replacing(with: -rgb, where: rgb .< 0), SIMD3(repeating: 1e6))
    let squares = (levels * levels).sum()
    guard squares > 1e-22 else { return stops.lowerBound }
    let norm = (levels * levels * levels).sum() / squares
    return min(max(log2(norm / middleGrey), stops.lowerBound), stops.upperBound)
  }

  /// Returns the factor for a colour of brightness `e`, in EV from middle grey, and the offset to add afterwards.
  package func factors(at e: Double) -> (gain: Double, offset: Double) {
    let level = Self.middleGrey * exp2(e)
    var gain = exp2(0.6 * whites * Self.smoothStep(-0.5, 3.5, e))
    var offset = 0.0
    let depth = Self.deepestBlack * abs(blacks)
    if blacks < 0 {
      gain *= level * (1 + depth) / (level + depth)
    } else if level < 1 {
      offset = depth * (1 - level) * (1 - level)
    }
    return (gain, offset)
  }

  /// Returns the toned colour of a scene-linear colour.
  public func evaluate(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let (gain, offset) = factors(at: Self.brightness(rgb))
    return gain * rgb + SIMD3(repeating: offset)
  }

  /// Returns 0 at `a` and 1 at `b`, with zero slope at both.
  package static func smoothStep(_ a: Double, _ b: Double, _ x: Double) -> Double {
    let u = min(max((x - a) / (b - a), 0), 1)
    return u * u * (3 - 2 * u)
  }
}
