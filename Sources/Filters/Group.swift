import FilterGraph

/// Filters that act where a mask is.
///
///     out = in + opacity · mask · (filters(in) − in)        scene-linear
///
/// All groups act in their order, behind the filters that change the whole picture's colours and ahead of looks. In a
/// group are filters of each pixel's own colour (exposure, white balance, whites and blacks, contrast, saturation, LUTs)
/// and of the light around it (highlights and shadows, clarity, texture, dehaze), which they find as it reaches the
/// first group.
public struct Group: Filter {
  public static let id: FilterID = "group"
  public static let phase = FilterPhase.group
  public static let summary =
    "Applies filters where a mask is: a gradient, a range of colours, strokes, a polygon"
  public static let holdsFilters = true
  public static let parameters = [
    Parameter(mask: \Group.mask, "mask", "Where the filters act; everywhere without one"),
    Parameter(
      \Group.opacity, "opacity", in: 0...100, step: 1, neutral: 100, unit: .percent, flag: nil,
      "How far the filters act"),
  ]

  /// Nil is everywhere.
  public var mask: Mask?
  /// 0…100: 0 leaves the picture unchanged.
  public var opacity: Float
  public var nestedFilters: [any Filter]

  /// Without filters, and so neutral.
  public init() { self.init(nil, filters: []) }

  public init(_ mask: Mask?, opacity: Float = 100, filters: [any Filter]) {
    (self.mask, self.opacity, nestedFilters) = (mask, opacity, filters)
  }

  /// Creates a group from a list of filters:
  ///
  ///     Group(.linear(from: MaskPoint(0.5, 0.6), to: MaskPoint(0.5, 0.3))) {
  ///       Exposure(stops: -1)
  ///     }
  public init(
    _ mask: Mask?, opacity: Float = 100, @RecipeBuilder _ filters: () throws -> [any Filter]
  ) rethrows {
    self.init(mask, opacity: opacity, filters: try filters())
  }

  public func lower(into plan: inout PlanBuilder) throws {
    try plan.group(nestedFilters, mask: mask, opacity: Double(opacity) / 100)
  }

  /// Only the opacity has a strength, whose default, 100, is the whole effect and not neutral.
  public func scaled(by strength: Double) -> Group {
    var scaled = self
    scaled.opacity = Float(Double(opacity) * strength)
    return scaled
  }

  public static func == (a: Group, b: Group) -> Bool {
    a.mask == b.mask && a.opacity == b.opacity && a.nestedFilters.count == b.nestedFilters.count
      && zip(a.nestedFilters, b.nestedFilters).allSatisfy { $0.isEqual(to: $1) }
  }
}
