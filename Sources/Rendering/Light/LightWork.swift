import FilterGraph
import FrameCore

/// The making of the light grids of one picture, in pieces that threads share; reused for the next picture.
final class LightWork: PoolWork, @unchecked Sendable {
  enum Task {
    case none
    /// Colours of the proxy, in bands.
    case sample(CompiledLight, PixelBuffer)
    /// What happens to each node up to the field of a round, in bands, perhaps with the grid of the round before; first
    /// they are sampled if there is a picture.
    case nodes(CompiledLight, round: Int, PixelBuffer?, LightGrid?)
    /// The parts of one phase of the grid of a round, and their number.
    case parts(CompiledLight, round: Int, phase: Int, Int, LightHistory?)
  }
  private var task = Task.none
  private var memory: LightMemory?

  /// Returns when the task is done.
  ///
  /// - Parameter pool: nil runs it on this thread alone.
  func run(_ task: Task, _ memory: LightMemory, on pool: WorkerPool?) {
    (self.task, self.memory) = (task, memory)
    pieces = if case .parts(_, _, _, let count, _) = task { count } else { CompiledLight.bandCount }
    if let pool {
      pool.run(self)
    } else {
      for piece in 0..<pieces { perform(piece) }
    }
    (self.task, self.memory) = (.none, nil)
  }

  override func perform(_ piece: Int, scratch: TileScratch) { perform(piece) }

  private func perform(_ piece: Int) {
    guard let memory else { return }
    switch task {
    case .none: break
    case .sample(let light, let picture): light.sample(piece, of: picture, memory)
    case .nodes(let light, let round, let picture, let grid):
      if let picture { light.sample(piece, of: picture, memory) }
      light.runNodes(piece, round: round, memory, grid)
    case .parts(let light, let round, let phase, _, let history):
      light.makePart(piece, round: round, phase: phase, memory, history)
    }
  }
}
