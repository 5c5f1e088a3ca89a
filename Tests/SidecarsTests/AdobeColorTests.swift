import LibraryTestSupport
import Safelight
import Testing

@testable import Sidecars

@Suite("Curves and colours of Adobe's programs")
struct AdobeColorTests {
  @Test("Black and white is a mix of greys, and nothing else of colours counts")
  func blackAndWhite() throws {
    let result = try AdobeSettingsTests.imported(
      #"crs:ConvertToGrayscale="True" crs:Saturation="+30" crs:GrayMixerRed="-14" crs:GrayMixerBlue="0" "#
        + #"crs:Vibrance="40" crs:HueAdjustmentRed="9""#)
    var mix = BlackAndWhite(100)
    mix.bands.red = -14
    #expect(result.recipe.json() == Recipe { mix }.json())
    #expect(result.report.approximate.map(\.text) == ["ConvertToGrayscale True", "GrayMixerRed -14"])
    #expect(result.report.ignored.isEmpty)
    #expect(
      try AdobeSettingsTests.imported(#"crs:ConvertToGrayscale="False" crs:GrayMixerRed="-14""#).report
        .ignored
        .isEmpty)
  }

  private static func curve(_ name: String, _ points: String...) -> String {
    "<crs:\(name)><rdf:Seq>" + points.map { "<rdf:li>\($0)</rdf:li>" }.joined() + "</rdf:Seq></crs:\(name)>"
  }

  @Test("Curves, vibrance, HSL and grading become ours")
  func colours() throws {
    let result = try AdobeSettingsTests.imported(
      """
      crs:Vibrance="+20" crs:HueAdjustmentOrange="-5" crs:SaturationAdjustmentBlue="+12" crs:LuminanceAdjustmentBlue="-40"
      crs:SplitToningShadowHue="240" crs:SplitToningShadowSaturation="15" crs:SplitToningHighlightHue="0"
      crs:SplitToningHighlightSaturation="8" crs:SplitToningBalance="-20" crs:ColorGradeMidtoneLum="10"
      crs:ColorGradeBlending="70" crs:ColorGradeMidtoneHue="33"
      """,
      Self.curve("ToneCurvePV2012", "0, 0", "64, 51", "255, 255")
        + Self.curve("ToneCurvePV2012Blue", "0, 26", "255, 255"))
    var hsl = HSL()
    hsl.bands.orange.hue = -5
    (hsl.bands.blue.saturation, hsl.bands.blue.lightness) = (12, -40)
    // Hues of sRGB's blue and red in OKLCH: CSS Color 4, oklch(from blue) and oklch(from red).
    let grading = Grading(
      shadows: Grading.Wheel(hue: 264, saturation: 15), mids: Grading.Wheel(luminance: 10),
      highlights: Grading.Wheel(hue: 29, saturation: 8), blending: 70, balance: -20)
    #expect(
      result.recipe.json()
        == Recipe {
          PointCurve([SIMD2(0, 0), SIMD2(0.251, 0.2), SIMD2(1, 1)], blue: [SIMD2(0, 0.102), SIMD2(1, 1)])
          Vibrance(20)
          hsl
          grading
        }.json())
    #expect(result.report.ignored.isEmpty, "\(result.report.ignored)")
    #expect(result.report.approximate.count == 13, "\(result.report.approximate.map(\.text))")
  }

  @Test("Curves that ours cannot be are told with the reason, and damaged ones refused")
  func curves() throws {
    let falling = try AdobeSettingsTests.imported(
      "crs:Vibrance=\"0\"", Self.curve("ToneCurvePV2012", "0, 255", "255, 0"))
    #expect(falling.recipe.filters.isEmpty)
    #expect(falling.report.ignored.first?.reason == "curves rise from left to right here")
    let single = try AdobeSettingsTests.imported(
      "crs:Vibrance=\"0\"", Self.curve("ToneCurvePV2012Red", "0, 255"))
    #expect(single.report.ignored.first?.reason == "curves have 2…16 points here")
    for point in ["12", "a, b", "0, 300", "1, 2, 3"] {
      #expect(
        message {
          _ = try AdobeSettingsTests.imported("crs:Vibrance=\"0\"", Self.curve("ToneCurvePV2012", point))
        }
          == "a.xmp: crs:ToneCurvePV2012 has the point “\(point)”; a point is two numbers in 0…255.")
    }
  }
}
