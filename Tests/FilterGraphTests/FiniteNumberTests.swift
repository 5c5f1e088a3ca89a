import ColorScience
import Filters
import FrameCore
import Testing

@testable import FilterGraph

/// NaN equals nothing, itself included, so that it must be found where it comes in: in what a filter lowers to.
@Suite("Numbers of filters")
struct FiniteNumberTests {
  private func message(_ filters: [any Filter], order: Recipe.Order = .listed) -> String? {
    do {
      _ = try Plan(
        Recipe(order: order, filters: filters), input: PlanInput(size: PixelSize(width: 60, height: 40)),
        output: PlanOutput(), optimized: false)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private static func geometry(_ change: (inout AffineMap) -> Void) -> CustomFilter {
    var map = AffineMap.identity
    change(&map)
    return CustomFilter { [map] in
      try $0.geometry { Geometry(inputSize: $0, outputSize: $0, map: map) }
    }
  }

  /// What a filter of somebody else's may lower to: every kind of stage that a builder makes, each number of it.
  private static let wrong: [CustomFilter] = [
    CustomFilter { $0.matrix(.diagonal(SIMD3(1, .infinity, 1))) },
    CustomFilter { $0.matrix(.diagonal(SIMD3(1, 1, .nan))) },
    CustomFilter { $0.matrix(Matrix3x3(rows: SIMD3(1, .nan, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))) },
    CustomFilter { $0.curve(.power(exponent: .infinity, pivot: 0.18)) },
    CustomFilter { $0.curve(.power(exponent: .nan, pivot: 0.18)) },
    CustomFilter { $0.curve(.power(exponent: 2, pivot: .nan)) },
    CustomFilter { $0.curve(.power(exponent: 2, pivot: 0)) },
    CustomFilter { $0.curve(.decode([.gamma(0)])) }, CustomFilter { $0.curve(.decode([.gamma(.nan)])) },
    CustomFilter { $0.curve(.encode([.sRGB, .sRGB, .gamma(.nan)])) },
    CustomFilter { $0.oklabChroma(.nan) }, CustomFilter { $0.oklabChroma(-.infinity) },
    CustomFilter { $0.light(highlights: .infinity) },
    CustomFilter { $0.light(shadows: .nan) }, CustomFilter { $0.tone(ToneCurve(whites: .nan)) },
    CustomFilter { $0.tone(ToneCurve(blacks: .nan)) }, CustomFilter { $0.light(clarity: .nan) },
    CustomFilter { $0.dehaze(.nan) }, CustomFilter { $0.halation(.infinity) },
    CustomFilter { $0.texture(.nan) },
    CustomFilter { try $0.lut(ColorLUT(), encoding: .sRGB, strength: .nan, name: "a") },
    CustomFilter { try $0.lut(ColorLUT(), encoding: .sRGB, strength: .infinity, name: "a") },
    geometry { $0.a = .nan }, geometry { $0.b = .nan }, geometry { $0.c = .infinity },
    geometry { $0.d = .nan }, geometry { $0.e = -.infinity }, geometry { $0.f = .nan },
  ]

  @Test(
    "NaN and infinity are refused in every kind of stage, and the filter is named", arguments: wrong.indices)
  func refused(index: Int) {
    #expect(
      message([Exposure(stops: 1), Self.wrong[index], Exposure(stops: 1)])
        == "Filter 2 (custom) has a number that is infinite or NaN; give it other values, or take it out.")
  }

  @Test("Numbers that are only unusual are taken")
  func taken() {
    #expect(message([CustomFilter { $0.matrix(.diagonal(SIMD3(1, 2, -3))) }]) == nil)
    #expect(message([Self.geometry { ($0.a, $0.c) = (-1, 60) }]) == nil)
    #expect(message([Self.geometry { $0.c = 1e6 }]) == nil)
  }

  @Test("Places that cannot be computed are refused, also where several filters make them together")
  func places() {
    let far =
      "shows, with the filters before it, places too far from the picture; give it other values, or take it out."
    #expect(message([Self.geometry { $0.c = 1e300 }]) == "Filter 1 (custom) \(far)")
    let halves = Array(repeating: Self.geometry { ($0.a, $0.e) = (1024, 1024) }, count: 4)
    #expect(message(halves) == "Filter 3 (custom) \(far)")
    let flat = "draws a line or a point of the picture out to an area; give it other values, or take it out."
    #expect(message([Self.geometry { $0.e = 0 }]) == "Filter 1 (custom) \(flat)")
    #expect(
      message([Self.geometry { ($0.a, $0.b, $0.d, $0.e) = (1, 1, 1, 1) }]) == "Filter 1 (custom) \(flat)")
  }
}
