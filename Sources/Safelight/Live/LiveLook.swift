import FilterGraph
import Filters

/// What live frames go through, as a user sets it.
public struct LiveLook: Sendable {
  public var recipe: Recipe
  /// How much of the recipe's colour is applied, 0…1; geometry stays whole.
  public var strength: Double
  /// A turn that levels the picture, in degrees, on top of the recipe's own; what follows the horizon by itself.
  public var level: Double
  /// Shows the frames before the edit, turned and cropped like it.
  public var showsOriginal: Bool

  public init(
    _ recipe: Recipe = Recipe(), strength: Double = 1, level: Double = 0, showsOriginal: Bool = false
  ) {
    self.recipe = recipe
    self.strength = strength
    self.level = level
    self.showsOriginal = showsOriginal
  }

  /// The recipe that a plan is made of.
  var effectiveRecipe: Recipe {
    var effective = strength == 1 ? recipe : recipe.scaled(by: strength)
    if level != 0 { effective = effective.then(Recipe(filters: [Straighten(Float(level))])) }
    return showsOriginal ? effective.geometryOnly : effective
  }
}
