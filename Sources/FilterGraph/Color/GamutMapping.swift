import ColorScience
import Libc

/// Brings light that is too bright for a colour space into it and keeps its hue, where clipping each channel turns it: a
/// sunset yellow, a blue lamp cyan. Light within the space stays as it is.
///
/// On linear RGB of the space, whose channels below 0 count as 0. In OKLab, a colour with a channel above 1 moves straight
/// towards a grey until none is:
///
///     d  = L - ½,  e = ½ + |d| + 2·C
///     L₀ = ½·(1 + sign(d)·(e - √(e² - 2|d|)))
///     (L, a, b)' = (L₀ + t·(L - L₀), t·a, t·b),  t the largest in 0…1 without a channel above 1
///
/// Channels below 0, of colours that are too saturated, are left to be clipped. Keeping their hue too would tear gradients
/// apart: near blue a hue reaches far less chroma than the next one, so that colours which differ by a thousandth would
/// end up tens of codes apart. Clipping turns a colour of Display P3 in sRGB by 1° in the mean and 7.5° at most.
///
/// Source: Ottosson, "Gamut clipping", 2021: the adaptive L₀ of 0.5. Its space is scaled so that the greys
/// of `space` are exactly without colour.
public struct GamutMapping: Sendable, Hashable {
  /// The space into which colours are brought.
  public let space: ColorSpace
  /// From linear RGB of `space` to LMS, all 1 for white, and back.
  package let toLMS, fromLMS: Matrix3x3

  /// Ottosson's α: with his smallest, 0.05, colours keep their lightness and turn pale, a red saucer pink; with 2 they stay
  /// colours, and still become lighter as light rises.
  package static let alpha = 2.0
  /// Halvings of t by which kernels and shaders look for the boundary: to 4·10⁻⁶.
  package static let halvings = 18
  /// Light that is brighter counts as this, whose powers can be computed.
  package static let most = 1e30

  public init(into space: ColorSpace) {
    self.space = space
    let lms =
      OKLab.lmsFromXYZ * ColorSpace.linearRec2020.toXYZ * space.matrix(to: .linearRec2020)
    let white = lms * SIMD3(1, 1, 1)
    toLMS = Matrix3x3.diagonal(SIMD3(1 / white.x, 1 / white.y, 1 / white.z)) * lms
    fromLMS = toLMS.inverse
  }

  /// Returns what linear RGB becomes: no channel above 1, and none below 0 that was not before. NaN channels stay NaN, and
  /// count as 0 for the others.
  public func evaluate(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let known: SIMD3<Double> = rgb.replacing(with: SIMD3<Double>.zero, where: rgb .!= rgb)
    guard known.max() > 1 else { return rgb }
    let lms = toLMS * known.clamped(lowerBound: SIMD3<Double>.zero, upperBound: SIMD3(repeating: Self.most))
    let roots = SIMD3(cbrt(lms.x), cbrt(lms.y), cbrt(lms.z))
    let lab = OKLab.labFromLMS * roots
    let grey = Self.grey(lightness: lab.x, chroma: hypot(lab.y, lab.z))
    let away = roots - SIMD3(repeating: grey)
    // Each channel is a cubic of t, since the cube roots of LMS are linear.
    let first = 3 * grey * grey * (fromLMS * away)
    let second = 3 * grey * (fromLMS * (away * away))
    let third = fromLMS * (away * away * away)
    func color(_ t: Double) -> SIMD3<Double> {
      SIMD3(repeating: grey * grey * grey) + t * (first + t * (second + t * third))
    }
    var (inside, outside) = (0.0, 1.0)
    for _ in 0..<50 {
      let middle = (inside + outside) / 2
      if color(middle).max() <= 1 { inside = middle } else { outside = middle }
    }
    return color(inside).replacing(with: rgb, where: rgb .!= rgb)
  }

  /// L₀, in 0…1.
  private static func grey(lightness: Double, chroma: Double) -> Double {
    let offset = lightness - 0.5
    let sum = 0.5 + abs(offset) + alpha * chroma
    // e - √(e² - 2|d|), without the difference of two large numbers.
    let shift = 2 * abs(offset) / (sum + max(sum * sum - 2 * abs(offset), 0).squareRoot())
    return 0.5 + (offset < 0 ? -0.5 : 0.5) * min(shift, 1)
  }
}
