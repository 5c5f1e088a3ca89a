import Safelight
import Testing

@testable import Sidecars

@Suite("Looks as presets of Lightroom")
struct AdobeExportTests {
  private static func back(_ export: AdobeExport) throws -> ImportedLook {
    try ImportedLook(export.xmp, file: "a.xmp")
  }

  @Test("What Lightroom has comes back as the same filters")
  func roundTrip() throws {
    var hsl = HSL()
    hsl.bands.orange = HSL.Band(hue: -5, saturation: 8, lightness: -12)
    // Points on 255ths.
    func tone(_ code: Double) -> Double { (code / 255 * 10_000).rounded() / 10_000 }
    let recipe = Recipe(
      labels: RecipeLabels(family: "my-film", tags: ["lightroom"]),
      filters: [
        NoiseReduction(luminance: 20, luminanceDetail: 70, color: 25, colorDetail: 40),
        WhiteBalance(temperature: 10_000, tint: -5), Exposure(stops: 0.35), Dehaze(12), Texture(-8),
        Clarity(22),
        Vignette(amount: -18, midpoint: 40, feather: 70, roundness: 15), Grain(33, size: 40, roughness: 60),
        Tone(highlights: -40, shadows: 30, whites: 5, blacks: -6), Contrast(25),
        PointCurve(
          [SIMD2(0, 0), SIMD2(tone(64), tone(51)), SIMD2(1, 1)], blue: [SIMD2(0, tone(26)), SIMD2(1, 1)]),
        Saturation(-10), Vibrance(20), hsl,
        Grading(
          shadows: Grading.Wheel(hue: 264, saturation: 15), mids: Grading.Wheel(luminance: 10),
          highlights: Grading.Wheel(hue: 29, saturation: 8, luminance: -3), blending: 70, balance: -20),
        Sharpen(40, radius: 1.4, detail: 30, masking: 15),
      ])
    let export = AdobeExport(recipe, name: "Dusk & “Dawn” <1>")
    let look = try Self.back(export)
    #expect(look.name == "Dusk & “Dawn” <1>" && look.group == "my-film")
    #expect(look.recipe.json() == recipe.json())
    #expect(look.settings.ignored.isEmpty && export.report.ignored.isEmpty, "\(look.settings.ignored)")
    #expect(export.report.exact.map(\.text) == ["exposure.stops 0.35"])
    // The same look is the same file.
    #expect(AdobeExport(recipe, name: "Dusk & “Dawn” <1>").xmp == export.xmp)
  }

  @Test("Black and white, and a curve that keeps saturation, come back too")
  func grey() throws {
    var mix = BlackAndWhite(100)
    mix.bands.red = -14
    let recipe = Recipe(
      labels: RecipeLabels(tags: ["lightroom"]),
      filters: [PointCurve(luminance: [SIMD2(0, 0), SIMD2(0.502, 0.6), SIMD2(1, 1)]), mix])
    let look = try Self.back(AdobeExport(recipe, name: "Grey"))
    #expect(look.recipe.json() == recipe.json())
  }

  @Test("What Lightroom has not is told, parameter by parameter")
  func ignored() throws {
    let recipe = Recipe(filters: [
      Exposure(stops: 1), Exposure(stops: 0.125), Fade(20), ChannelMixer(red: SIMD3(90, 10, 0)),
      WhiteBalance(temperature: 20_000),
      Group(.linear(from: MaskPoint(0, 0), to: MaskPoint(0, 1)), filters: [Contrast(10)]), BlackAndWhite(50),
    ])
    let report = AdobeExport(recipe, name: "x").report
    #expect(report.exact.map(\.text) == ["exposure.stops 1"])
    #expect(report.approximate.isEmpty)
    #expect(
      Set(report.ignored.map { "\($0.name): \($0.reason ?? "")" }) == [
        "white-balance.temperature: further than Lightroom's slider for rendered photos goes",
        "exposure.stops: there is one of a kind there", "fade.amount: Lightroom has no such setting",
        "channel-mixer.red-from-red: Lightroom has no such setting",
        "channel-mixer.red-from-green: Lightroom has no such setting", "group.mask: masks are not written",
        "black-and-white.strength: black and white is whole there, or not at all",
      ])
    // Of stops with more than two decimals the nearest hundredth is written.
    let rounded = AdobeExport(Recipe(filters: [Exposure(stops: 0.125)]), name: "x").report
    #expect(rounded.exact.isEmpty && rounded.approximate.map(\.name) == ["exposure.stops"])
  }
}
