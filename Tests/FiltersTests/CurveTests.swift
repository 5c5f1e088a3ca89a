import ColorScience
import FilterGraph
import FrameCore
import TestSupport
import Testing

@testable import Filters

/// Curves, levels and fade: tones by points and numbers.
@Suite("Curves of tones")
struct CurveTests {
  static let encode = TransferFunction.sRGB.encode
  static let decode = TransferFunction.sRGB.decode

  /// An S through points of encoded tones.
  static let s = [SIMD2(0.0, 0.0), SIMD2(0.25, 0.15), SIMD2(0.75, 0.85), SIMD2(1, 1)]

  static func randomPoints(_ random: inout SeededRandom) -> [SIMD2<Double>] {
    let count = Int.random(in: 2...16, using: &random)
    let ys = (0..<count).map { _ in Double.random(in: 0...1, using: &random) }.sorted()
    return ys.enumerated().map { SIMD2((Double($0.offset) + 0.5) / Double(count), $0.element) }
  }

  /// Of each tool, one that changes something; the seed decides what.
  static func random(seed: Int) -> [any Filter] {
    var random = SeededRandom(seed: UInt64(seed))
    func amount(_ range: ClosedRange<Float>) -> Float { Float.random(in: range, using: &random) }
    return [
      PointCurve(randomPoints(&random)), PointCurve(luminance: randomPoints(&random)),
      PointCurve(
        red: randomPoints(&random), green: randomPoints(&random), blue: randomPoints(&random)),
      Levels(
        black: amount(0...40), white: amount(50...100), gamma: amount(0.1...5), outputBlack: amount(0...30),
        outputWhite: amount(60...100)),
      Fade(amount(1...100)),
    ]
  }

  @Test("The curve of greys goes through its points, as encoded tones")
  func points() throws {
    for filter in [
      PointCurve(Self.s), PointCurve(luminance: Self.s), PointCurve(red: Self.s, green: Self.s, blue: Self.s),
    ] {
      for point in Self.s {
        let out = try filter.evaluate(SIMD3(repeating: Self.decode(point.x)))
        for channel in 0..<3 {
          #expect(abs(Self.encode(out[channel]) - point.y) < 2e-4, "\(point): \(out)")
        }
      }
    }
  }

  @Test("Levels follow the formula of -level and +level in ImageMagick's documentation")
  func levels() throws {
    // ((0.5 - 0.1) / 0.8)^(1 / 1.5), and 0.2 + 0.5 · 0.5
    let level = try Levels(black: 10, white: 90, gamma: 1.5).evaluate(SIMD3(repeating: Self.decode(0.5)))
    #expect(abs(Self.encode(level.x) - 0.629960525) < 2e-4)
    let output = try Levels(outputBlack: 20, outputWhite: 70).evaluate(SIMD3(repeating: Self.decode(0.5)))
    #expect(abs(Self.encode(output.x) - 0.45) < 2e-4)
    let cut = Levels(black: 10, white: 90)
    #expect(try cut.evaluate(SIMD3(repeating: Self.decode(0.05))).max() < 1e-6)
    #expect(abs(try cut.evaluate(SIMD3(repeating: Self.decode(0.95))).min() - 1) < 1e-6)
  }

  @Test("Fade lifts black to 30 % and keeps white")
  func fade() throws {
    #expect(abs(Self.encode(try Fade(100).evaluate(.zero).x) - 0.3) < 1e-5)
    #expect(difference(try Fade(100).evaluate(SIMD3(repeating: 1)), SIMD3(repeating: 1)) < 1e-6)
    #expect(abs(Self.encode(try Fade(40).evaluate(SIMD3(repeating: Self.decode(0.5))).x) - 0.515) < 2e-4)
  }

  @Test("Ramps never fall, and nothing becomes no number", arguments: 0..<24)
  func monotone(seed: Int) throws {
    for filter in Self.random(seed: seed) {
      try filter.validate()
      let ramp = try filter.ramp()
      for (a, b) in zip(ramp, ramp.dropFirst()) {
        #expect((b - a).min() >= -1e-7, "\(filter): \(a), then \(b)")
      }
      for color in [SIMD3(-0.3, 0.2, 4), SIMD3(0, 0, 1), SIMD3(1e-9, 0, 0), SIMD3(60, 0.1, -60)] {
        let out = try filter.evaluate(color)
        #expect((out.min() + out.max()).isFinite, "\(filter) of \(color): \(out)")
      }
    }
  }

