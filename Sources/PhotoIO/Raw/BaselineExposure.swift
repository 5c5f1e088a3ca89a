import Libc

/// How much brighter or darker than the sensor's values a digital negative is to be shown.
///
/// Brighter by E stops is a gain of s = 2^E in linear light, and what goes beyond white is clipped there: DNG 1.4, tag
/// 50730 (BaselineExposure). Darker by a gain alone would make blown parts grey. The Adobe DNG SDK keeps white white, by
/// a parabola that follows the gain's line smoothly from a quarter on:
///
///     y = s·x                 0 ≤ x ≤ 1/4
///     y = a·x² + b·x + c      1/4 ≤ x ≤ 1,    a = 16/9·(1 - s),  b = s - a/2,  c = 1 - a - b
///
/// The three are what y(1/4) = s/4, y'(1/4) = s and y(1) = 1 say.
struct BaselineExposure {
  /// At least 1: what the samples are multiplied by.
  let gain: Float
  /// For samples of 0…65535 in linear light; nil is the identity.
  let curve: Curve?

  init(stops: Float) {
    let slope = exp2(stops)
    gain = max(slope, 1)
    curve = slope < 1 ? Curve(slope: slope) : nil
  }

  struct Curve {
    private let slope, a, b, c: Float

    init(slope: Float) {
      self.slope = slope
      let a = 16 / 9 * (1 - slope)
      b = slope - a / 2
      c = (1 - a - b) * 65_535
      self.a = a / 65_535
    }

    @inline(__always)
    func callAsFunction(_ x: SIMD4<Float>) -> SIMD4<Float> {
      let parabola = (x * a + b) * x + c
      return parabola.replacing(with: x * slope, where: x .<= 65_535 / 4)
    }
  }
}
