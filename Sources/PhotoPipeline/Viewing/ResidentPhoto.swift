import ColorScience
import FilterGraph
import FrameCore
import PhotoIO
import Rendering
import Synchronization

/// A photo in memory that is rendered again and again while its edit changes.
///
/// It is decoded once. What changes only with its geometry, or with its noise reduction, is kept from view to view, so
/// that a view after a change of colours costs little more than its pixels. Every pixel of a view is that of an export of
/// the same size: both run the same plan.
///
/// Several threads may ask for views; one at a time is fastest.
public final class ResidentPhoto: Sendable {
  public let path: String
  public let header: PhotoHeader
  /// What was omitted or guessed while it was read, one sentence each.
  public let warnings: [String]
  private let file: PhotoFile
  private let original: PixelBuffer
  private let input: PlanInput
  private let renderer: CPURenderer
  private let sampled = SampledPictures()
  private let bakes = BakeCache(capacity: 16)
  /// By whether they are fine.
  private let light = Mutex<[Bool: LightProxy]>([:])
  /// The memory of pictures that were shown before.
  private let pools = Mutex<[PixelBufferPool]>([])
  private let small = Mutex<SmallCopy?>(nil)
  /// The input with its noise measured.
  private let measured = Mutex<PlanInput?>(nil)

  /// Reads and decodes a photo.
  ///
  /// - Parameter renderer: renders all views; several photos can share its threads.
  /// - Throws: `SafelightError` if the photo cannot be read.
  public init(_ path: String, renderer: CPURenderer) throws {
    self.path = path
    self.renderer = renderer
    file = try PhotoFile(path)
    header = file.header
    input = try header.planInput
    let reader = try file.reader()
    original = try PixelBuffer(
      size: reader.size, format: reader.format, tags: reader.tags, alpha: reader.alpha)
    try reader.read(into: original)
    try reader.finish()
    warnings = reader.warnings
  }

  /// The size of the photo turned upright, without an edit.
  public var uprightSize: PixelSize { header.orientation.applied(to: header.size) }

  /// Returns the size of the edited photo.
  ///
  /// - Throws: as `Plan.init`.
  public func size(through recipe: Recipe) throws -> PixelSize {
    try wholePlan(recipe).outputSize
  }

  /// Renders what a window shows of the edited photo.
  ///
  /// While something is dragged, what would take long is rendered from a smaller copy of the photo.
  ///
  /// - Parameters:
  ///   - recipe: an edit whose files are loaded.
  ///   - proof: the device that it is shown as reproduced by; nil for none.
  /// - Throws: `SafelightError` if the edit does not fit the photo, or if memory is short.
  public func view(
    _ recipe: Recipe, in viewport: PhotoViewport, proof: SoftProof? = nil
  ) throws -> PhotoView {
    let whole = try wholePlan(recipe)
    let full = whole.outputSize
    let place = viewport.placed(on: full)
    var output = PlanOutput(space: viewport.space, maximumSize: place.renderedSize)
    output.proof = proof
    let plan = try plan(recipe, like: whole, output)
    if viewport.isMoving, !sampled.serves(plan), let draft = try draft(recipe, place, of: whole, output) {
      return draft
    }
    var prepared: any PreparedPlan = renderer.prepare(plan)
    var notes = plan.notes
    if plan.hasLocalLight {
      let proxy = try lightProxy(isFine: plan.hasFineLight)
      prepared = try prepared.lit(by: proxy)
      // Looking for haze makes the grids once more, which takes too long for a drag.
      if !viewport.isMoving { notes += plan.notes(on: proxy) }
    }
    // A box may be met to the pixel only along one axis.
    let window = place.rendered.clipped(to: plan.outputSize)
    let picture = try makePicture(
      PixelSize(width: window.columns.count, height: window.rows.count), like: plan)
    let source =
      try prepared.bands?.prepare(original, keeping: sampled) ?? prepared.picture(of: original)
    try source.render(window, of: plan, into: picture)
    return PhotoView(
      picture: picture, fullSize: full, scaledSize: place.scaled, window: place.window, places: whole.places,
      plan: plan, notes: notes)
  }

  /// Renders a view from a smaller copy of the photo, which makes every resample of a dragged angle short; nil if the copy
  /// is too small for it, or if noise would be removed from it, which has other noise.
  private func draft(
    _ recipe: Recipe, _ place: PhotoViewport.Placement, of whole: Plan, _ output: PlanOutput
  ) throws -> PhotoView? {
    let full = whole.outputSize
    let copy = try small.withLock { small in
      let copy = try small ?? SmallCopy(of: original, input, renderer: renderer)
      small = copy
      return copy
    }
    let most = copy.scale * Double(full.longEdge) * 1.2
    guard copy.scale < 0.7, Double(place.renderedSize.longEdge) <= most else { return nil }
    return try copy.view(
      recipe, place, of: whole, output, renderer: renderer, options: PlanOptions(bakes: bakes), makePicture)
  }

  /// Returns the plan that renders an edit.
  ///
  /// - Parameter size: the box that the picture must fit into.
  /// - Throws: as `Plan.init`.
  package func plan(_ recipe: Recipe, atMost size: PixelSize) throws -> Plan {
    try plan(recipe, like: wholePlan(recipe), PlanOutput(space: .sRGB, maximumSize: size))
  }

  private func plan(_ recipe: Recipe, like whole: Plan, _ output: PlanOutput) throws -> Plan {
    let draft = try Plan(recipe, input: planInput(of: whole), output: output, optimized: false)
    return try renderer.optimize(draft, options: PlanOptions(bakes: bakes))
  }

  /// The plan of the photo at full size, not optimized.
  private func wholePlan(_ recipe: Recipe) throws -> Plan {
    try Plan(recipe, input: input, output: PlanOutput(), optimized: false)
  }

  /// Forgets what is kept from view to view, while the photo is not looked at.
  public func releaseMemory() {
    sampled.removeAll()
    pools.withLock { $0 = [] }
    small.withLock { $0 = nil }
  }

  /// Windows keep their size while something is dragged: memory that was just in use is the fastest.
  private func makePicture(_ size: PixelSize, like plan: Plan) throws -> PixelBuffer {
    let pool = try pools.withLock { pools in
      if let known = pools.first(where: { $0.size == size }) { return known }
      let made = try PixelBufferPool(size: size, format: .rgba8, keeping: 2)
      // Of moving and of still pictures.
      pools = [made] + pools.prefix(1)
      return made
    }
    return try pool.makeBuffer(tags: plan.output.space.tags, alpha: plan.outputAlpha)
  }

  /// The input of plans; with its noise measured if the edit removes it, as exports do.
  private func planInput(of plan: Plan) -> PlanInput {
    guard plan.denoising != nil else { return input }
    return measured.withLock { measured in
      let found = measured ?? input.measuringNoise(of: original)
      measured = found
      return found
    }
  }

  /// The light as exports find it: of JPEG data at a reduced size, of all others in the picture.
  private func lightProxy(isFine: Bool) throws -> LightProxy {
    try light.withLock { light in
      if let known = light[isFine] { return known }
      let found =
        try header.fileFormat == .jpeg
        ? LightProxy(file, input: input, isFine: isFine)
        : LightProxy(original, input: input, isFine: isFine)
      light[isFine] = found
      return found
    }
  }
}
