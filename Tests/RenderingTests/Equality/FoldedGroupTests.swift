import FilterGraph
import Filters
import FrameCore
import RendererTestSupport
import TestSupport
import Testing

@testable import Rendering

/// Groups that only change exposure, which become gains of a field.
@Suite("Groups folded into fields")
struct FoldedGroupTests {
  private static let size = PixelSize(width: 331, height: 120)
  /// Those that read no colours.
  private static let masks = [0, 1, 4, 5].map { EqualityCases.masks[$0] }

  /// A table of a film alone: the look's other filters come ahead of groups.
  private static func look() throws -> [any Filter] {
    try PresetLibrary.preset("cool-film").recipe.filters.filter { $0 is LUT }
  }

  private func kinds(_ plan: Plan) -> [String] {
    plan.stages.map { String($0.description.prefix { $0 != " " }) }
  }

  private func plans(_ filters: [any Filter], _ input: PlanInput) throws -> (folded: Plan, exact: Plan) {
    let renderer = CPURenderer(threads: 2)
    let recipe = Recipe(filters: filters)
    return (
      try renderer.plan(recipe, input: input, output: PlanOutput()),
      try Plan(recipe, input: input, output: PlanOutput(), optimized: false)
    )
  }

  @Test("need no stage of groups, and make the same pixels within a code", arguments: [false, true])
  func equality(isCamera: Bool) throws {
    var random = SeededRandom(seed: 41)
    let source =
      try isCamera
      ? CameraPictures.noise(Self.size, .yuyv422, using: &random)
      : RandomPicture.noise(Self.size, .rgba8, using: &random)
    let input = PlanInput(size: Self.size, format: source.format)
    let groups: [any Filter] = [
      Group(Self.masks[0], filters: [Exposure(stops: -1.5)]),
      Group(.invert(Self.masks[1]), opacity: 60, filters: [Exposure(stops: 1.2), Exposure(stops: -0.4)]),
      Group(.add([Self.masks[2], Self.masks[3]]), filters: [Exposure(stops: 0.7)]),
    ]
    for filters in [
      Array(groups[0...0]), groups, [WhiteBalance(temperature: 5000), Exposure(stops: 0.4)] + groups,
      [Vignette(amount: -40), Clarity(30)] + groups, [Contrast(20)] + groups,
      groups + (try Self.look()),
      [Crop(.rectangle(x: 31, y: 7, width: 250, height: 100))] + groups,
    ] as [[any Filter]] {
      let (folded, exact) = try plans(filters, input)
      #expect(!kinds(folded).contains("masked"), "\(folded)")
      #expect(exact.stages.contains { if case .masked = $0 { true } else { false } })
      let expected = try ReferenceRenderer().render(source, through: exact)
      let kept = try CPURenderer(threads: 2).render(source, through: exact)
      let made = try CPURenderer(threads: 2).render(source, through: folded)
      #expect(RandomPicture.largestDifference(expected, kept).value <= 1)
      let worst = RandomPicture.largestDifference(expected, made)
      guard kinds(folded).contains("bake") else {
        #expect(worst.value <= 1, "\(worst), \(folded)")
        continue
      }
      // What a table may be off by is proven on its own, as of the plan without groups: in dark, saturated colours
      // many codes are no visible difference.
      let optimized = try ReferenceRenderer(.optimized).render(source, through: folded)
      #expect(RandomPicture.largestDifference(optimized, made).value <= 1, "\(folded)")
      let mean = mean(expected, made)
      #expect(mean < 0.2, "\(mean), \(folded)")
    }
  }

  private func mean(_ a: PixelBuffer, _ b: PixelBuffer) -> Double {
    var sum = 0
    for y in 0..<a.height {
      let (a, b) = (a.row(y, as: UInt8.self), b.row(y, as: UInt8.self))
      sum += zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    }
    return Double(sum) / Double(4 * a.size.pixelCount)
  }

  @Test("behind a curve keep the exact stages, which are as fast")
  func curves() throws {
    let group = Group(Self.masks[0], filters: [Exposure(stops: -1)])
    let (folded, _) = try plans([Contrast(20), group], PlanInput(size: Self.size))
    #expect(kinds(folded) == ["curve", "matrix", "curve", "field", "matrix", "curve"], "\(folded)")
    // That of the whole picture needs a table as before.
    let (balanced, _) = try plans([WhiteBalance(temperature: 5000), group], PlanInput(size: Self.size))
    #expect(kinds(balanced).contains("bake"), "\(balanced)")
  }

  @Test("keep the table behind them, and are told in the plan")
  func tables() throws {
    let look = try Self.look()
    let input = PlanInput(size: Self.size)
    let (folded, _) = try plans([Group(Self.masks[0], filters: [Exposure(stops: -1)])] + look, input)
    #expect(kinds(folded).contains("bake") && kinds(folded).contains("field"), "\(folded)")
    #expect(folded.description.contains("linear · gain 0.5000"), "\(folded)")
    #expect(folded.log.contains("exposure of groups as fields"), "\(folded.log)")
  }

  @Test("stay groups if one of them does more, or looks at colours")
  func others() throws {
    let input = PlanInput(size: Self.size)
    let darker = Group(Self.masks[0], filters: [Exposure(stops: -1)])
    for other in [
      Group(Self.masks[1], filters: [Saturation(20)]), Group(Self.masks[1], filters: [Clarity(20)]),
      Group(.luminance(from: 0.5, to: 1), filters: [Exposure(stops: -1)]),
      Group(.feather(Self.masks[3], radius: 0.02, edges: true), filters: [Exposure(stops: -1)]),
      Group(Self.masks[1], filters: [WhiteBalance(temperature: 5000)]),
    ] {
      for groups in [[darker, other], [other, darker]] {
        #expect(kinds(try plans(groups, input).folded).contains("masked"))
      }
    }
  }

  @Test("change no byte outside of their masks, and no table of light grids")
  func outside() throws {
    var random = SeededRandom(seed: 42)
    let source = try RandomPicture.noise(Self.size, .rgba8, using: &random)
    let left = Mask.linear(from: MaskPoint(0.5, 0), to: MaskPoint(0.4, 0))
    let group = Group(left, filters: [Exposure(stops: -2)])
    func made(_ filters: [any Filter]) throws -> PixelBuffer {
      try CPURenderer(threads: 2).render(source, through: plans(filters, PlanInput(source)).folded)
    }
    for filters in [[], [Clarity(40)], [Vignette(amount: -30)]] as [[any Filter]] {
      let (plain, masked) = (try made(filters), try made(filters + [group]))
      for y in 0..<Self.size.height {
        let (a, b) = (plain.row(y, as: UInt8.self), masked.row(y, as: UInt8.self))
        // The field may be another kernel: what is halfway between two codes becomes either.
        let bound = filters.isEmpty ? 0 : 1
        #expect((4 * 170..<4 * 331).allSatisfy { abs(Int(a[$0]) - Int(b[$0])) <= bound }, "row \(y)")
        #expect((0..<4 * 130).contains { Int(a[$0]) > Int(b[$0]) + 20 })
      }
    }
  }
}
