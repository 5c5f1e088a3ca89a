import Testing

@testable import FilterGraph

@Suite("Tables of which every other node is computed")
struct ThinGridTests {
  private static let shapes = TableForm.shapes.filter { ThinGrid.ofShapes[$0] != nil }

  /// Codes of a function at a grid's nodes.
  private func codes(_ axis: [Float], _ function: (SIMD3<Double>) -> SIMD3<Double>) -> [Int16] {
    axis.flatMap { b in
      axis.flatMap { g in
        axis.flatMap { r -> [Int16] in
          let value = function(SIMD3(Double(r), Double(g), Double(b))) * Double(BakedLUT.unit)
          return [Int16(value.x.rounded()), Int16(value.y.rounded()), Int16(value.z.rounded()), 0]
        }
      }
    }
  }

  @Test(
    "follow a cubic to the rounding of codes, also where spacing changes and at the ends", arguments: shapes)
  func cubic(shape: TableShape) throws {
    let grid = try #require(ThinGrid.ofShapes[shape])
    func f(_ c: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(c.x * c.x * c.x - 0.4 * c.y, c.y * c.y * (1.2 - c.z), 0.3 * c.x * c.y * c.z + c.z * c.z - 0.1)
    }
    let refined = grid.refined(codes(grid.axis, f))
    let exact = codes(shape.axis, f)
    #expect(refined.count == exact.count)
    let worst = zip(refined, exact).map { abs(Int($0) - Int($1)) }.max() ?? .max
    // A half for each of the three directions, each enlarged by cubics of up to 1.25 the next time.
    #expect(worst <= 2)
  }

  @Test("keep the nodes that are computed, and codes within two units", arguments: shapes)
  func kept(shape: TableShape) throws {
    let grid = try #require(ThinGrid.ofShapes[shape])
    let count = grid.axis.count
    let coarse = (0..<4 * count * count * count).map { index -> Int16 in
      index % 4 == 3 ? 0 : index % 7 < 3 ? Int16(2 * BakedLUT.unit) : -Int16(2 * BakedLUT.unit)
    }
    let refined = grid.refined(coarse)
    let size = shape.size
    for b in 0..<count {
      for g in 0..<count {
        for r in 0..<count {
          let (from, to) = (r + count * (g + count * b), 2 * r + size * (2 * g + size * 2 * b))
          guard (0..<4).allSatisfy({ coarse[4 * from + $0] == refined[4 * to + $0] }) else {
            Issue.record("\(shape): \(r), \(g), \(b)")
            return
          }
        }
      }
    }
    #expect(refined.allSatisfy { abs(Int($0)) <= 2 * BakedLUT.unit })
  }

  @Test("are those of every shape but the one that holds a look's nodes")
  func allShapes() { #expect(Self.shapes == TableForm.shapes.dropLast()) }
}
