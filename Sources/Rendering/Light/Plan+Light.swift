import FilterGraph
import FrameCore

extension Plan {
  /// Whether filters depend on the light around each pixel, and so on the whole picture.
  public var hasLocalLight: Bool { exactStages.contains { $0.gridField != nil } }

  /// Whether they, or masks that follow edges, depend on detail finer than a proxy has by default.
  public var hasFineLight: Bool { exactStages.contains { $0.gridField?.needsFineGrid == true } }

  /// Whether there is grain, which moves from frame to frame.
  package var hasGrain: Bool { exactStages.contains { $0.grainField != nil } }

  /// Returns remarks on what filters found in the picture of a proxy, such as no haze to remove, for the person who
  /// edits: each a sentence without its full stop.
  package func notes(on proxy: LightProxy) -> [String] {
    let removesHaze = exactStages.map { $0.gridField?.haze?.removes ?? false }
    guard removesHaze.contains(true), let light = CompiledLight(self), light.needsPicture else { return [] }
    let memory = LightMemory(light)
    light.make(memory, of: proxy)
    let found = zip(light.fields, memory.ambient).contains { $0.haze?.removes == true && $1.found > 0.05 }
    return found ? [] : ["No haze was found, so dehazing leaves the picture as it is"]
  }

  /// Throws if a proxy is not of a picture as large as this plan's input.
  package func check(_ proxy: LightProxy) throws {
    guard !hasFineLight || proxy.fine != nil else {
      throw SafelightError(
        .invalidValue, "The proxy is too coarse for a plan with texture, or with masks that follow edges",
        remedy: "make it with isFine: true")
    }
    let needed = LightGrid.size(for: input.size)
    guard proxy.size == needed else {
      throw SafelightError(
        .invalidValue, "A proxy of \(proxy.size) does not fit a plan for a picture of \(input.size)",
        remedy: "make one of \(needed) of this picture")
    }
  }
}
