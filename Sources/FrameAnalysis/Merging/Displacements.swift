import AnalysisKernels
import FrameCore

/// Displacements at the nodes of a grid over a picture, linear in between.
struct Displacements: Sendable {
  let columns: Int
  let rows: Int
  /// The distance between nodes, in pixels; the first is at the picture's upper left corner.
  let spacing: Double
  private let dx: [Float]
  private let dy: [Float]

  /// Covers a picture of `size`; `displacement` gets positions in pixels, from the upper left corner.
  init(size: PixelSize, spacing: Double, _ displacement: (SIMD2<Double>) -> SIMD2<Double>) {
    func nodes(_ edge: Int) -> Int { max(2, Int((Double(edge) / spacing).rounded(.up)) + 1) }
    columns = nodes(size.width)
    rows = nodes(size.height)
    self.spacing = spacing
    var dx: [Float] = []
    var dy: [Float] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let d = displacement(SIMD2(Double(column), Double(row)) * spacing)
        dx.append(Float(d.x))
        dy.append(Float(d.y))
      }
    }
    (self.dx, self.dy) = (dx, dy)
  }

  /// The displacement at a position in pixels, from the upper left corner.
  func callAsFunction(_ position: SIMD2<Double>) -> SIMD2<Double> {
    let place = position / spacing
    let column = min(max(Int(place.x), 0), columns - 2)
    let row = min(max(Int(place.y), 0), rows - 2)
    let part = place - SIMD2(Double(column), Double(row))
    func at(_ i: Int, _ j: Int) -> SIMD2<Double> {
      let node = (row + j) * columns + column + i
      return SIMD2(Double(dx[node]), Double(dy[node]))
    }
    let upper = at(0, 0) + part.x * (at(1, 0) - at(0, 0))
    let lower = at(0, 1) + part.x * (at(1, 1) - at(0, 1))
    return upper + part.y * (lower - upper)
  }

  /// The smallest and the largest displacements at the nodes around `columns` × `rows` of pixels.
  func bounds(columns xs: Range<Int>, rows ys: Range<Int>) -> (least: SIMD2<Float>, most: SIMD2<Float>) {
    func nodes(_ range: Range<Int>, _ count: Int) -> ClosedRange<Int> {
      let first = min(max(Int(Double(range.lowerBound) / spacing), 0), count - 2)
      return first...min(max(Int(Double(range.upperBound) / spacing) + 1, first + 1), count - 1)
    }
    var least = SIMD2<Float>(repeating: .infinity)
    var most = SIMD2<Float>(repeating: -.infinity)
    for row in nodes(ys, rows) {
      for column in nodes(xs, columns) {
        let node = SIMD2(dx[row * columns + column], dy[row * columns + column])
        least = pointwiseMin(least, node)
        most = pointwiseMax(most, node)
      }
    }
    return (least, most)
  }

  func withKernelField<Result>(_ body: (inout sla_displacements) -> Result) -> Result {
    dx.withUnsafeBufferPointer { dx in
      dy.withUnsafeBufferPointer { dy in
        var field = sla_displacements(
          dx: dx.baseAddress, dy: dy.baseAddress, columns: Int32(columns), rows: Int32(rows),
          spacing: Float(spacing))
        return body(&field)
      }
    }
  }
}

/// A block of a picture, and what a warp of it reads.
struct MergeBlock: Sendable {
  /// Pixels, which may lie outside of the picture.
  let columns: Range<Int>
  let rows: Range<Int>

  /// The block with `rim` pixels more on each side.
  func extended(_ rim: Int) -> MergeBlock {
    MergeBlock(
      columns: columns.lowerBound - rim..<columns.upperBound + rim,
      rows: rows.lowerBound - rim..<rows.upperBound + rim)
  }

  /// The pixels of a frame of `size` that this block shows when it is warped.
  func source(_ field: Displacements, _ size: PixelSize) -> MergeBlock {
    let (least, most) = field.bounds(columns: columns, rows: rows)
    func range(_ range: Range<Int>, _ least: Float, _ most: Float, _ edge: Int) -> Range<Int> {
      // Positions are clipped to the picture.
      let first = min(max(range.lowerBound + Int(least.rounded(.down)), 0), edge - 1)
      let last = min(max(range.upperBound - 1 + Int(most.rounded(.up)), first), edge - 1)
      return first - Int(SLA_WARP_BEFORE)..<last + 1 + Int(SLA_WARP_AFTER)
    }
    return MergeBlock(
      columns: range(columns, least.x, most.x, size.width), rows: range(rows, least.y, most.y, size.height))
  }

  /// Blocks that cover a picture, row by row.
  static func covering(_ size: PixelSize, width: Int, height: Int) -> [MergeBlock] {
    stride(from: 0, to: size.height, by: height).flatMap { y in
      stride(from: 0, to: size.width, by: width).map { x in
        MergeBlock(
          columns: x..<min(x + width, size.width), rows: y..<min(y + height, size.height))
      }
    }
  }
}
