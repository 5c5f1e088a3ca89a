import ColorScience
import FilterGraph
import TestSupport
import Testing

@testable import Filters

/// Tools that depend on hue: vibrance, HSL, black and white; and the turn of all hues.
@Suite("Tools by hue")
struct HueToolTests {
  static func random(seed: Int) -> [any Filter] {
    var random = SeededRandom(seed: UInt64(seed))
    func amount(_ range: ClosedRange<Float> = -100...100) -> Float { Float.random(in: range, using: &random) }
    var hsl = HSL()
    for band in HueBand.allCases {
      hsl.bands[band] = HSL.Band(hue: amount(), saturation: amount(), lightness: amount())
    }
    var mix = BlackAndWhite(amount(20...100))
    (mix.bands.red, mix.bands.green, mix.bands.blue, mix.bands.aqua) = (
      amount(), amount(), amount(), amount()
    )
    return [Vibrance(amount()), hsl, mix, Hue(amount(-180...180))]
  }

  @Test("Greys do not move, and what is nearly grey hardly does", arguments: 0..<20)
  func greys(seed: Int) throws {
    for filter in Self.random(seed: seed) {
      for grey in [0, 0.001, 0.02, 0.18, 0.7, 1, 2.5] {
        let color = SIMD3(repeating: grey)
        #expect(difference(try filter.evaluate(color), color) < 1e-6, "\(filter)")
      }
      guard !(filter is Hue) else { continue }
      // Noise of a grey, as high ISO leaves it: no hue makes it brighter, and its chroma hardly grows.
      for hue in stride(from: 0.0, to: 360, by: 15) {
        let out = oklch(try filter.evaluate(rgb(0.5, 0.006, hue)))
        #expect(abs(out.lightness - 0.5) < 0.005, "\(filter) at \(hue)°: \(out)")
        #expect(out.chroma < 0.006 * 1.15, "\(filter) at \(hue)°: \(out)")
      }
    }
  }

  @Test("Vibrance keeps hue and lightness, and never makes the weaker of two colours the stronger one")
  func vibrance() throws {
    for amount in stride(from: Float(-100), through: 100, by: 10) where amount != 0 {
      for hue in stride(from: 0.0, to: 360, by: 10) {
        var last = 0.0
        for step in 1...150 {
          let chroma = 0.002 * Double(step)
          let out = oklch(try Vibrance(amount).evaluate(rgb(0.6, chroma, hue)))
          #expect(abs(out.lightness - 0.6) < 1e-6 && (out.chroma < 1e-4 || turn(out.hue, hue) < 0.01))
          #expect(out.chroma > last, "\(amount), \(hue)°: chroma \(chroma)")
          last = out.chroma
        }
      }
    }
  }

  @Test("Vibrance strengthens a muted blue most, a strong one less, and skin little")
  func vibranceParts() throws {
    func factor(_ chroma: Double, _ hue: Double) throws -> Double {
      oklch(try Vibrance(100).evaluate(rgb(0.7, chroma, hue))).chroma / chroma
    }
    let (muted, strong, skin) = (try factor(0.06, 250), try factor(0.2, 250), try factor(0.06, 50))
    #expect(muted > 1.6 && strong < 1.35 && strong > 1.1 && skin < 1.35 && skin > 1.1)
  }

  @Test("A band changes its own hue, not the others beyond its neighbours", arguments: HueBand.allCases)
  func band(band: HueBand) throws {
    let bands = HueBand.allCases
    let index = bands.firstIndex(of: band) ?? 0
    var hsl = HSL()
    let saturation = HSL.parameters[3 * index + 1]
    try saturation.set(.number(-100), in: &hsl)
    #expect(oklch(try hsl.evaluate(rgb(0.6, 0.12, band.middle))).chroma < 0.002)
    for other in 2...6 {
      let hue = bands[(index + other) % 8].middle
      let color = rgb(0.6, 0.12, hue)
      #expect(difference(try hsl.evaluate(color), color) < 1e-3, "\(band): \(hue)°")
    }
    var darker = HSL()
    try HSL.parameters[3 * index + 2].set(.number(-100), in: &darker)
    let dark = oklch(try darker.evaluate(rgb(0.6, 0.12, band.middle)))
    // 0.6 · (1 - 0.4 · 0.8)
    #expect(abs(dark.lightness - 0.408) < 2e-3 && turn(dark.hue, band.middle) < 0.01)
    var turned = HSL()
    try HSL.parameters[3 * index].set(.number(100), in: &turned)
    let next = HueBand.turn(from: band.middle, to: bands[(index + 1) % 8].middle)
    let hue = oklch(try turned.evaluate(rgb(0.6, 0.12, band.middle))).hue
    // The turn fades out towards grey, and has all but 1.6 % here.
    #expect(abs(turn(hue, band.middle) - min(30, 0.45 * next)) < 0.7, "\(band): \(hue)")
  }

