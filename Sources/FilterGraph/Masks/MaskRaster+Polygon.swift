import FrameCore

extension MaskRaster {
  /// Fills what an outline goes around, by the nonzero rule, with the area of each node that it covers.
  ///
  /// Each edge adds the signed area to its right to the nodes that it crosses; their sums along rows are then how often
  /// the outline turns around each node. Nodes in which edges cross get the mean of that.
  ///
  /// Source: the accumulation buffer of Raph Levien's font-rs (2016), after FreeType's smooth rasterizer.
  mutating func fill(_ points: [MaskPoint]) {
    let places = points.map { SIMD2($0.x * Double(size.width), $0.y * Double(size.height)) }
    // Sums of many edges stay exact enough in double precision.
    var areas = SignedAreas(size: size)
    for (index, place) in places.enumerated() {
      areas.add(from: place, to: places[(index + 1) % places.count])
    }
    for y in 0..<size.height {
      var turns = 0.0
      for x in 0..<size.width {
        turns += areas.values[y * areas.stride + x]
        values[y * size.width + x] = Float(min(abs(turns), 1))
      }
    }
  }
}

private struct SignedAreas {
  let size: PixelSize
  /// Two columns more than the grid, for what edges add to the right of it.
  let stride: Int
  var values: [Double]

  init(size: PixelSize) {
    self.size = size
    stride = size.width + 2
    values = [Double](repeating: 0, count: stride * size.height)
  }

  mutating func add(from start: SIMD2<Double>, to end: SIMD2<Double>) {
    guard start.y != end.y else { return }
    let direction = start.y < end.y ? 1.0 : -1.0
    let (top, bottom) = start.y < end.y ? (start, end) : (end, start)
    let slope = (bottom.x - top.x) / (bottom.y - top.y)
    let first = max(Int(top.y.rounded(.down)), 0)
    let last = min(Int(bottom.y.rounded(.up)), size.height)
    guard first < last else { return }
    for row in first..<last {
      let (upper, lower) = (max(Double(row), top.y), min(Double(row + 1), bottom.y))
      let (a, b) = (top.x + (upper - top.y) * slope, top.x + (lower - top.y) * slope)
      addClipped(row, min(a, b), max(a, b), height: direction * (lower - upper))
    }
  }

  /// Adds a part of an edge within a row. What is left of the grid covers the whole row; what is right of it nothing.
  private mutating func addClipped(_ row: Int, _ left: Double, _ right: Double, height: Double) {
    let width = Double(size.width)
    guard left < width else { return }
    if right <= 0 {
      values[row * stride] += height
    } else if left >= 0, right <= width {
      add(row, left, right, height: height)
    } else {
      let perColumn = height / (right - left)
      if left < 0 { values[row * stride] -= left * perColumn }
      let (inner, outer) = (max(left, 0), min(right, width))
      add(row, inner, outer, height: (outer - inner) * perColumn)
    }
  }

  private mutating func add(_ row: Int, _ left: Double, _ right: Double, height: Double) {
    let first = Int(left)
    let last = Int(right.rounded(.up))
    let start = row * stride
    guard last > first + 1 else {
      // Within one node: a trapezoid, and all of the nodes to its right.
      let middle = (left + right) / 2 - Double(first)
      values[start + first] += height * (1 - middle)
      values[start + first + 1] += height * middle
      return
    }
    let perColumn = 1 / (right - left)
    /// The part of the row's area left of node `x`'s right side that is covered: the integral of a ramp.
    func covered(upTo x: Int) -> Double {
      let reach = Double(x) - left
      let beyond = max(Double(x) - right, 0)
      return perColumn * (max(reach, 0) * max(reach, 0) - beyond * beyond) / 2
    }
    var before = 0.0
    var lastArea = 0.0
    for x in first...last {
      let area = covered(upTo: x + 1) - before
      values[start + x] += height * (area - lastArea)
      (before, lastArea) = (before + area, area)
    }
  }
}
