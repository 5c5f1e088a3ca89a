import ColorScience
import FilterGraph
import Filters
import FrameCore
import Rendering

extension PhotoSample {
  /// The photo as an `rgba8` sRGB picture, the right way up and no larger than `box`, never enlarged.
  func picture(within box: PixelSize) throws -> PixelBuffer {
    let displayed = orientation.applied(to: buffer.size)
    let scale = min(
      1, Double(box.width) / Double(displayed.width), Double(box.height) / Double(displayed.height))
    let longEdge = max(1, Int((Double(displayed.longEdge) * scale).rounded(.down)))
    let renderer = CPURenderer()
    let input = PlanInput(
      size: buffer.size, format: buffer.format, space: try ColorSpace(tags: buffer.tags),
      orientation: orientation, alpha: buffer.alpha)
    return try renderer.render(
      buffer,
      through: renderer.plan(
        Recipe(filters: [Resize(longEdge: longEdge)]), input: input,
        output: PlanOutput(format: .rgba8, space: .sRGB)))
  }
}
