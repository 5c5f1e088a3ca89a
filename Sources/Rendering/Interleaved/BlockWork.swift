import FilterGraph
import FrameCore
import Synchronization

/// The rendering of a picture whose samples are repacked: a piece is a block, from the memory of the picture to that of
/// the result.
final class BlockWork: PoolWork, @unchecked Sendable {
  private let plan: CPUPlan
  private let blocks: [RenderedBlocks.Block]
  private let light: LightMemory?
  private let source, result: Place
  private let failure = Mutex<(any Error)?>(nil)

  /// Where the pixels before or after are.
  enum Place {
    case whole(PixelBuffer)
    /// In somebody's memory; blocks of them pass through buffers of the pool.
    case repacked(InterleavedPicture, PixelBufferPool)
  }

  init(
    _ plan: CPUPlan, _ blocks: RenderedBlocks, light: LightMemory?, from source: Place, into result: Place
  ) {
    (self.plan, self.blocks, self.light) = (plan, blocks.blocks, light)
    (self.source, self.result) = (source, result)
    super.init()
    pieces = self.blocks.count
  }

  /// Renders all blocks on the plan's threads.
  ///
  /// - Throws: `SafelightError` if memory is short.
  func run() throws {
    plan.pool.run(self)
    if let error = failure.withLock({ $0 }) { throw error }
  }

  override func perform(_ piece: Int, scratch: TileScratch) {
    do {
      try render(blocks[piece], scratch: scratch)
    } catch {
      failure.withLock { $0 = error }
    }
  }

  private func render(_ block: RenderedBlocks.Block, scratch: TileScratch) throws {
    let (picture, plan) = (try picture(showing: block.source), plan)
    switch result {
    case .whole(let output):
      let view = output.view(columns: block.result.columns, rows: block.result.rows)
      plan.run(.picture(picture), light: light, block.result, into: view, scratch: scratch)
    case .repacked(let output, let memory):
      let buffer = try memory.makeBuffer(alpha: plan.plan.outputAlpha)
      plan.run(.picture(picture), light: light, block.result, into: buffer, scratch: scratch)
      output.write(block.result, from: buffer)
    }
  }

  /// A view with the size of the whole picture, of which only this region may be read.
  private func picture(showing region: Region) throws -> PixelBuffer {
    switch source {
    case .whole(let picture): return picture
    case .repacked(let picture, let memory):
      let buffer = try memory.makeBuffer(alpha: plan.plan.input.alpha)
      picture.copy(region, into: buffer)
      return buffer.asPart(of: picture.size, x: region.columns.lowerBound, y: region.rows.lowerBound)
    }
  }
}

extension CPUPlan {
  /// Renders a region on the calling thread, whose memory `scratch` is.
  fileprivate func run(
    _ samples: CPUPicture.Samples, light: LightMemory?, _ region: Region, into output: PixelBuffer,
    scratch: TileScratch
  ) {
    let work = compiled.takeWork()
    work.render(samples, through: compiled, light: light, region, into: output)
    for piece in 0..<work.pieces { work.perform(piece, scratch: scratch) }
    work.finish()
    compiled.giveBack(work)
  }
}
