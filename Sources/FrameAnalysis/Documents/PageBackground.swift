import FrameCore
import Libc

/// The light on a page: the colour of its paper, on a coarse grid, without what is written, printed or pictured on it.
///
/// Each cell's paper is the mean of its lighter samples. Cells count as paper if these samples are alike, as light as
/// paper may be in shadow, and have the colour that the page's paper has; those of pictures do not, and take the paper
/// of those around them: their weighted mean at the finest scale at which there are some (push and pull: S. Gortler and
/// others, The Lumigraph, 1996).
struct PageBackground {
  let columns: Int
  let rows: Int
  /// Encoded R, G, B, 0…255, at the centres of cells, row by row.
  private(set) var paper: [SIMD3<Float>]

  /// Cells along the long edge, and samples along the edge of a cell, at most.
  private static let cells = 64
  private static let samples = 16
  /// The part of a cell's samples, sorted by luma, that is taken for paper.
  private static let (low, high): (Float, Float) = (0.55, 0.9)
  /// Rec. 709.
  static let luma = SIMD3<Float>(0.2126, 0.7152, 0.0722)

  private struct Cell {
    var color = SIMD3<Float>.zero
    var spread: Float = 0
    var luma: Float { max((color * PageBackground.luma).sum(), 1) }
    /// Logarithms of red and blue to green.
    var chroma: SIMD2<Float> {
      SIMD2(logf(max(color.x, 1) / max(color.y, 1)), logf(max(color.z, 1) / max(color.y, 1)))
    }
  }

  /// - Parameter page: in `rgba8`.
  init(_ page: PixelBuffer) {
    let scale = Double(Self.cells) / Double(max(page.size.longEdge, 1))
    columns = max(Int((Double(page.width) * scale).rounded()), 1)
    rows = max(Int((Double(page.height) * scale).rounded()), 1)
    var cells: [Cell] = []
    for row in 0..<rows {
      for column in 0..<columns { cells.append(Self.measure(page, column, row, columns, rows)) }
    }
    let weights = Self.connected(cells, Self.weights(cells), columns, rows)
    paper = Self.filled(cells.map(\.color), weights, columns, rows)
  }

