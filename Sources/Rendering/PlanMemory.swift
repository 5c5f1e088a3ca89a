import FrameCore
import Synchronization

/// The memory of frames on their way through one plan, kept for later frames: as many of each object as frames
/// were in flight at once.
final class PlanMemory: Sendable {
  private struct State {
    var works: [RenderWork] = []
    var reduced: [PixelBuffer] = []
  }
  private let state = Mutex(State())

  func takeWork() -> RenderWork { state.withLock { $0.works.popLast() } ?? RenderWork() }

  func giveBack(_ work: RenderWork) {
    work.clear()
    state.withLock { $0.works.append(work) }
  }

  /// Returns a picture of the plan's reduced size with undefined samples; nil if all are in use.
  func takeReducedPicture() -> PixelBuffer? { state.withLock { $0.reduced.popLast() } }

  func giveBack(_ reduced: PixelBuffer) { state.withLock { $0.reduced.append(reduced) } }
}

extension CompiledPlan {
  func takeWork() -> RenderWork { memory.takeWork() }
  func giveBack(_ work: RenderWork) { memory.giveBack(work) }

  /// Makes a picture for the result of the plan's reduction.
  ///
  /// - Precondition: the plan reduces.
  /// - Throws: `SafelightError` if memory is short.
  func makeReducedPicture(of source: PixelBuffer) throws -> PixelBuffer {
    try PixelBuffer(
      size: shrink?.outputSize ?? source.size, format: shrink?.outputFormat ?? source.format,
      tags: source.tags, alpha: source.alpha)
  }

  /// As `makeReducedPicture`, but reuses a returned picture if there is one.
  func takeReducedPicture(of source: PixelBuffer) throws -> PixelBuffer {
    try memory.takeReducedPicture() ?? makeReducedPicture(of: source)
  }

  func giveBack(_ reduced: PixelBuffer) { memory.giveBack(reduced) }
}
