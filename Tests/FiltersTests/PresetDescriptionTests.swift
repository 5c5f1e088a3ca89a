import FilterGraph
import Filters
import FoundationEssentials
import FrameCore
import TestSupport
import Testing

/// What `safelight presets list --json` prints.
@Suite("Descriptions of presets")
struct PresetDescriptionTests {
  @Test("The descriptions as JSON are those recorded, and are read back")
  func recorded() throws {
    let recipe = Recipe(
      name: "Teal & Orange", description: "Warm skin, cool shadows",
      labels: RecipeLabels(family: "cine-print", use: "Drama.", tags: ["people", "city"]),
      filters: [Exposure(stops: 1)])
    let descriptions = [
      PresetDescription(Preset(id: "teal-orange", recipe: recipe)),
      PresetDescription(Preset(id: "plain", recipe: Recipe())),
    ]
    let text = try descriptions.json()
    #expect(try JSONDecoder().decode([PresetDescription].self, from: Data(text.utf8)) == descriptions)
    try expectRecorded(text: text + "\n", as: "presets")
  }

  @Test("Each shipped look is described")
  func complete() throws {
    for preset in try PresetLibrary.all() {
      let description = PresetDescription(preset)
      #expect(description.preset == preset.id)
      #expect(!description.name.isEmpty && !description.description.isEmpty, "\(preset.id)")
    }
  }
}
