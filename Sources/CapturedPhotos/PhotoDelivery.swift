import Capture
import Editing
import FilterGraph
import Files
import FrameCore
import Libc
import PhotoIO
import PhotoPipeline
import Rendering
import Sidecars

/// Makes files of captured photos: frames are chosen from or merged as the quality asks for, the look is applied to
/// the full-quality frame, and the result is written with its circumstances under a name of its own. A photo without
/// a look is the camera's own JPEG, if there is one; one with the name of a DNG is the samples of the sensor.
///
///     let delivery = PhotoDelivery(names: try PhotoNames("photos/"), edit: Edit(preset: "warm-film"))
///     let output = PhotoOutput { captured, _ in try delivery.deliver(captured) }
public struct PhotoDelivery: Sendable {
  /// What is kept of the frame besides the edited photo.
  public enum Original: String, Sendable, Hashable, CaseIterable {
    /// Only the edited photo is written.
    case none
    /// The unedited photo is written too, named as the edited one with `-original`.
    case beside
    /// The unedited photo is written, with the edit beside it as a sidecar.
    case withRecipe
  }

  public let names: PhotoNames
  public var edit: Edit
  /// Returns the recipe for a photo, instead of `edit`: for looks that change between photos.
  public var recipe: (@Sendable (ResolvedPhotoSettings) -> Recipe)?
  /// The name of the look, for names with `{preset}`; nil takes the edit's preset.
  public var look: String?
  /// How files are written. Of its options, `format` follows the names, and nothing is overwritten.
  public var export: PhotoExport
  public var original: Original
  /// The camera's name, for names with `{camera}` and for EXIF.
  public var camera: String?

  private let renderer: any Renderer
  private let bakes = BakeCache()
  private let files: FileSnapshot

  public init(
    names: PhotoNames, edit: Edit = Edit(), export: PhotoExport = PhotoExport(), original: Original = .none,
    camera: String? = nil, renderer: any Renderer = CPURenderer(threads: 1),
    files: FileSnapshot = FileSnapshot()
  ) {
    (self.names, self.edit, self.export, self.original) = (names, edit, export, original)
    (self.camera, self.renderer, self.files) = (camera, renderer, files)
    self.export.format = names.format
    self.export.overwrite = false
    // Photos are not kept in the colour spaces of video.
    if export.colorSpace == .keep { self.export.colorSpace = .sRGB }
  }

