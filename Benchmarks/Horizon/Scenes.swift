import BenchmarkSupport
import Capture
import FrameCore
import Glibc

/// One picture with a known roll, or without a horizon.
struct EvaluationScene {
  var kind: String
  /// The clockwise rotation that levels it; nil if it has no horizon.
  var degrees: Double?
  var picture: PixelBuffer
}

extension SplitMix64 {
  /// A uniformly distributed value of the range.
  mutating func callAsFunction(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }
}

/// Values 0…1 over the plane, one lattice cell per unit.
struct Texture {
  private let lattice: [Double]

  init(_ numbers: inout SplitMix64) { lattice = (0..<4096).map { _ in numbers(0...1) } }

  /// Three lattices rotated against one another: a single one would draw level and upright edges.
  func callAsFunction(_ x: Double, _ y: Double) -> Double {
    let sum =
      single(0.921 * x - 0.389 * y + 3.7, 0.389 * x + 0.921 * y)
      + single(0.122 * x - 0.993 * y, 0.993 * x + 0.122 * y + 21.3)
      + single(-0.801 * x - 0.599 * y + 40.1, 0.599 * x - 0.801 * y)
    // The mean of three lattices varies less than one of them.
    return min(max(0.5 + (sum / 3 - 0.5) * 1.6, 0), 1)
  }

  private func single(_ x: Double, _ y: Double) -> Double {
    let (fx, fy) = (x.rounded(.down), y.rounded(.down))
    let (i, j) = (Int(truncatingIfNeeded: Int64(fx)), Int(truncatingIfNeeded: Int64(fy)))
    // Smooth steps, because hills and clouds have no straight slopes.
    func fade(_ t: Double) -> Double { t * t * (3 - 2 * t) }
    let (a, b) = (fade(x - fx), fade(y - fy))
    func at(_ i: Int, _ j: Int) -> Double { lattice[(j & 63) << 6 | (i & 63)] }
    let top = at(i, j) + (at(i + 1, j) - at(i, j)) * a
    let bottom = at(i, j + 1) + (at(i + 1, j + 1) - at(i, j + 1)) * a
    return top + (bottom - top) * b
  }
}

/// Paints a grey picture from `level` (0…255), a function of positions in halves of the long edge from the
/// centre, y down; with four samples per pixel, and noise.
func paint(_ size: PixelSize, _ numbers: inout SplitMix64, _ level: (Double, Double) -> Double) throws
  -> PixelBuffer
{
  let buffer = try PixelBuffer(size: size, format: .gray8)
  let noise = numbers(0.5...4)
  let unit = 2 / Double(size.longEdge)
  for y in 0..<size.height {
    let row = buffer.row(y, as: UInt8.self)
    for x in 0..<size.width {
      var sum = 0.0
      for (dx, dy) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
        sum += level(
          (Double(x) + dx - Double(size.width) / 2) * unit, (Double(y) + dy - Double(size.height) / 2) * unit)
      }
      let grain = noise * (numbers(0...1) + numbers(0...1) + numbers(0...1) - 1.5) * 2
      row[x] = UInt8(min(max((sum / 4 + grain).rounded(), 0), 255))
    }
  }
  return buffer
}

enum EvaluationScenes {
  static let kindsWithHorizon = ["coast", "sea", "city", "room", "road", "forest"]
  static let kindsWithout = ["sticks", "discs", "clouds", "hills", "stairs", "papers", "portrait", "leaf"]

  static func make(_ kind: String, seed: Int) throws -> EvaluationScene {
    var numbers = SplitMix64(
      seed: UInt64(seed) &* 1_000_003 &+ UInt64(kind.utf8.reduce(0) { $0 * 31 + Int($1) }))
    let degrees = numbers(-20...20)
    let isPortrait = numbers(0...1) < 0.25
    let size = isPortrait ? PixelSize(width: 540, height: 720) : PixelSize(width: 720, height: 480)
    if kind == "coast" {
      let scene = SyntheticScene(
        size: size, horizonDegrees: degrees, horizonHeight: numbers(0.35...0.65), seed: UInt32(seed))
      return EvaluationScene(kind: kind, degrees: degrees, picture: try scene.render())
    }
    if let level = withoutHorizon(kind, &numbers) {
      return EvaluationScene(kind: kind, degrees: nil, picture: try paint(size, &numbers, level))
    }
    let world = world(kind, &numbers)
    var camera = World.Camera(roll: degrees * .pi / 180)
    camera.pitch = numbers(-12...12) * .pi / 180
    camera.focalLength = numbers(1.1...2.4)
    if kind == "room" { camera.yaw = numbers(-0.6...0.6) }
    if kind == "road" { camera.yaw = numbers(-0.15...0.15) }
    let picture = try paint(size, &numbers, world.view(camera))
    return EvaluationScene(kind: kind, degrees: degrees, picture: picture)
  }

