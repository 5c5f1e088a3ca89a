import FilterGraph

/// A part of a recipe that is used or copied alone.
public enum RecipePart: String, Sendable, Hashable, Codable, CaseIterable {
  case color, geometry

  /// Returns the recipe with only this part's filters; its name and description stay.
  package func of(_ recipe: Recipe) -> Recipe {
    var part = recipe
    part.filters = (self == .color ? recipe.colorOnly : recipe.geometryOnly).filters
    return part
  }
}
