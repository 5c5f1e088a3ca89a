import FilterGraph
import FrameCore
import TestSupport
import Testing

/// Families, tags and uses of recipes.
@Suite("Labels of recipes")
struct RecipeLabelsTests {
  @Test("Labels are written and read back, and a recipe without them reads as before")
  func written() throws {
    let labels = RecipeLabels(family: "slide", use: "Skies, “big” ones.", tags: ["vivid", "outdoors"])
    let recipe = Recipe(name: "A", labels: labels)
    let text = recipe.json()
    #expect(
      text == """
        {
          "safelight": 1,
          "name": "A",
          "family": "slide",
          "use": "Skies, “big” ones.",
          "tags": ["vivid", "outdoors"],
          "filters": []
        }

        """)
    #expect(try RecipeFiles.decode(text.utf8) == recipe)
    #expect(try RecipeFiles.decode("{\"safelight\":1}".utf8).labels == RecipeLabels())
    #expect(Recipe(name: "A") != recipe)
  }

  @Test(
    "Wrong labels are refused with a remedy",
    arguments: [
      ("\"tags\": \"vivid\"", "look.json: “tags” must be a list."),
      ("\"tags\": [3]", "look.json: “tags” must be a list of words; write [\"outdoors\", \"soft\"]."),
      ("\"tags\": [\"\"]", "look.json has the tag or family “” of 0 characters; give each 1…40 characters."),
      ("\"family\": 7", "look.json: “family” must be a string."),
      (
        "\"tags\": [\(Array(repeating: "\"a\"", count: 17).joined(separator: ","))]",
        "look.json has 17 tags, more than 16; leave some out."
      ),
    ])
  func refused(field: String, sentence: String) {
    let error = #expect(throws: SafelightError.self) {
      try RecipeFiles.decode("{\"safelight\": 1, \(field)}".utf8)
    }
    #expect(error?.description == sentence)
  }
}
