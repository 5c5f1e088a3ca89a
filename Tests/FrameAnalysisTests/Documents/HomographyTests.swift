import Testing

@testable import FrameAnalysis

@Suite("Projective maps")
struct HomographyTests {
  private let quad = Quad(SIMD2(10, 20), SIMD2(300, 5), SIMD2(280, 240), SIMD2(-15, 190))

  private func isNear(_ a: SIMD2<Double>?, _ b: SIMD2<Double>) -> Bool {
    guard let a else { return false }
    return ((a - b) * (a - b)).sum() < 1e-18 * 1e6
  }

  @Test("The unit square's corners go to the quad's, and back")
  func corners() throws {
    let map = try #require(Homography(unitSquareTo: quad))
    let back = try #require(map.inverse)
    let square = [SIMD2(0.0, 0), SIMD2(1, 0), SIMD2(1, 1), SIMD2(0, 1)]
    for index in 0..<4 {
      #expect(isNear(map(square[index]), quad[index]))
      #expect(isNear(back(quad[index]), square[index]))
    }
  }

  @Test("Lines stay lines: the diagonals' crossing goes to that of the quad's diagonals")
  func diagonals() throws {
    let map = try #require(Homography(unitSquareTo: quad))
    let (p, r) = (quad[0], quad[2] - quad[0])
    let (q, s) = (quad[1], quad[3] - quad[1])
    let crossing = p + r * (cross(q - p, s) / cross(r, s))
    #expect(isNear(map(SIMD2(0.5, 0.5)), crossing))
  }

  @Test("A map followed by another is their product")
  func product() throws {
    let first = try #require(Homography(unitSquareTo: quad))
    let second = try #require(
      Homography(unitSquareTo: Quad(SIMD2(0, 0), SIMD2(2, 0.1), SIMD2(2.2, 1.9), SIMD2(-0.1, 2))))
    let shrunk = Homography(x: SIMD3(0.001, 0, 0), y: SIMD3(0, 0.001, 0), w: SIMD3(0, 0, 1))
    let both = first.then(shrunk).then(second)
    let point = SIMD2(0.3, 0.8)
    let inner = try #require(first(point))
    #expect(isNear(both(point), try #require(second(inner * 0.001))))
  }

  @Test("Corners in a line have no map")
  func degenerate() {
    #expect(Homography(unitSquareTo: Quad(SIMD2(0, 0), SIMD2(1, 1), SIMD2(2, 2), SIMD2(0, 3))) == nil)
    #expect(Homography(unitSquareTo: Quad(.zero, .zero, .zero, .zero)) == nil)
  }
}