  private static func world(_ kind: String, _ numbers: inout SplitMix64) -> World {
    var world = World()
    let (ground, fine) = (Texture(&numbers), Texture(&numbers))
    switch kind {
    case "sea":
      let dark = numbers(70...140)
      world.ground = { x, z in dark + 45 * ground(x * 0.8, z * 0.35) + 25 * fine(x * 3, z * 1.3) }
      let clouds = Texture(&numbers)
      world.sky = { elevation, azimuth in
        190 - 50 * elevation + 30 * clouds(azimuth * 5, 3 / (elevation + 0.15))
      }
    case "city":
      world.ground = { x, z in 90 + 40 * ground(x * 2, z * 2) }
      let yaw = numbers(-0.7...0.7)
      for _ in 0..<12 {
        world.boxes.append(
          World.Box(
            x: numbers(-22...22), z: numbers(12...45), halfWidth: numbers(2...5), halfDepth: numbers(2...5),
            bottom: 0, top: numbers(4...16), yaw: yaw + (numbers(0...1) < 0.2 ? numbers(-0.5...0.5) : 0),
            level: numbers(60...190), windows: numbers(1.4...3)))
      }
    case "room":
      world.room = World.Box(
        x: 0, z: 1, halfWidth: numbers(2...3.5), halfDepth: numbers(3...4.5), bottom: 0,
        top: numbers(2.4...3.2), yaw: 0, level: numbers(120...190))
      for _ in 0..<6 {
        let top = numbers(0.4...2)
        world.boxes.append(
          World.Box(
            x: numbers(-2...2), z: numbers(2...4), halfWidth: numbers(0.2...0.6),
            halfDepth: numbers(0.2...0.5),
            bottom: 0, top: top, yaw: numbers(0...1) < 0.7 ? 0 : numbers(-0.8...0.8), level: numbers(40...220)
          ))
      }
    case "road":
      world.ground = { x, z in
        let isLine = abs(x) < 0.1 && (z / 6).truncatingRemainder(dividingBy: 1) < 0.5
        let isEdge = abs(abs(x) - 3.4) < 0.08
        return isLine || isEdge
          ? 210 : (abs(x) < 3.8 ? 85 + 12 * fine(x * 8, z * 8) : 110 + 60 * ground(x, z))
      }
      for pole in 1...14 {
        for side in [-5.5, 5.5] where numbers(0...1) < 0.7 {
          world.boxes.append(
            World.Box(
              x: side, z: Double(pole) * 7, halfWidth: 0.09, halfDepth: 0.09, bottom: 0,
              top: numbers(4...7), yaw: 0, level: 50))
        }
      }
    default:
      world.ground = { x, z in 60 + 90 * ground(x * 3, z * 3) }
      world.sky = { elevation, azimuth in 60 + 90 * ground(azimuth * 40, elevation * 40) }
      for _ in 0..<34 {
        world.boxes.append(
          World.Box(
            x: numbers(-14...14), z: numbers(4...30), halfWidth: numbers(0.1...0.35), halfDepth: 0.2,
            bottom: 0,
            top: 14, yaw: numbers(-0.7...0.7), level: numbers(30...80),
            lean: 14 * (numbers(-0.03...0.03) + numbers(-0.03...0.03))))
      }
    }
    return world
  }

