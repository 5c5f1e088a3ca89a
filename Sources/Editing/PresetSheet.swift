import PhotoPipeline
import ColorScience
import Dispatch
import FilterGraph
import Filters
import FrameCore
import PhotoIO
import Rendering
import Synchronization

/// A contact sheet of one photo in every shipped look.
public enum PresetSheet {
  /// - Parameter longEdge: the long edge of each picture on the sheet, in pixels.
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
    let input = PlanInput(size: reduced.size, space: .sRGB, alpha: reduced.alpha)
    // The pictures are small, so baking the looks dominates; each look is one unit of work.
    let presets = try PresetLibrary.byFamily()
    let looks = Mutex([Int: Result<ContactSheet.Cell, any Error>]())
    DispatchQueue.concurrentPerform(iterations: presets.count) { index in
      let cell = Result {
        let preset = presets[index]
        let plan = try renderer.plan(preset.recipe.scaled(by: strength), input: input, output: PlanOutput())
        return ContactSheet.Cell(try renderer.render(reduced, through: plan), caption: preset.name)
      }
      looks.withLock { $0[index] = cell }
    }
    var cells = [ContactSheet.Cell(reduced, caption: "Original")]
    for (_, cell) in looks.withLock({ $0 }).sorted(by: { $0.key < $1.key }) { cells.append(try cell.get()) }
    return try ContactSheet(cells).render()
  }
}
