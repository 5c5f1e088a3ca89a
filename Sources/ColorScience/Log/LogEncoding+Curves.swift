import Libc

/// The makers' formulas.
///
/// Sources: those of `LogEncoding.primaries`, and Fujifilm, “F-Log Data Sheet” 1.1 and “F-Log2 Data Sheet” 1.0; Canon,
/// “Canon Log Gamma Curves” 1.2 (2018); Nikon, “N-Log Specification Document” 1.0.0 (2018); Apple, “Apple Log Profile
/// White Paper” (2023).
extension LogEncoding {
  /// Converts reflectance to an encoded value.
  public func encode(_ x: Double) -> Double {
    switch self {
    case .sLog3:
      return x >= 0.01125
        ? (420 + log10((x + 0.01) / 0.19) * 261.5) / 1023 : (x * (Self.sLog3Cut - 95) / 0.01125 + 95) / 1023
    case .vLog: return x < 0.01 ? 5.6 * x + 0.125 : 0.241514 * log10(x + 0.00873) + 0.598206
    case .logC3:
      return x > 0.010591 ? 0.247190 * log10(5.555556 * x + 0.052272) + 0.385537 : 5.367655 * x + 0.092809
    case .logC4:
      let curve = Self.logC4Numbers
      return x >= curve.t
        ? (log2(curve.a * x + 64) - 6) / 14 * curve.b + curve.c : (x - curve.t) / curve.s
    case .fLog, .fLog2:
      let curve = fujifilm
      return x < curve.cut
        ? curve.e * x + curve.f : curve.c * log10(curve.a * x + curve.b) + curve.d
    case .cLog2:
      let part = Self.cLog2Slope * log10(abs(x / 0.9) * 87.09937546 + 1)
      return x < 0 ? Self.cLog2Black - part : Self.cLog2Black + part
    case .cLog3:
      // Canon's light is 1.0 at 90 % reflectance.
      let light = x / 0.9
      if light < (0.097465473 - 0.12512219) / 1.9754798 {
        return 0.12783901 - 0.36726845 * log10(1 - 14.98325 * light)
      }
      return light <= (0.15277891 - 0.12512219) / 1.9754798
        ? 1.9754798 * light + 0.12512219 : 0.36726845 * log10(14.98325 * light + 1) + 0.12240537
    case .nLog:
      return x < 0.328 ? 650.0 / 1023 * cbrt(x + 0.0075) : (150 * Libc.log(x) + 619) / 1023
    case .appleLog:
      if x < Self.appleBlack { return 0 }
      return x < 0.01
        ? 47.28711236 * (x - Self.appleBlack) * (x - Self.appleBlack)
        : 0.08550479 * log2(x + 0.00964052) + 0.69336945
    case .dLog:
      return x <= 0.0078 ? 6.025 * x + 0.0929 : log10(x * 0.9892 + 0.0108) * 0.256663 + 0.584555
    }
  }

  /// Converts an encoded value to reflectance.
  public func decode(_ y: Double) -> Double {
    switch self {
    case .sLog3:
      return y >= Self.sLog3Cut / 1023
        ? pow(10, (y * 1023 - 420) / 261.5) * 0.19 - 0.01
        : (y * 1023 - 95) * 0.01125 / (Self.sLog3Cut - 95)
    case .vLog: return y < 0.181 ? (y - 0.125) / 5.6 : pow(10, (y - 0.598206) / 0.241514) - 0.00873
    case .logC3:
      return y > 5.367655 * 0.010591 + 0.092809
        ? (pow(10, (y - 0.385537) / 0.247190) - 0.052272) / 5.555556 : (y - 0.092809) / 5.367655
    case .logC4:
      let curve = Self.logC4Numbers
      return y >= 0
        ? (pow(2, 14 * (y - curve.c) / curve.b + 6) - 64) / curve.a : y * curve.s + curve.t
    case .fLog, .fLog2:
      let curve = fujifilm
      return y < curve.cutEncoded
        ? (y - curve.f) / curve.e : (pow(10, (y - curve.d) / curve.c) - curve.b) / curve.a
    case .cLog2:
      let light = (pow(10, abs(y - Self.cLog2Black) / Self.cLog2Slope) - 1) / 87.09937546
      return 0.9 * (y < Self.cLog2Black ? -light : light)
    case .cLog3:
      if y < 0.097465473 { return 0.9 * (1 - pow(10, (0.12783901 - y) / 0.36726845)) / 14.98325 }
      return y <= 0.15277891
        ? 0.9 * (y - 0.12512219) / 1.9754798 : 0.9 * (pow(10, (y - 0.12240537) / 0.36726845) - 1) / 14.98325
    case .nLog:
      let root = y * 1023 / 650
      return y < 452.0 / 1023 ? root * root * root - 0.0075 : exp((y * 1023 - 619) / 150)
    case .appleLog:
      if y < 0 { return Self.appleBlack }
      return y < 47.28711236 * (0.01 - Self.appleBlack) * (0.01 - Self.appleBlack)
        ? (y / 47.28711236).squareRoot() + Self.appleBlack
        : pow(2, (y - 0.69336945) / 0.08550479) - 0.00964052
    case .dLog:
      return y <= 0.14 ? (y - 0.0929) / 6.025 : (pow(10, 3.89616 * y - 2.27752) - 0.0108) / 0.9892
    }
  }

  private static let sLog3Cut = 171.2102946929
  private static let cLog2Slope = 0.24136077
  private static let cLog2Black = 0.092864125
  private static let appleBlack = -0.05641088

  /// LogC4's constants, as ARRI derives them.
  private static let logC4Numbers: (a: Double, b: Double, c: Double, s: Double, t: Double) = {
    let (a, b, c) = (262_128 / 117.45, 928.0 / 1023, 95.0 / 1023)
    let s = 7 * Libc.log(2) * pow(2, 7 - 14 * c / b) / (a * b)
    return (a, b, c, s, (pow(2, 6 - 14 * c / b) - 64) / a)
  }()

  private struct Fujifilm {
    let cut, cutEncoded, a, b, c, d: Double
    let e, f: Double
  }

  private var fujifilm: Fujifilm {
    self == .fLog
      ? Fujifilm(
        cut: 0.00089, cutEncoded: 0.100537775223865, a: 0.555556, b: 0.009468, c: 0.344676, d: 0.790453,
        e: 8.735631, f: 0.092864)
      : Fujifilm(
        cut: 0.000889, cutEncoded: 0.100686685370811, a: 5.555556, b: 0.064829, c: 0.245281, d: 0.384316,
        e: 8.799461, f: 0.092864)
  }
}
