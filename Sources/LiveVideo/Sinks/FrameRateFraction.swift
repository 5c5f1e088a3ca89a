/// A frame rate as a fraction, as containers store it.
struct FrameRateFraction: Hashable {
  let numerator: Int
  let denominator: Int

  /// Creates the fraction for `framesPerSecond`: whole rates over 1, the NTSC rates 24, 30, 60 … over 1.001,
  /// others to a thousandth. 0:0, which means “unknown”, if there is no rate.
  init(_ framesPerSecond: Double) {
    guard framesPerSecond > 0, framesPerSecond < 1_000_000 else {
      (numerator, denominator) = (0, 0)
      return
    }
    let whole = framesPerSecond.rounded()
    if whole > 0, abs(framesPerSecond - whole) < 0.0005 {
      (numerator, denominator) = (Int(whole), 1)
      return
    }
    // Drivers report 23.98 and 29.97 as well as 29.970029…; NTSC rates are only multiples of 6 over 1.001.
    let raised = framesPerSecond * 1.001
    let nominal = Int(raised.rounded())
    if nominal > 0, nominal.isMultiple(of: 6), abs(raised - Double(nominal)) < 0.005 {
      (numerator, denominator) = (nominal * 1000, 1001)
    } else {
      let thousandths = max(Int((framesPerSecond * 1000).rounded()), 1)
      let divisor = Self.greatestCommonDivisor(thousandths, 1000)
      (numerator, denominator) = (thousandths / divisor, 1000 / divisor)
    }
  }

  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    b == 0 ? a : greatestCommonDivisor(b, a % b)
  }
}
