import ColorScience
import FilterGraph
import Filters
import FrameCore
import PhotoIO
import Rendering

/// A contact sheet of one photo in every shipped look.
public enum PresetSheet {
  /// - Parameter longEdge: of each picture on the sheet, in pixels.
  public static func render(
    _ photo: Photo, longEdge: Int = 480, strength: Double = 1, renderer: any Renderer = CPURenderer()
  ) throws -> PixelBuffer {
    // All looks start from one reduced original.
    let reduced = try renderer.render(
      photo.buffer,
      through: renderer.plan(
        Recipe(filters: [Resize(longEdge: min(longEdge, photo.buffer.size.longEdge))]),
        input: photo.planInput,
        output: PlanOutput(format: .rgba8, space: .sRGB)))
    var cells = [ContactSheet.Cell(reduced, caption: "Original")]
    let input = PlanInput(size: reduced.size, space: .sRGB, alpha: reduced.alpha)
    for preset in try PresetLibrary.all() {
      let plan = try renderer.plan(preset.recipe.scaled(by: strength), input: input, output: PlanOutput())
      cells.append(ContactSheet.Cell(try renderer.render(reduced, through: plan), caption: preset.name))
    }
    return try ContactSheet(cells).render()
  }
}
