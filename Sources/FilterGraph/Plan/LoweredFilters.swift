import FrameCore

/// The stages that the filters of a recipe lowered to for one input, filter by filter.
///
/// For edits that are planned before all of their values are known, such as automatic ones: a recipe that begins
/// with the filters of an earlier one continues after them.
package struct LoweredFilters {
  private struct Step {
    let filter: any Filter
    /// The builder after this filter.
    let builder: PlanBuilder
  }

  package let input: PlanInput
  private let start: PlanBuilder
  private var steps: [Step] = []

  /// - Throws: `SafelightError` if the picture is too large.
  package init(for input: PlanInput) throws {
    self.input = input
    start = try PlanBuilder(for: input)
  }

  /// All that was lowered, without the conversion to an output.
  var builder: PlanBuilder { steps.last?.builder ?? start }

  /// Lowers the filters of a recipe after those at its beginning, in plan order, that the last recipe began with
  /// too.
  ///
  /// - Parameter onlyGeometry: whether filters that change colours are only validated, because only sizes, and the parts
  ///   of the source that parts of the result need, matter.
  /// - Throws: as `Plan.init`.
  mutating func lower(_ recipe: Recipe, onlyGeometry: Bool = false) throws {
    try PlanBuilder.check(recipe)
    var count = 0
    for (number, filter) in recipe.numberedFiltersInPlanOrder {
      let phase = type(of: filter).phase
      guard !onlyGeometry || phase.isGeometry || phase == .detail else {
        try filter.validate()
        continue
      }
      if count < steps.count, !steps[count].filter.isEqual(to: filter) {
        steps.removeSubrange(count...)
      }
      if count == steps.count {
        var builder = builder
        try builder.lower(filter, number: number)
        steps.append(Step(filter: filter, builder: builder))
      }
      count += 1
    }
    steps.removeSubrange(count...)
  }
}

extension Plan {
  /// Lowers a recipe as `init(_:input:output:evaluator:bakes:optimized:)` does, without optimizing the plan.
  ///
  /// - Parameters:
  ///   - filters: what an earlier recipe lowered to for the same input; then what this one lowers to.
  ///   - onlyGeometry: whether filters that change colours are left out: those that move pixels or read neighbouring ones
  ///     are not.
  package init(
    _ recipe: Recipe, output: PlanOutput, continuing filters: inout LoweredFilters, onlyGeometry: Bool = false
  ) throws {
    try filters.lower(recipe, onlyGeometry: onlyGeometry)
    try self.init(filters.builder, input: filters.input, output: output)
  }
}

extension PlanBuilder {
  /// The builder before the first filter.
  init(for input: PlanInput) throws {
    try PixelBuffer.validate(input.size)
    self.init(
      size: input.size, space: input.space, statistics: input.statistics, scene: input.scene)
    try geometry { Geometry(orientation: input.orientation, size: $0) }
    beginUpright()
  }

  static func check(_ recipe: Recipe) throws {
    guard recipe.filters.count <= Recipe.filterLimit else {
      throw Recipe.tooManyFilters(recipe.filters.count)
    }
    try recipe.checkPoints()
  }

  /// Lowers all filters of a recipe.
  mutating func lower(_ recipe: Recipe) throws {
    try Self.check(recipe)
    for (number, filter) in recipe.numberedFiltersInPlanOrder { try lower(filter, number: number) }
  }

  /// - Parameter number: the filter's place in its recipe, from 1, for errors.
  mutating func lower(_ filter: any Filter, number: Int) throws {
    try filter.validate()
    let phase = type(of: filter).phase
    // What comes behind a look acts at the end of the plan, wherever it stands in the recipe.
    if phase >= .whiteBalance && phase < .gamut { lightScene() }
    if phase > .toneMap && phase < .gamut { showScene() }
    try filter.lower(into: &self)
    if let problem {
      throw SafelightError(
        .invalidValue, "Filter \(number) (\(type(of: filter).id)) \(problem)",
        remedy: remedy)
    }
  }
}
