import Capture
import FrameCore
import Rendering

extension PhotoDelivery {
  /// Returns a small picture of the frame nearest to the press, with the look: for showing the photo before it is
  /// written, as `PhotoUpdates.thumbnail`.
  ///
  /// It is developed from one frame also where the photo is made of several.
  ///
  /// - Parameter longEdge: the most pixels of a side.
  /// - Returns: `rgba8` in sRGB, upright.
  /// - Throws: `SafelightError` if the look cannot be applied, or if memory is short.
  public func thumbnail(of captured: CapturedPhoto, longEdge: Int = 256) throws -> PixelBuffer {
    let frame = try captured.referenceFrame.frame()
    let recipe = try maker.recipe(for: frame, of: captured.settings).recipe
    var small = export
    small.format = .jpeg
    small.colorSpace = .sRGB
    small.maximumSize = PixelSize(width: longEdge, height: longEdge)
    return try small.rendered(
      frame.buffer, orientation: frame.orientation, through: recipe, renderer: CPURenderer(threads: 1))
  }
}
