import FilterGraph
import FrameCore

extension Plan {
  /// Whether filters depend on the light around each pixel, and so on the whole picture.
  public var hasLocalLight: Bool { exactStages.contains { $0.localLight != nil } }

  /// Throws if a proxy is not of a picture as large as this plan's input.
  package func check(_ proxy: LightProxy) throws {
    let needed = LightGrid.size(for: input.size)
    guard proxy.size == needed else {
      throw SafelightError(
        .invalidValue, "A proxy of \(proxy.size) does not fit a plan for a picture of \(input.size)",
        remedy: "make one of \(needed) of this picture")
    }
  }
}
