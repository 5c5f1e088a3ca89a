import FilterGraph
import Filters
import FrameCore
import PhotoIO
import Rendering
import Synchronization

/// A smaller copy of a photo, for views that are seen for a moment.
final class SmallCopy: Sendable {
  let input: PlanInput
  /// The length of its edges as a part of those of the photo.
  let scale: Double
  private let picture: PixelBuffer
  private let sampled = SampledPictures(mostBytes: 64 << 20)
  /// By whether they are fine.
  private let light = Mutex<[Bool: LightProxy]>([:])

  private static let mostEdge = 2048

  /// - Parameters:
  ///   - original: the photo as it is stored.
  ///   - input: of its plans.
  /// - Throws: `SafelightError` if memory is short.
  init(of original: PixelBuffer, _ input: PlanInput, renderer: CPURenderer) throws {
    var stored = input
    // The copy is as it is stored, too: neither upright nor, if it is the light of a scene, shown.
    (stored.orientation, stored.scene) = (.up, nil)
    let output = PlanOutput(
      format: input.format, space: input.space,
      maximumSize: PixelSize(width: Self.mostEdge, height: Self.mostEdge))
    picture = try renderer.render(
      original, through: renderer.plan(Recipe(), input: stored, output: output))
    scale = Double(picture.size.longEdge) / Double(original.size.longEdge)
    var own = input
    own.size = picture.size
    self.input = own
  }

  /// A copy that was decoded smaller.
  ///
  /// - Parameters:
  ///   - picture: as it is stored.
  ///   - input: of the photo at its full size.
  init(_ picture: PixelBuffer, _ input: PlanInput) {
    self.picture = picture
    scale = Double(picture.size.longEdge) / Double(input.size.longEdge)
    var own = input
    own.size = picture.size
    self.input = own
  }

  /// Decodes a copy, no larger than it need be to have an edge.
  ///
  /// - Parameter input: of the photo at its full size.
  /// - Throws: `SafelightError` if the photo cannot be read.
  convenience init(decoding file: PhotoFile, toLongEdge longEdge: Int, _ input: PlanInput) throws {
    let reader = try file.reader(scaledToLongEdge: longEdge)
    let picture = try PixelBuffer(
      size: reader.size, format: reader.format, tags: reader.tags, alpha: reader.alpha)
    try reader.read(into: picture)
    try reader.finish()
    self.init(picture, input)
  }

  /// Returns an edit of the photo for this copy: with its pixels, and without what depends on their noise.
  func recipe(_ recipe: Recipe) -> Recipe {
    var small = recipe.mapFilters { filter in
      guard let crop = filter as? Crop, case .rectangle(let x, let y, let width, let height) = crop.region
      else {
        return filter
      }
      func scaled(_ value: Int) -> Int { Int((Double(value) * scale).rounded(.down)) }
      return Crop(
        .rectangle(
          x: scaled(x), y: scaled(y), width: max(1, scaled(width)), height: max(1, scaled(height))))
    }
    small.filters.removeAll { $0 is NoiseReduction || $0 is RawDetail }
    small.filters.append(RawDetail(.none))
    return small
  }

  func prepare(_ plan: any PreparedPlan) throws -> any PreparedPicture {
    try plan.bands?.prepare(picture, keeping: sampled) ?? plan.picture(of: picture)
  }

  func lightProxy(isFine: Bool) throws -> LightProxy {
    try light.withLock { light in
      let found = try light[isFine] ?? LightProxy(picture, input: input, isFine: isFine)
      light[isFine] = found
      return found
    }
  }

  /// Renders a view of an edit from this copy.
  ///
  /// - Parameters:
  ///   - place: of the window on the photo at its full size, which `whole` is the plan of.
  ///   - makePicture: memory of a size, for a plan's result.
  /// - Throws: `SafelightError` if the edit does not fit the photo, or if memory is short.
  func view(
    _ recipe: Recipe, _ place: PhotoViewport.Placement, of whole: Plan, _ output: PlanOutput,
    renderer: CPURenderer, options: PlanOptions = PlanOptions(),
    _ makePicture: (PixelSize, Plan) throws -> PixelBuffer
  ) throws -> PhotoView {
    let draft = try Plan(self.recipe(recipe), input: input, output: output, optimized: false)
    let plan = try renderer.optimize(draft, options: options)
    var prepared: any PreparedPlan = renderer.prepare(plan)
    if plan.hasLocalLight { prepared = try prepared.lit(by: lightProxy(isFine: plan.hasFineLight)) }
    let window = place.rendered.clipped(to: plan.outputSize)
    let picture = try makePicture(
      PixelSize(width: window.columns.count, height: window.rows.count), plan)
    try prepare(prepared).render(window, of: plan, into: picture)
    return PhotoView(
      picture: picture, fullSize: whole.outputSize, scaledSize: place.scaled, window: place.window,
      places: whole.places, plan: plan, notes: [])
  }
}
