import ColorScience
@testable import Filters
import FrameCore
import Testing

@testable import FilterGraph
import Libc

/// Formulas of colour filters against numbers from elsewhere.
@Suite("Colour filters")
struct ColorFilterTests {
  @Test("Each stop of exposure doubles linear light, also of colours out of gamut")
  func exposure() throws {
    let color = SIMD3(0.18, 1.5, -0.02)
    #expect(difference(try Exposure(stops: 1).evaluate(color), SIMD3(0.36, 3, -0.04)) < 1e-15)
    #expect(difference(try Exposure(stops: -3).evaluate(color), SIMD3(0.0225, 0.1875, -0.0025)) < 1e-15)
    // 2^0.5
    #expect(difference(try Exposure(stops: 0.5).evaluate(color), 1.4142135623730951 * color) < 1e-12)
  }

  @Test("Contrast is a power around middle grey, which stays, as do black and signs")
  func contrast() throws {
    for amount: Float in [-100, -37, 12, 100] {
      let grey = SIMD3(repeating: 0.18)
      #expect(difference(try Contrast(amount).evaluate(grey), grey) < 1e-15)
      #expect(try Contrast(amount).evaluate(.zero) == .zero)
    }
    // 100 squares the ratio to 0.18, -100 takes its root.
    let doubled = try Contrast(100).evaluate(SIMD3(0.36, 0.09, -0.36))
    #expect(difference(doubled, SIMD3(0.72, 0.045, -0.72)) < 1e-12)
    let halved = try Contrast(-100).evaluate(SIMD3(0.72, 0.045, -0.72))
    #expect(difference(halved, SIMD3(0.36, 0.09, -0.36)) < 1e-12)
  }

  /// OKLab of linear sRGB with the constants of Ottosson's article of 2020, which differ from ours in the
  /// seventh decimal.
  static func oklab(_ c: SIMD3<Double>) -> SIMD3<Double> {
    func root(_ r: Double, _ g: Double, _ b: Double) -> Double {
      let x = r * c.x + g * c.y + b * c.z
      return x < 0 ? -pow(-x, 1.0 / 3) : pow(x, 1.0 / 3)
    }
    let l = root(0.4122214708, 0.5363325363, 0.0514459929)
    let m = root(0.2119034982, 0.6806995451, 0.1073969566)
    let s = root(0.0883024619, 0.2817188376, 0.6299787005)
    return SIMD3(
      0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s)
  }

