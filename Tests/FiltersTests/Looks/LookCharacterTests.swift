import ColorScience
import FilterGraph
import FoundationEssentials
import FrameCore
import Testing

@testable import Filters

/// The measured character of looks, on recipes whose effect is known.
@Suite("Character of looks")
struct LookCharacterTests {
  @Test("No filter: nothing changes")
  func nothing() throws {
    let character = try LookCharacter(of: Recipe())
    #expect(abs(character.contrast - 1) < 1e-5 && abs(character.saturation - 1) < 1e-5)
    #expect(abs(character.middleGrey - 49.496) < 0.01)
    #expect(character.skinHueShift.map { abs($0) < 1e-3 } ?? false)
    #expect(character.greyTint < 1e-4 && character.greyTintHue == nil)
    // Of the chart, by colour-science 0.4 in OKLCH.
    #expect(abs(character.skinHues[0] - 43.96) < 0.1 && abs(character.skinHues[1] - 45.62) < 0.1)
    #expect(
      character.text
        == "contrast 1, middle grey L* 49.5, saturation 1, skin hue +0°, neutral greys")
  }

  @Test(
    "A hue turned by 10° turns skin by 10°; half the chroma is half the saturation; an exponent is the contrast"
  )
  func known() throws {
    #expect(
      try LookCharacter(of: Recipe(filters: [Hue(10)])).skinHueShift.map { abs($0 - 10) < 0.05 } ?? false)
    #expect(try abs(LookCharacter(of: Recipe(filters: [Saturation(-50)])).saturation - 0.5) < 0.01)
    let grey = try LookCharacter(of: Recipe(filters: [Saturation(-100)]))
    #expect(grey.skinHueShift == nil && grey.skinHues.isEmpty && grey.saturation < 0.001)
    // A stop more of light through L* = 116 (Y / Yn)^(1/3) - 16 is a factor of 2^(1/3) at its slope.
    let bright = try LookCharacter(of: Recipe(filters: [Exposure(stops: 1)]))
    #expect(abs(bright.middleGrey - 66.52) < 0.05 && abs(bright.contrast - 1.26) < 0.01)
  }

  @Test("Warmer white tints greys towards yellow")
  func tint() throws {
    let warm = try LookCharacter(of: Recipe(filters: [WhiteBalance(temperature: 8000)]))
    #expect(warm.greyTint > 0.02 && warm.greyTintHue.map { (50...100).contains($0) } ?? false)
    let character = try LookCharacter(of: PresetLibrary.preset("noir").recipe)
    #expect(character.saturation < 0.05 && character.contrast > 1.4)
  }

  @Test("A report has the preset, its character and its recipe, and is read back")
  func report() throws {
    let report = try PresetReport(PresetLibrary.preset("cine-print"))
    #expect(report.preset.family == "cine-print" && !report.preset.use.isEmpty)
    #expect(report.recipe.contains("\"filter\": \"film\""))
    #expect(try JSONDecoder().decode(PresetReport.self, from: Data(report.json().utf8)) == report)
    let recipe = try Recipe(json: Array(report.recipe.utf8), file: "r", catalog: .standard) { _ in [] }
    #expect(recipe.labels == (try PresetLibrary.preset("cine-print").labels))
  }
}
