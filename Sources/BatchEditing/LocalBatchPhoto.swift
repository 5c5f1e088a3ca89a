import Editing
import Files
import FilterGraph
import FrameCore
import PhotoIO
import PhotoPipeline
import Rendering

/// A photo that is edited in this process. It is opened once, and each of its filters is lowered once.
final class LocalBatchPhoto: BatchPhoto {
  let examination: BatchExamination
  private let editor: LocalBatchEditor
  private let photo: PhotoFile
  private let recipe: Recipe
  /// The plan without tables, which are baked for the edit. Values to be found in the photo are missing.
  private let draft: Plan
  private var filters: LoweredFilters

  init(_ input: String, _ editor: LocalBatchEditor) throws {
    let settings = editor.settings
    photo = try PhotoFile(input)
    let header = photo.header
    recipe = try settings.recipe(photo)
    let export = settings.formattedExport
    let format = export.fileFormat(for: header)
    filters = try LoweredFilters(for: header.planInput)
    let isLookedAt = settings.isLookedAt
    // Sizes determine the memory. Colours are lowered with the values that are found.
    let (output, _) = try export.planOutput(from: filters.input.format, tags: header.tags, writing: format)
    draft = try Plan(recipe, output: output, continuing: &filters, onlyGeometry: isLookedAt)
    let isCompared = settings.export.comparison != nil
    examination = BatchExamination(
      width: header.size.width, height: header.size.height,
      memory: LocalBatchEditor.memory(
        source: header.size, keptRows: isCompared ? nil : editor.keptRows(header, draft),
        bitsPerSample: header.bitsPerSample, result: draft.outputSize, format: format,
        decoding: header.decodingMemory, isCompared: isCompared,
        isKept: settings.export.maximumBytes != nil, isLookedAt: isLookedAt),
      effort: LocalBatchEditor.effort(
        source: header.size, result: draft.outputSize, format: format,
        isBounded: settings.export.maximumBytes != nil, isLookedAt: isLookedAt),
      resultWidth: draft.outputSize.width, resultHeight: draft.outputSize.height,
      facts: header.metadata.captureFacts)
    self.editor = editor
  }

  func edit(to output: String, overwrite: Bool) throws -> BatchResult {
    // The header may no longer be that of the file.
    guard try photo.isUnchanged else {
      return try LocalBatchPhoto(photo.path, editor).finish(to: output, overwrite: overwrite)
    }
    return try finish(to: output, overwrite: overwrite)
  }

  private func finish(to output: String, overwrite: Bool) throws -> BatchResult {
    let (settings, renderer) = (editor.settings, editor.renderer)
    var (recipe, draft, found) = (recipe, draft, FoundValues?.none)
    let own = try settings.recipeFinding?(photo)
    if let own { (recipe, found) = own }
    // A draft for a photo that is looked at has its geometry only.
    if own != nil || settings.isLookedAt {
      draft = try Plan(recipe, output: draft.output, continuing: &filters)
    }
    var export = settings.export
    export.overwrite = overwrite
    let report = try export.run(
      photo, through: recipe, planned: draft, to: output, renderer: renderer, bakes: editor.bakes)
    return BatchResult(
      width: report.outputSize.width, height: report.outputSize.height,
      fingerprint: try FileFingerprint(contentsOf: output), seconds: report.seconds,
      warnings: report.warnings + renderer.takeBackendNotes(), backend: report.backend,
      found: found)
  }
}

extension LocalBatchEditor {
  /// The rows of the source that are in memory at a time during rendering.
  fileprivate func keptRows(_ header: PhotoHeader, _ plan: Plan) -> Int {
    // Downsampling leaves a picture of 8 or 16 bytes per pixel, counted here as rows of the source.
    let downsampled = plan.downsamples ? 2 * plan.outputSize.pixelCount / header.size.width + 1 : 0
    // As noise reduction does of the whole picture.
    let denoised = plan.denoising == nil ? 0 : (header.bitsPerSample > 8 ? 1 : 2) * header.size.height
    return downsampled + denoised
      + DecodedPicture.rowsInMemory(
        for: plan, fileFormat: header.fileFormat, decodingMemory: header.decodingMemory,
        renderer: renderer.chosenRenderer(for: plan),
        isSequential: settings.export.isSequential)
  }
}
