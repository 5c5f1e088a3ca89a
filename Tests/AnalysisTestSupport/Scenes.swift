import FrameCore
import TestSupport

@testable import FrameAnalysis

/// Pictures of things with a known tilt, and of things without any, made from formulas and a seed.
package enum Scenes {
  /// Values 0…1 that wander from lattice point to lattice point, `cell` pixels apart.
  package struct Texture {
    private let lattice: [Double]
    private let cell: Double

    package init(seed: Int, cell: Double) {
      var random = SeededRandom(seed: UInt64(seed))
      lattice = (0..<4096).map { _ in Double.random(in: 0..<1, using: &random) }
      self.cell = cell
    }

    package func callAsFunction(_ x: Double, _ y: Double) -> Double {
      let (u, v) = (x / cell + 1000, y / cell + 1000)
      let (i, j) = (Int(u), Int(v))
      let (a, b) = (u - Double(i), v - Double(j))
      func at(_ i: Int, _ j: Int) -> Double { lattice[(j & 63) << 6 | (i & 63)] }
      let top = at(i, j) + (at(i + 1, j) - at(i, j)) * a
      let bottom = at(i, j + 1) + (at(i + 1, j + 1) - at(i, j + 1)) * a
      return top + (bottom - top) * b
    }
  }

  package static let size = PixelSize(width: 480, height: 360)

  /// A picture whose content is `level` (0…255) of world coordinates: pixels from the centre, turned so that the world
  /// stands `degrees` counter-clockwise in the picture. Each pixel is the mean of two samples.
  package static func picture(
    degrees: Double, size: PixelSize = size, noise: Double = 2, seed: Int = 1, zoom: Double = 1,
    _ level: (Double, Double) -> Double
  ) throws -> PixelBuffer {
    var random = SeededRandom(seed: UInt64(seed) &* 77)
    let direction = heading(degrees * .pi / 180)
    return try Pictures.gray8(size.width, size.height) { x, y in
      var sum = 0.0
      for (dx, dy) in [(0.25, 0.75), (0.75, 0.25)] {
        let px = (Double(x) + dx - Double(size.width) / 2) / zoom
        let py = (Double(y) + dy - Double(size.height) / 2) / zoom
        sum += level(px * direction.x + py * direction.y, -px * direction.y + py * direction.x)
      }
      let grain =
        noise * (0..<3).reduce(-1.5) { sum, _ in sum + Double.random(in: 0..<1, using: &random) } * 2
      return UInt8(min(max((sum / 2 + grain).rounded(), 0), 255))
    }
  }

  /// A smooth sky over a textured sea.
  package static func sea(
    degrees: Double, seed: Int, size: PixelSize = size, zoom: Double = 1, gain: Double = 1
  )
    throws -> PixelBuffer
  {
    let (waves, clouds) = (Texture(seed: seed, cell: 11), Texture(seed: seed + 1, cell: 150))
    let line = Double(seed % 5) * 25 - 50
    return try picture(degrees: degrees, size: size, seed: seed, zoom: zoom) { x, y in
      gain * (y < line ? 165 + 25 * clouds(x, y) : 95 + 45 * waves(x, y * 3))
    }
  }

  /// A flat wall with rows of windows, seen at a slant: `convergence` is how much nearer one side is.
  package static func facade(degrees: Double, seed: Int, convergence: Double = 0) throws -> PixelBuffer {
    let wall = Texture(seed: seed, cell: 5)
    return try picture(degrees: degrees, seed: seed) { x, y in
      // Level lines meet far to one side, upright lines stay upright: the camera is held level.
      let depth = 1 + convergence * x / 320
      let (u, v) = (x / depth / 90, y / depth / 110)
      let window = abs(u - u.rounded()) < 0.27 && abs(v - v.rounded()) < 0.33
      return (window ? 70 : 150) + 25 * wall(x, y)
    }
  }

  /// Discs of any size and grey over a soft ground: nothing in it is straight.
  package static func discs(seed: Int) throws -> PixelBuffer {
    var random = SeededRandom(seed: UInt64(seed))
    let discs = (0..<14).map { _ in
      (
        x: Double.random(in: -240...240, using: &random), y: Double.random(in: -180...180, using: &random),
        radius: Double.random(in: 20...130, using: &random),
        level: Double.random(in: 20...235, using: &random)
      )
    }
    let ground = Texture(seed: seed, cell: 200)
    return try picture(degrees: 0, seed: seed) { x, y in
      let disc = discs.last { ($0.x - x) * ($0.x - x) + ($0.y - y) * ($0.y - y) < $0.radius * $0.radius }
      return disc?.level ?? 100 + 60 * ground(x, y)
    }
  }

  /// Sticks that lie anyhow.
  package static func sticks(seed: Int, count: Int = 60) throws -> PixelBuffer {
    var random = SeededRandom(seed: UInt64(seed))
    let sticks = (0..<count).map { _ in
      (
        x: Double.random(in: -240...240, using: &random), y: Double.random(in: -180...180, using: &random),
        along: heading(Double.random(in: 0..<Double.pi, using: &random)),
        length: Double.random(in: 15...110, using: &random),
        level: Double.random(in: 20...235, using: &random)
      )
    }
    let ground = Texture(seed: seed, cell: 40)
    return try picture(degrees: 0, seed: seed) { x, y in
      let stick = sticks.last {
        let offset = SIMD2(x - $0.x, y - $0.y)
        return abs((offset * $0.along).sum()) < $0.length && abs(cross($0.along, offset)) < 2.5
      }
      return stick?.level ?? 110 + 40 * ground(x, y)
    }
  }

  /// Soft clouds of four sizes.
  package static func clouds(seed: Int) throws -> PixelBuffer {
    let octaves = (0..<4).map { Texture(seed: seed + 10 * $0, cell: 180 / Double(1 << $0)) }
    return try picture(degrees: 0, seed: seed) { x, y in
      octaves.enumerated().reduce(70.0) { $0 + 110 / Double(1 << $1.offset) * $1.element(x, y) }
    }
  }

  /// Treads of a stair that is climbed sideways: parallel lines at a slant, and nothing else.
  package static func stairs(degrees: Double, seed: Int) throws -> PixelBuffer {
    let stone = Texture(seed: seed, cell: 6)
    return try picture(degrees: degrees, seed: seed) { x, y in
      let step = y / 34
      return (step - step.rounded(.down) < 0.35 ? 90 : 160) + 30 * stone(x, y)
    }
  }

  /// A skyline of hills.
  package static func hills(seed: Int) throws -> PixelBuffer {
    let (crest, wood) = (Texture(seed: seed, cell: 130), Texture(seed: seed + 1, cell: 12))
    let (peaks, sky) = (Texture(seed: seed + 2, cell: 45), Texture(seed: seed + 3, cell: 200))
    return try picture(degrees: 0, seed: seed) { x, y in
      let top = 170 * (crest(x, 0) - 0.5) + 60 * (peaks(x, 0) - 0.5)
      return y < top ? 180 + 30 * sky(x, y) : 60 + 50 * wood(x, y)
    }
  }
}
