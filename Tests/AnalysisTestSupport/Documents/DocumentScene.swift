import FrameCore
import Libc
import TestSupport

@testable import FrameAnalysis

/// A picture of a page that lies on something, with its true corners: made from a seed, as phones photograph pages.
package struct DocumentScene: Sendable {
  package enum Ground: String, CaseIterable, Sendable {
    case plain, wood, cloth, papers, keyboard
    package var isCluttered: Bool { self == .papers || self == .keyboard }
  }

  package let size: PixelSize
  /// The corners in pixels, clockwise from the page's own top left; nil if there is no page.
  package let corners: [SIMD2<Double>]?
  /// The page's width to its height.
  package let ratio: Double
  package let picture: PixelBuffer

  /// - Parameter hasPage: whether there is a page; without, only the ground is seen.
  package init(
    seed: UInt64, ground: Ground, size: PixelSize = PixelSize(width: 1280, height: 960), hasPage: Bool = true
  ) throws {
    self.size = size
    var random = SeededRandom(seed: seed &* 1000 &+ UInt64(ground.rawValue.utf8.reduce(0) { $0 + Int($1) }))
    let ratios = [1 / 2.0.squareRoot(), 2.0.squareRoot(), 8.5 / 11, 85.6 / 53.98, 0.6]
    let ratio = ratios[Int.random(in: 0..<ratios.count, using: &random)]
    self.ratio = ratio
    var camera = DocumentCamera(random: &random, size: size)
    let truth = camera.place(ratio: ratio, share: Double.random(in: 0.18...0.7, using: &random), &random)
    let contents = DocumentPage.Content.allCases
    let page = DocumentPage(
      ratio: ratio, content: contents[Int.random(in: 0..<contents.count, using: &random)],
      paper: Float.random(in: 0.75...0.95, using: &random), seed: random.next())
    let surface = DocumentGround(ground, truth: truth, size: size, &random)
    let light = DocumentLight(size: size, truth: truth, &random)
    let map = Homography(unitSquareTo: truth)?.inverse
    corners = hasPage ? (0..<4).map { truth[$0] } : nil
    var samples = [Float](repeating: 0, count: size.pixelCount)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let p = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
        var level = surface(p)
        if hasPage, let map {
          if let uv = map(p), uv.x >= 0, uv.y >= 0, uv.x < 1, uv.y < 1 {
            level = page(uv.x, uv.y)
          } else {
            level *= light.underPage(p)
          }
        }
        samples[y * size.width + x] = level * light(p)
      }
    }
    if hasPage, Int.random(in: 0..<4, using: &random) == 0 {
      DocumentLight.hold(truth, in: &samples, size, &random)
    }
    let blur = Int.random(in: 1...3, using: &random) * size.longEdge / 1280
    DocumentLight.blur(&samples, size, radius: blur)
    picture = try DocumentLight.expose(samples, size, noise: Float.random(in: 1...5, using: &random), &random)
  }
}

/// A camera that looks at a page.
package struct DocumentCamera: Sendable {
  package let size: PixelSize
  /// In long edges.
  package let focal: Double

  package init(random: inout SeededRandom, size: PixelSize) {
    self.size = size
    focal = Double.random(in: 0.7...1.4, using: &random)
  }

  /// The corners in pixels of a page of `ratio`, turned and tilted at random, that covers about `share` of the picture.
  mutating func place(ratio: Double, share: Double, _ random: inout SeededRandom) -> Quad {
    let roll = Double.random(in: -0.7...0.7, using: &random)
    let tilt = Double.random(in: 0...0.65, using: &random)
    let axis = Double.random(in: 0..<2 * Double.pi, using: &random)
    let shift = SIMD2(
      Double.random(in: -0.06...0.06, using: &random), Double.random(in: -0.06...0.06, using: &random))
    var scale = 1.0
    var quad = Quad(.zero, .zero, .zero, .zero)
    // Halves of the picture; it is moved away until it fits.
    for _ in 0..<60 {
      quad = project(ratio, roll, tilt, axis, scale, shift)
      let area = abs(quad.area) / Double(size.pixelCount)
      let isInside = (0..<4).allSatisfy {
        quad[$0].x > -0.02 * Double(size.width) && quad[$0].y > -0.02 * Double(size.height)
          && quad[$0].x < 1.02 * Double(size.width) && quad[$0].y < 1.02 * Double(size.height)
      }
      if isInside && area <= share * 1.02 { break }
      scale *= 0.95
    }
    return quad
  }

  private func project(
    _ ratio: Double, _ roll: Double, _ tilt: Double, _ axis: Double, _ scale: Double, _ shift: SIMD2<Double>
  ) -> Quad {
    let long = Double(size.longEdge)
    let half = SIMD2(ratio, 1) / max(ratio, 1) * 0.6 * scale
    func corner(_ sx: Double, _ sy: Double) -> SIMD2<Double> {
      let p = SIMD2(sx * half.x, sy * half.y)
      let (x, y) = (p.x * cos(roll) - p.y * sin(roll), p.x * sin(roll) + p.y * cos(roll))
      // Turned about an axis in the page's plane.
      let along = x * cos(axis) + y * sin(axis)
      let across = -x * sin(axis) + y * cos(axis)
      let (tilted, depth) = (across * cos(tilt), across * sin(tilt))
      let (px, py) = (along * cos(axis) - tilted * sin(axis), along * sin(axis) + tilted * cos(axis))
      let distance = focal + depth
      return (SIMD2(px, py) * focal / distance + shift) * long
        + SIMD2(Double(size.width), Double(size.height)) / 2
    }
    return Quad(corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1))
  }
}
