import ColorScience
import TestSupport
import Testing

@testable import FilterGraph

@Suite("Curves through points")
struct MonotoneCurveTests {
  // SciPy 1.17.1: PchipInterpolator(x, y)([0.05, 0.2, 0.4, 0.6, 0.95])
  static let examples: [(points: [SIMD2<Double>], values: [Double])] = [
    (
      [SIMD2(0, 0), SIMD2(0.25, 0.15), SIMD2(0.75, 0.85), SIMD2(1, 1)],
      [0.019832624113, 0.111330496454, 0.334978723404, 0.665021276596, 0.980167375887]
    ),
    (
      [SIMD2(0, 0.05), SIMD2(0.1, 0.05), SIMD2(0.5, 0.6), SIMD2(0.9, 0.7), SIMD2(1, 0.9)],
      [0.05, 0.128004807692, 0.490264423077, 0.62955465587, 0.777203947368]
    ),
  ]

  @Test("are those of SciPy", arguments: examples.indices)
  func scipy(index: Int) {
    let curve = MonotoneCurve(Self.examples[index].points)
    for (x, y) in zip([0.05, 0.2, 0.4, 0.6, 0.95], Self.examples[index].values) {
      #expect(abs(curve.evaluate(x) - y) < 1e-11, "\(x): \(curve.evaluate(x)), not \(y)")
    }
    for point in curve.points { #expect(abs(curve.evaluate(point.x) - point.y) < 1e-12) }
  }

  @Test("never fall and never leave the values of their points", arguments: 0..<40)
  func monotone(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let count = 2 + seed % 15
    let places = (0..<count).map { Double($0) + Double.random(in: 0...0.9, using: &random) }
    let values = (0..<count).map { _ in Double.random(in: 0...1, using: &random) }.sorted()
    let curve = MonotoneCurve(zip(places, values).map { SIMD2($0 / Double(count), $1) })
    let ramp = (0...4096).map { curve.evaluate(Double($0) / 4096) }
    for (a, b) in zip(ramp, ramp.dropFirst()) where b < a - 1e-12 { Issue.record("falls from \(a) to \(b)") }
    #expect(ramp[0] >= values[0] && ramp[4096] <= values[count - 1] + 1e-12)
  }

  @Test("are level outside of their points")
  func outside() {
    let curve = MonotoneCurve([SIMD2(0.2, 0.1), SIMD2(0.5, 0.6), SIMD2(0.8, 0.9)])
    #expect(curve.evaluate(-1) == 0.1 && curve.evaluate(0.2) == 0.1)
    #expect(curve.evaluate(0.8) == 0.9 && curve.evaluate(7) == 0.9)
  }
}

@Suite("Curves of light")
struct LightCurveTests {
  @Test("between samples they are within a tenth of a level of the function")
  func dense() {
    for exponent in [0.5, 1, 2.2] {
      let curve = LightCurve { $0 < 0 ? 0 : $0 == 0 ? 0 : power($0, exponent) }
      // The first samples of a root are steep.
      for step in 20...3000 {
        let x = Double(step) / 3000
        #expect(abs(curve.evaluate(x) - power(x, exponent)) < 2e-5, "\(x) to the \(exponent)")
      }
    }
  }

  @Test("go on beyond black and white, and stay finite")
  func beyond() {
    let straight = LightCurve { $0 }
    #expect(abs(straight.evaluate(3) - 3) < 1e-4 && abs(straight.evaluate(-0.5) + 0.5) < 1e-4)
    let level = LightCurve(above: 0) { min($0, 0.5) }
    #expect(level.evaluate(3) == 0.5 && level.evaluate(.infinity) == 0.5)
    #expect(straight.evaluate(.infinity).isFinite && straight.evaluate(.nan).isNaN)
  }

  private func power(_ x: Double, _ exponent: Double) -> Double {
    exponent == 1 ? x : exponent == 0.5 ? x.squareRoot() : TransferFunction.gamma(exponent).decode(x)
  }
}