  @Test("Whatever the bands, no two hues change places, and none jumps", arguments: 0..<30)
  func order(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    var hsl = HSL()
    for index in 0..<8 {
      try HSL.parameters[3 * index].set(
        .number([-100, 100, Double.random(in: -100...100, using: &random)][Int(random.next() % 3)]), in: &hsl)
    }
    var (last, sum) = (oklch(try hsl.evaluate(rgb(0.6, 0.15, 0))).hue, 0.0)
    for step in 1...1440 {
      let hue = oklch(try hsl.evaluate(rgb(0.6, 0.15, Double(step) / 4))).hue
      let change = HueBand.turn(from: last, to: hue + 1e-6)
      #expect(change < 2, "at \(Double(step) / 4)°: from \(last) to \(hue)")
      sum += change
      last = hue
    }
    #expect(abs(sum - 360) < 0.1)
  }

  @Test("Between two middles both bands count, and all weights add up to 1")
  func weights() {
    for hue in stride(from: 0.0, to: 360, by: 0.5) {
      #expect(abs(HueBand.mean([Double](repeating: 3, count: 8), at: hue) - 3) < 1e-12)
    }
    #expect(abs(HueBand.mean([0, 1, 0, 0, 0, 0, 0, 0], at: 41) - 0.5) < 1e-12)
    #expect(HueBand.mean([1, 0, 0, 0, 0, 0, 0, 0], at: 29) == 1)
    // From magenta to red over 0°: 45° in all.
    #expect(abs(HueBand.mean([1, 0, 0, 0, 0, 0, 0, 0], at: 6.5) - 0.5) < 1e-12)
  }

  @Test("The bands' middles are hues of known colours in OKLCH")
  func middles() {
    // colour-science 0.4.7: XYZ_to_Oklab of sRGB's primaries and secondaries, as LCH.
    let known: [(HueBand, SIMD3<Double>, Double)] = [
      (.red, SIMD3(1, 0, 0), 29.23), (.yellow, SIMD3(1, 1, 0), 109.77), (.green, SIMD3(0, 1, 0), 142.50),
      (.aqua, SIMD3(0, 1, 1), 194.77), (.blue, SIMD3(0, 0, 1), 264.05), (.magenta, SIMD3(1, 0, 1), 328.36),
    ]
    for (band, color, hue) in known {
      let found = oklch(ColorSpace.linearSRGB.matrix(to: PlanBuilder.workingSpace) * color).hue
      #expect(turn(found, hue) < 0.1, "\(band): \(found)")
      #expect(turn(band.middle, found) < 16, "\(band)")
    }
  }

  @Test("Black and white keeps the lightness of all colours without a mix, and none with it without colour")
  func blackAndWhite() throws {
    for hue in stride(from: 0.0, to: 360, by: 30) {
      let out = oklch(try BlackAndWhite(100).evaluate(rgb(0.55, 0.1, hue)))
      #expect(abs(out.lightness - 0.55) < 1e-6 && out.chroma < 1e-6)
    }
    // A red filter darkens skies and lightens skin.
    var red = BlackAndWhite(100)
    (red.bands.red, red.bands.orange, red.bands.blue, red.bands.aqua) = (60, 40, -100, -60)
    let (sky, skin) = (try red.evaluate(rgb(0.7, 0.1, 250)), try red.evaluate(rgb(0.7, 0.08, 45)))
    #expect(oklch(sky).lightness < 0.5 && oklch(skin).lightness > 0.76)
    #expect(max(oklch(sky).chroma, oklch(skin).chroma) < 1e-6)
    // At half strength half the colour is left.
    #expect(abs(oklch(try BlackAndWhite(50).evaluate(rgb(0.6, 0.1, 140))).chroma - 0.05) < 1e-6)
  }

  @Test(
    "Hue turns in OKLab: lightness and chroma stay, and a whole turn changes nothing",
    arguments: [-170, -30, 45, 180] as [Float])
  func hue(angle: Float) throws {
    for hue in stride(from: 5.0, to: 360, by: 35) {
      let out = oklch(try Hue(angle).evaluate(rgb(0.6, 0.1, hue)))
      #expect(abs(out.lightness - 0.6) < 1e-9 && abs(out.chroma - 0.1) < 1e-9)
      #expect(turn(out.hue, hue + Double(angle)) < 1e-6)
    }
  }

  @Test("Lightness follows that of the picture: ramps of one colour never fall", arguments: 0..<20)
  func ramps(seed: Int) throws {
    for filter in Self.random(seed: seed) {
      for color in [SIMD3(0.9, 0.5, 0.35), SIMD3(0.3, 0.5, 0.95), SIMD3(0.35, 0.7, 0.2)] {
        var last = -1.0
        for step in 0...512 {
          let out = oklch(try filter.evaluate(color * TransferFunction.sRGB.decode(Double(step) / 512)))
          #expect(out.lightness >= last - 1e-9, "\(filter): \(color)")
          last = out.lightness
        }
      }
    }
  }

  @Test("Colours out of gamut, black and what is no number", arguments: 0..<8)
  func extremes(seed: Int) throws {
    for filter in Self.random(seed: seed) {
      for color in [
        SIMD3(-0.5, 2, 0.1), SIMD3(0, 0, 5), SIMD3(0, 0, 0), SIMD3(1e-12, 0, 0), SIMD3(-1, -1, -1),
      ] {
        let out = try filter.evaluate(color)
        #expect((out.min() + out.max()).isFinite, "\(filter) of \(color): \(out)")
      }
      #expect(try filter.evaluate(SIMD3(.nan, 0.2, 0.2)).x.isNaN)
    }
  }
}
