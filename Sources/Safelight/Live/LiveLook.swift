import FilterGraph

/// What live frames go through, as a user sets it.
public struct LiveLook: Sendable {
  public var recipe: Recipe
  /// How much of the recipe's colour is applied, 0…1; geometry stays whole.
  public var strength: Double
  /// Shows the frames before the edit, turned and cropped like it.
  public var showsOriginal: Bool

  public init(_ recipe: Recipe = Recipe(), strength: Double = 1, showsOriginal: Bool = false) {
    self.recipe = recipe
    self.strength = strength
    self.showsOriginal = showsOriginal
  }

  /// The recipe that a plan is made of.
  var effectiveRecipe: Recipe {
    if showsOriginal { return recipe.geometryOnly }
    return strength == 1 ? recipe : recipe.scaled(by: strength)
  }
}
