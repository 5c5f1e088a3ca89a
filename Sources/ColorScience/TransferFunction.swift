import Libc

/// The relation between encoded samples and linear light, both 1.0 at full scale.
///
/// Functions are odd: f(−x) = −f(x). Above 1 their formula continues, so nothing is clipped.
public enum TransferFunction: Hashable, Sendable {
  /// Samples are proportional to light.
  case linear
  /// IEC 61966-2-1:1999.
  case sRGB
  /// encoded ^ exponent = linear; the exponent is positive and finite.
  case gamma(Double)
  /// The OETF of ITU-R BT.709-6 and BT.2020-2, with the full-precision constants that solve BT.2020's pair of
  /// equations; `decode` is the inverse OETF, not the EOTF of BT.1886.
  case bt709
  /// A measured or tabulated curve, for example from an ICC profile.
  case sampled(SampledCurve)

  /// BT.2020-2, table 4: 4.5 β = α β^0.45 − α + 1 and 4.5 = 0.45 α β^−0.55.
  package static let bt709Alpha = 1.09929682680944
  package static let bt709Beta = 0.018053968510807

  /// Converts an encoded sample to linear light.
  public func decode(_ encoded: Double) -> Double {
    switch self {
    case .linear: encoded
    case .sRGB:
      odd(encoded) { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    case .gamma(let exponent):
      odd(encoded) { pow($0, exponent) }
    case .bt709:
      odd(encoded) {
        $0 < 4.5 * Self.bt709Beta
          ? $0 / 4.5 : pow(($0 + (Self.bt709Alpha - 1)) / Self.bt709Alpha, 1 / 0.45)
      }
    case .sampled(let curve):
      odd(encoded, curve.decode)
    }
  }

  /// Converts linear light to an encoded sample.
  public func encode(_ linear: Double) -> Double {
    switch self {
    case .linear: linear
    case .sRGB:
      odd(linear) { $0 <= 0.0031308 ? 12.92 * $0 : 1.055 * pow($0, 1 / 2.4) - 0.055 }
    case .gamma(let exponent):
      odd(linear) { pow($0, 1 / exponent) }
    case .bt709:
      odd(linear) {
        $0 < Self.bt709Beta ? 4.5 * $0 : Self.bt709Alpha * pow($0, 0.45) - (Self.bt709Alpha - 1)
      }
    case .sampled(let curve):
      odd(linear, curve.encode)
    }
  }
}

/// Extends `function`, defined for x ≥ 0, as an odd function.
private func odd(_ x: Double, _ function: (Double) -> Double) -> Double {
  x < 0 ? -function(-x) : function(x)
}
