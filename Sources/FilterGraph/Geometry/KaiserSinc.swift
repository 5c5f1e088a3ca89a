import Libc

/// The windowed sinc of sharp resamples and downsamplings: a sinc with a Kaiser window, six taps wide.
///
///     K(t) = sinc(t) · I₀(β·√(1 - (t/3)²)) / I₀(β),  |t| < 3,  β = 5
///
/// At the cost of Lanczos-3 it has a flatter passband and less overshoot: 36 rotations of a photo by 10° keep 1 to
/// 2 dB more, and halos are lower. Of all whole numbers, β = 5 keeps the most (`ResamplingQualityTests`).
/// Source: Kaiser, Schafer, "On the use of the I₀-sinh window for spectrum analysis", IEEE Trans. ASSP 28(1), 1980.
public enum KaiserSinc {
  /// Half the filter's width, in samples.
  public static let radius = 3.0
  static let beta = 5.0

  /// Returns K(`t`), where `t` is the distance from the output position, in samples; 0 from `radius` on.
  public static func weight(_ t: Double) -> Double {
    if t == 0 { return 1 }
    guard abs(t) < radius else { return 0 }
    let x = Double.pi * t
    let u = t / radius
    return sin(x) / x * bessel0(beta * (1 - u * u).squareRoot()) / atCentre
  }

  private static let atCentre = bessel0(beta)

  /// The modified Bessel function I₀ as a power series, which converges within 30 terms for arguments up to 10.
  private static func bessel0(_ x: Double) -> Double {
    let quarter = x * x / 4
    var (term, sum) = (1.0, 1.0)
    var k = 1.0
    // A plain loop: the reference renderer spends its time here, even in unoptimized builds.
    while k <= 30, term >= 1e-17 * sum {
      term *= quarter / (k * k)
      sum += term
      k += 1
    }
    return sum
  }
}
