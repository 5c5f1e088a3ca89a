import FrameCore
import Libc
import TestSupport

@testable import FrameAnalysis

/// What a page lies on.
struct DocumentGround: Sendable {
  private let kind: DocumentScene.Ground
  private let level: Float
  private let texture: Scenes.Texture
  private let fine: Scenes.Texture
  private let angle: SIMD2<Double>
  private let unit: Double
  private var others: [(map: Homography, page: DocumentPage)] = []

  init(_ kind: DocumentScene.Ground, truth: Quad, size: PixelSize, _ random: inout SeededRandom) {
    self.kind = kind
    unit = Double(size.longEdge) / 1280
    level = Float.random(in: kind == .plain ? 0.15...0.6 : 0.2...0.55, using: &random)
    texture = Scenes.Texture(seed: Int(random.next() % 10_000), cell: 60 * unit)
    fine = Scenes.Texture(seed: Int(random.next() % 10_000), cell: 6 * unit)
    angle = heading(Double.random(in: 0..<Double.pi, using: &random))
    guard kind == .papers else { return }
    for _ in 0..<Int.random(in: 2...4, using: &random) {
      // Other sheets, partly below the page, turned differently.
      let center = SIMD2(
        Double.random(in: 0...Double(size.width), using: &random),
        Double.random(in: 0...Double(size.height), using: &random))
      let turn = heading(Double.random(in: 0..<2 * Double.pi, using: &random))
      let long = Double.random(in: 0.25...0.45, using: &random) * Double(size.longEdge)
      let (u, v) = (turn * long * 0.7, SIMD2(-turn.y, turn.x) * long)
      let quad = Quad(center - u - v, center + u - v, center + u + v, center - u + v)
      let sheet = DocumentPage(
        content: Bool.random(using: &random) ? .text : .picture,
        paper: Float.random(in: 0.55...0.9, using: &random),
        seed: random.next())
      if let map = Homography(unitSquareTo: quad)?.inverse { others.append((map, sheet)) }
    }
  }

  func callAsFunction(_ p: SIMD2<Double>) -> Float {
    let along = (p * angle).sum()
    let across = cross(angle, p)
    switch kind {
    case .plain: return level + 0.02 * Float(texture(p.x, p.y)) + 0.02 * Float(fine(p.x, p.y))
    case .wood:
      let plank = across / (170 * unit)
      let seam = abs(plank - plank.rounded()) < 0.012
      let grain = texture(along / 6, across * 3) * 0.16 + fine(along / 10, across) * 0.1
      let tone = 0.08 * Float((Int(plank.rounded(.down)) &* 7919) & 7) / 7
      return seam ? level * 0.4 : level + tone + Float(grain) - 0.1
    case .cloth:
      let weave = sin(along / (3.2 * unit)) * sin(across / (3.2 * unit)) * 0.05
      let stripe = Int((across / (70 * unit)).rounded(.down)) & 3 == 0 ? Float(0.12) : 0
      return level + stripe + Float(weave) + 0.08 * Float(fine(p.x, p.y)) - 0.04
    case .papers:
      for (map, page) in others.reversed() {
        if let uv = map(p), uv.x >= 0, uv.y >= 0, uv.x < 1, uv.y < 1 { return page(uv.x, uv.y) }
      }
      return level + 0.05 * Float(fine(p.x, p.y))
    case .keyboard:
      let (u, v) = (along / (74 * unit), across / (74 * unit))
      let (du, dv) = (abs(u - u.rounded()), abs(v - v.rounded()))
      let isKey = du < 0.43 && dv < 0.43
      let isLegend = abs(du - 0.15) < 0.06 && dv < 0.13
      return isKey ? (isLegend ? 0.75 : 0.14) : level + 0.15
    }
  }
}

/// The light on a page and around it, and what a camera makes of it.
struct DocumentLight: Sendable {
  private let slope: SIMD2<Double>
  private let center: SIMD2<Double>
  private let shadow: (normal: SIMD2<Double>, at: Double, depth: Float, soft: Double)?
  private let truth: Quad
  private let lift: Double

