import FrameCore
import Libc

extension MaskRaster {
  /// Draws strokes in their order: `BrushStroke` has the formula.
  ///
  /// Work is bounded: strokes that would take much longer than people draw are drawn on a coarser grid.
  mutating func draw(_ strokes: [BrushStroke]) {
    var coarse = size
    while Self.work(strokes, on: coarse) > Self.mostWork, max(coarse.width, coarse.height) > 32 {
      coarse = PixelSize(width: max(coarse.width / 2, 1), height: max(coarse.height / 2, 1))
    }
    guard coarse == size else {
      var raster = MaskRaster(size: coarse, value: 0)
      raster.drawStrokes(strokes)
      enlarge(raster)
      return
    }
    drawStrokes(strokes)
  }

  /// About half a second.
  private static let mostWork = 3e8

  /// The distances that are measured at most: of each line to the squares and nodes along it, and of each stroke to
  /// those of its area.
  private static func work(_ strokes: [BrushStroke], on size: PixelSize) -> Double {
    let scale = Double(max(size.width, size.height))
    let area = Double(size.pixelCount)
    return strokes.reduce(0) { work, stroke in
      let radius = stroke.radius * scale
      let lines = zip(stroke.points, stroke.points.dropFirst()).reduce(0.0) { work, line in
        let length = hypot(line.1.x - line.0.x, line.1.y - line.0.y) * scale
        return work + 16 * (min(length, 2 * scale) + 8)
      }
      return work + lines + min(8 * (radius + 4) * (radius + 4), 2 * area)
    }
  }

  private mutating func drawStrokes(_ strokes: [BrushStroke]) {
    let size = size
    values.withUnsafeMutableBufferPointer { values in
      guard let first = values.baseAddress else { return }
      var painter = StrokePainter(size: size, values: first)
      for stroke in strokes { painter.paint(stroke) }
    }
  }

  /// Takes the values of a coarser raster, linear between its nodes.
  private mutating func enlarge(_ raster: MaskRaster) {
    let shape = MaskShape(size: raster.size, raster.values)
    for y in 0..<size.height {
      for x in 0..<size.width {
        values[y * size.width + x] = Float(
          shape.coverage(
            at: (Double(x) + 0.5) * Double(raster.size.width) / Double(size.width) - 0.5,
            (Double(y) + 0.5) * Double(raster.size.height) / Double(size.height) - 0.5))
      }
    }
  }
}

/// Paints strokes on the nodes of a grid.
///
/// A square of nodes that is wholly inside or outside of a stroke is done at once. Others are divided, and only those
/// lines of the stroke stay with a square that may be the nearest one of a node in it; so it takes little time for a
/// node to find the nearest one of very many lines.
private struct StrokePainter {
  private struct Line {
    var start, vector: SIMD2<Double>
    /// 1 / |vector|²; 0 of a point.
    var inverse: Double

    init(_ start: SIMD2<Double>, _ end: SIMD2<Double>) {
      (self.start, vector) = (start, end - start)
      let squared = (vector * vector).sum()
      inverse = squared > 0 ? 1 / squared : 0
    }

    func squaredDistance(_ place: SIMD2<Double>) -> Double {
      let offset = place - start
      let along = min(max((offset * vector).sum() * inverse, 0), 1)
      let away = offset - along * vector
      return (away * away).sum()
    }
  }

  /// A line that may be the nearest one in a square, and its distance from the square's middle.
  private struct Candidate {
    var line: Line
    var distance = 0.0
  }

  let size: PixelSize
  let values: UnsafeMutablePointer<Float>
  /// Those of the squares that are being divided, one after another.
  private var candidates: [Candidate] = []
  private var inner = 0.0
  private var outer = 0.0
  private var flow = 0.0
  private var erases = false

  /// The nodes of an edge of a square that is not divided further.
  private static let leaf = 4

  init(size: PixelSize, values: UnsafeMutablePointer<Float>) { (self.size, self.values) = (size, values) }

