import LibraryTestSupport
import Safelight
import Testing

@testable import Studio

@Suite("Edits as the page sees them")
struct StudioEditTests {
  private func edit(_ json: String) throws -> StudioEdit {
    try StudioEdit(JSONValue(parsing: Array(json.utf8), file: "edit"))
  }

  private static let edits = [
    "{}",
    #"{"values": {"exposure": 0.3, "temperature": 5200, "crop": "4:3", "rotate": "90", "sharpen": 40}}"#,
    #"{"look": {"preset": "warm-film", "strength": 70}, "values": {"contrast": 20}}"#,
    #"{"look": {"preset": "noir", "strength": 100}}"#,
    #"{"base": [{"filter": "exposure", "stops": 1}], "values": {"exposure": 0.5}}"#,
    #"{"base": [{"filter": "exposure", "stops": 1}], "look": {"preset": "faded", "strength": 35.5}}"#,
    #"{"values": {"saturation": -10}, "groups": [{"filter": "group", "mask": "linear 0,0 0,1", "filters": [{"filter": "exposure", "stops": -1}]}]}"#,
    #"{"listed": true, "base": [{"filter": "saturation", "amount": 5}, {"filter": "exposure", "stops": 1}]}"#,
  ]

  @Test("come back from the recipe beside a photo as they were", arguments: edits)
  func split(_ json: String) throws {
    let scratch = try Scratch()
    try scratch.save(gradient(60, 40), as: "a.png")
    let made = try edit(json)
    let recipe = try made.recipe(forPhoto: scratch("a.png"), in: FileSnapshot())
    let sidecar = try RecipeSidecar.save(recipe, forPhoto: scratch("a.png"), .set)
    let read = StudioEdit(try #require(sidecar.recipe))
    #expect(try read.json == made.json)
    // And the same pixels.
    let again = try read.recipe(forPhoto: scratch("a.png"), in: FileSnapshot())
    #expect(again.json() == recipe.json())
  }

  @Test("of the command line are split into controls and what has none")
  func foreign() throws {
    let recipe = Recipe {
      Exposure(stops: 1)
      Contrast(10)
      Exposure(stops: 0.5)
    }
    let split = StudioEdit(recipe)
    #expect(split.base.filters.count == 1 && split.values.values["contrast"] == .number(10))
    #expect(split.values.values["exposure"] == .number(0.5))
  }

  @Test("are told as a command line, where flags can say them")
  func flags() throws {
    #expect(
      try edit(Self.edits[2]).flags == ["--preset", "warm-film", "--strength", "70", "--contrast", "20"])
    #expect(try edit(Self.edits[4]).flags == nil)
    #expect(
      StudioCommand.edit(try edit(Self.edits[2]), photo: "my photo.jpg")
        == "safelight edit 'my photo.jpg' -o edited.jpg --preset warm-film --strength 70 --contrast 20")
    #expect(
      StudioCommand.edit(try edit(Self.edits[4]), photo: "a.jpg", to: "edited/a.jpg")
        == "safelight export a.jpg -o edited")
  }

  @Test(
    "with mistakes are refused in one sentence",
    arguments: [
      (#"{"valuez": {}}"#, "edit: Unknown key"), (#"{"look": {"preset": "noire"}}"#, "“noir”"),
      (#"{"values": {"exposure": true}}"#, "edit.values: “exposure” must be a number or a string"),
      (#"{"values": []}"#, "edit.values is not a JSON object"),
      (#"{"groups": [{"filter": "exposure"}]}"#, "edit.groups has a filter that is no group"),
    ])
  func mistakes(_ json: String, _ words: String) throws {
    let text = message { _ = try edit(json) }
    #expect(text?.contains(words) ?? false, "\(text ?? "accepted")")
  }

  @Test("name what a step changed")
  func titles() throws {
    let none = StudioEdit()
    #expect(StudioChange.title(from: none, to: try edit(#"{"values": {"exposure": 1}}"#)) == "Exposure")
    #expect(StudioChange.title(from: none, to: try edit(#"{"look": {"preset": "noir"}}"#)) == "Look")
    #expect(
      StudioChange.title(from: none, to: try edit(#"{"values": {"exposure": 1, "contrast": 2}}"#))
        == "2 changes")
    #expect(StudioChange.title(from: none, to: none) == "No change")
  }
}