  @Test("Greys stay grey, but for curves of channels", arguments: 0..<12)
  func greys(seed: Int) throws {
    for filter in Self.random(seed: seed) {
      if let curve = filter as? PointCurve, curve.red != PointCurve.straight { continue }
      for grey in try filter.ramp(256) { #expect(grey.max() - grey.min() < 1e-6, "\(filter): \(grey)") }
    }
  }

  /// The hue of HSV, 0…6, of a colour that is not grey.
  private func hsvHue(_ c: SIMD3<Double>) -> Double {
    let range = c.max() - c.min()
    if c.x == c.max() { return ((c.y - c.z) / range + 6).truncatingRemainder(dividingBy: 6) }
    return c.y == c.max() ? (c.z - c.x) / range + 2 : (c.x - c.y) / range + 4
  }

  @Test("The curve of all colours keeps the hue of HSV, that of luminance all ratios", arguments: 0..<12)
  func hue(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    func light() -> Double { Double.random(in: 0.02...0.98, using: &random) }
    let curve = PointCurve(Self.s)
    let luminance = PointCurve(luminance: Self.s)
    for _ in 0..<50 {
      let color = SIMD3(light(), light(), light())
      guard color.max() - color.min() > 0.02 else { continue }
      let out = try curve.evaluate(color)
      #expect(abs(hsvHue(out) - hsvHue(color)) < 1e-6, "\(color) → \(out)")
      let lit = try luminance.evaluate(color)
      #expect(difference(lit / lit.max(), color / color.max()) < 1e-9, "\(color) → \(lit)")
    }
  }

  @Test("Light beyond white goes on where nothing is cut at white, and is level where something is")
  func beyondWhite() throws {
    let bright = SIMD3(repeating: 1.5)
    #expect(try PointCurve(Self.s).evaluate(bright).x > 1.1)
    #expect(abs(try PointCurve([SIMD2(0, 0), SIMD2(1, 0.9)]).evaluate(bright).x - Self.decode(0.9)) < 1e-6)
    #expect(abs(try Levels(white: 90).evaluate(bright).x - 1) < 1e-6)
    #expect(try Levels(gamma: 1.2).evaluate(bright).x > 1.2)
  }

  @Test("No banding: a ramp of 16 bits through the steepest S has no gap wider than its slope")
  func banding() throws {
    let steep = [SIMD2(0.0, 0.0), SIMD2(0.45, 0.2), SIMD2(0.55, 0.8), SIMD2(1, 1)]
    let ramp = try PointCurve(steep).ramp(65_535).map { Self.encode($0.x) }
    let steps = zip(ramp, ramp.dropFirst()).map { $1 - $0 }
    // Where it is steepest it rises nine times as fast as its input; from one to the next, slopes differ little.
    #expect((steps.max() ?? 0) * 65_535 < 10)
    for (a, b) in zip(steps, steps.dropFirst()) { #expect(abs(b - a) * 65_535 < 0.35) }
  }

  @Test(
    "Points in disorder, curves that fold back and points outside are refused by name",
    arguments: [
      (
        "0,0 0.6,0.4 0.5,0.7 1,1",
        "curve has the points 0.6,0.4 0.5,0.7, the second of which is not to the right"
      ),
      (
        "0,0 0.5,0.5 0.5,0.7 1,1",
        "curve has the points 0.5,0.5 0.5,0.7, the second of which is not to the right"
      ),
      ("0,0 0.4,0.8 0.6,0.2 1,1", "curve has the points 0.4,0.8 0.6,0.2, between which it falls"),
      ("0,0 1.2,1", "curve has the point 1.2,1, which is outside its range"),
      ("0.5,0.5", "curve has 1 points"), ("0,0 x,1", "curve has “x,1”, which is not a point"),
    ])
  func refused(text: String, problem: String) {
    var filter = PointCurve()
    let error = #expect(throws: SafelightError.self) {
      try PointCurve.parameters[0].set(.text(text), in: &filter)
    }
    #expect(error?.problem.hasPrefix(problem) ?? false, "\(error?.description ?? "")")
    #expect(filter == PointCurve())
  }

  @Test("Levels that cross are refused")
  func crossed() {
    #expect(throws: SafelightError.self) { try Levels(black: 60, white: 50).lowered() }
    #expect(throws: SafelightError.self) { try Levels(outputBlack: 60, outputWhite: 50).lowered() }
  }

  @Test("At half strength points stand half way from the straight line, and at none nothing is left")
  func scaled() throws {
    let half = PointCurve(Self.s).scaled(by: 0.5)
    #expect(half.rgb[1] == SIMD2(0.25, 0.2) && half.luminance == PointCurve.straight)
    for filter in Self.random(seed: 3) {
      #expect(try Recipe(filters: [filter]).scaled(by: 0).filters[0].lowered().stages.isEmpty, "\(filter)")
    }
  }
}
