import Libc

/// How much brighter or darker than the sensor's values a DNG is to be rendered.
///
/// Brightening by E stops is a gain of s = 2^E in linear light, clipped at white: DNG 1.4, tag 50730
/// (BaselineExposure). Darkening by a gain alone would make clipped areas grey. The Adobe DNG SDK keeps white at
/// white with a parabola that continues the gain's line smoothly from a quarter on:
///
///     y = s·x                 0 ≤ x ≤ 1/4
///     y = a·x² + b·x + c      1/4 ≤ x ≤ 1,    a = 16/9·(1 - s),  b = s - a/2,  c = 1 - a - b
///
/// The coefficients follow from y(1/4) = s/4, y'(1/4) = s and y(1) = 1.
struct BaselineExposure {
  /// The factor for the samples, at least 1.
  let gain: Float
  /// A curve for samples of 0…65535 in linear light; nil is the identity.
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
