import Filters
import FrameCore
import TestSupport
import Testing

@testable import FilterGraph

/// Highlights and shadows, clarity, texture and dehazing in groups, as plans have them.
extension GroupTests {
  @Test("Local light is told apart in the plan, shares a grid, and acts ahead of the group's colours")
  func localLight() throws {
    let plan = try Self.plan([
      Group(Self.sky) {
        Tone(highlights: -60, shadows: 30, blacks: 5)
        Exposure(stops: 1)
        Dehaze(40)
      },
      Group(nil, opacity: 50) {
        Clarity(20)
        Texture(10)
      },
    ])
    let groups = Self.groups(plan)
    #expect(groups.map(\.fields.count) == [1, 1])
    #expect(
      plan.description.contains(
        "masked  linear · dehaze 40, local highlights -60 shadows 30 on 256×171 · gain 2.0000 2.0000 2.0000"
          + " · tone blacks 5, 1.00 · opacity 50 · local clarity 20 on 256×171, texture 10 on 300×200"),
      "\(plan)")
    // The exposure of the group makes its light brighter by a stop.
    #expect(abs((groups[0].fields[0].local?.shift ?? 0) - 1) < 1e-9 && groups[1].fields[0].local?.shift == 0)
    let stage = try #require(plan.exactStages.first { $0.kindName == "masked" })
    let field = try #require(stage.gridField)
    #expect(field.local != nil && field.haze?.removes == true && field.texture != nil && field.origin != nil)
  }

  @Test("Local light moves with the picture, wherever crops, turns and resizes are listed")
  func movedLight() throws {
    var random = SeededRandom(seed: 5)
    let light: [any Filter] = [Dehaze(60), Clarity(50), Texture(40), Tone(shadows: 30)]
    let coarse = PixelSize(width: 256, height: 171)
    func numbers(_ count: Int) -> [Float] { (0..<count).map { _ in .random(in: 0...0.5, using: &random) } }
    var grid = LightGrid(size: coarse, nodes: numbers(4 * coarse.pixelCount))
    let ambient = AmbientLight(color: SIMD3(0.5, 0.6, 0.7), found: 1, lit: 1)
    grid.haze = HazeGrid(nodes: numbers(2 * coarse.pixelCount), ambient: ambient)
    grid.detail = NodePlanes(size: Self.size, nodes: numbers(Self.size.pixelCount))
    func stage(_ plan: Plan) throws -> Stage {
      try #require(plan.exactStages.first { $0.kindName == "masked" })
    }
    let group = Group(Self.sky, filters: light)
    let whole = try stage(try Self.plan([group]))
    let color = SIMD3(0.3, 0.25, 0.4)
    #expect(abs(whole.evaluate(color, at: (30.5, 20.5), in: grid) - color).max() > 0.01)
    for move in [
      [Crop(.rectangle(x: 40, y: 30, width: 200, height: 120))], [Straighten(7)],
      [Rotate(.counterclockwise), Flip(.horizontal), Resize(.percent(70))],
    ] as [[any Filter]] {
      let lists: [([any Filter], Recipe.Order)] = [
        (move + [group], .canonical), ([group] + move, .listed),
      ]
      for (filters, order) in lists {
        let plan = try Self.plan(filters, order: order)
        var map = AffineMap.identity
        for stage in plan.loweredStages.reversed() {
          if case .geometry(let geometry) = stage { map = map.then(geometry.map) }
        }
        for (x, y) in [(0.5, 0.5), (30.5, 50.5), (60.5, 31.5)] {
          let found = try stage(plan).evaluate(color, at: (x, y), in: grid)
          let expected = whole.evaluate(color, at: map.apply(x, y), in: grid)
          #expect(abs(found - expected).max() < 1e-4, "\(filters), \(x), \(y)")
        }
      }
    }
  }
}
