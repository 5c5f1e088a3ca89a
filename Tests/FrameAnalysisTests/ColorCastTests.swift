import ColorScience
import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite("Colour cast") struct ColorCastTests {
  // Linear sRGB of the lights' chromaticities in CIE 15:2018, table T.3, by the matrix of CSS Color 4 (numpy). Illuminant
  // A is a black body of 2856 K, on the locus; D50 lies 0.0032 above it, as D65 does to the same digits.
  @Test(
    "CIE's illuminants have their temperature",
    arguments: [
      (SIMD3(1.0, 0.44762842, 0.12636958), 2856.0, -0.0032), (SIMD3(1, 0.82957187, 0.61374997), 5001, 0.0),
    ])
  func illuminants(light: SIMD3<Double>, kelvin: Double, duv: Double) throws {
    let cast = try #require(ColorCast(illuminant: light))
    #expect(abs(cast.kelvin - kelvin) < 0.005 * kelvin)
    #expect(abs(cast.duv - duv) < 4e-4)
  }

  @Test("White has no cast: 6500 K and Duv 0")
  func neutral() throws {
    let cast = try #require(ColorCast(illuminant: SIMD3(1, 1, 1)))
    #expect(abs(cast.kelvin - 6504) < 10)
    #expect(abs(cast.duv) < 1e-4)
  }

  @Test("Green light has a positive Duv, pink light a negative one, at any exposure")
  func sides() throws {
    let green = try #require(ColorCast(illuminant: SIMD3(0.9, 1, 0.9)))
    let pink = try #require(ColorCast(illuminant: SIMD3(1, 0.9, 1)))
    #expect(green.duv > 0.005 && pink.duv < -0.005)
    let dark = try #require(ColorCast(illuminant: 0.25 * SIMD3(0.9, 1, 0.9)))
    #expect(abs(dark.duv - green.duv) < 1e-9 && abs(dark.kelvin - green.kelvin) < 1e-3)
  }

  @Test(
    "Colours that no light has are no cast",
    arguments: [SIMD3(1.0, 0.02, 0.03), SIMD3(0.01, 1, 0.02), SIMD3(0.02, 0.01, 1)])
  func none(color: SIMD3<Double>) {
    #expect(ColorCast(illuminant: color) == nil)
  }

  @Test("Numbers that are none have no cast")
  func nonFinite() throws {
    #expect(ColorCast(illuminant: SIMD3(.nan, 1, 1)) == nil)
    #expect(ColorCast(illuminant: SIMD3(.infinity, 1, 1)) == nil)
    #expect(ColorCast(illuminant: SIMD3(0, 0, 0)) == nil)
  }
}
