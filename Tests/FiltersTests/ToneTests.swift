import ColorScience
import FrameCore
@testable import Filters
import Testing

@testable import FilterGraph
import Libc

/// Tone by regions: what photographers expect of the four sliders, and that no setting reverses tones.
@Suite("Tone")
struct ToneTests {
  static let extremes: [Tone] = [-100, 0, 100].flatMap { (highlights: Float) in
    [-100, 0, 100].flatMap { (shadows: Float) in
      [-100, 0, 100].flatMap { (whites: Float) in
        [-100, 0, 100].map { (blacks: Float) in
          Tone(highlights: highlights, shadows: shadows, whites: whites, blacks: blacks)
        }
      }
    }
  }

  static func grey(_ tone: Tone, _ level: Double) throws -> Double {
    try tone.evaluate(SIMD3(repeating: level)).x
  }

  /// Encoded sRGB, 0…255, of a grey that is given so.
  static func code(_ tone: Tone, _ code: Double) throws -> Double {
    255 * ColorSpace.sRGB.transfer[0].encode(try grey(tone, ColorSpace.sRGB.transfer[0].decode(code / 255)))
  }

  @Test("No setting reverses tones or makes a corner", arguments: extremes)
  func monotone(tone: Tone) throws {
    // From 13 EV below middle grey to 5.9 above it, in steps of 1/50 EV.
    let levels = (0...945).map { 0.18 * exp2(-13 + Double($0) / 50) }
    let out = try levels.map { try Self.grey(tone, $0) }
    let rises = zip(out, out.dropFirst()).map { $1 - $0 }
    #expect(rises.allSatisfy { $0 > 0 }, "\(rises.min() ?? 0)")
    // Slopes in EV against EV, where the eye sees them: a corner would jump by more than a step can bend.
    let slopes = zip(out, out.dropFirst()).map { 50 * log2($1 / $0) }
    let jumps = zip(slopes, slopes.dropFirst()).map { abs($1 - $0) }
    #expect(jumps.max() ?? 1 < 0.07, "\(jumps.max() ?? 1)")
  }

  @Test("Middle grey stays within 0.11 EV, and exactly under highlights and shadows", arguments: extremes)
  func middleGrey(tone: Tone) throws {
    let out = try Self.grey(tone, 0.18)
    #expect(abs(log2(out / 0.18)) < 0.11, "\(out)")
    let regions = Tone(highlights: tone.highlights, shadows: tone.shadows)
    #expect(abs(try Self.grey(regions, 0.18) - 0.18) < 1e-12)
  }

  @Test("Black stays black but for lifted blacks, which make it neutral", arguments: extremes)
  func black(tone: Tone) throws {
    let out = try tone.evaluate(.zero)
    if tone.blacks > 0 {
      #expect(out.x > 0.005 && out.x == out.y && out.y == out.z)
    } else {
      #expect(out == .zero)
    }
  }

  @Test("Channels keep their ratios, also of colours out of gamut", arguments: extremes)
  func ratios(tone: Tone) throws {
    guard tone.blacks <= 0 else { return }
    for color in [SIMD3(0.6, 0.1, 0.02), SIMD3(0.01, 0.02, 0.05), SIMD3(1.5, 0.9, -0.1), SIMD3(0, 0, 1)] {
      let out = try tone.evaluate(color)
      let gain = out.max() / color.max()
      #expect(gain > 0)
      #expect(difference(out, gain * color) < 1e-12, "\(color) → \(out)")
    }
  }

  @Test("Lifted blacks keep hues: they mix in white")
  func liftedHue() throws {
    let color = SIMD3(0.012, 0.006, 0.002)
    let out = try Tone(blacks: 100).evaluate(color)
    let (before, after) = (color - color.min(), out - out.min())
    #expect(out.min() > color.min() + 0.008)
    #expect(difference(after / after.max(), before / before.max()) < 1e-12)
  }

  @Test("Full blacks halve 1.2 % of white, darker greys more, or raise black to there, code value 28.6")
  func blacks() throws {
    let deep = Tone(blacks: -100)
    #expect(abs(try Self.grey(deep, 0.012) / 0.012 - 0.5) < 0.01)
    #expect(try Self.grey(deep, 0.006) / 0.006 < 0.35)
    #expect(abs(try Self.code(Tone(blacks: 100), 0) - 28.6) < 0.05)
  }

  @Test("Each slider moves its own part, in the direction of its name")
  func regions() throws {
    // 8-bit greys: near black, shadow, middle, highlight, near white.
    let probes = [8.0, 45, 118, 190, 250]
    func moves(_ tone: Tone) throws -> [Double] { try probes.map { try Self.code(tone, $0) - $0 } }

    let recovered = try moves(Tone(highlights: -100))
    #expect(recovered[3] < -25 && recovered[4] < -20 && recovered[4] > -40)
    #expect(recovered[0...2].allSatisfy { abs($0) < 0.1 })
    let lifted = try moves(Tone(shadows: 100))
    #expect(lifted[1] > 20 && lifted[0] > 1 && lifted[0] < 8)
    #expect(lifted[2...].allSatisfy { abs($0) < 0.1 })
    let deepened = try moves(Tone(shadows: -100))
    #expect(deepened[1] < -12 && deepened[0] < 0)
    let brightened = try moves(Tone(highlights: 100))
    #expect(brightened[3] > 25 && brightened[4] < 20)
    let whiter = try moves(Tone(whites: 100))
    #expect(whiter[4] > 30 && whiter[3] > 15 && abs(whiter[2]) < 2 && abs(whiter[1]) < 0.5)
    let greyer = try moves(Tone(whites: -100))
    #expect(greyer[4] < -25 && abs(greyer[2]) < 2)
    let blacker = try moves(Tone(blacks: -100))
    #expect(blacker[0] < -5 && blacker[1] < -5 && abs(blacker[2]) < 5 && abs(blacker[4]) < 0.5)
    let faded = try moves(Tone(blacks: 100))
    #expect(faded[0] > 20 && faded[1] > 5 && abs(faded[2]) < 4 && abs(faded[4]) < 0.1)
  }

  @Test("Recovered highlights draw in what an exposure pushed beyond white")
  func recovery() throws {
    let tone = Tone(highlights: -100)
    #expect(try Self.grey(tone, 1) > 0.7)
    #expect(try Self.grey(tone, 1.2) < 1)
    #expect(try Self.grey(tone, 1.2) > Self.grey(tone, 1))
  }

  @Test("In plan order tone comes after exposure and, listed first, before contrast")
  func order() {
    let recipe = Recipe(filters: [Saturation(5), Tone(shadows: 20), Contrast(10), Exposure(stops: 1)])
    let ids = recipe.filtersInPlanOrder.map { type(of: $0).id.name }
    #expect(ids == ["exposure", "tone", "contrast", "saturation"])
    let catalog = FilterCatalog.all.map { $0.id.name }
    #expect(catalog.firstIndex(of: "tone") ?? 99 < catalog.firstIndex(of: "contrast") ?? -1)
  }

  @Test("A plan names the amounts")
  func text() throws {
    let stages = try Tone(shadows: 40, whites: -5).lowered(size: PixelSize(width: 3000, height: 2000)).stages
    #expect(stages.map(\.description) == ["field local shadows 40 on 256×171", "pointwise tone whites -5"])
  }
}
