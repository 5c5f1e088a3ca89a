import Libc

/// What a tetrahedral array picks up of plane waves, by spherical harmonics.
///
/// A capsule at the distance r in direction d hears a wave from u as (p + (1 − p) u·d) exp(j kr u·d), which
/// is Σ (2n + 1) bₙ Pₙ(u·d) with bₙ = jⁿ (p jₙ(kr) − j (1 − p) jₙ′(kr)). The sum of the four holds only
/// orders 0, 3, 4 …, their differences 1, 2, 3 …: the cause of what is called spatial aliasing.
/// Sources: M. A. Gerzon, The design of precisely coincident microphone arrays, AES 50th convention (1975);
/// C. Faller, M. Kolundžija, Design and limitations of non-coincidence correction filters for soundfield
/// microphones, AES 126th convention (2009).
struct ArrayModel {
  /// Metres a second in air of 20 °C.
  static let speedOfSound = 343.2

  let radius: Double
  let pattern: Double

  /// The radius as an angle of the wave.
  func kr(_ frequency: Double) -> Double { 2 * .pi * frequency * radius / Self.speedOfSound }

  /// bₙ for the orders 0 to `orders` − 1.
  func modes(_ kr: Double, orders: Int) -> [Complex] {
    let bessel = Self.sphericalBessel(kr, orders: orders + 1)
    return (0..<orders).map { n in
      let before = n == 0 ? 0 : Double(n) * bessel[n - 1]
      let derivative = (before - Double(n + 1) * bessel[n + 1]) / Double(2 * n + 1)
      return Complex.powerOfJ(n) * Complex(pattern * bessel[n], -(1 - pattern) * derivative)
    }
  }

  /// The mean squares over all directions of the sum of the capsules, and of the sum with two signs changed.
  func diffusePower(_ modes: [Complex]) -> (sum: Double, difference: Double) {
    // Mean of Pₙ(u·a) Pₙ(u·b) over u is Pₙ(a·b) / (2n + 1), and capsules are acos(−1/3) apart.
    var (sum, difference) = (0.0, 0.0)
    var (legendre, before) = (1.0, 0.0)
    for (n, mode) in modes.enumerated() {
      let power = Double(2 * n + 1) * mode.power
      sum += power * (4 + 12 * legendre)
      difference += power * (4 - 4 * legendre)
      let next = (Double(2 * n + 1) * (-1.0 / 3) * legendre - Double(n) * before) / Double(n + 1)
      (before, legendre) = (legendre, next)
    }
    return (sum, difference)
  }

  /// jₙ(x) for the orders 0 to `orders` − 1, by series for small x and by Miller's backward recurrence else.
  ///
  /// Source: M. Abramowitz, I. Stegun, Handbook of mathematical functions, 10.1.2 and 10.5.
  static func sphericalBessel(_ x: Double, orders: Int) -> [Double] {
    if x < 0.5 {
      var first = 1.0
      return (0..<orders).map { n in
        if n > 0 { first *= x / Double(2 * n + 1) }
        var (term, sum) = (first, first)
        for k in 1...8 {
          term *= -x * x / (2 * Double(k) * Double(2 * n + 2 * k + 1))
          sum += term
        }
        return sum
      }
    }
    let start = max(orders, Int(x)) + 30
    var values = [Double](repeating: 0, count: start + 2)
    values[start] = 1e-250
    for n in stride(from: start, to: 0, by: -1) {
      values[n - 1] = Double(2 * n + 1) / x * values[n] - values[n + 1]
      if abs(values[n - 1]) > 1e200 { for index in (n - 1)...start { values[index] *= 1e-200 } }
    }
    // j₀ and j₁ are not both near zero.
    let (j0, j1) = (sin(x) / x, sin(x) / (x * x) - cos(x) / x)
    let scale = abs(j0) > abs(j1) ? j0 / values[0] : j1 / values[1]
    return values[..<orders].map { $0 * scale }
  }
}
