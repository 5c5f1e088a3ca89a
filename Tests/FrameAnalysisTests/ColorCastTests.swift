import Testing

@testable import FrameAnalysis

@Suite("Colour cast") struct ColorCastTests {
  // The light is put on by CAT16 from its temperature and Duv, apart from the code under test. 15 mired are 610 K at
  // 6500 K; 0.0035 of Duv are a tint of 10, which the estimate draws towards 0 where little tells it.
  @Test(
    "On pictures of many colours the cast is the light's temperature and Duv, to 15 mired and 0.0035 on average",
    arguments: [(6500, 0), (4800, 0), (8500, 0), (5400, 0.004), (7700, -0.004)] as [(Double, Double)])
  func knownLight(kelvin: Double, duv: Double) throws {
    let cast = IlluminantEstimateTests.cast(mired: 1e6 / kelvin - 1e6 / 6500, tint: 3000 * duv)
    var (mired, distance) = (0.0, 0.0)
    for seed in 0..<8 {
      // The world's edges are a little yellow: see `IlluminantEstimate`.
      let surfaces = Surfaces(seed: UInt64(seed), chroma: 0.07, hue: SIMD3(1, 1, 0.87))
      let found = ColorCast(try #require(IlluminantEstimate(try surfaces.colors(cast))))
      mired += 1e6 / found.kelvin / 8
      distance += found.duv / 8
    }
    #expect(abs(mired - 1e6 / kelvin) < 15, "\(1e6 / mired) K")
    #expect(abs(distance - duv) < 0.0035, "\(distance)")
  }

  @Test("A warm cast has fewer kelvin than a cold one, a greenish one more Duv than a pinkish one")
  func sides() throws {
    for seed in 0..<4 {
      func cast(_ mired: Double, _ tint: Double) throws -> ColorCast {
        let surfaces = Surfaces(seed: UInt64(seed), chroma: 0.07, hue: SIMD3(1, 1, 0.87))
        let light = IlluminantEstimateTests.cast(mired: mired, tint: tint)
        return ColorCast(try #require(IlluminantEstimate(try surfaces.colors(light))))
      }
      let (warm, cold) = try (cast(40, 0), cast(-40, 0))
      #expect(warm.kelvin < cold.kelvin - 1000)
      let (green, pink) = try (cast(0, 18), cast(0, -18))
      #expect(green.duv > pink.duv + 0.001)
    }
  }
}
