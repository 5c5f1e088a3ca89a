import AnalysisKernels
import FrameCore
import Libc

/// The lines along which a picture has straight edges: segments in one line are one line, as fingers, pens and weak
/// contrast break edges into pieces.
struct EdgeLines: ~Copyable {
  private(set) var lines: [EdgeLine] = []
  /// Running sums of how much edge there is at each sample of each line, 0…1 a sample: where the light side is on the
  /// right of its direction, and where it is on the left.
  private var right = SampleBuffer<Float>(capacity: mostLines * 1024)
  private var left = SampleBuffer<Float>(capacity: mostLines * 1024)
  private var isUsed: [Bool] = []

  /// Keeps the lines with the longest segments, so that the time per frame is bounded.
  static let mostLines = 44
  private static let mostSegments = 220
  /// Cosine of 5°: directions of segments in one line differ by less.
  private static let sameDirection = 0.9962
  /// How far, in samples, ends of a segment may be from their line.
  private static let sameLine = 1.7
  /// Luma steps, 0…1, that count in part and in full at least.
  private static let faintest: Float = 3.5 / 255

  init() {
    lines.reserveCapacity(Self.mostSegments)
    isUsed.reserveCapacity(Self.mostSegments)
  }

  mutating func find(
    _ segments: UnsafePointer<sla_segment>, count: Int, in plane: LumaPlane, noise: Float
  ) {
    let count = min(count, Self.mostSegments)
    lines.removeAll(keepingCapacity: true)
    isUsed.removeAll(keepingCapacity: true)
    for _ in 0..<count { isUsed.append(false) }
    for seed in 0..<count where !isUsed[seed] {
      guard var line = gather(from: seed, segments, count), line.clip(to: plane) else { continue }
      lines.append(line)
    }
    lines.sort { ($0.support, $0.origin.x, $0.origin.y) > ($1.support, $1.origin.x, $1.origin.y) }
    removeDoubles()
    if lines.count > Self.mostLines { lines.removeLast(lines.count - Self.mostLines) }
    let needed = lines.reduce(0) { $0 + $1.count + 1 }
    right.reserve(needed)
    left.reserve(needed)
    var next = 0
    let low = max(Self.faintest, 3 * noise)
    for index in lines.indices {
      lines[index].sumsAt = next
      measure(lines[index], in: plane, low: low)
      next += lines[index].count + 1
    }
  }

  /// Joins the segments in one line with `seed`, and fits the line to them.
  private mutating func gather(from seed: Int, _ segments: UnsafePointer<sla_segment>, _ count: Int)
    -> EdgeLine?
  {
    var fit = LineFit()
    fit.add(segments[seed])
    guard var line = fit.line else { return nil }
    isUsed[seed] = true
    for _ in 0..<2 {
      var found = false
      for index in seed + 1..<max(count, seed + 1) where !isUsed[index] {
        let (a, b) = (Self.start(segments[index]), Self.end(segments[index]))
        let way = b - a
        let length = (way * way).sum().squareRoot()
        guard (way * line.direction).sum() > Self.sameDirection * length,
          abs(cross(line.direction, a - line.origin)) < Self.sameLine,
          abs(cross(line.direction, b - line.origin)) < Self.sameLine
        else { continue }
        isUsed[index] = true
        fit.add(segments[index])
        found = true
        if let fitted = fit.line { line = fitted }
      }
      if !found { break }
    }
    return line
  }

  private static func start(_ s: sla_segment) -> SIMD2<Double> { SIMD2(Double(s.x0), Double(s.y0)) }
  private static func end(_ s: sla_segment) -> SIMD2<Double> { SIMD2(Double(s.x1), Double(s.y1)) }