  @Test(
    "Saturation scales OKLab a and b and keeps L; at -100 nothing but grey is left",
    arguments: [-100, -40, 55, 100] as [Float])
  func saturation(amount: Float) throws {
    let toWorking = ColorSpace.linearSRGB.matrix(to: .linearRec2020)
    let colors = [
      SIMD3(0.8, 0.1, 0.05), SIMD3(0.02, 0.3, 0.9), SIMD3(0.5, 0.5, 0.5), SIMD3(1, 1, 0), SIMD3(0, 0, 0),
    ]
    for color in colors {
      let out = toWorking.inverse * (try Saturation(amount).evaluate(toWorking * color))
      let (before, after) = (Self.oklab(color), Self.oklab(out))
      let factor = 1 + Double(amount) / 100
      #expect(difference(after, before * SIMD3(1, factor, factor)) < 1e-4, "\(color) → \(out)")
      if amount == -100 { #expect(out.max() - out.min() < 1e-4, "\(color) → \(out)") }
    }
  }

  @Test("White balance at 6500 K and tint 0 appends nothing")
  func asShot() throws {
    #expect(try WhiteBalance(temperature: 6500, tint: 0).lowered().stages.isEmpty)
  }

  // colour-science 0.4.7: whites from sd_blackbody(4000) with 1 nm CMFs and from CCT_to_xy_CIE_D(8000 and 6500);
  // inverse(M) · matrix_chromatic_adaptation_VonKries(white, white 6500, "CAT16") · M with M of ITU-R BT.2020.
  static let from4000 = Matrix3x3(
    rows: SIMD3(0.92925304, -0.12461598, -0.01705076), SIMD3(0.02074003, 1.05739996, -0.05696766),
    SIMD3(0.00685656, 0.03564054, 1.64263300))
  static let from8000 = Matrix3x3(
    rows: SIMD3(1.01643389, 0.02948433, 0.00400499), SIMD3(-0.00491226, 0.98608759, 0.01305290),
    SIMD3(-0.00157294, -0.00817750, 0.85198200))

  @Test(
    "White balance is CAT16 between whites, as colour-science computes it",
    arguments: [(4000, from4000), (8000, from8000)] as [(Float, Matrix3x3)])
  func whiteBalance(kelvin: Float, expected: Matrix3x3) throws {
    guard case .matrix(let matrix)? = try WhiteBalance(temperature: kelvin).lowered().stages.first else {
      Issue.record("no matrix")
      return
    }
    #expect(matrix.largestDifference(from: expected) < 2e-4, "\(matrix)")
  }

  @Test("A grey card under 4000 K becomes the neutral of 6500 K")
  func greyCard() throws {
    // From the same script: 18 % of the white of each light as linear Rec. 2020.
    let card = SIMD3(0.21861362, 0.17161615, 0.10479854)
    let neutral = SIMD3(0.17997436, 0.18003084, 0.17976097)
    #expect(difference(try WhiteBalance(temperature: 4000).evaluate(card), neutral) < 2e-5)
  }

  @Test("A higher temperature always warms, a higher tint always moves from green to magenta")
  func direction() throws {
    let grey = SIMD3(repeating: 0.18)
    let temperatures = stride(from: Float(2000), through: 10_000, by: 250)
    let warmth = try temperatures.map { kelvin in
      let out = try WhiteBalance(temperature: kelvin).evaluate(grey)
      return out.x / out.z
    }
    #expect(zip(warmth, warmth.dropFirst()).allSatisfy { $0 < $1 }, "\(warmth)")
    let magenta = try stride(from: Float(-100), through: 100, by: 10).map { tint in
      let out = try WhiteBalance(tint: tint).evaluate(grey)
      return (out.x + out.z) / out.y
    }
    #expect(zip(magenta, magenta.dropFirst()).allSatisfy { $0 < $1 }, "\(magenta)")
  }

  @Test("Over all temperatures and tints, grey stays within a factor of 8, and warms and reddens steadily")
  func wholeRange() throws {
    let grey = SIMD3(repeating: 0.5)
    let tints = stride(from: Float(-100), through: 100, by: 2.5)
    var cooler: [SIMD3<Double>]?
    for kelvin in stride(from: Float(2000), through: 10_000, by: 50) {
      let row = try tints.map { try WhiteBalance(temperature: kelvin, tint: $0).evaluate(grey) }
      for (tint, out) in zip(tints, row) {
        #expect(out.min() > 0.5 / 8 && out.max() < 0.5 * 8, "\(kelvin) K, tint \(tint): \(out)")
      }
      let magenta = row.map { ($0.x + $0.z) / $0.y }
      #expect(zip(magenta, magenta.dropFirst()).allSatisfy { $0 < $1 }, "\(kelvin) K: \(magenta)")
      // No jumps: a step of 2.5 in tint changes no channel by more than a third.
      for (a, b) in zip(row, row.dropFirst()) {
        #expect((b / a).max() < 1.34 && (a / b).max() < 1.34, "\(kelvin) K: \(a), \(b)")
      }
      if let cooler {
        for (tint, (before, after)) in zip(tints, zip(cooler, row)) {
          #expect(before.x / before.z < after.x / after.z, "\(kelvin) K, tint \(tint)")
        }
      }
      cooler = row
    }
  }

  @Test("Tint is Duv times 3000 from 3500 K up, and for warmer light up to where its blue runs out")
  func tintScale() {
    for kelvin in stride(from: Float(3500), through: 10_000, by: 100) {
      for tint in stride(from: Float(-100), through: 50, by: 10) {
        #expect(
          WhiteBalance(temperature: kelvin, tint: tint).duv == Double(tint) / 3000, "\(kelvin), \(tint)")
      }
    }
    #expect(WhiteBalance(temperature: 2000, tint: -100).duv == -100.0 / 3000)
    #expect(WhiteBalance(temperature: 2000, tint: 100).duv < 20.0 / 3000)
  }

