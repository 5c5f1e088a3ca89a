import AnalysisTestSupport
import FrameCore
import Testing

@testable import FrameAnalysis

@Suite("Outlines refined on full pictures")
struct OutlineRefinementTests {
  private let size = PixelSize(width: 1600, height: 1200)
  private let quad = Quad(
    SIMD2(300.4, 190.7), SIMD2(1260.2, 240.9), SIMD2(1330.8, 1010.3), SIMD2(210.1, 960.6))

  /// A light sheet on grey, stored so that `orientation` shows it upright.
  private func picture(_ orientation: Orientation) throws -> PixelBuffer {
    let stored = orientation.inverse.applied(to: size)
    return try Pictures.gray8(stored.width, stored.height) { x, y in
      var sum = 0.0
      for j in 0..<3 {
        for i in 0..<3 {
          let u = (Double(x) + (Double(i) + 0.5) / 3) / Double(stored.width)
          let v = (Double(y) + (Double(j) + 0.5) / 3) / Double(stored.height)
          // As EXIF has it: mirrored, then turned clockwise.
          var p = SIMD2(orientation.isMirrored ? 1 - u : u, v)
          for _ in 0..<orientation.quarterTurns { p = SIMD2(1 - p.y, p.x) }
          sum += quad.contains(p * SIMD2(Double(size.width), Double(size.height))) ? 205 : 80
        }
      }
      return UInt8((sum / 9).rounded())
    }
  }

  private func normalized(_ quad: Quad) -> [NormalizedPoint] {
    (0..<4).map { NormalizedPoint(quad[$0].x / Double(size.width), quad[$0].y / Double(size.height)) }
  }

  @Test(
    "Corners three pixels off move to within a fifth of a pixel, however the picture is stored",
    arguments: Orientation.allCases)
  func corners(orientation: Orientation) throws {
    let off = Quad(
      quad[0] + SIMD2(2, -3), quad[1] + SIMD2(-3, 2), quad[2] + SIMD2(3, 1), quad[3] + SIMD2(-1, -3))
    let frame = Frame(buffer: try picture(orientation), orientation: orientation)
    let refined = try DocumentDetector.refined(normalized(off), in: frame)
    for index in 0..<4 {
      let corner = SIMD2(refined[index].x * Double(size.width), refined[index].y * Double(size.height))
      let way = corner - quad[index]
      #expect((way * way).sum().squareRoot() < 0.2, "corner \(index): \(corner), not \(quad[index])")
    }
  }

  @Test("Sides without an edge nearby stay where they are")
  func stays() throws {
    let frame = Frame(buffer: try Pictures.gray8(800, 600) { _, _ in 90 })
    let outline = normalized(quad)
    let refined = try DocumentDetector.refined(outline, in: frame)
    for index in 0..<4 {
      #expect(
        abs(refined[index].x - outline[index].x) < 1e-9 && abs(refined[index].y - outline[index].y) < 1e-9)
    }
  }

  @Test("Outlines that are none of a page are refused with the reason")
  func refuses() throws {
    let frame = Frame(buffer: try Pictures.gray8(64, 64) { _, _ in 90 })
    func problem(_ points: [(Double, Double)]) -> String {
      do {
        _ = try DocumentDetector.refined(points.map { NormalizedPoint($0.0, $0.1) }, in: frame)
        return "none"
      } catch { return "\(error)" }
    }
    #expect(problem([(0, 0), (1, 0), (1, 1)]).hasPrefix("An outline of 3 corners is not a page's"))
    let crossed = "The four corners of the page are in a line, or its sides cross"
    #expect(problem([(0, 0), (1, 1), (1, 0), (0, 1)]).hasPrefix(crossed))
    #expect(problem([(0, 0), (0.2, 0.2), (0.5, 0.5), (1, 1)]).hasPrefix(crossed))
    #expect(problem([(0, 0), (0, 1), (1, 1), (1, 0)]).hasPrefix(crossed))
    #expect(
      problem([(0, 0), (.nan, 0), (1, 1), (0, 1)]).hasPrefix("A corner of the page lies too far outside"))
  }
}
