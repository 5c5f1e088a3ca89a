import FrameCore
import Libc

extension MaskRaster {
  /// Draws strokes in their order: `BrushStroke` has the formula.
  ///
  /// Work is bounded: strokes that would take much longer than people draw are drawn on a coarser grid.
  mutating func draw(_ strokes: [BrushStroke]) {
    var coarse = size
    while work(strokes, on: coarse) > Self.mostWork, max(coarse.width, coarse.height) > 32 {
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

  /// The nodes that all lines of the strokes reach.
  private func work(_ strokes: [BrushStroke], on size: PixelSize) -> Double {
    let scale = Double(max(size.width, size.height))
    let area = Double(size.pixelCount)
    return strokes.reduce(0) { work, stroke in
      let radius = stroke.radius * scale
      return zip(stroke.points, stroke.points.dropFirst()).reduce(work + 2 * area.squareRoot()) {
        work, line in
        let length = hypot(line.1.x - line.0.x, line.1.y - line.0.y) * scale
        return work + min((length + 2 * radius) * (2 * radius + 2), area)
      } + min(4 * radius * radius, area)
    }
  }

  private mutating func drawStrokes(_ strokes: [BrushStroke]) {
    var distances = DistanceField(size: size)
    for stroke in strokes {
      let radius = stroke.radius * Double(max(size.width, size.height))
      // An edge is as wide as a node.
      let isEdge = radius * (1 - stroke.hardness) < 1
      let (inner, outer) = isEdge ? (radius - 0.5, radius + 0.5) : (radius * stroke.hardness, radius)
      let places = stroke.points.map { SIMD2($0.x * Double(size.width), $0.y * Double(size.height)) }
      guard let reached = distances.add(places, reach: outer) else { continue }
      for y in reached.y {
        for x in reached.x {
          let index = y * size.width + x
          let squared = distances.squares[index]
          distances.squares[index] = .infinity
          guard squared < Float(outer * outer) else { continue }
          let part = 1 - ToneCurve.smoothStep(inner, outer, Double(squared).squareRoot())
          let strength = Float(stroke.flow * part)
          values[index] =
            stroke.erases ? values[index] * (1 - strength) : 1 - (1 - values[index]) * (1 - strength)
        }
      }
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

/// The squared distances of nodes to a line of segments, as far as it reaches.
private struct DistanceField {
  let size: PixelSize
  /// Infinite where no line was drawn.
  var squares: [Float]

  init(size: PixelSize) {
    self.size = size
    squares = [Float](repeating: .infinity, count: size.pixelCount)
  }

  /// - Returns: the columns and rows that were reached; nil if there are none.
  mutating func add(_ places: [SIMD2<Double>], reach: Double) -> (x: Range<Int>, y: Range<Int>)? {
    guard let first = places.first else { return nil }
    var (low, high) = (first, first)
    for (index, place) in places.enumerated() {
      (low, high) = (pointwiseMin(low, place), pointwiseMax(high, place))
      // A single point is a line of no length.
      if places.count == 1 || index > 0 { add(from: places[max(index - 1, 0)], to: place, reach) }
    }
    let (x, y) = (nodes(low.x, high.x, reach, size.width), nodes(low.y, high.y, reach, size.height))
    return x.isEmpty || y.isEmpty ? nil : (x, y)
  }

  /// The nodes whose centres are in `low - reach … high + reach`.
  private func nodes(_ low: Double, _ high: Double, _ reach: Double, _ count: Int) -> Range<Int> {
    let first = max((low - reach - 0.5).rounded(.up), 0)
    let end = min((high + reach - 0.5).rounded(.down) + 1, Double(count))
    return first < end ? Int(first)..<Int(end) : 0..<0
  }

  private mutating func add(from start: SIMD2<Double>, to end: SIMD2<Double>, _ reach: Double) {
    let line = end - start
    let squaredLength = (line * line).sum()
    for y in nodes(min(start.y, end.y), max(start.y, end.y), reach, size.height) {
      let row = Double(y) + 0.5
      // The part of the line that is near enough to this row.
      var (from, to) = (0.0, 1.0)
      if abs(line.y) > 1e-9 {
        let bounds = [(row - reach - start.y) / line.y, (row + reach - start.y) / line.y]
        (from, to) = (max(min(bounds[0], bounds[1]), 0), min(max(bounds[0], bounds[1]), 1))
      }
      let (a, b) = (start.x + from * line.x, start.x + to * line.x)
      for x in nodes(min(a, b), max(a, b), reach, size.width) {
        let offset = SIMD2(Double(x) + 0.5, row) - start
        let along = squaredLength > 0 ? min(max((offset * line).sum() / squaredLength, 0), 1) : 0
        let away = offset - along * line
        let index = y * size.width + x
        squares[index] = min(squares[index], Float((away * away).sum()))
      }
    }
  }
}
