import ColorScience
import Filters
import FrameCore
import TestSupport
import Testing

@testable import FilterGraph

@Suite("Forms of tables")
struct TableFormTests {
  static let shape = TableShape(9, NodeSpacing(knee: 0.125, kneePosition: 0.25))

  /// A LUT that changes nothing.
  static func identity(size: Int) throws -> ColorLUT {
    let axis = (0..<size).map { Float($0) / Float(size - 1) }
    let nodes = axis.flatMap { b in axis.flatMap { g in axis.map { r in SIMD3(r, g, b) } } }
    return ColorLUT(cube: try LUT3D(size: size, nodes: nodes))
  }

  @Test("What screening blends from a few nodes is what the table would interpolate")
  func blends() {
    var random = SeededRandom(seed: 5)
    let codes = (0..<4 * 9 * 9 * 9).map { $0 % 4 == 3 ? 0 : Int16.random(in: -8000...8000, using: &random) }
    let table = TetrahedralTable(codes: codes, size: 9, spacing: Self.shape.spacing)
    let colors = (0..<200).map { _ in
      SIMD3(
        Float.random(in: 0...1, using: &random), Float.random(in: 0...0.2, using: &random),
        Float(random.next() % 5) / 4)
    }
    let blends = NodeBlends(ColorPlanes(colors), on: Self.shape)
    var nodes = blends.nodes
    ExactEvaluator().interpolate(table, at: &nodes)
    let values = blends.blend(nodes)
    for (i, color) in colors.enumerated() {
      let apart = SIMD3<Double>(values[i]) - table.evaluate(SIMD3<Double>(color))
      #expect(max(apart.max(), -apart.min()) < 1e-5, "\(color)")
    }
  }

  @Test("The middles that are tried lie between two nodes that interpolation blends")
  func middles() throws {
    for shape in TableForm.shapes {
      let middles = try #require(GridMiddles.ofShapes[shape]).blends
      // A function whose values at nodes are arbitrary, so that blending others shows.
      func noise(_ x: SIMD3<Float>) -> Float {
        (x.x * 91 + x.y * 57.3 + x.z * 33.7).truncatingRemainder(dividingBy: 1)
      }
      func plane(_ colors: ColorPlanes) -> ColorPlanes {
        let values = (0..<colors.count).map { noise(colors[$0]) }
        return ColorPlanes(r: values, g: values, b: values)
      }
      let some = (0..<middles.colors.count).filter { $0 % 17 == 0 }
      let general = NodeBlends(ColorPlanes(some.map { middles.colors[$0] }), on: shape)
      let (short, long) = (middles.blend(plane(middles.nodes)), general.blend(plane(general.nodes)))
      for (j, i) in some.enumerated() {
        #expect(abs(short.r[i] - long.r[j]) < 1e-3, "\(shape), \(middles.colors[i])")
      }
    }
  }

  @Test("Only a LUT behind other colour asks for two tables, and they are tried ahead of large ones")
  func candidates() throws {
    let lut = Stage.lut(
      LookupStage(lut: try Self.identity(size: 25), strength: 0.75, name: "x.cube"))
    let gain = Stage.matrix(.diagonal(SIMD3(2, 1, 1)))
    let single = TableForm.shapes.map { TableForm(shape: $0) }
    #expect(TableForm.candidates(for: [gain]) == single)
    #expect(TableForm.candidates(for: [lut, gain]) == single)
    let forms = TableForm.candidates(for: [gain, gain, lut, gain])
    #expect(
      forms.map(\.description) == [
        "33³", "33³ shaper", "33³ and 25³", "33³ shaper and 25³", "49³ shaper and 25³", "49³ shaper",
        "65³ shaper",
        "65³",
      ])
    #expect(forms[2].parts(of: [gain, gain, lut, gain]) == [[gain, gain], [lut, gain]])
    #expect(TableForm.slopeOutside(of: [lut]) == 0.25)
    #expect(TableForm.slopeOutside(of: [lut, gain]) == 0)
  }

  @Test("A table goes on outside 0…1 as what a LUT's strength leaves of its input does")
  func slopeOutside() throws {
    let lookup = LookupStage(lut: try Self.identity(size: 2), strength: 0.75, name: "x.cube")
    let codes = ExactEvaluator().function(of: [.lut(lookup)]).nodes(along: TableShape(2, .uniform).axis)
    let table = TetrahedralTable(codes: codes, size: 2, spacing: .uniform)
      .extended(by: TableForm.slopeOutside(of: [.lut(lookup)]))
    for color in [SIMD3(1.5, 0.5, -0.25), SIMD3(0.2, 0.9, 3)] {
      let apart = table.evaluate(color) - lookup.evaluate(color)
      #expect(max(apart.max(), -apart.min()) < 1e-3, "\(color): \(apart)")
    }
  }
}
