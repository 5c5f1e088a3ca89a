import Capture
import Editing
import FilterGraph
import Files
import FrameCore
import PhotoIO
import PhotoPipeline
import Rendering
import Sidecars

/// Makes files of captured photos: the look is applied to the full-quality frame, and the result is written under
/// a name of its own.
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
  /// How files are written. Of its options, `format` follows the names, and nothing is overwritten.
  public var export: PhotoExport
  public var original: Original
  /// The camera's name, for names with `{camera}`.
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
  }

  /// Writes the photo.
  ///
  /// - Throws: `SafelightError`; then no file of this photo is left.
  public func deliver(_ captured: CapturedPhoto) throws -> DeliveredPhoto {
    var watch = Stopwatch()
    let moment = captured.settings.pressedAt.advanced(bySeconds: captured.offset)
    let frame = try watch.measure("frame") { try captured.developed() }
    let (recipe, found) = try watch.measure("look") { try self.recipe(for: frame) }
    let time = LocalTime(moment)
    let path = try names.path(
      at: time, camera: camera, preset: edit.preset, size: frame.orientation.applied(to: frame.buffer.size))
    var photo = DeliveredPhoto(captured, time: time, path: path)
    photo.auto = found
    switch original {
    case .none:
      try write(frame, through: recipe, to: path, &photo, watch)
    case .beside:
      let kept = names.unused(Self.originalPath(path))
      try write(frame, through: recipe, to: path, &photo, watch)
      var plain = photo
      try write(frame, through: Recipe(), to: kept, &plain, Stopwatch())
      photo.original = kept
    case .withRecipe:
      try write(frame, through: Recipe(), to: path, &photo, watch)
      var warnings: [String] = []
      try RecipeSidecar.save(recipe, forPhoto: path, .set, catalog: edit.catalog) { warnings.append($0) }
      photo.sidecar = RecipeSidecar.path(forPhoto: path)
      photo.warnings += warnings
    }
    return photo
  }

  private func recipe(for frame: Frame) throws -> (recipe: Recipe, found: FoundValues?) {
    guard edit.needsPhoto else { return (try edit.recipe(in: files), nil) }
    return try edit.resolve(PhotoSample(frame, named: camera ?? "the frame"), in: files)
  }

  private func write(
    _ frame: Frame, through recipe: Recipe, to path: String, _ photo: inout DeliveredPhoto,
    _ watch: Stopwatch
  ) throws {
    let report = try export.write(
      frame.buffer, orientation: frame.orientation, through: recipe, to: path, renderer: renderer,
      bakes: bakes,
      timing: watch)
    photo.take(report)
  }

  /// `a.jpg` becomes `a-original.jpg`.
  private static func originalPath(_ path: String) -> String {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let dot = path[name...].lastIndex(of: ".") ?? path.endIndex
    return path[..<dot] + "-original" + path[dot...]
  }
}
