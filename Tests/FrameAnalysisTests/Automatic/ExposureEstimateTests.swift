import AnalysisTestSupport
import ColorScience
import FrameCore
import Testing

@testable import FrameAnalysis
import Libc

@Suite("The exposure of a photo")
struct ExposureEstimateTests {
  static func estimate(_ level: (Int, Int) -> Double) throws -> ExposureEstimate {
    try #require(try ExposureEstimate(LightDistribution(.greys(level))))
  }

  @Test("The same scene at -2…1 EV comes back within 1.2 EV, and at 2 EV nearer than it was")
  func bracketing() throws {
    for seed in 0..<4 {
      let surfaces = Surfaces(seed: UInt64(seed), chroma: 0.3)
      let stops = [-2.0, -1, 0, 1, 2]
      let after = try stops.map { ev in
        let gain = Matrix3x3.diagonal(SIMD3(repeating: exp2(ev)))
        return try ev + #require(try ExposureEstimate(LightDistribution(surfaces.colors(gain)))).stops
      }
      let usual = after.prefix(4)
      #expect((usual.max() ?? 9) - (usual.min() ?? -9) < 1.2, "\(after)")
      #expect(after[4] - after[2] < 1.8, "\(after)")
      #expect(zip(after, after.dropFirst()).allSatisfy { $0 < $1 + 0.35 }, "\(after)")
    }
  }

  @Test("A night with lamps stays a night")
  func night() throws {
    let found = try Self.estimate { x, y in x % 40 < 4 && y % 30 < 4 ? 1 : 0.004 * (1 + Double(x % 7)) }
    #expect(found.stops >= 0 && found.stops < 0.5, "\(found)")
  }

  @Test("Snow stays white")
  func snow() throws {
    let found = try Self.estimate { x, y in y < 100 ? 0.75 + 0.02 * Double((x + y) % 8) : 0.1 }
    #expect(found.stops > -0.3 && found.stops < 0.15, "\(found)")
    // The same as a meter renders it: grey.
    let grey = try Self.estimate { x, y in (y < 100 ? 0.75 + 0.02 * Double((x + y) % 8) : 0.1) / 4 }
    #expect(grey.stops > 1, "\(grey)")
  }

  @Test("No more than speculars is clipped by what is found")
  func highlights() throws {
    // A dark scene with a sky near white over a tenth of it.
    let light = try LightDistribution(
      .greys { x, y in y < 12 ? 0.8 + 0.001 * Double(x) : 0.02 + 0.0005 * Double(x) })
    let found = try #require(ExposureEstimate(light))
    #expect(found.unprotectedStops > found.stops && found.stops > 0, "\(found)")
    let gain = exp2(found.stops)
    let clipped = (0..<160).filter { (0.8 + 0.001 * Double($0)) * gain > 1 }.count
    #expect(Double(clipped * 12) / (160 * 120) <= 0.0125, "\(found)")
  }

  @Test("Black, white, one grey and one pixel tell nothing")
  func flat() throws {
    for level in [0, 1, 0.18, 0.01] {
      #expect(try ExposureEstimate(LightDistribution(.greys { _, _ in level })) == nil, "\(level)")
    }
    let one = try LinearColors(of: Pictures.rgba8(1, 1) { _, _ in SIMD3(30, 20, 10) })
    #expect(ExposureEstimate(LightDistribution(one)) == nil)
  }
}
