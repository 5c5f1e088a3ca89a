import FilterGraph
import Filters

/// What live frames go through, as a user sets it.
public struct LiveLook: Sendable {
  public var recipe: Recipe
  /// How much of the recipe's colour is applied, 0…1; geometry stays whole.
  public var strength: Double
  /// A turn that levels the picture, in degrees, on top of the recipe's own; what follows the horizon by itself.
  public var level: Double
  /// Whether `level` is to follow the horizon, so that any frame may be turned, even where the first one is
  /// level.
  public var followsHorizon: Bool
  /// Shows the frames before the edit, turned and cropped like it.
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

  /// The recipe that a plan is made of.
  var effectiveRecipe: Recipe {
    var effective = strength == 1 ? recipe : recipe.scaled(by: strength)
    if level != 0 { effective = effective.then(Recipe(filters: [Straighten(Float(level))])) }
    return showsOriginal ? effective.geometryOnly : effective
  }
}