  @Test("White balance keeps the luminance of the white that it makes neutral")
  func luminance() throws {
    // Y of the card above is 0.18 under either light.
    let out = try WhiteBalance(temperature: 4000).evaluate(SIMD3(0.21861362, 0.17161615, 0.10479854))
    #expect(abs((ColorSpace.linearRec2020.toXYZ * out).y - 0.18) < 1e-5)
  }

  @Test("A LUT fades in by its strength, in its own encoding")
  func lut() throws {
    let inverted = try LUT1D(samples: [SIMD3(1, 1, 1), SIMD3(0, 0, 0)])
    let lut = LUT(ColorLUT(shaper: inverted), name: "negative.cube", strength: 25, encoding: .linear)
    let toWorking = ColorSpace.linearSRGB.matrix(to: .linearRec2020)
    var builder = PlanBuilder(size: PixelSize(width: 1, height: 1), space: .linearSRGB)
    try lut.lower(into: &builder)
    #expect(builder.stages.count == 1)
    let color = SIMD3(0.2, 0.6, 1.0)
    // 0.75·x + 0.25·(1 - x)
    #expect(difference(builder.stages[0].evaluate(color), SIMD3(0.35, 0.55, 0.75)) < 1e-7)
    // From the working space the samples are taken there first.
    #expect(difference(try lut.evaluate(toWorking * color), SIMD3(0.35, 0.55, 0.75)) < 1e-7)
    var srgb = lut
    srgb.encoding = .sRGB
    let encoded = ColorSpace.sRGB.encode(color)
    #expect(difference(try srgb.evaluate(toWorking * color), 0.5 * encoded + 0.25) < 1e-7)
  }

  @Test("A LUT without its table cannot be planned, and says so")
  func unloaded() {
    var lut = LUT()
    lut.file = "a.cube"
    let error = #expect(throws: SafelightError.self) { try lut.lowered() }
    #expect(error?.description == "The table a.cube is not loaded; call loadFiles first.")
  }

  @Test("At half strength colour parameters stand half way from neutral; geometry stays whole")
  func scaled() throws {
    #expect(Exposure(stops: 2).scaled(by: 0.5).stops == 1)
    let balance = WhiteBalance(temperature: 4500, tint: -30).scaled(by: 0.5)
    #expect(balance.temperature == 5500 && balance.tint == -15)
    #expect(Contrast(-80).scaled(by: 0.25).amount == -20)
    #expect(Saturation(60).scaled(by: 1).amount == 60)
    #expect(Straighten(10).scaled(by: 0.5).angle == 10)
    #expect(Resize(longEdge: 100).scaled(by: 0.5).size == .longEdge(100))
    #expect(Crop(.square).scaled(by: 0.5).region == .square)
    let table = ColorLUT(shaper: try LUT1D(samples: [.zero, SIMD3(1, 1, 1)]))
    #expect(LUT(table, name: "a.cube", strength: 80).scaled(by: 0.5).strength == 40)
  }

  @Test("At no strength every colour filter is neutral")
  func scaledToNothing() throws {
    let filters: [any Filter] = [
      Exposure(stops: 2), WhiteBalance(temperature: 4000, tint: 20), Contrast(50), Saturation(-100),
      LUT(ColorLUT(shaper: try LUT1D(samples: [.zero, SIMD3(1, 0, 1)])), name: "a.cube"),
    ]
    let recipe = Recipe(filters: filters).scaled(by: 0)
    for filter in recipe.filters { #expect(try filter.lowered().stages.isEmpty, "\(filter)") }
  }
}
