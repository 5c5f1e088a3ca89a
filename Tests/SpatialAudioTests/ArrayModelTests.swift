import Libc
import Testing

@testable import SpatialAudio

@Suite("Model of a tetrahedral array")
struct ArrayModelTests {
  /// SciPy 1.17, scipy.special.spherical_jn for the orders 0 to 4.
  private static let reference: [(Double, [Double])] = [
    (
      0.01,
      [
        9.9998333341666645e-01, 3.3333000001190523e-03, 6.6666190477513343e-06, 9.5237566138768746e-09,
        1.0581962482055022e-11,
      ]
    ),
    (
      0.3,
      [
        9.8506735553779856e-01, 9.9102888040641962e-02, 5.9615248686202202e-03, 2.5585976969508191e-04,
        8.5364242650251564e-06,
      ]
    ),
    (
      0.49,
      [
        9.6046099626766945e-01, 1.5944517889295517e-01, 1.5733976546340955e-02, 1.1056021921566112e-03,
        6.0340484467782204e-05,
      ]
    ),
    (
      0.51,
      [
        9.5721028800570096e-01, 1.6561917717637220e-01, 1.7020165972957715e-02, 1.2451951075270295e-03,
        7.0747267609363901e-05,
      ]
    ),
    (
      1.0,
      [
        8.4147098480789650e-01, 3.0116867893975707e-01, 6.2035052011373916e-02, 9.0065811171125242e-03,
        1.0110158084137538e-03,
      ]
    ),
    (
      3.14159265358979,
      [
        1.0284876192249555e-15, 3.1830988618379136e-01, 3.0396355092701322e-01, 1.6546313031420135e-01,
        6.4716300318477332e-02,
      ]
    ),
    (
      5.0,
      [
        -1.9178485493262770e-01, -9.5089408079170795e-02, 1.3473121008512523e-01, 2.2982061816429603e-01,
        1.8701765534488918e-01,
      ]
    ),
    (
      12.5,
      [
        -5.3057517880960546e-03, -8.0248322477334141e-02, -1.3953845606464139e-02, 7.4666784234748484e-02,
        5.5767244777923289e-02,
      ]
    ),
    (
      44.0,
      [
        4.0231647966849042e-04, -2.2714568003818700e-02, -1.9510370253834018e-03, 2.2492859250934222e-02,
        5.5294464516683914e-03,
      ]
    ),
  ]

  @Test(arguments: reference)
  func besselFunctionsAgreeWithSciPy(x: Double, expected: [Double]) {
    for (own, other) in zip(ArrayModel.sphericalBessel(x, orders: 5), expected) {
      #expect(abs(own - other) <= 1e-12 * max(abs(other), 1e-3), "\(x)")
    }
  }

  @Test(arguments: [0.01, 0.3, 1, 2.5, 6, 20])
  func modesAddUpToWhatACapsuleHears(kr: Double) {
    // Σ (2n + 1) bₙ Pₙ(x) against the exact p + (1 − p) x times exp(j kr x).
    for pattern in [0.3, 0.5, 0.7] {
      let modes = ArrayModel(radius: 0.015, pattern: pattern).modes(kr, orders: Int(kr) + 25)
      for x in stride(from: -1.0, through: 1, by: 0.25) {
        var (sum, legendre, before) = (Complex.zero, 1.0, 0.0)
        for (n, mode) in modes.enumerated() {
          sum = sum + mode * (Double(2 * n + 1) * legendre)
          let next = (Double(2 * n + 1) * x * legendre - Double(n) * before) / Double(n + 1)
          (before, legendre) = (legendre, next)
        }
        let exact = Complex(angle: kr * x) * (pattern + (1 - pattern) * x)
        #expect((sum - exact).magnitude < 1e-9)
      }
    }
  }

  @Test(arguments: [0.1, 1, 3, 8])
  func diffusePowerIsTheMeanOverTheSphere(kr: Double) {
    let model = ArrayModel(radius: 0.015, pattern: 0.5)
    let power = model.diffusePower(model.modes(kr, orders: Int(kr) + 20))
    let corners: [SIMD3<Double>] = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]
    var (sum, difference) = (0.0, 0.0)
    let directions = Sphere.directions(5000)
    for u in directions {
      let heard = corners.map { corner in
        let x = (corner * u).sum() / 3.0.squareRoot()
        return Complex(angle: kr * x) * (0.5 + 0.5 * x)
      }
      sum += (heard[0] + heard[1] + heard[2] + heard[3]).power
      difference += (heard[0] + heard[1] - heard[2] - heard[3]).power
    }
    #expect(abs(sum / Double(directions.count) / power.sum - 1) < 1e-3)
    #expect(abs(difference / Double(directions.count) / power.difference - 1) < 1e-3)
  }
}
