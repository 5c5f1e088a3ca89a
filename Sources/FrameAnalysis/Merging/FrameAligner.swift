import AnalysisKernels
import FrameCore

/// Finds the motion of frames relative to a reference.
///
/// From coarse to fine over pyramids of luma: a search of whole samples at the coarsest level, then steps of
/// Lucas and Kanade. On coarse levels these fit one affine motion to all tiles; on the two finest, each tile
/// of 16 × 16 samples may deviate from it, held together with its neighbours (`MotionSmoothing`).
///
/// Sources: B. Lucas, T. Kanade, An Iterative Image Registration Technique, IJCAI 1981; the pyramid of tiles
/// is that of S. Hasinoff et al., Burst photography for high dynamic range and low-light imaging on mobile
/// cameras, ACM Transactions on Graphics 35, 2016.
struct FrameAligner {
  private let reference: LumaPyramid
  private let size: PixelSize
  private let team: ThreadTeam
  private let pool: MergeScratchPool

  /// Levels on which tiles may deviate.
  private static let tileLevels = 2
  /// Differences of luma beyond this many times what is usual are taken for something else that moved.
  private static let toleranceFactor: Float = 3

  init(reference: LumaPyramid, size: PixelSize, team: ThreadTeam, pool: MergeScratchPool) {
    (self.reference, self.size, self.team, self.pool) = (reference, size, team, pool)
  }

  func motion(of frame: LumaPyramid) -> FrameMotion {
    var motion = FrameMotion(size: size)
    guard let coarsest = reference.levels.last, let other = frame.levels.last else { return motion }
    motion.shift = TranslationSearch.shift(from: coarsest, to: other) * Double(coarsest.scale)
    var tolerance: Float = 0.1
    for index in reference.levels.indices.reversed() {
      let (level, other) = (reference.levels[index], frame.levels[index])
      let isFine = index < Self.tileLevels
      for _ in 0..<(isFine ? 1 : 4) {
        let tiles = tileSums(level, other, motion, tolerance)
        AffineStep(tiles, level).apply(to: &motion)
        tolerance = tiles.tolerance(Self.toleranceFactor)
      }
      guard isFine else { continue }
      for _ in 0..<2 {
        let tiles = tileSums(level, other, motion, tolerance)
        MotionSmoothing(tiles, level).apply(to: &motion)
        tolerance = tiles.tolerance(Self.toleranceFactor)
      }
    }
    return motion
  }

  /// Warps a level of the frame by the motion and adds up what a step needs.
  private func tileSums(
    _ level: LumaPyramid.Level, _ frame: LumaPyramid.Level, _ motion: FrameMotion, _ tolerance: Float
  ) -> AlignmentTiles {
    let tile = Int(SLA_ALIGNMENT_TILE)
    let grid = PixelSize(width: level.size.width / tile, height: level.size.height / tile)
    let tiles = AlignmentTiles(columns: grid.width, rows: grid.height)
    let field = motion.displacements(level)
    let blocks = MergeBlock.covering(grid, width: 16, height: 4)
    let work = LevelPair(reference: level, frame: frame)
    team.run(blocks.count) { index in
      let block = blocks[index]
      pool.use { scratch in
        let pixels = MergeBlock(
          columns: block.columns.lowerBound * tile..<block.columns.upperBound * tile,
          rows: block.rows.lowerBound * tile..<block.rows.upperBound * tile)
        work.warp(pixels, field, scratch)
        scratch.reference.fill(1, pixels.extended(1)) { window in
          sla_copy_window(
            work.reference.samples, Int32(level.size.width), Int32(level.size.height),
            Int32(pixels.columns.lowerBound - 1), Int32(pixels.rows.lowerBound - 1), &window)
        }
        var (reference, warped) = (scratch.reference.window, scratch.warped.window)
        var inside = scratch.inside.window
        var sums = [sla_tile_sums](
          repeating: sla_tile_sums(), count: block.columns.count * block.rows.count)
        sla_sum_tiles(&reference, &warped, &inside, tolerance, &sums)
        tiles.set(sums, of: block)
      }
    }
    return tiles
  }

  private struct LevelPair: @unchecked Sendable {
    let reference: LumaPyramid.Level
    let frame: LumaPyramid.Level

    func warp(_ block: MergeBlock, _ field: Displacements, _ scratch: MergeScratch) {
      let size = frame.size
      let source = block.source(field, size)
      scratch.source.fill(1, source) { window in
        sla_copy_window(
          frame.samples, Int32(size.width), Int32(size.height), Int32(source.columns.lowerBound),
          Int32(source.rows.lowerBound), &window)
      }
      scratch.warp(block, from: source, field, size, channels: 1)
    }
  }
}

/// Sums of all tiles of a level, filled in by several threads.
final class AlignmentTiles: @unchecked Sendable {
  let columns: Int
  let rows: Int
  private let base: UnsafeMutablePointer<sla_tile_sums>

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    base = .allocate(capacity: max(columns * rows, 1))
    base.initialize(repeating: sla_tile_sums(), count: columns * rows)
  }

  deinit { base.deallocate() }

  subscript(index: Int) -> sla_tile_sums { base[index] }

  var count: Int { columns * rows }

  /// Sets the tiles of a block of the grid; blocks do not overlap.
  func set(_ sums: [sla_tile_sums], of block: MergeBlock) {
    for (index, sum) in sums.enumerated() {
      let row = block.rows.lowerBound + index / block.columns.count
      base[row * columns + block.columns.lowerBound + index % block.columns.count] = sum
    }
  }

  /// The median of the tiles' mean squared differences; tiles outside of the frame do not count.
  var usualSquare: Float {
    let squares = (0..<count).filter { base[$0].weights > Self.leastWeight }.map {
      base[$0].squares / base[$0].weights
    }.sorted()
    return squares.isEmpty ? 0 : squares[squares.count / 2]
  }

  /// Differences that are taken for noise, in luma: `factor` times what is usual, and at least two 8-bit
  /// codes.
  func tolerance(_ factor: Float) -> Float { max(factor * usualSquare.squareRoot(), 2.0 / 255) }

  /// Of 256 pixels of a tile; below this, most are outside of the frame or hidden.
  static let leastWeight: Float = 64
}
