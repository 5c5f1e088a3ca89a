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
///     let output = PhotoOutput { captured, updates in try delivery.deliver(captured, updates: updates) }
public struct PhotoDelivery: Sendable {
  /// What is kept of the frame besides the edited photo.
  public enum Original: String, Sendable, Hashable, CaseIterable {
    /// Only the edited photo is written.
    case none
    /// The unedited photo is written too, named as the edited one with `-original`; of a fused bracket its exposures,
    /// with `-1`, `-2` …
    case beside
    /// The unedited photo is written, with the edit beside it as a sidecar.
    case withRecipe
  }

  public let names: PhotoNames
  public var edit: Edit
  /// Returns the recipe for a photo, instead of `edit`: for looks that change between photos. Called once a photo,
  /// and once a thumbnail.
  public var recipe: (@Sendable (ResolvedPhotoSettings) -> Recipe)?
  /// The name of the look, for names with `{preset}`; nil takes the edit's preset.
  public var look: String?
  /// How files are written. Of its options, `format` follows the names, and nothing is overwritten.
  public var export: PhotoExport
  public var original: Original
  /// The camera's name, for names with `{camera}` and for EXIF.
  public var camera: String?

  let renderer: any Renderer
  let bakes = BakeCache()
  let files: FileSnapshot
  var probe = DeferralProbe()

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
    let circumstances = circumstances(of: captured)
    let developed = try watch.measure("frame") { try captured.developed() }
    let maker = maker
    var made = try maker.make(developed, of: captured, circumstances, timing: &watch)
    let burst = CaptureFacts.makeUniqueID()
    takeExposure(of: captured, frame: developed.index, burst: burst, in: &made)
    let name = try name(for: made, of: captured, maker.export)
    var photo = made.photo
    // Exposures have names of their own.
    let number = captured.exposures.isEmpty ? captured.settings.number : nil
    let file = try names.placing(name, of: number) {
      try maker.write(made, through: made.written, to: $0, watch)
    }
    photo.take(file)
    do {
      switch original {
      case .none: break
      case .beside where captured.isFused: try writeExposures(of: captured, beside: &photo, burst: burst)
      case .beside:
        let kept = try names.placing(Self.originalName(file.path)) {
          try maker.write(made, through: Recipe(), to: $0, Stopwatch())
        }
        photo.original = kept.path
        photo.warnings += kept.warnings
      case .withRecipe: try Self.saveRecipe(of: made, beside: &photo, catalog: edit.catalog)
      }
    } catch {
      unlink(file.path)
      throw error
    }
    return photo
  }

  var maker: PhotoMaker {
    var export = export
    export.format = names.format
    return PhotoMaker(
      edit: edit, recipe: recipe, export: export, original: original, isDNG: names.isDNG, camera: camera,
      renderer: renderer, bakes: bakes, files: files)
  }

  func circumstances(of captured: CapturedPhoto) -> PhotoCircumstances {
    PhotoCircumstances(captured, camera: camera, values: captured.cameraValues)
  }

  /// The path for the photo, which may be taken.
  func name(for made: PhotoMaker.Made, of captured: CapturedPhoto, _ export: PhotoExport) throws -> String {
    let frame = made.frame
    let size =
      names.needsSize ? try export.size(of: frame.buffer, frame.orientation, through: made.written) : nil
    return try names.name(
      captured.settings.number, at: made.facts.date, camera: camera, preset: look ?? edit.preset, size: size,
      exposure: captured.exposures.count == 1 ? captured.settings.burst?.index : nil)
  }

  /// Writes the edit beside the unedited photo, if there is one.
  static func saveRecipe(
    of made: PhotoMaker.Made, beside photo: inout DeliveredPhoto, catalog: FilterCatalog
  ) throws {
    guard !made.recipe.filters.isEmpty else { return }
    var warnings: [String] = []
    try RecipeSidecar.save(made.recipe, forPhoto: photo.path, .set, catalog: catalog) { warnings.append($0) }
    photo.warnings += warnings
    photo.sidecar = RecipeSidecar.path(forPhoto: photo.path)
  }

  /// `a.jpg` becomes `a-original.jpg`, and so does `a.MP.jpg`: the unedited photo gets no movie.
  static func originalName(_ path: String) -> String {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let dot = path[name...].lastIndex(of: ".") ?? path.endIndex
    return path[..<PhotoNames.stemEnd(of: path)] + "-original" + path[dot...]
  }
}
