import AnalysisKernels
import FrameCore
import Synchronization

/// The passes over blocks of a picture: one over some of them for the noise, one over all for the result.
struct MergeBlocks: Sendable {
  let input: MergeInput
  private let fields: [Displacements]
  private let team: ThreadTeam
  private let pool: MergeScratchPool
  private let blocks: [MergeBlock]

  private static let width = 256
  private static let height = 64
  /// The blocks that the noise is estimated from: one in this many, but no fewer than eight.
  private static let noiseStride = 5
  private static let rim = Int(SLA_MERGE_RADIUS)

  init(input: MergeInput, motions: [FrameMotion], team: ThreadTeam, pool: MergeScratchPool) {
    self.input = input
    fields = motions.map(\.displacements)
    (self.team, self.pool) = (team, pool)
    blocks = MergeBlock.covering(input.size, width: Self.width, height: Self.height)
  }

  private var others: [Int] { input.frames.indices.filter { $0 != input.reference } }

  /// Where weights begin to fall and where they end, as multiples of what noise gives.
  static func limits(_ noise: FrameNoise, _ frame: Int) -> sla_merge_limits {
    sla_merge_limits(
      square_gain: noise.squareGains[frame], square_full: 1.5, square_none: 2.5,
      mean_gain: noise.meanGain, mean_full: 4, mean_none: 9)
  }

  func noise(_ cancellation: WorkCancellation) throws -> FrameNoise {
    let stride = max(1, min(Self.noiseStride, blocks.count / 8))
    let chosen = Swift.stride(from: stride / 2, to: blocks.count, by: stride).map { blocks[$0] }
    let found = Mutex<[Int: [FrameNoise.Tile]]>([:])
    try run(chosen.count, cancellation) { index in
      let tiles = pool.use { noiseTiles(chosen[index], $0) }
      found.withLock { $0[index] = tiles }
    }
    // In the order of blocks, so that the result does not depend on which thread was first.
    let tiles = found.withLock { found in chosen.indices.flatMap { found[$0] ?? [] } }
    return FrameNoise(tiles, frames: input.frames.count, rounding: input.rounding)
  }

  private func noiseTiles(_ block: MergeBlock, _ scratch: MergeScratch) -> [FrameNoise.Tile] {
    let tile = Int(SLA_ALIGNMENT_TILE)
    let count = block.columns.count / tile * (block.rows.count / tile)
    guard count > 0 else { return [] }
    let area = block.extended(Self.rim)
    input.read(input.reference, area, into: scratch.reference, scratch)
    return others.flatMap { frame in
      input.warp(frame, area, fields[frame], scratch)
      var (reference, warped) = (scratch.reference.window, scratch.warped.window)
      var inside = scratch.inside.window
      var sums = [sla_difference_sums](repeating: sla_difference_sums(), count: count)
      let memory = scratch.samples(
        sla_merge_scratch(Int32(block.columns.count), Int32(block.rows.count)))
      sla_sum_differences(&reference, &warped, &inside, &sums, memory)
      return sums.map { FrameNoise.Tile(frame: frame, sums: $0) }
    }
  }

  /// Writes the result; returns the sum of each frame's weights.
  func merge(_ noise: FrameNoise, into output: PixelBuffer, _ cancellation: WorkCancellation) throws
    -> [Double]
  {
    let found = Mutex<[Int: [Double]]>([:])
    try run(blocks.count, cancellation) { index in
      let weights = pool.use { merge(blocks[index], noise, into: output, $0) }
      found.withLock { $0[index] = weights }
    }
    return found.withLock { found in
      input.frames.indices.map { frame in
        blocks.indices.reduce(0) { $0 + (found[$1]?[frame] ?? 0) }
      }
    }
  }

  private func merge(
    _ block: MergeBlock, _ noise: FrameNoise, into output: PixelBuffer, _ scratch: MergeScratch
  ) -> [Double] {
    let (width, height) = (block.columns.count, block.rows.count)
    let area = block.extended(Self.rim)
    input.read(input.reference, area.extended(Self.rim), into: scratch.reference, scratch)
    var model = noise.model
    var whole = scratch.reference.window
    let room = sla_merge_scratch(Int32(width), Int32(height))
    scratch.deviations.fill(3, area) { deviations in
      sla_invert_deviation(&whole, &model, &deviations, scratch.samples(room))
    }
    var (reference, deviations) = (scratch.reference.inner(Self.rim), scratch.deviations.window)
    scratch.weights.resize(1, width: width, height: height)
    scratch.sums.resize(4, width: width, height: height)
    scratch.sums.clear(4)
    var totals = [Double](repeating: 0, count: input.frames.count)
    for frame in others {
      input.warp(frame, area, fields[frame], scratch)
      var (warped, inside) = (scratch.warped.window, scratch.inside.window)
      var (limits, weights) = (Self.limits(noise, frame), scratch.weights.window)
      sla_merge_weights(
        &reference, &warped, &inside, &deviations, &limits, &weights, scratch.samples(room))
      totals[frame] = input.add(scratch)
    }
    input.store(reference, scratch.sums.window, to: output, block)
    return totals
  }

  /// Calls `body` for 0..<count on all threads; checks for cancellation now and then.
  private func run(_ count: Int, _ cancellation: WorkCancellation, _ body: @escaping @Sendable (Int) -> Void)
    throws
  {
    let share = 16 * team.threads
    for first in Swift.stride(from: 0, to: count, by: share) {
      try cancellation.check()
      team.run(min(share, count - first)) { body(first + $0) }
    }
  }
}
