import AnalysisTestSupport
import ColorScience
import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite("The light in a photo")
struct IlluminantEstimateTests {
  /// What a light of `mired` and `tint` from neutral does to white light's picture: CAT16 the other way round.
  static func cast(mired: Double, tint: Double) -> Matrix3x3 {
    let neutral = ColorTemperature.whitePoint(kelvin: 6500)
    let light = ColorTemperature.whitePoint(kelvin: 1e6 / (1e6 / 6500 + mired), duv: tint / 3000)
    let toXYZ = ColorSpace.linearRec2020.toXYZ
    return toXYZ.inverse * ChromaticAdaptation.cat16.matrix(from: neutral, to: light) * toXYZ
  }

  @Test(
    "A light on many colours is found, along the locus and beside it",
    arguments: [(0, 0), (-40, 0), (40, 0), (80, 0), (30, 12), (-25, -12)] as [(Double, Double)])
  func found(mired: Double, tint: Double) throws {
    var errors: [(mired: Double, tint: Double)] = []
    for seed in 0..<8 {
      // The world's edges are a little yellow: see `bias`.
      let surfaces = Surfaces(seed: UInt64(seed), chroma: 0.07, hue: SIMD3(1, 1, 0.87))
      let found = try #require(try IlluminantEstimate(surfaces.colors(Self.cast(mired: mired, tint: tint))))
      #expect(found.support > 0.3 && found.edgeCount > 200)
      errors.append((found.mired - mired, found.tint - tint))
    }
    // Random colours are not neutral on average either: eight pictures are.
    let mean = errors.reduce((0.0, 0.0)) { ($0.0 + $1.mired / 8, $0.1 + $1.tint / 8) }
    #expect(abs(mean.0) < 10 + 0.2 * abs(mired), "\(errors)")
    #expect(abs(mean.1) < 5 + 0.5 * abs(tint), "\(errors)")
  }

  @Test("Exposure does not change the light that is found, as long as nothing clips")
  func exposure() throws {
    let surfaces = Surfaces(seed: 3, chroma: 0.1)
    let cast = Self.cast(mired: 40, tint: 5)
    let bright = try #require(try IlluminantEstimate(surfaces.colors(cast)))
    let dark = try #require(
      try IlluminantEstimate(surfaces.colors(.diagonal(SIMD3(repeating: 0.5)) * cast)))
    #expect(abs(bright.mired - dark.mired) < 6 && abs(bright.tint - dark.tint) < 3, "\(bright), \(dark)")
  }

  @Test("One colour, black, white and a single pixel tell no light")
  func flat() throws {
    for color in [SIMD3<UInt8>(200, 90, 20), SIMD3(0, 0, 0), SIMD3(255, 255, 255), SIMD3(128, 128, 128)] {
      #expect(try IlluminantEstimate(LinearColors(of: Pictures.rgba8(160, 120) { _, _ in color })) == nil)
    }
    #expect(
      try IlluminantEstimate(LinearColors(of: Pictures.rgba8(1, 1) { _, _ in SIMD3(9, 80, 200) })) == nil)
  }

  @Test("A picture of leaves alone tells next to nothing: its colour is not taken for the light's")
  func leaves() throws {
    for seed in 0..<5 {
      let leaves = Surfaces(seed: UInt64(seed), chroma: 0.14, hue: SIMD3(0.42, 0.5, 0.06))
      let found = try #require(try IlluminantEstimate(leaves.colors()))
      #expect(found.support < 0.2, "\(found)")
      #expect(abs(found.mired) < 12 && abs(found.tint) < 5, "\(found)")
    }
  }

  @Test("Greys, and greys toned in one colour, tell no light")
  func toned() throws {
    for hue in [SIMD3(1, 1, 1), SIMD3(1, 0.8, 0.6)] {
      let found = try IlluminantEstimate(Surfaces(seed: 9, chroma: 0, hue: hue).colors())
      #expect(found == nil, "\(found?.diversity ?? 0)")
    }
  }

  @Test("The same picture gives the same light")
  func deterministic() throws {
    let colors = try Surfaces(seed: 9, chroma: 0.3).colors()
    #expect(IlluminantEstimate(colors) == IlluminantEstimate(colors))
  }
}
