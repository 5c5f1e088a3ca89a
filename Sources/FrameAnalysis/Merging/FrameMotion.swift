import AnalysisKernels
import FrameCore

/// How the content of a frame is displaced relative to the reference: an affine motion of the whole, as of a
/// hand, and what tiles add to it.
///
/// The reference's pixel at X is the frame's at X + displacement(X). Positions are in pixels from the upper
/// left corner, where the first pixel has its centre at (0.5, 0.5).
struct FrameMotion: Sendable {
  let size: PixelSize
  /// The displacement of the picture's centre, in pixels.
  var shift = SIMD2<Double>.zero
  /// The change of the displacement by a pixel to the right, and by one down.
  var right = SIMD2<Double>.zero
  var down = SIMD2<Double>.zero
  /// What tiles add.
  var residual = TileGrid()

  init(size: PixelSize) { self.size = size }

  var centre: SIMD2<Double> { SIMD2(Double(size.width), Double(size.height)) / 2 }

  func affine(_ position: SIMD2<Double>) -> SIMD2<Double> {
    let offset = position - centre
    return shift + right * offset.x + down * offset.y
  }

  func displacement(_ position: SIMD2<Double>) -> SIMD2<Double> {
    affine(position) + residual(position)
  }

  /// The displacements in a level of a pyramid, in its samples.
  func displacements(_ level: LumaPyramid.Level) -> Displacements {
    let scale = Double(level.scale)
    return Displacements(size: level.size, spacing: Double(SLA_ALIGNMENT_TILE)) { position in
      displacement(position * scale) / scale
    }
  }

  /// The displacements in the picture.
  var displacements: Displacements {
    Displacements(size: size, spacing: Double(2 * SLA_ALIGNMENT_TILE), displacement)
  }

  /// The mean displacement over the picture, and the mean of its length, in pixels.
  var mean: (shift: SIMD2<Double>, length: Double) {
    var (sum, length, count) = (SIMD2<Double>.zero, 0.0, 0.0)
    for j in 0..<16 {
      for i in 0..<16 {
        let part = SIMD2(Double(i) + 0.5, Double(j) + 0.5) / 16
        let d = displacement(part * SIMD2(Double(size.width), Double(size.height)))
        sum += d
        length += (d * d).sum().squareRoot()
        count += 1
      }
    }
    return (sum / count, length / count)
  }
}

/// Values at the centres of square tiles, linear in between and constant beyond the outermost.
struct TileGrid: Sendable {
  let columns: Int
  let rows: Int
  /// The edge of a tile in pixels of the picture.
  let spacing: Double
  var values: [SIMD2<Double>]

  init() { (columns, rows, spacing, values) = (0, 0, 1, []) }

  init(columns: Int, rows: Int, spacing: Double, _ value: (SIMD2<Double>) -> SIMD2<Double>) {
    (self.columns, self.rows, self.spacing) = (columns, rows, spacing)
    values = []
    for row in 0..<rows {
      for column in 0..<columns {
        values.append(value(SIMD2(Double(column) + 0.5, Double(row) + 0.5) * spacing))
      }
    }
  }

  func callAsFunction(_ position: SIMD2<Double>) -> SIMD2<Double> {
    guard !values.isEmpty else { return .zero }
    func place(_ x: Double, _ count: Int) -> (Int, Int, Double) {
      let u = min(max(x / spacing - 0.5, 0), Double(count - 1))
      let first = min(Int(u), max(count - 2, 0))
      return (first, min(first + 1, count - 1), u - Double(first))
    }
    let (left, right, across) = place(position.x, columns)
    let (top, bottom, along) = place(position.y, rows)
    let upper = values[top * columns + left] * (1 - across) + values[top * columns + right] * across
    let lower = values[bottom * columns + left] * (1 - across) + values[bottom * columns + right] * across
    return upper * (1 - along) + lower * along
  }
}
