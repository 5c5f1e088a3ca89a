import Safelight

/// What the filters of an edit cost in the plan of a view: what the plan would cost less without each.
///
/// A filter whose colours go into the table that is there anyway costs nothing.
struct StudioCosts {
  let fullSize: PixelSize
  /// Of the whole picture, on one core.
  let milliseconds: Double
  /// By the filters' ids.
  let filters: [String: Double]

  /// - Throws: `SafelightError` if the edit does not fit the photo.
  init(of recipe: Recipe, _ photo: ResidentPhoto, in viewport: PhotoViewport) throws {
    let full = try photo.size(through: recipe)
    let size = viewport.renderedSize(of: full)
    let plan = try photo.plan(recipe, atMost: size)
    let total = PlanCost(plan).milliseconds
    var filters: [String: Double] = [:]
    for type in FilterCatalog.standard.filters
    where recipe.filters.contains(where: { Swift.type(of: $0) == type }) {
      // Without a crop the picture has another size, which is no cost of colours.
      guard !type.phase.isGeometry else { continue }
      var rest = recipe
      rest.filters.removeAll { Swift.type(of: $0) == type }
      filters[type.id.name] = max(0, total - PlanCost(try photo.plan(rest, atMost: size)).milliseconds)
    }
    (fullSize, milliseconds, self.filters) = (full, total, filters)
  }
}