  private static func withoutHorizon(_ kind: String, _ numbers: inout SplitMix64)
    -> ((Double, Double) -> Double)?
  {
    let (coarse, fine) = (Texture(&numbers), Texture(&numbers))
    switch kind {
    case "sticks":
      let sticks = (0..<Int(numbers(20...140))).map { _ in
        let angle = numbers(0...Double.pi)
        return (
          x: numbers(-1...1), y: numbers(-0.8...0.8), dx: cos(angle), dy: sin(angle),
          length: numbers(0.05...0.35), level: numbers(10...245)
        )
      }
      return { x, y in
        let stick = sticks.last {
          let (u, v) = (x - $0.x, y - $0.y)
          return abs(u * $0.dx + v * $0.dy) < $0.length && abs(v * $0.dx - u * $0.dy) < 0.008
        }
        return stick?.level ?? 100 + 50 * coarse(x * 8, y * 8)
      }
    case "discs":
      let discs = (0..<Int(numbers(4...30))).map { _ in
        (
          x: numbers(-1...1), y: numbers(-0.8...0.8), radius: numbers(0.05...0.4), flat: numbers(0.6...1.6),
          level: numbers(10...245)
        )
      }
      return { x, y in
        let disc = discs.last {
          let (u, v) = ((x - $0.x) * $0.flat, y - $0.y)
          return u * u + v * v < $0.radius * $0.radius
        }
        return disc?.level ?? 90 + 70 * coarse(x * 2, y * 2)
      }
    case "clouds":
      return { x, y in
        60 + 100 * coarse(x * 3 + 7, y * 3) + 50 * fine(x * 7, y * 7) + 25 * coarse(x * 17, y * 17)
      }
    case "hills":
      return { x, y in
        let top = 0.5 * (coarse(x * 2 + 9, 0) - 0.5) + 0.16 * (fine(x * 7, 0) - 0.5)
        return y < top ? 190 - 30 * coarse(x, y) : 50 + 70 * fine(x * 40, y * 40)
      }
    case "stairs":
      let angle = (numbers(0...1) < 0.5 ? -1 : 1) * numbers(24...42) * .pi / 180
      let pitch = numbers(0.06...0.16)
      return { x, y in
        let across = (-x * sin(angle) + y * cos(angle)) / pitch
        return (across - across.rounded(.down) < 0.35 ? 85 : 160) + 30 * fine(x * 60, y * 60)
      }
    case "papers":
      // A table seen from above, with sheets at different angles.
      let count = Int(numbers(5...12))
      let sheets = (0..<count).map { index in
        let angle = (Double(index) + numbers(0.2...0.8)) / Double(count) * Double.pi / 2
        return (
          x: numbers(-0.9...0.9), y: numbers(-0.6...0.6), dx: cos(angle), dy: sin(angle),
          width: numbers(0.08...0.3), height: numbers(0.1...0.35), level: numbers(90...245),
          rows: numbers(0.02...0.05)
        )
      }
      return { x, y in
        for sheet in sheets.reversed() {
          let (u, v) = (x - sheet.x, y - sheet.y)
          let (along, across) = (u * sheet.dx + v * sheet.dy, v * sheet.dx - u * sheet.dy)
          guard abs(along) < sheet.width, abs(across) < sheet.height else { continue }
          let row = across / sheet.rows
          let isText = row - row.rounded(.down) < 0.4 && abs(along) < 0.8 * sheet.width
          return isText ? sheet.level - 35 * fine(x * 90, y * 90) : sheet.level
        }
        return 70 + 30 * coarse(x * 6, y * 6)
      }
    case "portrait":
      // A head on sloping shoulders, in front of a blurred background.
      let (lean, size) = (numbers(-0.3...0.3), numbers(0.2...0.35))
      let (skin, cloth) = (numbers(120...200), numbers(30...160))
      let left = numbers(0.25...0.55), right = numbers(0.25...0.55)
      return { x, y in
        let (u, v) = (x * cos(lean) + y * sin(lean), y * cos(lean) - x * sin(lean))
        let face = u * u / (size * size) + (v + 0.1) * (v + 0.1) / (1.8 * size * size)
        if face < 1 { return skin - 40 * face - (v < -0.1 - 0.6 * size ? 80 : 0) + 10 * fine(x * 30, y * 30) }
        let shoulder = 0.3 + (u < 0 ? left : right) * max(abs(u) - 0.2, 0)
        if v > shoulder || (abs(u) < 0.6 * size && v > 0) { return cloth + 25 * fine(x * 25, y * 25) }
        return 60 + 130 * coarse(x * 1.5, y * 1.5)
      }
    case "leaf":
      // Ribs branching from a midrib, close up.
      let (angle, branch) = (numbers(0...Double.pi), numbers(0.5...1.1))
      let (apart, bend) = (numbers(0.1...0.22), numbers(-0.5...0.5))
      return { x, y in
        let (u, v) = (x * cos(angle) + y * sin(angle), y * cos(angle) - x * sin(angle) + bend * x * x * 0.3)
        let way = (u - abs(v) * branch - bend * v * v) / apart
        let rib = abs(way - way.rounded()) * apart
        let isRib = abs(v) < 0.015 || rib < 0.006
        return (isRib ? 170 : 105) + 40 * coarse(x * 5, y * 5) + 25 * fine(x * 40, y * 40)
      }
    default:
      return nil
    }
  }
}