  /// Leaves out lines that run along a better one through the whole picture.
  private mutating func removeDoubles() {
    var kept = 0
    for index in lines.indices {
      let line = lines[index]
      let (from, to) = (line.point(line.from), line.point(line.to))
      var isDouble = false
      for other in 0..<kept where !isDouble {
        isDouble =
          (line.direction * lines[other].direction).sum() > Self.sameDirection
          && abs(cross(lines[other].direction, from - lines[other].origin)) < 1.2
          && abs(cross(lines[other].direction, to - lines[other].origin)) < 1.2
      }
      guard !isDouble else { continue }
      lines[kept] = line
      kept += 1
    }
    lines.removeLast(lines.count - kept)
  }

  private mutating func measure(_ line: EdgeLine, in plane: LumaPlane, low: Float) {
    let (r, l) = (right.base + line.sumsAt, left.base + line.sumsAt)
    let (dx, dy) = (Float(line.direction.x), Float(line.direction.y))
    let start = line.point(line.from)
    var (x, y) = (Float(start.x) + 0.5 * dx, Float(start.y) + 0.5 * dy)
    var (sumRight, sumLeft): (Float, Float) = (0, 0)
    r[0] = 0
    l[0] = 0
    for index in 0..<line.count {
      // The normal (−dy, dx) points to the right of the direction.
      let a = plane(x + 2 * dy, y - 2 * dx)
      let b = plane(x + dy, y - dx)
      let c = plane(x, y)
      let d = plane(x - dy, y + dx)
      let e = plane(x - 2 * dy, y + 2 * dx)
      let (g0, g1, g2) = (c - a, d - b, e - c)
      let up = max(g0, g1, g2)
      let down = -min(g0, g1, g2)
      if up > low { sumRight += min(up / (3 * low), 1) }
      if down > low { sumLeft += min(down / (3 * low), 1) }
      r[index + 1] = sumRight
      l[index + 1] = sumLeft
      x += dx
      y += dy
    }
  }

  /// How much of a line between two positions is edge: the sums with light on its right and on its left, and the length
  /// of the visible part, all in samples.
  @inline(__always)
  func coverage(_ line: EdgeLine, _ a: Double, _ b: Double) -> (right: Float, left: Float, length: Float) {
    let (low, high) = (min(a, b), max(a, b))
    let first = min(max(Int((low - line.from).rounded()), 0), line.count)
    let last = min(max(Int((high - line.from).rounded()), 0), line.count)
    guard last > first else { return (0, 0, 0) }
    let at = line.sumsAt
    return (
      right.base[at + last] - right.base[at + first], left.base[at + last] - left.base[at + first],
      Float(last - first)
    )
  }
}

/// The line of least squared distances from segments, weighted by their lengths.
struct LineFit {
  private var mass = 0.0
  private var sum = SIMD2<Double>.zero
  private var square = SIMD2<Double>.zero
  private var product = 0.0
  private var heading = SIMD2<Double>.zero

  mutating func add(_ segment: sla_segment) {
    let a = SIMD2(Double(segment.x0), Double(segment.y0))
    let b = SIMD2(Double(segment.x1), Double(segment.y1))
    let way = b - a
    let length = (way * way).sum().squareRoot()
    add(a, length / 2)
    add(b, length / 2)
    heading += way
    total += length
  }

  private(set) var total = 0.0

  mutating func add(_ p: SIMD2<Double>, _ weight: Double) {
    mass += weight
    sum += weight * p
    square += weight * p * p
    product += weight * p.x * p.y
  }

  /// The direction in which the line runs, of which only the sign counts.
  mutating func head(_ direction: SIMD2<Double>) { heading = direction }

  /// Nil if there are not two places.
  var line: EdgeLine? {
    guard mass > 0 else { return nil }
    let mean = sum / mass
    let variance = square / mass - mean * mean
    let covariance = product / mass - mean.x * mean.y
    guard variance.sum() > 1e-9 else { return nil }
    let angle = 0.5 * atan2(2 * covariance, variance.x - variance.y)
    var direction = SIMD2(cos(angle), sin(angle))
    if (direction * heading).sum() < 0 { direction = -direction }
    return EdgeLine(origin: mean, direction: direction, support: total)
  }
}
