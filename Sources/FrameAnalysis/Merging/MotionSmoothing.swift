import AnalysisKernels
import FrameCore

/// One step of Lucas and Kanade for every tile, held together: the residual motion R of tiles that minimizes
///
///     Σ δᵀ·H·δ − 2·bᵀ·δ  +  λ·Σ |R − R of a neighbour|²  +  μ·Σ |R|²,      δ = the change of R
///
/// H and b being those of `sla_tile_sums` divided by the tile's squared differences. So a tile follows its
/// own texture where it has any, and its neighbours where it has none or only edges in one direction.
///
/// The deviation from an affine motion is what is kept smooth, not the motion, since a turn of the camera is
/// not.
struct MotionSmoothing {
  private let level: LumaPyramid.Level
  private let tiles: AlignmentTiles
  private let usual: Double

  /// λ: neighbours usually differ by a tenth of a sample.
  private static let stiffness = 100.0
  /// μ: a tile deviates from the whole by about a sample.
  private static let anchor = 0.5
  private static let sweeps = 24
  /// The longest change of a tile in one step, in samples.
  private static let longest = 1.0

  init(_ tiles: AlignmentTiles, _ level: LumaPyramid.Level) {
    (self.tiles, self.level) = (tiles, level)
    usual = Double(max(tiles.usualSquare, 1e-8))
  }

  /// A tile's own equations for R.
  private struct Equations {
    var xx = 0.0
    var xy = 0.0
    var yy = 0.0
    var right = SIMD2<Double>.zero
  }

  func apply(to motion: inout FrameMotion) {
    let scale = Double(level.scale)
    let spacing = Double(SLA_ALIGNMENT_TILE) * scale
    var grid = TileGrid(columns: tiles.columns, rows: tiles.rows, spacing: spacing) {
      motion.residual($0) / scale
    }
    let before = grid.values
    let equations = before.indices.map { ownEquations($0, before[$0]) }
    for _ in 0..<Self.sweeps {
      for index in equations.indices { relax(index, equations[index], &grid) }
    }
    for (index, old) in before.enumerated() {
      let change = grid.values[index] - old
      let length = (change * change).sum().squareRoot()
      grid.values[index] = (old + change * min(1, Self.longest / max(length, 1e-9))) * scale
    }
    motion.residual = grid
  }

  private func ownEquations(_ index: Int, _ current: SIMD2<Double>) -> Equations {
    let tile = tiles[index]
    guard tile.weights > AlignmentTiles.leastWeight else { return Equations() }
    let weight = 1 / max(Double(tile.squares / tile.weights), usual)
    var own = Equations(
      xx: Double(tile.xx) * weight, xy: Double(tile.xy) * weight, yy: Double(tile.yy) * weight)
    own.right = SIMD2(
      Double(tile.x) * weight + own.xx * current.x + own.xy * current.y,
      Double(tile.y) * weight + own.xy * current.x + own.yy * current.y)
    return own
  }

  /// Solves one tile's equations with its neighbours as they are (Gauss-Seidel).
  private func relax(_ index: Int, _ own: Equations, _ grid: inout TileGrid) {
    let (column, row) = (index % grid.columns, index / grid.columns)
    var (sum, count) = (SIMD2<Double>.zero, 0.0)
    func add(_ neighbour: Int) {
      sum += grid.values[neighbour]
      count += 1
    }
    if column > 0 { add(index - 1) }
    if column + 1 < grid.columns { add(index + 1) }
    if row > 0 { add(index - grid.columns) }
    if row + 1 < grid.rows { add(index + grid.columns) }
    let hold = Self.stiffness * count + Self.anchor
    let (xx, yy) = (own.xx + hold, own.yy + hold)
    let right = own.right + Self.stiffness * sum
    let determinant = xx * yy - own.xy * own.xy
    grid.values[index] =
      SIMD2(yy * right.x - own.xy * right.y, xx * right.y - own.xy * right.x) / determinant
  }
}
