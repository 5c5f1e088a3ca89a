import Safelight
import Testing

@testable import Editing

@Suite("Automatic straightening")
struct AutoStraighteningTests {
  static func horizon(
    _ degrees: Double?, _ confidence: Double, _ kinds: Set<Horizon.Kind> = [], deviation: Double = 0.2
  ) -> Horizon {
    var horizon = Horizon.none()
    (horizon.degrees, horizon.confidence, horizon.evidence.kinds) = (degrees, confidence, kinds)
    horizon.deviation = degrees.map { _ in deviation }
    return horizon
  }

  @Test(
    "One line says what was done, or why not",
    arguments: [
      (
        horizon(-2.31, 0.914, [.horizontals, .verticals]),
        "straightened by -2.3° (0.91: verticals, horizontals)", -2.3
      ),
      (horizon(nil, 0), "not straightened: no horizon found", nil),
      (
        horizon(4.21, 0.312, [.boundary]), "not straightened: not sure enough (0.31, would be 4.2° ± 0.20°)",
        nil
      ),
      (
        horizon(4.21, 0.9, [.boundary], deviation: 0.6),
        "not straightened: not sure enough (0.90, would be 4.2° ± 0.60°)", nil
      ),
      // The camera's own level needs no lines.
      (horizon(4.21, 0.8, [.gravity], deviation: 0.9), "straightened by 4.2° (0.80: gravity)", 4.2),
      (horizon(0.04, 0.8, [.gravity]), "not straightened: level already (0.80: gravity)", nil),
      (
        horizon(0.1, 0.8, [.gravity], deviation: 0.05), "straightened by 0.1° (0.80: gravity)", 0.1
      ),
      // Less than it is exact.
      (
        horizon(0.3, 0.8, [.boundary], deviation: 0.4), "not straightened: level already (0.80: boundary)",
        nil
      ),
      (
        horizon(-61, 0.95, [.gravity]),
        "not straightened: leans by more than 45°, by -61.0° (0.95: gravity)", nil
      ),
      (
        horizon(1, 0.6, deviation: 0.8), "not straightened: not sure enough (0.60, would be 1.0° ± 0.80°)",
        nil
      ),
      (horizon(0, 0.9), "not straightened: level already (0.90)", nil),
    ] as [(Horizon, String, Float?)])
  func summary(horizon: Horizon, text: String, angle: Float?) {
    let found = AutoStraightening(horizon)
    #expect(found.summary == text)
    #expect(found.angle == angle)
  }

  @Test("A mirrored photo is turned the other way, a turned one by the rest")
  func joining() {
    let horizon = Self.horizon(3, 0.9, [.boundary])
    func angle(_ filters: any Filter...) -> Float? {
      AutoStraightening(horizon, joining: Recipe(filters: filters)).angle
    }
    #expect(angle(Flip(.horizontal)) == -3)
    #expect(angle(Flip(.horizontal), Flip(.vertical)) == 3)
    #expect(angle(Straighten(1)) == 2)
    #expect(angle(Straighten(3)) == nil)
    let unsure = Self.horizon(4.21, 0.3, [.boundary])
    #expect(
      AutoStraightening(unsure, joining: Recipe(filters: [Flip(.vertical), Straighten(1)])).summary
        == "not straightened: not sure enough (0.30, would be -5.2° ± 0.20°)")
  }

  private func joined(_ horizon: Horizon, _ recipe: Recipe) -> Recipe {
    AutoStraightening(horizon, joining: recipe).joined(to: recipe)
  }

  @Test("Flips and turns count in the order in which the plan runs them")
  func order() {
    let horizon = Self.horizon(3, 0.9, [.boundary])
    func angle(_ order: Recipe.Order, _ filters: any Filter...) -> Float? {
      AutoStraightening(horizon, joining: Recipe(order: order, filters: filters)).angle
    }
    // 3 - 5 leans by -2, mirrored by 2; -3 after mirroring, less 5.
    #expect(angle(.listed, Straighten(5), Flip(.horizontal)) == 2)
    #expect(angle(.listed, Flip(.horizontal), Straighten(5)) == -8)
    // Orientation comes first, as listed or not.
    #expect(angle(.canonical, Straighten(5), Flip(.horizontal)) == -8)
    #expect(angle(.listed, Straighten(1), Flip(.vertical), Straighten(1)) == -3)
  }

  @Test("A recipe that turns already turns once, by the sum and with its corners; then it is level")
  func turnsOnce() throws {
    let horizon = Self.horizon(3, 0.9, [.boundary])
    let cases: [(Recipe.Order, [any Filter], Float?)] = [
      (.canonical, [], 3),
      (.canonical, [Straighten(5, corners: .keep)], 3),
      (.canonical, [Straighten(5), Flip(.horizontal)], -3),
      (.listed, [Straighten(5), Flip(.horizontal)], 3),
      (.listed, [Flip(.horizontal), Straighten(5)], -3),
      (.listed, [Straighten(1), Flip(.vertical), Straighten(1.3, corners: .keep), Flip(.horizontal)], 3),
    ]
    for (order, filters, angle) in cases {
      let recipe = Recipe(order: order, filters: filters + [Saturation(5)])
      let joined = joined(horizon, recipe)
      let turns = joined.filters.compactMap { $0 as? Straighten }
      #expect(turns.map(\.angle) == angle.map { [$0] }, "\(filters)")
      let corners = filters.compactMap { ($0 as? Straighten)?.corners }.last
      #expect(turns.first?.corners == corners ?? .crop, "\(filters)")
      #expect(joined.filters.contains { $0 is Saturation })
      #expect(AutoStraightening(horizon, joining: joined).angle == nil, "\(filters)")
    }
    // What is level as it was taken is not turned at all, so not cropped.
    let level = joined(Self.horizon(0, 0.9, [.boundary]), Recipe(filters: [Straighten(5)]))
    #expect(level.filters.isEmpty)
  }

  @Test("The sum of the turns is what one turn has to reach")
  func reach() {
    let far = Self.horizon(40, 0.9, [.gravity])
    let recipe = Recipe(filters: [Straighten(-20)])
    #expect(AutoStraightening(far, joining: recipe).angle == 60)
    #expect(joined(far, recipe).filters.compactMap { ($0 as? Straighten)?.angle } == [40])
    #expect(AutoStraightening(Self.horizon(50, 0.9, [.gravity]), joining: recipe).angle == nil)
  }
}
