import ColorScience
import FilterGraph
import Filters
import Testing

@Suite("Equality of recipes")
struct RecipeEqualityTests {
  @Test("Recipes are equal where names, order and filters are, by type and by value")
  func equality() throws {
    let table = try ColorLUT(cube: Array(RecipeFiles.cube.utf8), name: "two.cube")
    let filters: [any Filter] = [Exposure(stops: 0.5), Contrast(10), LUT(table, name: "two.cube")]
    let recipe = Recipe(name: "a", filters: filters)
    #expect(recipe == Recipe(name: "a", filters: filters))
    let others: [Recipe] = [
      Recipe(name: "b", filters: filters), Recipe(name: "a", description: "c", filters: filters),
      Recipe(name: "a", order: .listed, filters: filters), Recipe(name: "a", filters: filters.dropLast()),
      Recipe(name: "a", filters: filters.reversed()),
      Recipe(name: "a", filters: [Exposure(stops: 0.51)] + filters.dropFirst()),
      // The same number in another filter.
      Recipe(name: "a", filters: [filters[0], Saturation(10), filters[2]]),
      Recipe(name: "a", filters: filters.dropLast() + [LUT(table, name: "two.cube", strength: 90)]),
      Recipe(name: "a", filters: filters.dropLast() + [LUT(ColorLUT(), name: "two.cube")]),
    ]
    for other in others { #expect(recipe != other, "\(other.json())") }
  }

  @Test("What is written and read again is equal", arguments: 0..<50)
  func roundTrip(seed: Int) throws {
    let recipe = try RecipeFiles.decode(
      Array(#"{ "safelight": 1, "filters": [{ "filter": "exposure", "stops": \#(Float(seed) / 70) }] }"#.utf8)
    )
    #expect(try RecipeFiles.decode(Array(recipe.json().utf8)) == recipe)
  }
}
