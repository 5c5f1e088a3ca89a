import LibraryTestSupport
import Safelight
import Testing

@Suite("What an edit means")
struct EditTests {
  private static func filters(_ recipe: Recipe) -> [String] {
    recipe.filters.map { filter in
      let values = type(of: filter).parameters.filter { !$0.isNeutral(in: filter) }
        .map { "\($0.name) \($0.value(in: filter))" }
      return "\(type(of: filter).id.name): " + values.joined(separator: ", ")
    }
  }

  private static func error(_ edit: Edit) -> String? {
    do {
      _ = try edit.recipe()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "The recipe file comes first, then the preset at its strength, then the values in the catalog's order")
  func order() throws {
    let scratch = try Scratch()
    try scratch.write(
      Recipe(name: "evening", filters: [Exposure(stops: 0.25), Crop(.proportions(width: 4, height: 5))])
        .json(),
      to: "evening.json")
    var edit = Edit(
      recipeFile: scratch("evening.json"), preset: "warm-film", strength: 50,
      values: ["saturation": 10, "exposure": "0.5"], straighten: .degrees(2))
    let all = try edit.recipe()
    let preset = try PresetLibrary.preset("warm-film").recipe.filters.count
    #expect(all.filters.count == 2 + preset + 3)
    let names = Self.filters(all)
    #expect(names[0] == "exposure: stops 0.25" && names[1].hasPrefix("crop: "))
    #expect(names.suffix(3) == ["straighten: angle 2", "exposure: stops 0.5", "saturation: amount 10"])
    #expect(all.name == "evening+warm-film" && all.description == "warm-film at 50 %")
    edit.part = .color
    #expect(try !Self.filters(edit.recipe()).contains { $0.hasPrefix("crop") })
    edit.part = .geometry
    #expect(try Self.filters(edit.recipe())[0].hasPrefix("crop"))
  }

  @Test("A base is kept, and a preset is named in any case")
  func base() throws {
    let base = Recipe(name: "base", filters: [Contrast(5)])
    let recipe = try Edit(values: ["contrast": 10]).recipe(onto: base)
    #expect(Self.filters(recipe) == ["contrast: amount 5", "contrast: amount 10"] && recipe.name == "base")
    #expect(try Edit(preset: "Warm Film").recipe().name == "warm-film")
    #expect(Edit().isEmpty && !Edit(auto: [.tone]).isEmpty)
    #expect(!Edit(straighten: .degrees(1)).needsPhoto && Edit(straighten: .automatic).needsPhoto)
  }

  @Test("Found values replace the file's, and given values override the found ones")
  func found() throws {
    let scratch = try Scratch()
    try scratch.save(picture(60, 40) { x, y in [250 * x, 250 * y + 2500, 5000, 65_535] }, as: "dark.png")
    try scratch.write(Recipe(filters: [Exposure(stops: -1), Contrast(3)]).json(), to: "own.json")
    let edit = Edit(recipeFile: scratch("own.json"), auto: [.exposure])
    let (recipe, found) = try edit.resolve(scratch("dark.png"))
    let stops = try #require(found?.values["exposure"])
    #expect(stops > 0.5)
    #expect(recipe.filters.compactMap { ($0 as? Exposure)?.stops } == [Float(stops)])
    #expect(found?.reasons["exposure"]?.hasSuffix("replaces the recipe's own") == true)
    #expect(found?.lines.count == 1 && found?.straighten == nil)

    var given = edit
    given.values = ["exposure": 0.75]
    let overridden = try given.resolve(scratch("dark.png"))
    #expect(overridden.recipe.filters.compactMap { ($0 as? Exposure)?.stops } == [0.75])
    #expect(overridden.found?.values == [:])
    // Without the photo, the file's own value stays.
    #expect(try edit.recipe().filters.compactMap { ($0 as? Exposure)?.stops } == [-1])
    // Nothing to find: the photo is not even opened.
    #expect(try Edit(values: ["exposure": 1]).resolve("nowhere.png").found == nil)
  }

  @Test("What is wrong is said with a remedy")
  func errors() throws {
    #expect(
      Self.error(Edit(values: ["exposre": 1])) == "There is no parameter “exposre”; did you mean “exposure”?")
    #expect(Self.error(Edit(values: ["exposure": 99]))?.contains("outside its range") == true)
    #expect(
      Self.error(Edit(preset: "faded", strength: 120))
        == "strength is 120, outside its range; give a value in 0…100 %.")
    let scratch = try Scratch()
    try scratch.write("{}", to: "a.jpg.safelight.json")
    #expect(
      Self.error(Edit(recipeFile: scratch("a.jpg.safelight.json")))?
        .hasSuffix(
          "is the edit beside a photo, not a recipe; use safelight export, or safelight recipe copy.")
        == true)
    #expect(throws: SafelightError.self) { try Straightening("steep") }
    #expect(try Straightening("-1.5°") == .degrees(-1.5) && Straightening("auto") == .automatic)
  }
}
