import ColorScience
import FilterGraph
import FrameCore
import PhotoIO
import Rendering

extension PhotoExport {
  /// Edits a picture in memory, such as a camera's frame, and writes it, as `run` does for photos.
  ///
  /// Camera samples are decoded, edited and converted in one plan, so nothing is rounded in between.
  ///
  /// - Parameters:
  ///   - orientation: how the picture must be turned for display.
  ///   - metadata: those of the picture; they go through the export's policy.
  ///   - bakes: tables shared by several pictures with one edit.
  /// - Throws: `SafelightError`; then nothing is left at `output`, and an existing file is untouched.
  package func write(
    _ picture: PixelBuffer, orientation: Orientation, through recipe: Recipe,
    metadata: PhotoMetadata = PhotoMetadata(), to output: String, renderer: any Renderer,
    bakes: BakeCache? = nil, timing watch: Stopwatch = Stopwatch()
  ) throws -> Report {
    var watch = watch
    let format = try format ?? PhotoFileFormat(forWritingTo: output)
    try format.requireEncoder(toWrite: output)
    let (target, tags) = try planOutput(from: picture.format, tags: picture.tags, writing: format)
    let plan = try watch.measure("plan") {
      try self.plan(of: picture, orientation, through: recipe, to: target, renderer, bakes)
    }
    let edited = try watch.measure("render") { try renderer.render(picture, through: plan) }
    let facts = FileFacts(
      format: format, tags: tags, isSRGB: target.space == .sRGB, keepsLevel: plan.keepsLevel,
      metadata: metadata)
    let writer = try makeWriter((edited.size, edited.format, edited.alpha), facts, to: output)
    try watch.measure("encode") { try writer.write(edited, rows: edited.height) }
    try watch.measure("write") { try writer.finish() }
    return Report(
      plan: plan, outputSize: edited.size, bytes: writer.bytes,
      quality: format.hasQuality ? writer.quality : nil, steps: watch.steps, seconds: watch.total,
      warnings: plan.notes + metadata.losses(under: self.metadata) + writer.warnings,
      backend: renderer.backendReport)
  }

  /// Edits a picture in memory as `write` does, and returns what would be encoded.
  ///
  /// - Throws: `SafelightError`.
  package func rendered(
    _ picture: PixelBuffer, orientation: Orientation, through recipe: Recipe, renderer: any Renderer,
    bakes: BakeCache? = nil
  ) throws -> PixelBuffer {
    let (target, _) = try planOutput(from: picture.format, tags: picture.tags, writing: format ?? .jpeg)
    return try renderer.render(
      picture, through: plan(of: picture, orientation, through: recipe, to: target, renderer, bakes))
  }

  private func plan(
    of picture: PixelBuffer, _ orientation: Orientation, through recipe: Recipe, to target: PlanOutput,
    _ renderer: any Renderer, _ bakes: BakeCache?
  ) throws -> Plan {
    let input = try PlanInput(picture, orientation: orientation)
    return try renderer.optimize(
      Plan(recipe, input: input, output: target, optimized: false), options: PlanOptions(bakes: bakes))
  }

  /// Returns the size that `write` gives a picture.
  package func size(
    of picture: PixelBuffer, _ orientation: Orientation, through recipe: Recipe
  ) throws -> PixelSize {
    let (target, _) = try planOutput(from: picture.format, tags: picture.tags, writing: format ?? .jpeg)
    let input = try PlanInput(picture, orientation: orientation)
    return try Plan(recipe, input: input, output: target, optimized: false).outputSize
  }
}