  mutating func paint(_ stroke: BrushStroke) {
    let radius = stroke.radius * Double(max(size.width, size.height))
    // An edge is as wide as a node.
    let isEdge = radius * (1 - stroke.hardness) < 1
    (inner, outer) = isEdge ? (radius - 0.5, radius + 0.5) : (radius * stroke.hardness, radius)
    (flow, erases) = (stroke.flow, stroke.erases)
    let places = stroke.points.map { SIMD2($0.x * Double(size.width), $0.y * Double(size.height)) }
    guard let first = places.first else { return }
    candidates.removeAll(keepingCapacity: true)
    var (low, high) = (first, first)
    for (index, place) in places.enumerated() {
      (low, high) = (pointwiseMin(low, place), pointwiseMax(high, place))
      // A single point is a line of no length.
      if places.count == 1 || index > 0 {
        candidates.append(Candidate(line: Line(places[max(index - 1, 0)], place)))
      }
    }
    let (x, y) = (nodes(low.x, high.x, size.width), nodes(low.y, high.y, size.height))
    guard !x.isEmpty, !y.isEmpty else { return }
    var edge = Self.leaf
    while edge < max(x.count, y.count) { edge *= 2 }
    paint(x: x.lowerBound, y: y.lowerBound, edge: edge, to: (x.upperBound, y.upperBound), from: 0)
  }

  /// The nodes whose centres are in `low - outer … high + outer`.
  private func nodes(_ low: Double, _ high: Double, _ count: Int) -> Range<Int> {
    let first = max((low - outer - 0.5).rounded(.up), 0)
    let end = min((high + outer - 0.5).rounded(.down) + 1, Double(count))
    return first < end ? Int(first)..<Int(end) : 0..<0
  }

  /// Paints a square.
  ///
  /// - Parameters:
  ///   - end: where the stroke's nodes end.
  ///   - first: the first of its candidates, which are the last of all.
  private mutating func paint(x: Int, y: Int, edge: Int, to end: (x: Int, y: Int), from first: Int) {
    guard x < end.x, y < end.y else { return }
    let half = Double(edge - 1) / 2
    let middle = SIMD2(Double(x) + 0.5 + half, Double(y) + 0.5 + half)
    // Of a corner's node from the middle.
    let reach = half * 2.0.squareRoot()
    let count = candidates.count
    var nearest = Double.infinity
    for index in first..<count {
      let distance = candidates[index].line.squaredDistance(middle).squareRoot()
      candidates[index].distance = distance
      nearest = min(nearest, distance)
    }
    guard nearest - reach < outer else { return }
    let (columns, rows) = (x..<min(x + edge, end.x), y..<min(y + edge, end.y))
    guard nearest + reach > inner else {
      for row in rows { for column in columns { apply(Float(flow), at: row * size.width + column) } }
      return
    }
    let limit = min(nearest + 2 * reach, outer + reach)
    for index in first..<count where candidates[index].distance <= limit {
      candidates.append(candidates[index])
    }
    if edge <= Self.leaf {
      for row in rows {
        for column in columns { paintNode(column, row, from: count) }
      }
    } else {
      let part = edge / 2
      for (right, down) in [(0, 0), (part, 0), (0, part), (part, part)] {
        paint(x: x + right, y: y + down, edge: part, to: end, from: count)
      }
    }
    candidates.removeLast(candidates.count - count)
  }

  private func paintNode(_ column: Int, _ row: Int, from first: Int) {
    let place = SIMD2(Double(column) + 0.5, Double(row) + 0.5)
    var squared = Double.infinity
    for index in first..<candidates.count {
      squared = min(squared, candidates[index].line.squaredDistance(place))
    }
    guard squared < outer * outer else { return }
    let part = 1 - ToneCurve.smoothStep(inner, outer, squared.squareRoot())
    apply(Float(flow * part), at: row * size.width + column)
  }

  private func apply(_ strength: Float, at index: Int) {
    values[index] = erases ? values[index] * (1 - strength) : 1 - (1 - values[index]) * (1 - strength)
  }
}
