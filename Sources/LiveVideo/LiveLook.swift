import FilterGraph
import Filters

/// The edit applied to live frames, as a user sets it.
public struct LiveLook: Sendable {
  public var recipe: Recipe
  /// The strength of the recipe's colour edits, 0…1; geometry is always applied in full.
  public var strength: Double
  /// A rotation that levels the picture, in degrees, on top of the recipe's own; set automatically if the look
  /// follows the horizon.
  public var level: Double
  /// Whether `level` follows the horizon, so that any frame may be turned, even if the first one is level.
  public var followsHorizon: Bool
  /// Whether to show the frames unedited, but turned and cropped as the edit does.
  public var showsOriginal: Bool

  public init(
    _ recipe: Recipe = Recipe(), strength: Double = 1, level: Double = 0, followsHorizon: Bool = false,
    showsOriginal: Bool = false
  ) {
    self.recipe = recipe
    self.strength = strength
    self.level = level
    self.followsHorizon = followsHorizon
    self.showsOriginal = showsOriginal
  }

  /// The recipe to make the plan from.
  package var effectiveRecipe: Recipe {
    var effective = strength == 1 ? recipe : recipe.scaled(by: strength)
    if level != 0 { effective = effective.then(Recipe(filters: [Straighten(Float(level))])) }
    return showsOriginal ? effective.geometryOnly : effective
  }
}
