import ColorScience
import FilterGraph
import Filters
import Files
import FrameCore
import Libc
import PhotoIO
import PhotoPipeline
import TestSupport
import Testing

@testable import Editing

@Suite("Matching looks")
struct LookMatchTests {
  /// Colours of a scene: greys, skin, sky, leaves, from dark to bright; linear Rec. 2020.
  private static let scene: [SIMD3<Double>] = {
    var random = SeededRandom(seed: 5)
    let kinds = [SIMD3(1.0, 1, 1), SIMD3(1.25, 0.95, 0.75), SIMD3(0.75, 1.0, 1.35), SIMD3(0.85, 1.1, 0.6)]
    return (0..<1200).map { _ in
      let light = 0.5 * pow(Double.random(in: 0.05...1, using: &random), 2)
      let kind = kinds[Int.random(in: 0..<8, using: &random) % 5 % 4]
      return kind * light
    }
  }()

  private func edited(_ filters: [any Filter], _ colors: [SIMD3<Double>] = scene) throws -> [SIMD3<Double>] {
    let plan = try Plan(
      Recipe(filters: filters),
      input: PlanInput(size: PixelSize(width: 1, height: 1), format: .rgba16, space: .linearRec2020),
      output: PlanOutput(format: .rgba16, space: .linearRec2020), optimized: false)
    return colors.map { color in plan.exactStages.reduce(color) { $1.evaluate($0) } }
  }

  private func filter<F: Filter>(_ match: LookMatch, _: F.Type) -> F? {
    match.recipe.filters.compactMap { $0 as? F }.first
  }

  @Test("A photo that looks like the reference needs nothing")
  func same() throws {
    let match = try LookMatch(of: Self.scene, to: Self.scene)
    #expect(match.recipe.filters.isEmpty, "\(match.recipe.filters)")
    #expect(match.before.tones == 0 && match.before.colors == 0)
  }

  @Test(
    "Exposure and balance of one and the same scene are found again", arguments: [-0.8, 0.7], [4800.0, 9000])
  func plainValues(stops: Double, kelvin: Double) throws {
    let reference = try edited([Exposure(stops: Float(stops)), WhiteBalance(temperature: Float(kelvin))])
    let match = try LookMatch(of: Self.scene, to: reference)
    let balance = try #require(filter(match, WhiteBalance.self))
    #expect(abs(1e6 / Double(balance.temperature) - 1e6 / kelvin) < 12, "\(balance)")
    #expect(abs(balance.tint) <= 6, "\(balance)")
    #expect(abs(Double(filter(match, Exposure.self)?.stops ?? 0) - stops) <= 0.15)
    #expect(match.after.tones < 0.15 * match.before.tones, "\(match.before) \(match.after)")
    #expect(match.after.colors < 0.25 * match.before.colors, "\(match.before) \(match.after)")
  }

  @Test(
    "Most of the difference to a look is gone",
    arguments: [
      [Fade(40), Saturation(-25)], [Contrast(40), Saturation(25)],
      [
        Grading(
          shadows: Grading.Wheel(hue: 220, saturation: 30), highlights: Grading.Wheel(hue: 70, saturation: 25)
        )
      ],
      [PointCurve([SIMD2(0, 0.06), SIMD2(0.3, 0.38), SIMD2(1, 0.92)]), WhiteBalance(temperature: 7600)],
    ] as [[any Filter & Sendable]])
  func looks(filters: [any Filter & Sendable]) throws {
    let match = try LookMatch(of: Self.scene, to: try edited(filters))
    #expect(match.after.tones < max(0.35 * match.before.tones, 1.5), "\(match.before) \(match.after)")
    #expect(match.after.colors < max(0.5 * match.before.colors, 0.6), "\(match.before) \(match.after)")
  }

  @Test("A camera raw is matched as it is shown, so its own export needs nothing")
  func raw() throws {
    let scratch = try Scratch()
    var file = DNGFile(width: 256, height: 192) { x, y, channel in
      let light = 0.04 + 0.4 * Double(x) / 256
      return light * [0.6 + 0.4 * Double(y) / 192, 1, 1.1 - 0.5 * Double(y) / 192][channel]
    }
    file.neutral = [1, 1, 1]
    try scratch.write(file.bytes, to: "photo.dng")
    _ = try PhotoExport().run(scratch("photo.dng"), through: Recipe(), to: scratch("own.png"))
    let (raw, own) = (
      try PhotoSample(contentsOf: scratch("photo.dng")), try PhotoSample(contentsOf: scratch("own.png"))
    )
    let match = try LookMatch(of: raw, to: LookReference(own))
    #expect(match.before.tones < 3 && match.before.colors < 1, "\(match.before), \(match.recipe.filters)")
    let back = try LookMatch(of: own, to: LookReference(raw))
    #expect(back.before.tones < 3 && back.before.colors < 1, "\(back.before)")
    // What is found gives what it says.
    let brighter = try LookReference(scratch("photo.dng"), through: Recipe(filters: [Exposure(stops: 0.7)]))
    let found = try LookMatch(of: raw, to: brighter)
    #expect(abs((filter(found, Exposure.self)?.stops ?? 0) - 0.7) <= 0.15, "\(found.recipe.filters)")
  }

  @Test("What stays of an edit is part of the look, but for values of the kinds that are found")
  func kept() throws {
    let edit = Edit(preset: "noir", values: ["exposure": "1", "contrast": "30", "crop": "1:1"])
    let kept = try LookMatch.kept(of: edit.recipe(in: FileSnapshot()))
    #expect(kept.filters.count { $0 is Exposure } == 1, "the look has one of its own")
    #expect(kept.filters.contains { $0 is Contrast } && kept.filters.contains { $0 is Crop })
    #expect(kept.filters.contains { $0 is LUT })
  }

  @Test("Values stay within what can be edited by hand, however different the photos are")
  func extremes() throws {
    var random = SeededRandom(seed: 8)
    for _ in 0..<40 {
      func colors() -> [SIMD3<Double>] {
        let scale = SIMD3(
          Double.random(in: 0...1.2, using: &random), Double.random(in: 0...1.2, using: &random),
          Double.random(in: 0...1.2, using: &random))
        let power = Double.random(in: 0.2...6, using: &random)
        return (0..<200).map { _ in scale * pow(Double.random(in: 0...1, using: &random), power) }
      }
      let match = try LookMatch(of: colors(), to: colors())
      for filter in match.recipe.filters { try filter.validate() }
      #expect(
        match.after.tones / 4 + match.after.colors / 2 <= match.before.tones / 4 + match.before.colors / 2,
        "\(match.recipe.filters)")
    }
    let black = [SIMD3<Double>](repeating: .zero, count: 10)
    for filter in try LookMatch(of: black, to: Self.scene).recipe.filters { try filter.validate() }
    for filter in try LookMatch(of: Self.scene, to: black).recipe.filters { try filter.validate() }
  }
}
