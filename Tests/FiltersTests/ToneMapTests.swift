import ColorScience
import FilterGraph
import FrameCore
import Testing

@testable import Filters

@Suite("Tone map")
struct ToneMapTests {
  private static let scene = SceneLight(exposure: 1, asked: 0.25, white: 0.25)

  private func plan(
    _ filters: [any Filter], order: Recipe.Order = .canonical, scene: SceneLight? = scene
  ) throws -> Plan {
    var input = PlanInput(size: PixelSize(width: 64, height: 64), format: .rgba16, space: .linearRec2020)
    input.scene = scene
    return try Plan(
      Recipe(order: order, filters: filters), input: input,
      output: PlanOutput(format: .rgba16, space: .linearRec2020))
  }

  private func evaluate(_ plan: Plan, _ color: SIMD3<Double>) -> SIMD3<Double> {
    plan.exactStages.reduce(color) { $1.evaluate($0) }
  }

  /// Light of which plans make middle grey: a sample of a quarter is white, and a stop is added.
  private let grey = SIMD3(repeating: 0.18 * 0.25 / 2)

  @Test("is there by itself for light of a scene, ahead of what acts on tones and behind exposure")
  func order() throws {
    #expect(abs(evaluate(try plan([]), grey).y - 0.18) < 2e-4)
    // A stop of exposure is a stop of the scene's light, not of tones.
    let curve = SceneCurve()
    let brighter = evaluate(try plan([Exposure(stops: 1)]), grey).y
    #expect(abs(brighter - curve.evaluate(0.36, full: 2)) < 4e-4)
    #expect(brighter > 0.36)
    // Saturation acts on what is shown: greys stay.
    #expect(abs(evaluate(try plan([Saturation(40)]), grey).y - 0.18) < 2e-4)
    #expect(try plan([]).description.contains("tone map, contrast 1.60"))
  }

  @Test("comes no earlier because a filter that acts at the end is listed first")
  func listed() throws {
    let brighter = evaluate(try plan([Exposure(stops: 1)]), grey).y
    for last in [Gamut(.clip), RawDetail(.none), Sharpen()] as [any Filter] {
      let listed = try plan([last, Exposure(stops: 1)], order: .listed)
      #expect(abs(evaluate(listed, grey).y - brighter) < 1e-9)
      #expect(throws: Never.self) { try plan([last, ToneMap(.linear)], order: .listed) }
    }
  }

  @Test("keeps white for the light that fills the sensor, and more for what was recovered")
  func whites() throws {
    let full = evaluate(try plan([]), SIMD3(repeating: 0.25))
    #expect((0.94..<1).contains(full.y), "\(full)")
    #expect(evaluate(try plan([]), SIMD3(repeating: 0.3126)).y > 0.9999)
  }

  @Test("keeps hues: the middle channel stays where it was between the others")
  func hue() throws {
    let color = SIMD3(0.12, 0.05, 0.02)
    let shown = evaluate(try plan([]), color)
    #expect(abs((shown.y - shown.z) / (shown.x - shown.z) - 0.3) < 1e-4)
  }

  @Test("of the file is its curve at the exposure that it asks for; without one the usual is used, and told")
  func profile() throws {
    var scene = Self.scene
    scene.toneCurve = [SIMD2(0, 0), SIMD2(0.25, 0.5), SIMD2(0.5, 0.75), SIMD2(1, 1)]
    let plan = try plan([ToneMap(.profile)], scene: scene)
    // A quarter of an EV is asked for, and a sample of a quarter is white.
    for (light, shown) in [(0.25, 0.5), (0.5, 0.75), (1, 1), (3, 1), (0, 0)] {
      let found = evaluate(plan, SIMD3(repeating: light / 4 / 1.189207115))
      #expect(abs(found.y - shown) < 4e-4, "\(light): \(found)")
    }
    #expect(plan.description.contains("tone map of the photo's profile"))
    let without = try self.plan([ToneMap(.profile)])
    #expect(without.notes == ["The photo has no tone curve of its own, so Safelight's is used"])
    #expect(abs(evaluate(without, grey).y - 0.18) < 2e-4)
    // A JPEG has been shown already.
    #expect(try self.plan([ToneMap(.profile)], scene: nil).notes == [])
  }

  @Test("of another contrast turns about middle grey, and linear light is that of the file")
  func choices() throws {
    let dark = grey / 4
    let (soft, hard) = (
      evaluate(try plan([ToneMap(contrast: 1)]), dark).y, evaluate(try plan([ToneMap(contrast: 2)]), dark).y
    )
    let standard = evaluate(try plan([]), dark).y
    #expect(soft > standard && hard < standard)
    #expect(abs(evaluate(try plan([ToneMap(contrast: 2)]), grey).y - 0.18) < 2e-4)
    // Asked for: a quarter of a stop.
    let linear = evaluate(try plan([ToneMap(.linear)]), SIMD3(0.02, 0.1, 0.05))
    #expect(abs(linear.y - 0.4 * 1.18921) < 1e-5)
    #expect(abs(linear.x - 0.08 * 1.18921) < 1e-5)
  }

  @Test("of a neutral filter is that without one, and pictures for a display have none")
  func neutral() throws {
    #expect(try plan([ToneMap()]).exactStages == plan([]).exactStages)
    #expect(try plan([ToneMap(contrast: 3)], scene: nil).exactStages == plan([], scene: nil).exactStages)
  }

  @Test("cannot follow what acts on tones")
  func late() throws {
    var recipe = Recipe(filters: [Saturation(10), ToneMap(contrast: 2)])
    recipe.order = .listed
    var input = PlanInput(size: PixelSize(width: 8, height: 8), format: .rgba16, space: .linearRec2020)
    input.scene = Self.scene
    #expect(throws: SafelightError.self) {
      try Plan(recipe, input: input, output: PlanOutput(format: .rgba16, space: .sRGB))
    }
  }
}
