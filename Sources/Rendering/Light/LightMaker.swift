import FilterGraph
import FrameCore
import Synchronization

/// Finds the light around the pixels of pictures, for renderers of other modules.
package final class LightMaker: Sendable {
  private let compiled: CompiledLight
  /// The grids of the one picture that is rendered; nil if each picture has its own.
  private let fixed: LightMemory?
  /// Of the live run whose frames are rendered.
  private let history: LightHistory?
  /// That of earlier pictures, reused once nobody else holds it.
  private let made = Mutex<[LightMemory]>([])

  /// Whether the light of the whole picture is needed.
  package var needsPicture: Bool { compiled.needsPicture }

  /// Returns nil if the plan's fields need no grid and have no grain.
  package convenience init?(_ plan: Plan) {
    guard let compiled = CompiledLight(plan) else { return nil }
    self.init(compiled, fixed: nil, history: nil)
  }

  private init(_ compiled: CompiledLight, fixed: LightMemory?, history: LightHistory?) {
    (self.compiled, self.fixed, self.history) = (compiled, fixed, history)
  }

  package func lit(by proxy: LightProxy) -> LightMaker {
    let memory = LightMemory(compiled)
    compiled.make(memory, of: proxy)
    return LightMaker(compiled, fixed: memory, history: nil)
  }

  package func following(_ history: LightHistory) -> LightMaker {
    LightMaker(compiled, fixed: nil, history: history)
  }

  package func grids(of picture: PixelBuffer) -> LightMemory {
    if let fixed { return fixed }
    let memory = made.withLock { made in
      for index in made.indices where isKnownUniquelyReferenced(&made[index]) { return made[index] }
      made.append(LightMemory(compiled))
      return made[made.count - 1]
    }
    compiled.make(memory, of: picture, history: history)
    return memory
  }
}
