import ColorScience
import FilterGraph
import Filters
import FrameCore
import Testing

/// Plans as their text: what a recipe costs can be read there, so whole texts are compared.
@Suite("Plans, as text")
struct PlanTextTests {
  static let photo = PixelSize(width: 6000, height: 4000)

  func plan(
    _ filters: [any Filter], orientation: Orientation = .up, format: PixelFormat = .rgba8,
    space: ColorSpace = .sRGB, output: PlanOutput = PlanOutput(), order: Recipe.Order = .canonical
  ) throws -> Plan {
    let input = PlanInput(size: Self.photo, format: format, space: space, orientation: orientation)
    return try Plan(Recipe(order: order, filters: filters), input: input, output: output)
  }

  /// A table that halves blue, which 8-bit nodes hold exactly.
  func halfBlue() throws -> LUT {
    let nodes = [Float(0), 0.5].flatMap { blue in
      [Float(0), 1].flatMap { green in [SIMD3(0, green, blue), SIMD3(1, green, blue)] }
    }
    return LUT(ColorLUT(cube: try LUT3D(size: 2, nodes: nodes)), name: "luts/half-blue.cube")
  }

  @Test("A recipe without filters only stores")
  func empty() throws {
    #expect(
      try plan([]).description == """
        plan  6000×4000 rgba8 sRGB  →  6000×4000 rgba8 sRGB
          1  store  rgba8

        """)
  }

  @Test("Neutral filters of every kind only store, though they were lowered")
  func neutral() throws {
    #expect(try plan(FilterCatalog.all.map { $0.init() }).description == plan([]).description)
  }

  @Test("Filters take effect by phase, or as listed where the recipe asks for it")
  func order() throws {
    func exactStages(_ order: Recipe.Order) throws -> [String] {
      try plan([halfBlue(), Exposure(stops: 1)], output: PlanOutput(format: .rgba16), order: order)
        .stages.map(\.description)
    }
    let gain = "matrix gain 2.0000 2.0000 2.0000"
    #expect(
      try exactStages(.canonical) == [
        "curve decode sRGB", gain, "curve encode sRGB", "lut half-blue.cube 2³",
      ])
    #expect(
      try exactStages(.listed) == ["lut half-blue.cube 2³", "curve decode sRGB", gain, "curve encode sRGB"])
  }
}
