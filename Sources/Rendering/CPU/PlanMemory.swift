import FrameCore
import Synchronization

/// The memory of frames on their way through one plan, kept for later frames: as many of each object as frames
/// were in flight at once.
final class PlanMemory: Sendable {
  private struct State {
    var works: [RenderWork] = []
    var downsampled: [PixelBuffer] = []
    var light: [LightMemory] = []
    var denoised: [PixelBuffer] = []
  }
  private let state = Mutex(State())

  func takeWork() -> RenderWork { state.withLock { $0.works.popLast() } ?? RenderWork() }

  func giveBack(_ work: RenderWork) {
    work.clear()
    state.withLock { $0.works.append(work) }
  }

  /// Returns a picture of the plan's downsampled size with undefined samples; nil if all are in use.
  func takeDownsampledPicture() -> PixelBuffer? { state.withLock { $0.downsampled.popLast() } }

  func giveBack(_ downsampled: PixelBuffer) { state.withLock { $0.downsampled.append(downsampled) } }

  /// Returns memory for the light grids of a picture; nil if all is in use.
  func takeLight() -> LightMemory? { state.withLock { $0.light.popLast() } }

  func giveBack(_ light: LightMemory) { state.withLock { $0.light.append(light) } }

  /// As `takeDownsampledPicture`, of the input's size.
  func takeDenoisedPicture() -> PixelBuffer? { state.withLock { $0.denoised.popLast() } }

  func giveBackDenoised(_ picture: PixelBuffer) { state.withLock { $0.denoised.append(picture) } }
}

extension CompiledPlan {
  func takeWork() -> RenderWork { memory.takeWork() }
  func giveBack(_ work: RenderWork) { memory.giveBack(work) }

  /// Makes a picture for the result of the plan's downsampling.
  ///
  /// - Precondition: the plan downsamples.
  /// - Throws: `SafelightError` if memory is short.
  func makeDownsampledPicture(of source: PixelBuffer) throws -> PixelBuffer {
    try PixelBuffer(
      size: downsample?.outputSize ?? source.size, format: downsample?.outputFormat ?? source.format,
      tags: source.tags, alpha: source.alpha)
  }

  /// As `makeDownsampledPicture`, but reuses a returned picture if there is one.
  func takeDownsampledPicture(of source: PixelBuffer) throws -> PixelBuffer {
    try memory.takeDownsampledPicture() ?? makeDownsampledPicture(of: source)
  }

  func giveBack(_ downsampled: PixelBuffer) { memory.giveBack(downsampled) }

  /// Makes the light grids of a picture; nil if the plan has no local tone.
  func takeLight(of picture: PixelBuffer, history: LightHistory?, on pool: WorkerPool) -> LightMemory? {
    guard let light else { return nil }
    let grids = memory.takeLight() ?? LightMemory(light)
    light.make(grids, of: picture, history: history, on: pool)
    return grids
  }

  func giveBack(_ light: LightMemory) { memory.giveBack(light) }

  /// As `takeLight(of:history:on:)` of a photo, in memory of its own.
  func makeLight(of picture: PixelBuffer, on pool: WorkerPool) -> LightMemory? {
    guard let light else { return nil }
    let grids = LightMemory(light)
    light.make(grids, of: picture, on: pool)
    return grids
  }

  /// Makes a picture for the source without its noise, or reuses one that `giveBackDenoised` returned.
  ///
  /// - Throws: `SafelightError` if memory is short.
  func takeDenoisedPicture(of source: PixelBuffer) throws -> PixelBuffer {
    try memory.takeDenoisedPicture()
      ?? PixelBuffer(
        size: source.size, format: denoising?.outputFormat ?? source.format, tags: source.tags,
        alpha: source.alpha)
  }

  func giveBackDenoised(_ picture: PixelBuffer) { memory.giveBackDenoised(picture) }
}
