import LibraryTestSupport
import Safelight
import Testing

@Suite("Presets of one's own")
struct PresetFolderTests {
  private let scratch: Scratch
  private let folder: PresetFolder

  init() throws {
    scratch = try Scratch()
    folder = PresetFolder(path: scratch("config/presets"))
  }

  @Test(
    "are named as on the command line",
    arguments: [
      ("Harbour Dusk", "harbour-dusk"), ("  Ana’s  look!", "anas-look"), ("Größe 2", "größe-2"),
      ("../../x", nil),
      ("a/b", nil), ("", nil), ("…", nil), (String(repeating: "x", count: 65), nil),
    ] as [(String, String?)])
  func names(name: String, id: String?) { #expect(PresetFolder.id(for: name) == id) }

  @Test("keep what changes colours, and no crop and no mask")
  func saved() throws {
    let recipe = Recipe {
      Exposure(stops: 0.5)
      Saturation(-30)
      Resize(longEdge: 100)
    }
    let masked = Group(
      .linear(from: MaskPoint(0, 0), to: MaskPoint(0, 1)), filters: [Exposure(stops: -1)])
    let preset = try folder.save(recipe.then(Recipe(filters: [masked])), as: "Harbour Dusk")
    #expect(preset.id == "harbour-dusk" && preset.name == "Harbour Dusk" && preset.isOwn)
    #expect(preset.recipe.filters.map { type(of: $0).id.name } == ["exposure", "saturation"])
    #expect(folder.ids == ["harbour-dusk"])
    #expect(try PresetLibrary.preset("HARBOUR dusk", own: folder).id == "harbour-dusk")
    #expect(try PresetLibrary.preset("noir", own: folder).isOwn == false)
  }

  @Test("keep a table, which another one under the same name does not change for edits that have it")
  func table() throws {
    func cube(_ end: String) -> [UInt8] {
      Array("LUT_1D_SIZE 2\n0 0 0\n\(end) \(end) \(end)\n".utf8)
    }
    let first = try folder.save(table: cube("0.5"), as: "Old Slide")
    let old = try #require(first.recipe.filters.first as? LUT)
    let second = try folder.save(table: cube("0.25"), as: "Old Slide")
    let new = try #require(second.recipe.filters.first as? LUT)
    #expect(old.file != new.file && folder.ids == ["old-slide"])
    try folder.remove("old-slide")
    #expect(folder.ids.isEmpty)
    // What an edit names is still there.
    #expect(try LUT(contentsOf: old.file).fileContents == old.fileContents)
  }

  @Test("are not kept if they cannot be used")
  func refused() throws {
    #expect(throws: SafelightError.self) { try folder.save(Recipe { Exposure(stops: 1) }, as: "Noir") }
    #expect(throws: SafelightError.self) { try folder.save(Recipe { Exposure(stops: 1) }, as: "…") }
    #expect(throws: SafelightError.self) { try folder.save(Recipe(), as: "Nothing") }
    #expect(throws: SafelightError.self) {
      try folder.save(table: Array("LUT_3D_SIZE 2\n".utf8), as: "Broken")
    }
    let unknown = #expect(throws: SafelightError.self) { try folder.remove("harbour") }
    #expect(unknown?.problem.contains("harbour") == true)
    #expect(folder.ids.isEmpty)
    let error = #expect(throws: SafelightError.self) { try PresetLibrary.preset("harbour", own: folder) }
    #expect(error?.description.contains("noir") == true)
  }

  @Test("that name a missing table are refused by the names of both")
  func missingTable() throws {
    try folder.save(Recipe { Exposure(stops: 1) }, as: "Good")
    try scratch.write(
      "{\"safelight\":1,\"filters\":[{\"filter\":\"lut\",\"file\":\"gone.cube\"}]}",
      to: "config/presets/torn.json")
    let error = #expect(throws: SafelightError.self) { try PresetLibrary.preset("torn", own: folder) }
    #expect(
      error?.description.contains("torn.json") == true && error?.description.contains("gone.cube") == true)
    #expect(error?.remedy != nil)
  }

  @Test("keep their labels, and no name with a slash")
  func labels() throws {
    let labels = RecipeLabels(family: "slide", use: "Skies.", tags: ["vivid"])
    let preset = try folder.save(Recipe(labels: labels, filters: [Exposure(stops: 1)]), as: "Big Sky")
    #expect(preset.labels == labels)
    for name in ["a/b", "/", "../noir"] {
      let error = #expect(throws: SafelightError.self) {
        try folder.save(Recipe { Exposure(stops: 1) }, as: name)
      }
      #expect(error?.description.contains("without “/”") == true)
      let unknown = #expect(throws: SafelightError.self) { try PresetLibrary.preset(name, own: folder) }
      #expect(unknown?.problem.hasSuffix("is no preset: their names have no “/”") == true)
    }
    #expect(folder.ids == ["big-sky"])
  }

  @Test("that are damaged are named, and do not hide the others")
  func damaged() throws {
    try folder.save(Recipe { Exposure(stops: 1) }, as: "Good")
    try scratch.write("{", to: "config/presets/bad.json")
    #expect(folder.ids == ["bad", "good"])
    let error = #expect(throws: SafelightError.self) { try folder.preset("bad") }
    #expect(error?.description.contains("bad.json") == true)
    #expect(try folder.preset("good").recipe.filters.count == 1)
  }
}