  init(size: PixelSize, truth: Quad, _ random: inout SeededRandom) {
    center = SIMD2(Double(size.width), Double(size.height)) / 2
    let strength = Double.random(in: 0...0.35, using: &random)
    slope = heading(Double.random(in: 0..<2 * Double.pi, using: &random)) * strength / Double(size.longEdge)
    self.truth = truth
    lift = Double.random(in: 2...12, using: &random) * Double(size.longEdge) / 1280
    guard Int.random(in: 0..<3, using: &random) == 0 else {
      shadow = nil
      return
    }
    shadow = (
      heading(Double.random(in: 0..<2 * Double.pi, using: &random)),
      Double.random(in: -0.25...0.25, using: &random) * Double(size.longEdge),
      Float.random(in: 0.25...0.5, using: &random),
      Double.random(in: 10...80, using: &random) * Double(size.longEdge) / 1280
    )
  }

  func callAsFunction(_ p: SIMD2<Double>) -> Float {
    var light = Float(0.95 + ((p - center) * slope).sum())
    if let shadow {
      let distance = ((p - center) * shadow.normal).sum() - shadow.at
      light *= 1 - shadow.depth * Float(ramp(distance, from: -shadow.soft, to: shadow.soft))
    }
    return light
  }

  /// The page shades the ground around it.
  func underPage(_ p: SIMD2<Double>) -> Float {
    var farthest = -Double.infinity
    for index in 0..<4 {
      let side = truth.side(index)
      farthest = max(farthest, -cross(side, p - truth[index]) / (side * side).sum().squareRoot())
    }
    return farthest > lift ? 1 : 0.75 + 0.25 * Float(max(farthest, 0) / lift)
  }

  /// A finger over a corner or a side.
  static func hold(_ truth: Quad, in samples: inout [Float], _ size: PixelSize, _ random: inout SeededRandom)
  {
    let index = Int.random(in: 0..<4, using: &random)
    let at = truth[index] + truth.side(index) * Double.random(in: 0...0.6, using: &random)
    let away = at - truth.center
    let direction = away / (away * away).sum().squareRoot()
    let (long, wide) = (0.1 * Double(size.longEdge), 0.028 * Double(size.longEdge))
    let tip = at - direction * long * 0.35
    for y in 0..<size.height {
      for x in 0..<size.width {
        let p = SIMD2(Double(x), Double(y)) - tip
        let (along, across) = ((p * direction).sum(), cross(direction, p))
        let round = along < wide ? (wide - along) * (wide - along) : 0
        guard along > 0, round + across * across < wide * wide else { continue }
        samples[y * size.width + x] = 0.45 + 0.15 * Float(1 - across * across / (wide * wide))
      }
    }
  }

  /// A box both ways, twice.
  static func blur(_ samples: inout [Float], _ size: PixelSize, radius: Int) {
    guard radius > 0 else { return }
    let (w, h) = (size.width, size.height)
    var other = samples
    let length = Float(2 * radius + 1)
    for _ in 0..<2 {
      for y in 0..<h {
        var sum: Float = 0
        for k in -radius...radius { sum += samples[y * w + min(max(k, 0), w - 1)] }
        for x in 0..<w {
          other[y * w + x] = sum / length
          sum += samples[y * w + min(x + radius + 1, w - 1)] - samples[y * w + max(x - radius, 0)]
        }
      }
      for x in 0..<w {
        var sum: Float = 0
        for k in -radius...radius { sum += other[min(max(k, 0), h - 1) * w + x] }
        for y in 0..<h {
          samples[y * w + x] = sum / length
          sum += other[min(y + radius + 1, h - 1) * w + x] - other[max(y - radius, 0) * w + x]
        }
      }
    }
  }

  static func expose(_ samples: [Float], _ size: PixelSize, noise: Float, _ random: inout SeededRandom) throws
    -> PixelBuffer
  {
    let picture = try PixelBuffer(size: size, format: .gray8)
    for y in 0..<size.height {
      let row = picture.row(y, as: UInt8.self)
      for x in 0..<size.width {
        let bits = random.next()
        let grain = Float(bits & 0xffff) + Float(bits >> 16 & 0xffff) + Float(bits >> 32 & 0xffff)
        let level = 255 * samples[y * size.width + x] + 2 * noise * (grain / 65_536 - 1.5)
        row[x] = UInt8(min(max(level.rounded(), 0), 255))
      }
    }
    return picture
  }
}
