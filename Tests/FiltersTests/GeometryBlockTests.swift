import FilterGraph
import Filters
import FrameCore
import Libc
import TestSupport
import Testing

@Suite("Blocks of geometry that is not affine")
struct GeometryBlockTests {
  private static let size = PixelSize(width: 3000, height: 2000)

  private func geometry(seed: Int) throws -> Geometry {
    var random = SeededRandom(seed: 7300 + UInt64(seed))
    let keystone = Keystone(
      vertical: Float.random(in: -20...20, using: &random),
      horizontal: Float.random(in: -15...15, using: &random))
    let lens = Lens(
      LensProfile(distortion: [
        Double.random(in: 0.96...1.04, using: &random), Double.random(in: -0.02...0.02, using: &random),
        Double.random(in: -0.05...0.05, using: &random), Double.random(in: -0.01...0.01, using: &random),
      ]))
    let filters: [[any Filter]] = [
      [keystone], [lens], [lens, keystone], [keystone, Straighten(6)],
      [lens, Rotate(.clockwise), Crop(.square)],
    ]
    let plan = try Plan(
      Recipe(filters: filters[seed % filters.count]), input: PlanInput(size: Self.size), output: PlanOutput())
    return try #require(plan.geometry)
  }

  /// The cubic through four values at 0…3, by Neville's scheme.
  private func between(_ values: [Double], _ u: Double) -> Double {
    var row = values
    for order in 1..<4 {
      for k in 0..<4 - order {
        row[k] = ((Double(k + order) - u) * row[k] + (u - Double(k)) * row[k + 1]) / Double(order)
      }
    }
    return row[0]
  }

  @Test("are nowhere further from their places than the plan says", arguments: 0..<40)
  func error(seed: Int) throws {
    let geometry = try geometry(seed: seed)
    let blocks = GeometryBlocks(geometry)
    #expect(blocks.error <= 1.0 / 4096 || blocks.size == 1)
    var random = SeededRandom(seed: UInt64(seed))
    var most = 0.0
    for _ in 0..<3000 {
      let x = Int.random(in: 0..<geometry.outputSize.width, using: &random)
      let y = Int.random(in: 0..<geometry.outputSize.height, using: &random)
      let block = blocks.block(x: x, y: y)
      #expect(block.columns.contains(x) && block.rows.contains(y))
      let nodes = GeometryBlocks.places(of: block, geometry)
      let u = 3 * (Double(x - block.columns.lowerBound) + 0.5) / Double(block.columns.count)
      let v = 3 * (Double(y - block.rows.lowerBound) + 0.5) / Double(block.rows.count)
      func cubic(_ value: ((x: Double, y: Double)) -> Double) -> Double {
        between((0..<4).map { row in between((0..<4).map { value(nodes[4 * row + $0]) }, u) }, v)
      }
      let place = geometry.place(Double(x) + 0.5, Double(y) + 0.5)
      most = max(most, hypot(cubic(\.x) - place.x, cubic(\.y) - place.y))
    }
    #expect(most <= blocks.error + 1e-9, "\(most) of \(blocks.error), blocks of \(blocks.size)")
  }

  @Test("are as large as a tile with what photos need")
  func sizes() throws {
    for seed in 0..<40 {
      let size = try GeometryBlocks(geometry(seed: seed)).size
      #expect(size >= 16, "seed \(seed): \(size)")
    }
  }

  @Test("lie side by side, cut off at the right and at the bottom")
  func cut() throws {
    let turned = AffineMap(a: 0.8, b: 0.1, c: 3, d: -0.1, e: 0.8, f: 9)
    let size = PixelSize(width: 131, height: 67)
    let projection = Projection(a: 1, b: 0, c: 0, d: 0, e: 1, f: 0, g: 1e-5, h: -1e-5, i: 1)
    let blocks = GeometryBlocks(
      Geometry(inputSize: size, outputSize: size, map: turned, projection: projection))
    #expect(blocks.size == 64)
    #expect(blocks.block(x: 130, y: 66) == Region(columns: 128..<131, rows: 64..<67))
    #expect(blocks.block(x: 63, y: 0) == Region(columns: 0..<64, rows: 0..<64))
    #expect(blocks.block(x: 64, y: 63) == Region(columns: 64..<128, rows: 0..<64))
  }
}
