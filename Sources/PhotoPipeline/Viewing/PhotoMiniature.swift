import ColorScience
import FilterGraph
import Filters
import FrameCore
import PhotoIO
import Rendering

/// Small pictures of edited photos, for grids: many of them in little time.
///
/// The photo is decoded no larger than the picture needs, and the edit is applied to that. It looks as an export of the
/// same size, but for noise reduction, of which little is left at this size.
public enum PhotoMiniature {
  /// Renders an edited photo to fit into a square box.
  ///
  /// - Parameters:
  ///   - recipe: an edit whose files are loaded.
  ///   - edge: of the box, in pixels; the picture is never larger than the edited photo.
  ///   - space: the colour space of the picture.
  /// - Returns: `rgba8`.
  /// - Throws: `SafelightError` if the photo cannot be read, or if the edit does not fit it.
  public static func picture(
    _ path: String, through recipe: Recipe, edge: Int, space: ColorSpace = .sRGB, renderer: CPURenderer
  ) throws -> PixelBuffer {
    let file = try PhotoFile(path)
    let input = try file.header.planInput
    let full = try Plan(recipe, input: input, output: PlanOutput(), optimized: false).outputSize
    let box = PixelSize(width: edge, height: edge)
    let size = full.fits(into: box) ? full : full.fitted(into: box)
    // A crop shows a part of the photo: more of it must be decoded.
    let part = Double(size.longEdge) / Double(full.longEdge)
    let needed = Int((part * Double(input.size.longEdge)).rounded(.up))
    let copy = try SmallCopy(decoding: file, toLongEdge: needed, input)
    return try copy.whole(recipe, atMost: size, in: space, renderer: renderer)
  }
}

extension SmallCopy {
  /// Renders all of an edit of the photo.
  fileprivate func whole(
    _ recipe: Recipe, atMost size: PixelSize, in space: ColorSpace, renderer: CPURenderer
  ) throws -> PixelBuffer {
    let plan = try renderer.plan(
      self.recipe(recipe), input: input, output: PlanOutput(format: .rgba8, space: space, maximumSize: size))
    var prepared: any PreparedPlan = renderer.prepare(plan)
    if plan.hasLocalLight { prepared = try prepared.lit(by: lightProxy(isFine: plan.hasFineLight)) }
    let picture = try PixelBuffer(
      size: plan.outputSize, format: .rgba8, tags: try space.tags, alpha: plan.outputAlpha)
    let whole = Region(columns: 0..<plan.outputSize.width, rows: 0..<plan.outputSize.height)
    try prepare(prepared).render(whole, of: plan, into: picture)
    return picture
  }
}
