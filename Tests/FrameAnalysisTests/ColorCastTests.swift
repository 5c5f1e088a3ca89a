import ColorScience
import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite("Colour cast") struct ColorCastTests {
  /// Greys of many depths under a light, deep enough that rounding does not matter.
  private func greys(under light: SIMD3<Double>, tags: ColorTags = .sRGB) throws -> (AnalysisProxy, ColorTags)
  {
    let picture = try PixelBuffer(size: PixelSize(width: 40, height: 20), format: .rgba16, tags: tags)
    let space = try ColorSpace(tags: tags)
    for y in 0..<20 {
      let row = picture.row(y, as: UInt16.self)
      for x in 0..<40 {
        let encoded = space.encode(light * (0.02 + 0.9 * Double(x) / 39))
        for channel in 0..<3 { row[4 * x + channel] = UInt16((encoded[channel] * 65_535).rounded()) }
        row[4 * x + 3] = 65_535
      }
    }
    let proxy = AnalysisProxy()
    try proxy.update(from: picture)
    return (proxy, tags)
  }

  private func cast(under light: SIMD3<Double>, tags: ColorTags = .sRGB) throws -> ColorCast? {
    let (proxy, tags) = try greys(under: light, tags: tags)
    return try ColorCast(proxy, tags: tags)
  }

  @Test("Greys have no cast: 6500 K and Duv 0, in any space", arguments: [ColorTags.sRGB, .displayP3])
  func neutral(tags: ColorTags) throws {
    let cast = try #require(try cast(under: SIMD3(1, 1, 1), tags: tags))
    #expect(abs(cast.kelvin - 6504) < 10)
    #expect(abs(cast.duv) < 1e-4)
  }

  // Linear sRGB of the lights' chromaticities in CIE 15:2018, table T.3, by the matrix of CSS Color 4 (numpy). Illuminant
  // A is a black body of 2856 K, on the locus; D50 lies 0.0032 above it, as D65 does to the same digits.
  @Test(
    "Greys under CIE's illuminants have their temperature",
    arguments: [
      (SIMD3(1.0, 0.44762842, 0.12636958), 2856.0, -0.0032), (SIMD3(1, 0.82957187, 0.61374997), 5001, 0.0),
    ])
  func illuminants(light: SIMD3<Double>, kelvin: Double, duv: Double) throws {
    let cast = try #require(try cast(under: light))
    #expect(abs(cast.kelvin - kelvin) < 0.005 * kelvin)
    #expect(abs(cast.duv - duv) < 4e-4)
  }

  @Test("Green light has a positive Duv, pink light a negative one, at any exposure")
  func sides() throws {
    let green = try #require(try cast(under: SIMD3(0.9, 1, 0.9)))
    let pink = try #require(try cast(under: SIMD3(1, 0.9, 1)))
    #expect(green.duv > 0.005 && pink.duv < -0.005)
    let dark = try #require(try cast(under: 0.25 * SIMD3(0.9, 1, 0.9)))
    #expect(abs(dark.duv - green.duv) < 1e-3 && abs(dark.kelvin - green.kelvin) < 60)
  }

  @Test(
    "Where nothing can be neutral there is no cast: black, white, and colours that no light has",
    arguments: [
      SIMD3<UInt8>(0, 0, 0), SIMD3(255, 255, 255), SIMD3(200, 30, 40), SIMD3(20, 220, 30), SIMD3(30, 20, 220),
      SIMD3(255, 200, 100),
    ])
  func none(color: SIMD3<UInt8>) throws {
    let proxy = AnalysisProxy()
    try proxy.update(from: Pictures.rgba8(20, 20) { _, _ in color })
    #expect(try ColorCast(proxy, tags: .sRGB) == nil)
  }

  @Test("Numbers that are none have no cast")
  func nonFinite() throws {
    #expect(ColorCast(illuminant: SIMD3(.nan, 1, 1)) == nil)
    #expect(ColorCast(illuminant: SIMD3(.infinity, 1, 1)) == nil)
    #expect(ColorCast(illuminant: SIMD3(0, 0, 0)) == nil)
    #expect(try ColorCast(AnalysisProxy(), tags: .sRGB) == nil)
  }
}