  private static func measure(
    _ page: PixelBuffer, _ column: Int, _ row: Int, _ columns: Int, _ rows: Int
  )
    -> Cell
  {
    let (x0, x1) = (
      page.width * column / columns,
      max(page.width * (column + 1) / columns, page.width * column / columns + 1)
    )
    let (y0, y1) = (
      page.height * row / rows, max(page.height * (row + 1) / rows, page.height * row / rows + 1)
    )
    let stepX = (x1 - x0 + samples - 1) / samples
    let stepY = (y1 - y0 + samples - 1) / samples
    // Sorted by counting: the number and the sum of the colours of each luma.
    return withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: 256) { bins in
      bins.initialize(repeating: .zero)
      var count: Float = 0
      for y in stride(from: y0, to: min(y1, page.height), by: stepY) {
        let pixels = page.row(y, as: UInt8.self)
        for x in stride(from: x0, to: min(x1, page.width), by: stepX) {
          let color = SIMD4(
            Float(pixels[4 * x]), Float(pixels[4 * x + 1]), Float(pixels[4 * x + 2]), 1)
          let luma = 0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z
          bins[min(Int(luma + 0.5), 255)] += color
          count += 1
        }
      }
      return cell(bins, count)
    }
  }

  /// The mean and the spread of the lighter samples but the lightest ones.
  private static func cell(_ bins: UnsafeMutableBufferPointer<SIMD4<Float>>, _ count: Float) -> Cell {
    let first = min(count * low, count - 1)
    let last = max(count * high, first + 1)
    var (sum, before) = (SIMD4<Float>.zero, Float(0))
    var (darkest, lightest): (Float?, Float) = (nil, 0)
    for (luma, bin) in bins.enumerated() where bin.w > 0 {
      let part = min(before + bin.w, last) - max(before, first)
      if part > 0 {
        sum += bin * (part / bin.w)
        darkest = darkest ?? Float(luma)
        lightest = Float(luma)
      }
      before += bin.w
    }
    let mean = sum / max(sum.w, 1e-6)
    return Cell(
      color: SIMD3(mean.x, mean.y, mean.z),
      spread: (lightest - (darkest ?? lightest)) / max(lightest, 1))
  }

  /// How much each cell counts as paper, 0…1.
  private static func weights(_ cells: [Cell]) -> [Float] {
    let flat = cells.filter { $0.spread < 0.12 }
    guard !flat.isEmpty else { return cells.map { _ in 0 } }
    let lumas = flat.map(\.luma).sorted()
    let white = lumas[lumas.count * 9 / 10]
    // The colour of the lighter flat cells is the paper's.
    let light = flat.filter { $0.luma > 0.6 * white }.map(\.chroma)
    func median(_ values: [Float]) -> Float { values.sorted()[values.count / 2] }
    let chroma = SIMD2(median(light.map(\.x)), median(light.map(\.y)))
    return cells.map { cell in
      let off = cell.chroma - chroma
      let flatness = ramp(Double(cell.spread), from: 0.2, to: 0.08)
      let color = ramp(Double(max(abs(off.x), abs(off.y))), from: 0.3, to: 0.12)
      let level = ramp(Double(cell.luma / white), from: 0.3, to: 0.42)
      return Float(flatness * color * level)
    }
  }

  /// How much luma may change from a cell to the next, and how far cells that are none of paper are jumped over.
  private static let (slope, jump) = (Float(0.1), 3)

  /// The weights of the cells that are reached from the lightest ones without a sudden change: light fades, while
  /// pictures and boxes begin at an edge. Others are 0.
  private static func connected(_ cells: [Cell], _ weights: [Float], _ columns: Int, _ rows: Int)
    -> [Float]
  {
    let lumas = cells.indices.filter { weights[$0] > 0.5 }.map { cells[$0].luma }.sorted()
    guard !lumas.isEmpty else { return weights }
    let light = 0.85 * lumas[lumas.count * 9 / 10]
    var reached = cells.indices.map { weights[$0] > 0.5 && cells[$0].luma >= light }
    var open = cells.indices.filter { reached[$0] }
    while let at = open.popLast() {
      let (x, y) = (at % columns, at / columns)
      for j in max(y - jump, 0)...min(y + jump, rows - 1) {
        for i in max(x - jump, 0)...min(x + jump, columns - 1) where !reached[j * columns + i] {
          let other = j * columns + i
          let distance = Float((i - x) * (i - x) + (j - y) * (j - y)).squareRoot()
          let (low, high) = (
            min(cells[at].luma, cells[other].luma), max(cells[at].luma, cells[other].luma)
          )
          guard distance <= Float(jump), weights[other] > 0.3, low >= high * (1 - slope * distance) else {
            continue
          }
          reached[other] = true
          open.append(other)
        }
      }
    }
    return weights.indices.map { reached[$0] ? weights[$0] : 0 }
  }

  /// The values with those of little weight replaced by what lies around them.
  private static func filled(
    _ values: [SIMD3<Float>], _ weights: [Float], _ columns: Int, _ rows: Int
  )
    -> [SIMD3<Float>]
  {
    guard columns > 1 || rows > 1 else {
      return values.map { $0.min() > 0 ? $0 : SIMD3(repeating: 255) }
    }
    let (w, h) = ((columns + 1) / 2, (rows + 1) / 2)
    var coarse = [SIMD3<Float>](repeating: .zero, count: w * h)
    var coarseWeights = [Float](repeating: 0, count: w * h)
    for y in 0..<rows {
      for x in 0..<columns {
        let (at, weight) = ((y / 2) * w + x / 2, weights[y * columns + x])
        coarse[at] += weight * values[y * columns + x]
        coarseWeights[at] += weight
      }
    }
    for at in coarse.indices where coarseWeights[at] > 0 { coarse[at] /= coarseWeights[at] }
    if coarseWeights.allSatisfy({ $0 == 0 }) {
      // No paper at all, as on a page that is a picture: its lightest cell is white.
      let white = values.max { ($0 * luma).sum() < ($1 * luma).sum() } ?? SIMD3(repeating: 255)
      return values.map { _ in SIMD3(repeating: max((white * luma).sum(), 1)) }
    }
    let around = filled(coarse, coarseWeights.map { min($0, 1) }, w, h)
    return values.indices.map { at in
      let (x, y) = (at % columns, at / columns)
      let back = bilinear(around, w, h, Float(x) / 2 - 0.25, Float(y) / 2 - 0.25)
      return back + (values[at] - back) * min(weights[at], 1)
    }
  }

  /// The value between cells; beyond the outermost, theirs.
  static func bilinear(_ grid: [SIMD3<Float>], _ columns: Int, _ rows: Int, _ x: Float, _ y: Float)
    -> SIMD3<
      Float
    >
  {
    let (u, v) = (min(max(x, 0), Float(columns - 1)), min(max(y, 0), Float(rows - 1)))
    let (i, j) = (min(Int(u), max(columns - 2, 0)), min(Int(v), max(rows - 2, 0)))
    let (a, b) = (u - Float(i), v - Float(j))
    let (right, below) = (min(i + 1, columns - 1), min(j + 1, rows - 1))
    let top = grid[j * columns + i] * (1 - a) + grid[j * columns + right] * a
    let bottom = grid[below * columns + i] * (1 - a) + grid[below * columns + right] * a
    return top * (1 - b) + bottom * b
  }

  /// Smooths the paper by a binomial filter: edges of cells do not show.
  mutating func smooth() {
    for _ in 0..<2 {
      let before = paper
      for y in 0..<rows {
        for x in 0..<columns {
          var sum = SIMD3<Float>.zero
          for (dy, wy) in [(-1, Float(0.25)), (0, 0.5), (1, 0.25)] {
            for (dx, wx) in [(-1, Float(0.25)), (0, 0.5), (1, 0.25)] {
              let (i, j) = (min(max(x + dx, 0), columns - 1), min(max(y + dy, 0), rows - 1))
              sum += before[j * columns + i] * (wx * wy)
            }
          }
          paper[y * columns + x] = sum
        }
      }
    }
  }
}
