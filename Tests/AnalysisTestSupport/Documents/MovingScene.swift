import FrameCore
import Libc
import TestSupport

@testable import FrameAnalysis

/// A flat scene before a camera that moves, or a page that moves over it: frames made from one picture and a map.
package struct MovingScene: Sendable {
  private let ground: PixelBuffer
  private let page: DocumentPage
  package let size: PixelSize

  package init(seed: UInt64, size: PixelSize = PixelSize(width: 640, height: 480)) throws {
    self.size = size
    ground = try DocumentScene(
      seed: seed, ground: .wood, size: PixelSize(width: 2 * size.width, height: 2 * size.height),
      hasPage: false
    ).picture
    page = DocumentPage(content: .table, seed: seed)
  }

  /// Corners of the page in the scene, in pixels of a frame of a camera at rest.
  package static let rest = Quad(SIMD2(220, 120), SIMD2(420, 110), SIMD2(430, 380), SIMD2(210, 390))

  /// A frame of a camera by which the scene's place p is seen at camera(p), with the page at page(p).
  package func frame(camera: Homography, page place: Homography = .identity, noise: Int = 2, seed: UInt64 = 1)
    throws
    -> PixelBuffer
  {
    var random = SeededRandom(seed: seed)
    guard let back = camera.inverse, let onPage = Homography(unitSquareTo: Self.rest)?.then(place).inverse
    else {
      throw SafelightError(.invalidValue, "The map is singular")
    }
    let frame = try PixelBuffer(size: size, format: .gray8)
    for y in 0..<size.height {
      let row = frame.row(y, as: UInt8.self)
      for x in 0..<size.width {
        guard let p = back(SIMD2(Double(x) + 0.5, Double(y) + 0.5)) else { continue }
        var level = light(p)
        if let uv = onPage(p), uv.x >= 0, uv.y >= 0, uv.x < 1, uv.y < 1 { level = 230 * page(uv.x, uv.y) }
        let grain = Int(truncatingIfNeeded: random.next() >> 40) % (2 * noise + 1) - noise
        row[x] = UInt8(min(max(Int(level.rounded()) + (noise > 0 ? grain : 0), 0), 255))
      }
    }
    return frame
  }

  /// The ground at a place of the scene; it is twice as large as a frame, around it.
  private func light(_ p: SIMD2<Double>) -> Float {
    let (x, y) = (p.x + Double(size.width) / 2 - 0.5, p.y + Double(size.height) / 2 - 0.5)
    let (u, v) = (min(max(x, 0), Double(ground.width) - 1.001), min(max(y, 0), Double(ground.height) - 1.001))
    let (i, j) = (Int(u), Int(v))
    let (a, b) = (Float(u - Double(i)), Float(v - Double(j)))
    let (top, bottom) = (ground.row(j, as: UInt8.self), ground.row(j + 1, as: UInt8.self))
    let upper = Float(top[i]) * (1 - a) + Float(top[i + 1]) * a
    let lower = Float(bottom[i]) * (1 - a) + Float(bottom[i + 1]) * a
    return upper * (1 - b) + lower * b
  }

  /// The view of a camera moved by `shift` pixels, turned by `degrees` and scaled about the frame's centre, and tilted:
  /// the change of depth over a pixel.
  package func camera(
    shift: SIMD2<Double> = .zero, degrees: Double = 0, scale: Double = 1, tilt: SIMD2<Double> = .zero
  ) -> Homography {
    let center = SIMD2(Double(size.width), Double(size.height)) / 2
    let (c, s) = (scale * cos(degrees * .pi / 180), scale * sin(degrees * .pi / 180))
    let home = Homography(x: SIMD3(1, 0, -center.x), y: SIMD3(0, 1, -center.y), w: SIMD3(0, 0, 1))
    let move = Homography(x: SIMD3(c, -s, shift.x), y: SIMD3(s, c, shift.y), w: SIMD3(tilt.x, tilt.y, 1))
    let back = Homography(x: SIMD3(1, 0, center.x), y: SIMD3(0, 1, center.y), w: SIMD3(0, 0, 1))
    return home.then(move).then(back)
  }
}
