import FrameCore

/// Four lines that may be the sides of a document, clockwise, and how well they fit.
struct QuadCandidate {
  var quad: Quad
  /// How much of the sides is edge, 0…1.
  var contour: Double
  var contrast = 0.0
  var score = 0.0
}

/// Joins lines to quads: of all fours of lines, those whose sides are edges from corner to corner and no farther.
///
/// Source of the idea of scoring fours of lines by their contours first, and the best of them by contrast: D. Tropin
/// and others, Advanced Hough-based method for on-device document localization, Computer Optics 45, 2021.
struct QuadSearch {
  private(set) var candidates: [QuadCandidate] = []
  private var meets: [Meeting] = []
  private var partners: [Int32] = []

  /// Where line i meets line j, as a position along i.
  private struct Meeting {
    var along = 0.0
    var isCorner = false
    var isOpposite = false
  }

  static let mostCandidates = 40
  /// Corners may lie this far outside of the picture, in long edges.
  private static let margin = 0.15
  /// Sine of the least angle between neighbouring sides: 30°.
  private static let leastCorner = 0.5
  /// Cosine of the largest angle between opposite sides: 50°.
  private static let leastParallel = 0.64
  /// Of the picture.
  private static let leastArea = 0.03
  private static let leastCoverage: Float = 0.3

  init() {
    candidates.reserveCapacity(Self.mostCandidates + 1)
    meets.reserveCapacity(EdgeLines.mostLines * EdgeLines.mostLines)
    partners.reserveCapacity(EdgeLines.mostLines)
  }

  mutating func find(_ edges: borrowing EdgeLines, in plane: LumaPlane) {
    candidates.removeAll(keepingCapacity: true)
    let count = edges.lines.count
    meet(edges.lines, plane)
    let least = Self.leastArea * Double(plane.width * plane.height)
    for a in 0..<count {
      for c in a + 1..<max(count, a + 1) where meets[a * count + c].isOpposite {
        partners.removeAll(keepingCapacity: true)
        for b in a + 1..<count where b != c && meets[a * count + b].isCorner && meets[c * count + b].isCorner
        {
          let side = edges.coverage(edges.lines[b], meets[b * count + a].along, meets[b * count + c].along)
          guard side.length > 8, max(side.right, side.left) > Self.leastCoverage * side.length else {
            continue
          }
          partners.append(Int32(b))
        }
        for (place, b) in partners.enumerated() {
          for d in partners[(place + 1)...] where meets[Int(b) * count + Int(d)].isOpposite {
            join(a, Int(b), c, Int(d), edges, count, least: least, plane)
          }
        }
      }
    }
  }

  private mutating func meet(_ lines: [EdgeLine], _ plane: LumaPlane) {
    meets.removeAll(keepingCapacity: true)
    let margin = Self.margin * Double(max(plane.width, plane.height))
    for a in lines {
      for b in lines {
        var meeting = Meeting()
        let sine = cross(a.direction, b.direction)
        meeting.isOpposite = abs((a.direction * b.direction).sum()) >= Self.leastParallel
        if abs(sine) >= Self.leastCorner {
          meeting.along = cross(b.origin - a.origin, b.direction) / sine
          meeting.isCorner = plane.contains(a.point(meeting.along), margin: margin)
        }
        meets.append(meeting)
      }
    }
  }

  private mutating func join(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ edges: borrowing EdgeLines, _ count: Int, least: Double,
    _ plane: LumaPlane
  ) {
    // Around the quad: a from d to b, b from a to c, c from b to d, d from c to a.
    let ab = edges.lines[a].point(meets[a * count + b].along)
    let bc = edges.lines[b].point(meets[b * count + c].along)
    let cd = edges.lines[c].point(meets[c * count + d].along)
    let da = edges.lines[d].point(meets[d * count + a].along)
    var quad = Quad(da, ab, bc, cd)
    quad = quad.startingAtTopLeft
    guard quad.area >= least, quad.isConvex else { return }
    var sums = SideSums()
    guard add(a, d, b, edges, count, to: &sums), add(b, a, c, edges, count, to: &sums),
      add(c, b, d, edges, count, to: &sums), add(d, c, a, edges, count, to: &sums)
    else { return }
    keep(QuadCandidate(quad: quad, contour: sums.contour))
  }

  /// What the four sides add up to.
  private struct SideSums {
    var (edge, length, worst): (Float, Float, Float) = (0, 0, 1)
    var beyond: Float = 0

    var contour: Double {
      Double(edge / length) * (0.6 + 0.4 * Double(worst)) * (1 - 0.3 * Double(beyond) / 8)
    }
  }

  /// Adds the side on `line` between two others; false if it cannot be the side of a document.
  @inline(__always)
  private func add(
    _ line: Int, _ before: Int, _ after: Int, _ edges: borrowing EdgeLines, _ count: Int,
    to sums: inout SideSums
  ) -> Bool {
    let (from, to) = (meets[line * count + before].along, meets[line * count + after].along)
    let side = edges.coverage(edges.lines[line], from, to)
    // Most of it is outside of the picture.
    guard Double(side.length) > 0.4 * abs(to - from) else { return false }
    let strong = max(side.right, side.left)
    let covered = strong / side.length
    guard covered > Self.leastCoverage else { return false }
    sums.edge += strong
    sums.length += side.length
    sums.worst = min(sums.worst, covered)
    // An edge that runs on beyond a corner is another thing's.
    let isRight = side.right >= side.left
    func addBeyond(_ corner: Double, _ reach: Double) {
      let more = edges.coverage(edges.lines[line], corner + 0.15 * reach, corner + reach)
      if more.length > 2 { sums.beyond += (isRight ? more.right : more.left) / more.length }
    }
    let reach = 0.12 * (to - from)
    addBeyond(from, -reach)
    addBeyond(to, reach)
    return true
  }

  /// Keeps the best.
  private mutating func keep(_ candidate: QuadCandidate) {
    if candidates.count == Self.mostCandidates, let last = candidates.last, candidate.contour <= last.contour
    {
      return
    }
    if let double = candidates.firstIndex(where: { Self.isNear($0.quad, candidate.quad) }) {
      if candidates[double].contour >= candidate.contour { return }
      candidates.remove(at: double)
    }
    var place = candidates.count
    while place > 0, candidates[place - 1].contour < candidate.contour { place -= 1 }
    candidates.insert(candidate, at: place)
    if candidates.count > Self.mostCandidates { candidates.removeLast() }
  }

  private static func isNear(_ a: Quad, _ b: Quad) -> Bool {
    for index in 0..<4 {
      let way = pointwiseAbs(a[index] - b[index])
      if way.x > 3 || way.y > 3 { return false }
    }
    return true
  }
}

@inline(__always)
func pointwiseAbs(_ v: SIMD2<Double>) -> SIMD2<Double> { SIMD2(abs(v.x), abs(v.y)) }
