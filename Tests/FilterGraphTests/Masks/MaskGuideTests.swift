import Filters
import FrameCore
import TestSupport
import Testing

@testable import FilterGraph

/// Masks that follow edges, as plans have them.
extension GroupTests {
  private static let roof = Mask.polygon([
    MaskPoint(0.1, 0.2), MaskPoint(0.8, 0.3), MaskPoint(0.6, 0.9), MaskPoint(0.2, 0.7),
  ])
  private static let guided = Mask.feather(roof, radius: 0.02, edges: true)

  @Test("A mask that follows edges is told in the plan, with its grid")
  func edgesInPlans() throws {
    let plan = try Self.plan([
      Self.darker(.subtract(Self.guided, [.luminance(from: 0.8, to: 1)])), Self.darker(Self.guided),
    ])
    #expect(
      plan.description.contains(
        "edges on 300×200 - luminance · gain 0.5000 0.5000 0.5000, edges on 300×200 · gain 0.5000"), "\(plan)"
    )
    let field = try #require(plan.exactStages.compactMap(\.gridField).first)
    #expect(field.guides.count == 2 && field.needsFineGrid && field.local == nil)
    // Both were drawn once.
    #expect(field.guides[0].shape === field.guides[1].shape)
    #expect(Self.groups(plan).allSatisfy { $0.mask.readsColor && $0.origin != nil })
  }

  @Test("It stays on the picture under all orientations, crops and turns", arguments: Orientation.allCases)
  func edgesUnderGeometry(orientation: Orientation) throws {
    var random = SeededRandom(seed: 31)
    // Without a picture it is what was drawn; with lines, what they give at the place as stored.
    func stage(_ filters: [any Filter], _ orientation: Orientation) throws -> (Stage, Plan) {
      let plan = try Self.plan(filters + [Self.darker(Self.guided)], orientation: orientation)
      return (try #require(plan.exactStages.first { $0.kindName == "masked" }), plan)
    }
    let (upright, _) = try stage([], .up)
    let (turned, own) = try stage([], orientation)
    let stored = orientation.inverse.applied(to: Self.size)
    let color = SIMD3(repeating: 0.3)
    var numbers = (0..<stored.pixelCount).map { _ in Float.random(in: 0...0.2, using: &random) }
    numbers += (0..<stored.pixelCount).map { _ in .random(in: 0...1, using: &random) }
    var grid = LightGrid(size: LightGrid.size(for: stored), nodes: [])
    grid.edges = [NodePlanes(size: stored, nodes: numbers)]
    func map(_ plan: Plan) -> AffineMap {
      var map = AffineMap.identity
      for stage in plan.loweredStages.reversed() {
        if case .geometry(let geometry) = stage { map = map.then(geometry.map) }
      }
      return map
    }
    for (x, y) in [(60.5, 70.5), (30.5, 45.5), (150.5, 77.5), (240.5, 58.5), (299.5, 199.5)] {
      let drawn = upright.evaluate(color, at: (x, y))
      // Shapes have 256 values.
      #expect(abs(turned.evaluate(color, at: (x, y)) - drawn).max() < 0.004)
      let found = turned.evaluate(color, at: (x, y), in: grid)
      let place = map(own).apply(x, y)
      let line = NodePlanes(size: stored, nodes: numbers).numbers(at: (place.x - 0.5, place.y - 0.5))
      let e = LocalLight.brightness(color, toWorking: .identity)
      let w = min(max(2 * (line[0] * e + line[1]) - 0.5, 0), 1)
      let mask = w * w * (3 - 2 * w)
      #expect(abs(found - (1 - 0.5 * mask) * color).max() < 1e-3)
    }
    let (moved, plan) = try stage(
      [Straighten(7), Crop(.rectangle(x: 20, y: 30, width: 200, height: 100))], orientation)
    let (whole, movedMap) = (map(own).inverse, map(plan))
    for (x, y) in [(0.5, 0.5), (60.5, 31.5), (199.5, 99.5)] {
      let place = movedMap.then(whole).apply(x, y)
      let expected = turned.evaluate(color, at: place, in: grid)
      #expect(abs(moved.evaluate(color, at: (x, y), in: grid) - expected).max() < 1e-4)
    }
  }

  @Test("More masks that follow edges than there may be grids are refused")
  func tooManyEdges() throws {
    let many = (0..<3).map { index -> Group in
      let masks = (0..<3).map { part -> Mask in
        .feather(Self.roof, radius: 0.01 * Double(3 * index + part + 1), edges: true)
      }
      return Self.darker(.add(masks))
    }
    #expect(throws: Never.self) { _ = try Self.plan(Array(many.prefix(2))) }
    let error = #expect(throws: SafelightError.self) { _ = try Self.plan(many) }
    #expect(error?.problem == "The masks of a recipe follow edges 9 times, more than 8")
  }

  @Test("One that lies outside has no effect")
  func edgesOutside() throws {
    let outside = Mask.feather(
      .polygon([MaskPoint(2, 2), MaskPoint(3, 2), MaskPoint(2, 3)]), radius: 0.1, edges: true)
    let plan = try Self.plan([Self.darker(outside)])
    #expect(plan.notes == ["The mask of a group lies outside the picture, so the group has no effect"])
  }
}
