import ColorScience
import TestSupport
import Testing

@testable import FilterGraph

@Suite("Gamut mapping")
struct GamutMappingTests {
  private static let spaces = [ColorSpace.sRGB, .displayP3, .adobeRGB, .rec2020]

  private static func lab(_ rgb: SIMD3<Double>, _ space: ColorSpace) -> SIMD3<Double> {
    OKLab.fromXYZ(ColorSpace.linearRec2020.toXYZ * (space.matrix(to: .linearRec2020) * rgb))
  }

  /// Found with NumPy by Ottosson's published formulas on matrices made from the primaries, the boundary by halving.
  @Test(
    "Known colours",
    arguments: [
      (SIMD3(4, 2, 0.8), SIMD3(1, 0.772611, 0.599149)), (SIMD3(1.1, -0.1, 0), SIMD3(1, 0.022487, 0.012895)),
      (SIMD3(0.1, 1.2, -0.2), SIMD3(0.154723, 1, 0.064506)),
      (SIMD3(0.2, 0.3, 3), SIMD3(0.200293, 0.301784, 1)), (SIMD3(1.3, 1.3, 1.3), SIMD3(1, 1, 1)),
    ])
  func known(color: SIMD3<Double>, expected: SIMD3<Double>) {
    let found = GamutMapping(into: .sRGB).evaluate(color)
    for channel in 0..<3 { #expect(abs(found[channel] - expected[channel]) < 3e-4, "\(found)") }
  }

  @Test("Colours inside stay as they are, to the last bit", arguments: spaces)
  func inside(space: ColorSpace) {
    var random = SeededRandom(seed: 1)
    let mapping = GamutMapping(into: space)
    for _ in 0..<2000 {
      let color = SIMD3<Double>.random(in: 0...1, using: &random)
      #expect(mapping.evaluate(color) == color)
    }
    #expect(mapping.evaluate(SIMD3(1, 0, 1)) == SIMD3(1, 0, 1))
  }

  @Test("What is too bright comes inside, keeps its hue and gains no chroma", arguments: spaces)
  func outside(space: ColorSpace) {
    var random = SeededRandom(seed: 2)
    let mapping = GamutMapping(into: space)
    var colored = 0
    for _ in 0..<4000 {
      let color = SIMD3<Double>.random(in: 0...3, using: &random)
      let found = mapping.evaluate(color)
      #expect(found.max() <= 1 && found.min() > -0.03, "\(color): \(found)")
      let (from, to) = (Self.lab(color, space), Self.lab(found, space))
      let (before, after) = (OKLab.lch(fromLab: from), OKLab.lch(fromLab: to))
      #expect(after.y <= before.y + 1e-6, "\(color)")
      guard after.y > 0.02 else { continue }
      colored += 1
      let turn = abs(remainderOfTurn(before.z - after.z))
      #expect(turn < 0.3, "\(color) turns by \(turn)°")
    }
    #expect(colored > 1000)
  }

  @Test("What is only too saturated is left to clipping, and neighbours stay neighbours")
  func saturated() {
    let mapping = GamutMapping(into: .sRGB)
    var random = SeededRandom(seed: 3)
    for _ in 0..<2000 {
      let color = SIMD3<Double>.random(in: -0.3...1, using: &random)
      #expect(mapping.evaluate(color) == color)
    }
    // Where keeping the hue of negative channels would jump.
    for step in 0...2000 {
      let blue = SIMD3(-0.06, -0.06, 0.9 + 0.0002 * Double(step))
      func shown(_ color: SIMD3<Double>) -> SIMD3<Double> {
        mapping.evaluate(color).clamped(lowerBound: .zero, upperBound: .one)
      }
      let next = shown(blue + SIMD3(0, 0, 0.0002)) - shown(blue)
      #expect(max(next.max(), -next.min()) < 0.01, "\(blue)")
    }
  }

  private func remainderOfTurn(_ degrees: Double) -> Double {
    degrees - 360 * (degrees / 360).rounded()
  }

  @Test("Greys become white, without a colour", arguments: spaces)
  func greys(space: ColorSpace) {
    let mapping = GamutMapping(into: space)
    for grey in [1 + 1e-9, 1.0001, 7, 1e9] {
      let found = mapping.evaluate(SIMD3(repeating: grey))
      for channel in 0..<3 { #expect(abs(found[channel] - 1) < 1e-7, "\(grey): \(found)") }
    }
  }

  @Test("Brightness does not fall while light rises, nor jumps")
  func continuous() {
    let mapping = GamutMapping(into: .sRGB)
    var last: Double?
    for step in 100...4000 {
      let color = SIMD3(0.9, 0.35, 0.05) * (Double(step) / 1000)
      let lightness = Self.lab(mapping.evaluate(color), .sRGB).x
      if let last { #expect((-1e-9...0.02).contains(lightness - last), "\(step)") }
      last = lightness
    }
  }

  @Test("What is no number stays none, and infinite light becomes a colour")
  func noNumbers() {
    let mapping = GamutMapping(into: .sRGB)
    let half = mapping.evaluate(SIMD3(.nan, 0.5, 2))
    #expect(half.x.isNaN && half.y <= 1 && half.z <= 1)
    let bright = mapping.evaluate(SIMD3(.infinity, 0.5, -.infinity))
    #expect(bright.max() <= 1 && bright.min() > -0.03)
  }
}
