import Safelight
import Testing

@testable import Sidecars

/// Styles of darktable. The parameters in the seeds were packed with Python's `struct`, by the layouts of
/// `dt_iop_exposure_params_t` (versions 2…7), `dt_iop_rgbcurve_params_t` (1), `dt_iop_tonecurve_params_t` (4),
/// `dt_iop_colorbalancergb_params_t` (5) and `dt_iop_sigmoid_params_t` (3) in darktable 5.
@Suite("Styles of darktable")
struct DarktableImportTests {
  @Test("Exposure, curves, colour balance and sigmoid become ours, and the rest is told by name")
  func all() throws {
    let look = try LookSeeds.look("good-all.dtstyle")
    #expect(look.name == "Dusk & Dawn" && look.program == .darktable)
    let filters = look.recipe.filters
    #expect((filters[0] as? Exposure)?.stops == 0.5)
    // Points on CIELAB's lightness / 100 as tones of sRGB: computed with NumPy from CIE 15 and IEC 61966-2-1.
    let curve = try #require(filters[1] as? PointCurve)
    for (point, expected) in zip(
      curve.luminance, [SIMD2(0, 0), SIMD2(0.2325, 0.1894), SIMD2(0.7239, 0.7995), SIMD2(1, 1)])
    {
      #expect(abs(point.x - expected.x) < 2e-4 && abs(point.y - expected.y) < 2e-4)
    }
    #expect(curve.luminance.count == 4 && curve.rgb == PointCurve.straight)
    // What grey becomes in Filmlight's grading RGB, as OKLCH: computed with NumPy from the published matrices.
    let grading = try #require(filters[2] as? Grading)
    #expect(abs(grading.shadows.hue - 197) <= 1)
    #expect(grading.shadows.saturation == 19 && grading.shadows.luminance == 3)
    #expect(grading.mids == Grading.Wheel(luminance: 7))
    #expect(grading.highlights == Grading.Wheel(hue: 54, saturation: 18, luminance: -2))
    #expect(
      look.recipe.filters.dropFirst(3).map { type(of: $0).id.name } == [
        "saturation", "hue", "vibrance", "contrast", "tone-map",
      ])
    #expect((filters[3] as? Saturation)?.amount == 10 && (filters[4] as? Hue)?.angle == 5)
    #expect((filters[5] as? Vibrance)?.amount == 20 && (filters[6] as? Contrast)?.amount == -10)
    #expect((filters[7] as? ToneMap)?.contrast == 1.8)
    #expect(look.settings.texts(\.exact) == ["exposure.exposure 0.5"])
    #expect(
      look.settings.ignored.map { "\($0.text): \($0.reason ?? "")" } == [
        "colorbalancergb.brilliance_global 0.1: no such slider here",
        "sigmoid.contrast_skewness 0.2: the tone map has no skew here",
        "temperature: its numbers are gains of one camera", "diffuse: no such module here",
      ])
  }

  @Test("Instances add up, opacity scales, and masks, other versions and modules that are off do nothing")
  func instances() throws {
    let look = try LookSeeds.look("good-tonecurve.dtstyle")
    // Of a black level nothing is exact; the instance with a mask is left out; 0.25 EV at 50 %.
    #expect(look.recipe.filters.compactMap { ($0 as? Exposure)?.stops } == [0.125])
    #expect(look.recipe.filters.compactMap { ($0 as? Vibrance)?.amount } == [30])
    let curve = try #require(look.recipe.filters.compactMap { $0 as? PointCurve }.first)
    #expect(abs(curve.luminance[1].x - 0.1077) < 2e-4 && abs(curve.luminance[1].y - 0.066) < 2e-4)
    #expect(curve.luminance.count == 5)
    #expect(
      look.settings.ignored.map { "\($0.text): \($0.reason ?? "")" } == [
        "tonecurve.a 3 points: curves of CIELAB's a and b are not known here",
        "exposure: it acts in a mask of darktable's",
        "exposure[2]: version 99 of its parameters is not known here",
      ])
  }

  @Test(
    "Of a history, each module counts as it was last, up to its end, and what darktable adds itself does not")
  func history() throws {
    let look = try LookSeeds.look("good-history.xmp")
    #expect(look.name == "good-history" && look.program == .darktable)
    #expect(look.recipe.json() == Recipe(labels: look.recipe.labels, filters: [Exposure(stops: 1.25)]).json())
    #expect(
      look.settings.ignored.map { "\($0.text): \($0.reason ?? "")" } == [
        "filmicrgb: darktable applies it to every photo by itself"
      ])
  }
}
