import FrameCore

/// The edit itself: an ordered list of filters. It never touches the original.
public struct Recipe: Sendable {
  /// The order in which the filters take effect.
  public enum Order: String, Sendable, Hashable, CaseIterable {
    /// By phase, whatever the order in the list: noise, geometry, input, white balance, exposure, light, range, tone
    /// map, tone, colour, groups, look, gamut, detail.
    case canonical
    /// Colour filters as listed; geometry still comes first, joined into one.
    case listed
  }

  /// The most filters allowed in a recipe that is read or planned.
  public static let filterLimit = 500

  public var name: String
  public var description: String
  /// What helps to find it.
  public var labels: RecipeLabels
  public var order: Order
  public var filters: [any Filter]

  public init(
    name: String = "", description: String = "", labels: RecipeLabels = RecipeLabels(),
    order: Order = .canonical, filters: [any Filter] = []
  ) {
    self.name = name
    self.description = description
    self.labels = labels
    self.order = order
    self.filters = filters
  }

  /// Creates a recipe from a list of filters:
  ///
  ///     let look = Recipe {
  ///       Exposure(stops: 0.7)
  ///       Saturation(10)
  ///     }
  public init(@RecipeBuilder _ filters: () throws -> [any Filter]) rethrows {
    self.init(filters: try filters())
  }

  /// The filters as a plan runs them.
  package var filtersInPlanOrder: [any Filter] { numberedFiltersInPlanOrder.map(\.filter) }

  /// The filters as a plan runs them, each with its position in the list, from 1.
  var numberedFiltersInPlanOrder: [(number: Int, filter: any Filter)] {
    let numbered = filters.enumerated().map { (number: $0.offset + 1, filter: $0.element) }
    guard order == .canonical else { return numbered }
    // Including the number keeps filters of one phase in the listed order.
    return numbered.sorted {
      (type(of: $0.filter).phase, $0.number) < (type(of: $1.filter).phase, $1.number)
    }
  }

  static func tooManyFilters(_ count: Int) -> SafelightError {
    SafelightError(
      .tooLarge, "The recipe has \(count) filters, more than \(filterLimit)",
      remedy: "combine filters of one kind: two exposures of 0.5 are one of 1")
  }

  /// Returns this recipe at a fraction of its effect, 0…1; geometry is not scaled.
  public func scaled(by strength: Double) -> Recipe {
    var scaled = self
    scaled.filters = filters.map { $0.scaled(by: strength) }
    return scaled
  }

  /// Returns this recipe followed by the filters of `other`. If either keeps its own order, both keep the order
  /// that they have alone.
  public func then(_ other: Recipe) -> Recipe {
    var both = self
    if order == .canonical, other.order == .canonical {
      both.filters += other.filters
    } else {
      both.filters = filtersInPlanOrder + other.filtersInPlanOrder
      both.order = .listed
    }
    return both
  }

  /// A recipe with only the filters that change colours.
  public var colorOnly: Recipe {
    Recipe(order: order, filters: filters.filter { !type(of: $0).phase.isGeometry })
  }

  /// Only the filters that move pixels: applied to an original, they make it comparable with its edit.
  public var geometryOnly: Recipe {
    Recipe(order: order, filters: filters.filter { type(of: $0).phase.isGeometry })
  }
}

/// Builds a recipe from filters listed in braces, with `if` and `for`.
@resultBuilder
public enum RecipeBuilder {
  public static func buildExpression(_ filter: any Filter) -> [any Filter] { [filter] }
  public static func buildBlock(_ parts: [any Filter]...) -> [any Filter] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [any Filter]?) -> [any Filter] { part ?? [] }
  public static func buildEither(first part: [any Filter]) -> [any Filter] { part }
  public static func buildEither(second part: [any Filter]) -> [any Filter] { part }
  public static func buildArray(_ parts: [[any Filter]]) -> [any Filter] { parts.flatMap { $0 } }
}
