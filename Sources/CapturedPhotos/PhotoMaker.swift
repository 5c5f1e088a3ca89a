import Capture
import Editing
import FilterGraph
import Files
import FrameCore
import PhotoIO
import PhotoPipeline
import Rendering

/// Makes the picture of a photo, and files of it: the same for photos that are written now and for deferred ones.
struct PhotoMaker: Sendable {
  var edit: Edit
  /// The recipe for a photo, instead of `edit`.
  var recipe: (@Sendable (ResolvedPhotoSettings) -> Recipe)?
  /// How files are written; its format is set.
  var export: PhotoExport
  var original: PhotoDelivery.Original
  /// Whether photos are digital negatives.
  var isDNG = false
  var camera: String?
  let renderer: any Renderer
  let bakes: BakeCache
  let files: FileSnapshot

  /// A picture that is ready to be written.
  struct Made {
    var frame: Frame
    /// The camera's own JPEG of the frame.
    var jpeg: EncodedPicture?
    /// The sensor's samples of the frame, if they are to be written.
    var mosaic: BayerMosaic?
    var facts: CaptureFacts
    /// What was asked for.
    var recipe: Recipe
    /// What the photo itself is written with.
    var written: Recipe
    /// What is known of the photo before it is a file.
    var photo: DeliveredPhoto
  }

  /// - Parameter watch: has timed how the frame was made.
  func make(
    _ developed: DevelopedFrame, of captured: CapturedPhoto, _ circumstances: PhotoCircumstances,
    timing watch: inout Stopwatch
  ) throws -> Made {
    let frame = developed.frame
    let (recipe, found) = try watch.measure("look") { try self.recipe(for: frame, of: captured.settings) }
    let shown = captured.frames[developed.index]
    let shift = captured.offset + shown.time.seconds(since: captured.referenceFrame.time)
    let facts = circumstances.facts(ofFrame: developed.index, merged: developed.merge?.frames.count)
    let mosaic = isDNG ? try self.mosaic(of: shown, isMerged: developed.isComposite, recipe) : nil
    var photo = DeliveredPhoto(captured, developed, offset: shift, date: facts.date)
    photo.auto = found
    photo.warnings += Self.warnings(about: shown) + captured.exposures.compactMap(\.warning)
    return Made(
      frame: frame, jpeg: developed.isComposite ? nil : shown.jpeg, mosaic: mosaic, facts: facts,
      recipe: recipe,
      written: original == .withRecipe ? Recipe() : recipe, photo: photo)
  }

  func recipe(for frame: Frame, of settings: ResolvedPhotoSettings) throws -> (
    recipe: Recipe, found: FoundValues?
  ) {
    if let recipe { return (recipe(settings), nil) }
    guard edit.needsPhoto else { return (try edit.recipe(in: files), nil) }
    return try edit.resolve(PhotoSample(frame, named: camera ?? "the frame"), in: files)
  }

  /// What a photo of this frame does not show as it was meant.
  private static func warnings(about frame: PhotoFrame) -> [String] {
    var warnings: [String] = []
    if !frame.sampleAspect.isSquare {
      warnings.append("The source's pixels are not square, so that the photo looks squeezed or stretched")
    }
    if frame.fieldOrder != .progressive {
      warnings.append("The frame consists of two fields, so that moving edges are combed")
    }
    return warnings
  }

  // MARK: Files

  /// Writes a file of the picture, through `recipe`.
  ///
  /// - Throws: `SafelightError`; then there is no file.
  func write(_ made: Made, through recipe: Recipe, to path: String, _ watch: Stopwatch) throws
    -> DeliveredPhoto.File
  {
    if let mosaic = made.mosaic { return try write(mosaic, made.frame, made.facts, to: path, watch) }
    return try write(made.frame, jpeg: made.jpeg, made.facts, through: recipe, to: path, watch)
  }

  /// - Parameter jpeg: the camera's own JPEG of the frame.
  func write(
    _ frame: Frame, jpeg: EncodedPicture?, _ facts: CaptureFacts, through recipe: Recipe, to path: String,
    _ watch: Stopwatch
  ) throws -> DeliveredPhoto.File {
    if recipe.filters.isEmpty, let jpeg, keepsJPEG(frame.buffer.tags) {
      do {
        return try write(jpeg, of: frame, facts, to: path, watch)
      } catch let error as SafelightError where error.code == .unsupported || error.code == .corruptData {
        // What cannot be a file as it is was decoded all the same, and is encoded anew.
      }
    }
    let (metadata, warnings) = PhotoMetadata.captured(
      facts, size: frame.buffer.size, in: export.format ?? .jpeg)
    let report = try export.write(
      frame.buffer, orientation: frame.orientation, through: recipe, metadata: metadata, to: path,
      renderer: renderer, bakes: bakes, timing: watch)
    var file = DeliveredPhoto.File(report, at: path)
    file.warnings += warnings
    return file
  }

  /// Writes the camera's own JPEG, which loses nothing.
  private func write(
    _ jpeg: EncodedPicture, of frame: Frame, _ facts: CaptureFacts, to path: String, _ watch: Stopwatch
  ) throws -> DeliveredPhoto.File {
    var watch = watch
    let picture = try MotionJPEGFrame(jpeg.bytes, expecting: frame.buffer.size)
    let warnings = try watch.measure("write") {
      try picture.write(to: path, facts, orientation: frame.orientation)
    }
    var file = DeliveredPhoto.File(size: frame.orientation.applied(to: picture.size), watch, at: path)
    file.bytes = FileVersion(path)?.length ?? 0
    file.isCamerasJPEG = true
    file.warnings = warnings
    return file
  }

  /// Whether files may be the camera's own JPEG: nothing about the result was asked for, and readers take its
  /// colours as they were meant (JFIF: sRGB, BT.601, full range).
  private func keepsJPEG(_ tags: ColorTags) -> Bool {
    let plain = PhotoExport()
    return export.format == .jpeg && export.quality == plain.quality && export.maximumBytes == nil
      && export.maximumSize == nil && export.copyright == nil && export.metadata == plain.metadata
      && export.colorSpace == .sRGB && tags.matrix != .bt709 && tags.range == .full
  }
}
