import Safelight
import Testing

@testable import Sidecars

/// Styles of Capture One, in the form of files that it writes.
@Suite("Styles of Capture One")
struct CaptureOneImportTests {
  @Test("Light, curves, levels, balance and grain become ours, and the rest is told by name")
  func style() throws {
    let look = try LookSeeds.look("good-style.costyle")
    #expect(look.name == "Agfa, made up" && look.program == .captureOne)
    var grading = Grading()
    // What grey becomes at gains of 0.95, 1 and 1.1 on encoded samples, as OKLCH: computed with NumPy.
    grading.shadows = Grading.Wheel(hue: 264, saturation: 25, luminance: -1)
    #expect(
      look.recipe.json()
        == Recipe(
          labels: RecipeLabels(tags: ["capture-one"]),
          filters: [
            Exposure(stops: 0.35), Texture(-6.5), Clarity(12), Vignette(amount: -25), Grain(25, size: 50),
            Sharpen(40, radius: 0.8), Tone(highlights: -20, shadows: 15), Contrast(24),
            // 2^(10/50) = 1.1487
            Levels(black: 5, white: 95, gamma: 1.15),
            PointCurve(
              [SIMD2(0, 0.02), SIMD2(0.25, 0.24), SIMD2(0.75, 0.8), SIMD2(1, 1)],
              luminance: [SIMD2(0, 0), SIMD2(0.5, 0.55), SIMD2(1, 1)]),
            Saturation(-10), grading,
          ]
        ).json())
    #expect(look.settings.texts(\.exact) == ["Exposure 0.35"])
    #expect(
      look.settings.ignored.map { "\($0.name): \($0.reason ?? "")" } == [
        "ColorCorrections: ranges of its colour editor are not read",
        "FilmGrainType: grain has one kind here", "Midtone: its scale is not published",
      ])
  }

  @Test("Black and white has its mix and its tints, and layers are told")
  func grey() throws {
    let look = try LookSeeds.look("good-grey.costyle")
    var mix = BlackAndWhite(100)
    (mix.bands.red, mix.bands.yellow, mix.bands.blue) = (14, -5, 45)
    // sRGB's blue in OKLCH.
    let grading = Grading(shadows: Grading.Wheel(hue: 264, saturation: 12))
    #expect(look.recipe.filters.count == 2)
    #expect(look.recipe.filters[0].isEqual(to: mix) && look.recipe.filters[1].isEqual(to: grading))
    #expect(
      look.settings.ignored.map { "\($0.name): \($0.reason ?? "")" } == [
        "WhiteBalanceTemperature: means nothing without the camera's own",
        "LDS: layers are not read; use masks here",
      ])
  }
}
