import AnalysisKernels
import FrameCore

/// One step of Lucas and Kanade for an affine motion of the whole picture: the change that all tiles together
/// ask for.
///
/// A tile asks for δ with H·δ = b (`sla_tile_sums`), and δ = J·p for the six parameters p, so
/// Σ Jᵀ·H·J·p = Σ Jᵀ·b, each tile divided by its squared differences.
struct AffineStep {
  private let level: LumaPyramid.Level
  /// The change: of the shift, in samples of the level, and of the displacement from the centre to an edge.
  private var change = [Double](repeating: 0, count: 6)
  private let extent: Double

  /// A weak belief that nothing changes, in samples: what a picture without structure is left with.
  private static let doubt = 2.0
  /// Steps are no longer than this, in samples: beyond, a tile's gradients say nothing.
  private static let longest = 2.0

  init(_ tiles: AlignmentTiles, _ level: LumaPyramid.Level) {
    self.level = level
    extent = Double(level.size.longEdge) / 2
    var system = LinearSystem(unknowns: 6)
    for index in 0..<6 { system.matrix[index * 6 + index] = 1 / (Self.doubt * Self.doubt) }
    let usual = Double(max(tiles.usualSquare, 1e-8))
    let edge = Double(SLA_ALIGNMENT_TILE)
    for index in 0..<tiles.count where tiles[index].weights > AlignmentTiles.leastWeight {
      let tile = tiles[index]
      let x = (Double(index % tiles.columns) + 0.5) * edge - Double(level.size.width) / 2
      let y = (Double(index / tiles.columns) + 0.5) * edge - Double(level.size.height) / 2
      let place = [1, x / extent, y / extent]
      let square = Double(tile.squares / tile.weights)
      // Tiles that fit badly moved by themselves.
      let misfit = square / (4 * usual)
      let weight = 1 / (max(square, usual) * (1 + misfit * misfit))
      let (xx, xy, yy) = (Double(tile.xx) * weight, Double(tile.xy) * weight, Double(tile.yy) * weight)
      for i in 0..<3 {
        for j in 0..<3 {
          let product = place[i] * place[j]
          system.matrix[i * 6 + j] += xx * product
          system.matrix[i * 6 + j + 3] += xy * product
          system.matrix[(i + 3) * 6 + j] += xy * product
          system.matrix[(i + 3) * 6 + j + 3] += yy * product
        }
        system.right[i] += Double(tile.x) * weight * place[i]
        system.right[i + 3] += Double(tile.y) * weight * place[i]
      }
    }
    let solution = system.solution
    let length = (solution.reduce(0) { $0 + $1 * $1 }).squareRoot()
    change = solution.map { $0 * min(1, Self.longest / max(length, 1e-9)) }
  }

  func apply(to motion: inout FrameMotion) {
    motion.shift += SIMD2(change[0], change[3]) * Double(level.scale)
    motion.right += SIMD2(change[1], change[4]) / extent
    motion.down += SIMD2(change[2], change[5]) / extent
  }
}

/// A symmetric, positive definite system of linear equations.
struct LinearSystem {
  var matrix: [Double]
  var right: [Double]
  private let unknowns: Int

  init(unknowns: Int) {
    self.unknowns = unknowns
    matrix = Array(repeating: 0, count: unknowns * unknowns)
    right = Array(repeating: 0, count: unknowns)
  }

  /// By Gaussian elimination, which needs no exchange of rows for such a matrix.
  var solution: [Double] {
    var (a, b) = (matrix, right)
    let n = unknowns
    for pivot in 0..<n {
      for row in pivot + 1..<n {
        let factor = a[row * n + pivot] / a[pivot * n + pivot]
        for column in pivot..<n { a[row * n + column] -= factor * a[pivot * n + column] }
        b[row] -= factor * b[pivot]
      }
    }
    for row in (0..<n).reversed() {
      for column in row + 1..<n { b[row] -= a[row * n + column] * b[column] }
      b[row] /= a[row * n + row]
    }
    return b
  }
}