  /// Writes the photo.
  ///
  /// - Throws: `SafelightError`; then no file of this photo is left.
  public func deliver(_ captured: CapturedPhoto) throws -> DeliveredPhoto {
    var watch = Stopwatch()
    let developed = try watch.measure("frame") { try captured.developed() }
    let frame = developed.frame
    let (recipe, found) = try watch.measure("look") { try self.recipe(for: frame, of: captured.settings) }
    let shown = captured.frames[developed.index]
    let shift = captured.offset + shown.time.seconds(since: captured.referenceFrame.time)
    let moment = captured.settings.pressedAt.advanced(bySeconds: shift)
    var facts = CaptureFacts(at: moment, camera: camera, values: captured.cameraValues)
    facts.burst = captured.settings.burst.map { CaptureFacts.Burst(id: $0.id, isPrimary: $0.index == 0) }
    facts.mergedFrames = developed.merge?.frames.count
    let mosaic =
      names.isDNG ? try self.mosaic(of: shown, isMerged: developed.merge != nil, recipe) : nil
    let written = original == .withRecipe ? Recipe() : recipe
    let size = names.needsSize ? try export.size(of: frame.buffer, frame.orientation, through: written) : nil
    let name = try names.name(
      captured.settings.number, at: facts.date, camera: camera, preset: look ?? edit.preset, size: size)
    var photo = DeliveredPhoto(captured, developed, offset: shift, date: facts.date)
    photo.auto = found
    photo.warnings += Self.warnings(about: shown)
    let jpeg = developed.merge == nil ? shown.jpeg : nil
    let source = Source(frame: frame, jpeg: jpeg, mosaic: mosaic, facts: facts)
    let file = try names.placing(name) { try write(source, through: written, to: $0, watch) }
    photo.take(file)
    do {
      switch original {
      case .none: break
      case .beside:
        let kept = try names.placing(Self.originalName(file.path)) {
          try write(source, through: Recipe(), to: $0, Stopwatch())
        }
        photo.original = kept.path
        photo.warnings += kept.warnings
      case .withRecipe:
        try RecipeSidecar.save(recipe, forPhoto: file.path, .set, catalog: edit.catalog) {
          photo.warnings.append($0)
        }
        photo.sidecar = RecipeSidecar.path(forPhoto: file.path)
      }
    } catch {
      unlink(file.path)
      throw error
    }
    return photo
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

  /// What a file is made of.
  private struct Source {
    var frame: Frame
    /// The camera's own JPEG of the frame.
    var jpeg: EncodedPicture?
    /// The sensor's samples of the frame, if they are to be written.
    var mosaic: BayerMosaic?
    var facts: CaptureFacts
  }

  private func recipe(for frame: Frame, of settings: ResolvedPhotoSettings) throws -> (
    recipe: Recipe, found: FoundValues?
  ) {
    if let recipe { return (recipe(settings), nil) }
    guard edit.needsPhoto else { return (try edit.recipe(in: files), nil) }
    return try edit.resolve(PhotoSample(frame, named: camera ?? "the frame"), in: files)
  }

  private func write(_ source: Source, through recipe: Recipe, to path: String, _ watch: Stopwatch) throws
    -> DeliveredPhoto.File
  {
    let frame = source.frame
    if let mosaic = source.mosaic { return try write(mosaic, frame, source.facts, to: path, watch) }
    if recipe.filters.isEmpty, let jpeg = source.jpeg, keepsJPEG(frame.buffer.tags) {
      do {
        return try write(jpeg, source, to: path, watch)
      } catch let error as SafelightError where error.code == .unsupported || error.code == .corruptData {
        // What cannot be a file as it is was decoded all the same, and is encoded anew.
      }
    }
    let (metadata, warnings) = PhotoMetadata.captured(
      source.facts, size: frame.buffer.size, in: export.format ?? .jpeg)
    let report = try export.write(
      frame.buffer, orientation: frame.orientation, through: recipe, metadata: metadata, to: path,
      renderer: renderer, bakes: bakes, timing: watch)
    var file = DeliveredPhoto.File(report, at: path)
    file.warnings += warnings
    return file
  }

  /// Writes the camera's own JPEG, which loses nothing.
  private func write(_ jpeg: EncodedPicture, _ source: Source, to path: String, _ watch: Stopwatch) throws
    -> DeliveredPhoto.File
  {
    var watch = watch
    let picture = try MotionJPEGFrame(jpeg.bytes, expecting: source.frame.buffer.size)
    let warnings = try watch.measure("write") {
      try picture.write(to: path, source.facts, orientation: source.frame.orientation)
    }
    var file = DeliveredPhoto.File(size: source.frame.orientation.applied(to: picture.size), watch, at: path)
    file.bytes = FileVersion(path)?.length ?? 0
    file.isCamerasJPEG = true
    file.warnings = warnings
    return file
  }

  /// Whether files may be the camera's own JPEG: nothing about the result was asked for, and readers take its
  /// colours as they were meant (JFIF: sRGB, BT.601, full range).
  private func keepsJPEG(_ tags: ColorTags) -> Bool {
    let plain = PhotoExport()
    return names.format == .jpeg && export.quality == plain.quality && export.maximumBytes == nil
      && export.maximumSize == nil && export.copyright == nil && export.metadata == plain.metadata
      && export.colorSpace == .sRGB && tags.matrix != .bt709 && tags.range == .full
  }

  /// `a.jpg` becomes `a-original.jpg`.
  private static func originalName(_ path: String) -> String {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let dot = path[name...].lastIndex(of: ".") ?? path.endIndex
    return path[..<dot] + "-original" + path[dot...]
  }
}
