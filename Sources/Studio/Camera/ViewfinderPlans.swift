import Safelight

/// The plans of live frames, kept from frame to frame. Used by one thread.
final class ViewfinderPlans {
  /// What a plan is made for.
  struct Key: Hashable {
    /// Of the look.
    var version: Int
    var isOriginal: Bool
    var viewport: PhotoViewport
    var isUncropped: Bool
    var input: PlanInput
  }

  /// A plan, and what it shows.
  struct Shown {
    let key: Key
    let prepared: any PreparedPlan
    let fullSize: PixelSize
    let placement: PhotoViewport.Placement
    /// Where places of the whole picture are in the frame.
    let places: PicturePlaces
    /// The part of the plan's output that is rendered.
    let window: Region
    let pool: PixelBufferPool
  }

  private let renderer: CPURenderer
  private let bakes = BakeCache()
  private let history = LightHistory()
  private var recent: [Shown] = []
  /// Of edited and original frames of a few pages.
  private static let mostPlans = 4

  init(_ renderer: CPURenderer) { self.renderer = renderer }

  /// Tells the time of the frame that is rendered next.
  func advance(to time: Timestamp) { history.advance(to: time) }

  /// Returns the plan for a frame.
  ///
  /// - Parameter look: the recipe of the look's version, and its zoom.
  /// - Throws: `SafelightError` if the look does not fit the frame.
  func plan(_ key: Key, _ look: (recipe: Recipe, zoom: Double), _ view: StudioView) throws -> Shown {
    if let index = recent.firstIndex(where: { $0.key == key }) {
      let known = recent.remove(at: index)
      recent.insert(known, at: 0)
      return known
    }
    var recipe = try look.recipe.shown(in: view, zoom: look.zoom, of: key.input)
    if key.isOriginal { recipe = recipe.geometryOnly }
    let whole = try Plan(recipe, input: key.input, output: PlanOutput(), optimized: false)
    let full = whole.outputSize
    let placement = key.viewport.placed(on: full)
    let plan = try renderer.plan(
      recipe, input: key.input, output: PlanOutput(maximumSize: placement.renderedSize), bakes: bakes)
    let size = plan.outputSize
    func clipped(_ range: Range<Int>, _ count: Int) -> Range<Int> {
      let end = min(range.upperBound, count)
      return min(range.lowerBound, end - 1)..<end
    }
    let window = Region(
      columns: clipped(placement.rendered.columns, size.width),
      rows: clipped(placement.rendered.rows, size.height))
    let made = Shown(
      key: key, prepared: renderer.prepare(plan).following(history), fullSize: full, placement: placement,
      places: whole.places, window: window,
      pool: try PixelBufferPool(
        size: PixelSize(width: window.columns.count, height: window.rows.count), format: .rgba8, keeping: 2))
    recent = [made] + recent.prefix(Self.mostPlans - 1)
    return made
  }
}

extension ViewfinderPlans.Shown {
  /// Renders what the view shows of a frame.
  ///
  /// - Throws: `SafelightError` if memory is short.
  func render(_ frame: PixelBuffer) throws -> PixelBuffer {
    let picture = try pool.makeBuffer(alpha: prepared.plan.outputAlpha)
    if picture.size == prepared.plan.outputSize {
      try prepared.render(frame, into: picture)
    } else {
      try prepared.picture(of: frame).render(window, of: prepared.plan, into: picture)
    }
    StudioPicture.blackenTransparency(of: picture)
    return picture
  }
}
