import ColorScience
import FrameCore
import TestSupport
import Testing

@Suite("LUTs")
struct LUTTests {
  /// A cube of `size` nodes over 0…1 that holds `function` at its nodes.
  static func cube(size: Int, _ function: (SIMD3<Float>) -> SIMD3<Float>) throws -> LUT3D {
    var nodes: [SIMD3<Float>] = []
    for blue in 0..<size {
      for green in 0..<size {
        for red in 0..<size {
          nodes.append(function(SIMD3(Float(red), Float(green), Float(blue)) / Float(size - 1)))
        }
      }
    }
    return try LUT3D(size: size, nodes: nodes)
  }

  @Test("A cube of the identity changes nothing inside its domain")
  func identityCube() throws {
    let cube = try Self.cube(size: 5) { $0 }
    var generator = SeededRandom(seed: 3)
    for _ in 0..<1000 {
      let color = SIMD3<Double>.random(in: 0...1, using: &generator)
      #expect(distance(cube.evaluate(color), color) < 1e-15)
    }
  }

  @Test("Red changes fastest")
  func redFastest() throws {
    let cube = try LUT3D(
      size: 2,
      nodes: [
        SIMD3(0, 0, 0), SIMD3(1, 0, 0), SIMD3(0, 2, 0), SIMD3(1, 2, 0), SIMD3(0, 0, 3), SIMD3(1, 0, 3),
        SIMD3(0, 2, 3), SIMD3(1, 2, 3),
      ])
    #expect(cube.evaluate(SIMD3(1, 0, 0)) == SIMD3(1, 0, 0))
    #expect(cube.evaluate(SIMD3(0, 1, 0)) == SIMD3(0, 2, 0))
    #expect(cube.evaluate(SIMD3(0.5, 0.25, 1)) == SIMD3(0.5, 0.5, 3))
  }

  @Test("In each of the six tetrahedra the corners on its path count, and no others")
  func tetrahedra() throws {
    // Node values 1, 2, 4 … 128 tell which corners took part: index = r + 2g + 4b.
    let nodes = (0..<8).map { SIMD3<Float>(repeating: Float(1 << $0)) }
    let cube = try LUT3D(size: 2, nodes: nodes)
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    for order in orders {
      let fractions = [0.75, 0.5, 0.125]
      var color = SIMD3<Double>()
      var expected = 1 - fractions[0]
      var corner = 0
      for (step, channel) in order.enumerated() {
        color[channel] = fractions[step]
        corner += 1 << channel
        let next = step < 2 ? fractions[step + 1] : 0
        expected += (fractions[step] - next) * Double(1 << corner)
      }
      #expect(cube.evaluate(color).x == expected, "order \(order)")
    }
  }

  @Test("Input is clipped to the domain, output is not clipped")
  func clipping() throws {
    let cube = try Self.cube(size: 3) { $0 * 4 - 1 }
    #expect(cube.evaluate(SIMD3(-7, 0.5, 9)) == SIMD3(-1, 1, 3))
    #expect(cube.evaluate(SIMD3(.infinity, -.infinity, 1)) == SIMD3(3, -1, 3))
    #expect(cube.evaluate(SIMD3(.nan, 1, 1)) == SIMD3(-1, 3, 3))
    let curves = try LUT1D(samples: [SIMD3(repeating: -1), SIMD3(repeating: 3)])
    #expect(curves.evaluate(SIMD3(-7, 0.5, .nan)) == SIMD3(-1, 1, -1))
  }

  @Test("The shaper comes before the cube, and neither means no change")
  func order() throws {
    let shaper = try LUT1D(samples: [SIMD3(repeating: 0), SIMD3(repeating: 0.5)])
    let cube = try Self.cube(size: 2) { 1 - $0 }
    let lut = ColorLUT(shaper: shaper, cube: cube)
    #expect(lut.evaluate(SIMD3(1, 0.5, 0)) == SIMD3(0.5, 0.75, 1))
    #expect(lut.sizeDescription == "1D 2 + 2³")
    #expect(ColorLUT().evaluate(SIMD3(0.1, 0.2, 0.3)) == SIMD3(0.1, 0.2, 0.3))
    #expect(ColorLUT().sizeDescription == "empty")
  }

  @Test("LUTs are equal by value, and hash alike then")
  func equality() throws {
    let cube = try Self.cube(size: 9) { $0 * $0 }
    let same = try Self.cube(size: 9) { $0 * $0 }
    var nodes = cube.nodes
    nodes[400].y += 1e-6
    let other = try LUT3D(size: 9, nodes: nodes)
    #expect(cube == same)
    #expect(cube.hashValue == same.hashValue)
    #expect(cube != other)
    #expect(Set([cube, same, other]).count == 2)
    nodes = cube.nodes
    nodes[0].x = -0.0
    let negativeZero = try LUT3D(size: 9, nodes: nodes)
    #expect(cube == negativeZero && cube.hashValue == negativeZero.hashValue)
  }

  @Test("What is no LUT is refused with the reason")
  func refusals() throws {
    let node = SIMD3<Float>(repeating: 0.5)
    func message(_ body: () throws -> Void) -> String? {
      #expect(throws: SafelightError.self, performing: body)?.description
    }
    #expect(
      message { _ = try LUT3D(size: 1, nodes: [node]) } == "A 3D LUT has 2…256 nodes per edge, not 1.")
    #expect(
      message { _ = try LUT3D(size: 2, nodes: [node]) } == "A 3D LUT of 2³ has 8 nodes, not 1.")
    #expect(
      message { _ = try LUT1D(samples: [node]) } == "A 1D LUT has 2…300000 samples, not 1.")
    #expect(
      message { _ = try LUT1D(samples: [node, SIMD3(0, .nan, 0)]) }
        == "Entry 1 of the LUT is (0.0, nan, 0.0); give finite values.")
    #expect(
      message { _ = try LUT1D(samples: [node, node], domainMin: SIMD3(0, 1, 0)) }
        == "The domain of the LUT's green runs from 1.0 to 1.0; give a minimum below the maximum.")
  }
}
