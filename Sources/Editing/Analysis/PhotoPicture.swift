import ColorScience
import FilterGraph
import Filters
import FrameCore
import Rendering

extension PhotoSample {
  /// Returns the photo as an `rgba8` sRGB picture, the right way up and no larger than `box`.
  ///
  /// - Parameter enlarge: whether a photo smaller than `box` is enlarged to fill it.
  func picture(within box: PixelSize, enlarge: Bool = false) throws -> PixelBuffer {
    let displayed = orientation.applied(to: buffer.size)
    let fit = min(
      Double(box.width) / Double(displayed.width), Double(box.height) / Double(displayed.height))
    let scale = enlarge ? fit : min(fit, 1)
    let longEdge = max(1, Int((Double(displayed.longEdge) * scale).rounded(.down)))
    let renderer = CPURenderer()
    let input = try PlanInput(
      size: buffer.size, format: buffer.format, tags: buffer.tags,
      orientation: orientation, alpha: buffer.alpha)
    return try renderer.render(
      buffer,
      through: renderer.plan(
        Recipe(filters: [Resize(longEdge: longEdge)]), input: input,
        output: PlanOutput(format: .rgba8, space: .sRGB)))
  }
}
