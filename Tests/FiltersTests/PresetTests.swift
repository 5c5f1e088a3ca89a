import ColorScience
import FilterGraph
import Filters
import FrameCore
import Testing

/// The shipped looks, as what they do to colours.
@Suite("Presets")
struct PresetTests {
  /// Colours as encoded sRGB → what a look makes of them, unrounded.
  static func apply(_ recipe: Recipe, to colors: [SIMD3<Double>]) throws -> [SIMD3<Double>] {
    let input = PlanInput(size: PixelSize(width: 1, height: 1), format: .rgbaF32)
    let plan = try Plan(recipe, input: input, output: PlanOutput(format: .rgbaF32))
    return colors.map { plan.exactStages.reduce($0) { $1.evaluate($0) } }
  }

  static func lab(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let clipped = rgb.clamped(lowerBound: .zero, upperBound: .one)
    return CIELab.fromXYZ(ColorSpace.sRGB.toXYZ * ColorSpace.sRGB.decode(clipped), white: .d65)
  }

  @Test("Each preset has a name, a description and an effect; no two look alike")
  func different() throws {
    let presets = try PresetLibrary.all()
    #expect(presets.map(\.id) == PresetLibrary.ids)
    #expect(presets.count >= 10)
    #expect(Set(presets.map(\.name)).count == presets.count)
    // 4³ colours, from black to white.
    let axis = [0, 1.0 / 3, 2.0 / 3, 1]
    let colors = axis.flatMap { r in axis.flatMap { g in axis.map { b in SIMD3(r, g, b) } } }
    var effects = [("the original", colors.map(Self.lab))]
    for preset in presets {
      #expect(!preset.name.isEmpty && preset.description.hasSuffix("."), "\(preset.id)")
      let effect = try Self.apply(preset.recipe, to: colors).map(Self.lab)
      for (other, theirs) in effects {
        let mean = zip(effect, theirs).map { deltaE2000($0, $1) }.reduce(0, +) / Double(colors.count)
        // A difference of 1 is just noticeable where colours touch; looks are compared by eye and memory.
        #expect(mean > 2, "\(preset.id) and \(other) differ by a mean ΔE2000 of \(mean)")
      }
      effects.append((preset.id, effect))
    }
  }

  @Test("A grey ramp never gets darker on the way up, at full or half strength")
  func monotone() throws {
    let ramp = (0...255).map { SIMD3(repeating: Double($0) / 255) }
    for preset in try PresetLibrary.all() {
      for strength in [0.5, 1] {
        let lightness = try Self.apply(preset.recipe.scaled(by: strength), to: ramp).map { Self.lab($0).x }
        for level in 1...255 {
          #expect(
            lightness[level] >= lightness[level - 1] - 1e-3, "\(preset.id) at \(strength), level \(level)")
        }
        #expect(lightness[255] - lightness[0] > 60, "\(preset.id) at \(strength)")
      }
    }
  }

  @Test("Each preset is written back as it is shipped")
  func written() throws {
    for id in PresetLibrary.ids {
      let recipe = try PresetLibrary.preset(id).recipe
      let again = try Recipe(json: Array(recipe.json().utf8), file: id, catalog: .standard) { _ in
        Array("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".utf8)
      }
      #expect(again.json() == recipe.json())
    }
  }

  @Test("An unknown preset names the nearest")
  func unknown() {
    let error = #expect(throws: SafelightError.self) { try PresetLibrary.preset("golden-our") }
    let known = PresetLibrary.ids.joined(separator: ", ")
    #expect(error?.description == "Unknown preset “golden-our”; did you mean “golden-hour”? Known: \(known).")
  }
}
