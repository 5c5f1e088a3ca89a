import FrameCore
import Testing

@testable import Rendering

@Suite("Strokes") struct StrokeTests {
  private func canvas(_ width: Int = 60, _ height: Int = 40) throws -> Canvas {
    let canvas = try Canvas(size: PixelSize(width: width, height: height), tags: .sRGB, alpha: .opaque)
    canvas.fill(.black)
    return canvas
  }

  /// The sum of a white drawing's coverage, in pixels.
  private func ink(_ canvas: Canvas) -> Double {
    (0..<canvas.size.height).reduce(0) { sum, y in
      let row = canvas.buffer.row(y, as: UInt8.self)
      return sum + (0..<canvas.size.width).reduce(0) { $0 + Double(row[4 * $1]) / 255 }
    }
  }

  @Test(
    "A line's ink is that of a rectangle with half discs at its ends",
    arguments: [
      (CanvasPoint(10, 20), CanvasPoint(50, 20)), (CanvasPoint(30, 5), CanvasPoint(30, 33)),
      (CanvasPoint(8.3, 7.7), CanvasPoint(49.1, 31.9)), (CanvasPoint(20, 34), CanvasPoint(31, 4)),
      (CanvasPoint(12.5, 12.5), CanvasPoint(12.5, 12.5)),
    ])
  func area(from: CanvasPoint, to: CanvasPoint) throws {
    for width in [3.0, 6] {
      let canvas = try canvas()
      canvas.stroke(from: from, to: to, width: width, .white)
      let way = to - from
      let length = (way * way).sum().squareRoot()
      let expected = length * width + .pi * width * width / 4
      #expect(abs(ink(canvas) - expected) < 0.03 * expected + 0.5, "width \(width)")
    }
  }

  @Test("A line is the same from either end, and fades with its opacity")
  func symmetry() throws {
    let (a, b) = (CanvasPoint(5.2, 30.1), CanvasPoint(51.7, 9.4))
    let (forth, back, faint) = (try canvas(), try canvas(), try canvas())
    forth.stroke(from: a, to: b, width: 2.5, .white)
    back.stroke(from: b, to: a, width: 2.5, .white)
    faint.stroke(from: a, to: b, width: 2.5, .white, opacity: 0.5)
    for y in 0..<40 {
      let rows = [forth, back, faint].map { $0.buffer.row(y, as: UInt8.self) }
      for index in 0..<240 where index % 4 != 3 {
        #expect(abs(Int(rows[0][index]) - Int(rows[1][index])) <= 1)
        #expect(abs(Int(rows[0][index]) - 2 * Int(rows[2][index])) <= 2)
      }
    }
  }

  @Test("What lies off the canvas is left out, however far away")
  func clipping() throws {
    let (near, far) = (try canvas(), try canvas())
    near.stroke(from: CanvasPoint(-100, 20.5), to: CanvasPoint(200, 20.5), width: 3, .white)
    far.stroke(from: CanvasPoint(-1e12, 20.5), to: CanvasPoint(1e12, 20.5), width: 3, .white)
    #expect(abs(ink(near) - 180) < 0.01)
    #expect(abs(ink(far) - 180) < 0.5)
    let empty = try canvas()
    empty.stroke(from: CanvasPoint(-50, -9), to: CanvasPoint(90, -9), width: 3, .white)
    empty.stroke(from: CanvasPoint(.nan, 0), to: CanvasPoint(20, 20), width: 3, .white)
    empty.stroke(from: CanvasPoint(0, 0), to: CanvasPoint(.infinity, 20), width: 3, .white)
    empty.strokeCircle(CanvasPoint(1e9, -1e9), radius: 5, width: 2, .white)
    empty.strokeCircle(CanvasPoint(.nan, 3), radius: 5, width: 2, .white)
    #expect(ink(empty) == 0)
  }

  @Test("A circle's ink is its length times the pen")
  func circle() throws {
    let canvas = try canvas()
    canvas.strokeCircle(CanvasPoint(30, 20), radius: 12, width: 2.5, .white)
    #expect(abs(ink(canvas) - 2 * .pi * 12 * 2.5) < 3)
  }
}
