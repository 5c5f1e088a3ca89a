import LibraryTestSupport
import Safelight
import FoundationEssentials
import Testing

@Suite("Files of edits beside photos")
struct RecipeSidecarFileTests {
  /// A folder with a photo in it.
  private func makeFolder() throws -> Scratch {
    let scratch = try Scratch()
    try save(makePicture(40, 30), to: scratch("a.png"))
    return scratch
  }

  private func save(_ buffer: PixelBuffer, to path: String) throws {
    let writer = try PhotoWriter(to: path, size: buffer.size, tags: buffer.tags, overwrite: true)
    try writer.write(buffer)
    try writer.finish()
  }

  @Test("An edit is kept beside its photo, which stays as it was")
  func save() throws {
    let scratch = try makeFolder()
    let before = try scratch.read("a.png")
    let photo = scratch("a.png")
    #expect(try RecipeSidecar.read(forPhoto: photo) == nil)
    try RecipeSidecar.save(Recipe { Exposure(stops: 0.5) }, forPhoto: photo, .set)
    #expect(try scratch.names == ["a.png", "a.png.safelight.json"])
    #expect(try scratch.read("a.png") == before)
    let recipe = try RecipeSidecar.recipe(forPhoto: photo)
    #expect((recipe.filters.first as? Exposure)?.stops == 0.5)
    #expect(try RecipeSidecar.undo(forPhoto: photo) == nil)
    #expect(try scratch.names == ["a.png"])
  }

  @Test("An edit that does not fit its photo is refused, and what was there stays")
  func unfitting() throws {
    let scratch = try makeFolder()
    let photo = scratch("a.png")
    try RecipeSidecar.save(Recipe { Exposure(stops: 0.5) }, forPhoto: photo, .set)
    let before = try scratch.read("a.png.safelight.json")
    let crop = Recipe { Crop(.rectangle(x: 0, y: 0, width: 41, height: 30)) }
    #expect(
      message { try RecipeSidecar.save(crop, forPhoto: photo, .copied) }
        == "The crop 0,0,41,30 reaches outside the picture, which is 40×30 at this point; keep X + WIDTH within 40 and Y + HEIGHT within 30."
    )
    #expect(try scratch.read("a.png.safelight.json") == before)
    #expect(try scratch.names == ["a.png", "a.png.safelight.json"])
  }

  @Test("An edit that could not be read again is refused, and nothing is left")
  func unreadable() throws {
    let scratch = try makeFolder()
    let photo = scratch("a.png")
    let preset = try PresetLibrary.preset("noir")
    let recipes = [preset.recipe, Recipe { Sepia(50) }]
    for recipe in recipes {
      #expect(throws: SafelightError.self) { try RecipeSidecar.save(recipe, forPhoto: photo, .set) }
      #expect(try scratch.names == ["a.png"])
    }
    try RecipeSidecar.save(preset.portableRecipe, forPhoto: photo, .set)
    #expect(try RecipeSidecar.recipe(forPhoto: photo).filters.count == preset.recipe.filters.count)
  }

  @Test("A photo that changed is told, by its size or by its content, and not edited unless that is accepted")
  func changed() throws {
    let scratch = try makeFolder()
    let photo = scratch("a.png")
    let sidecar = try RecipeSidecar.save(Recipe { Exposure(stops: 0.5) }, forPhoto: photo, .set)
    #expect(try sidecar.isMade(forPhoto: photo))
    let original = try scratch.read("a.png")
    for changed in [original + [0], Array(original.dropLast()) + [7]] {
      try FileContents.write(changed, to: photo, overwrite: true)
      #expect(try !sidecar.isMade(forPhoto: photo))
      #expect(
        message { _ = try RecipeSidecar.recipe(forPhoto: photo) }
          == "\(photo) has changed since its edit was made; check that the edit still fits and give --accept-changed, or make it again with “safelight recipe set”."
      )
      #expect(try RecipeSidecar.recipe(forPhoto: photo, acceptChanged: true).filters.count == 1)
    }
  }

  @Test("A cleared edit is none, and comes back")
  func clear() throws {
    let scratch = try makeFolder()
    let photo = scratch("a.png")
    try RecipeSidecar.save(Recipe { Exposure(stops: 0.5) }, forPhoto: photo, .set)
    try RecipeSidecar.clear(forPhoto: photo)
    let sentence = "\(photo) has no edit; make one with “safelight recipe set”."
    #expect(message { _ = try RecipeSidecar.recipe(forPhoto: photo) } == sentence)
    #expect(message { try RecipeSidecar.clear(forPhoto: photo) } == sentence)
    #expect(try RecipeSidecar.undo(forPhoto: photo)?.recipe?.filters.count == 1)
  }

  /// Halves encoded values.
  private static let table = "LUT_1D_SIZE 2\n0 0 0\n0.5 0.5 0.5\n"

  @Test("A table in the photo's folder moves along with it, another one is named absolutely")
  func tables() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("shoot/luts")
    try scratch.makeFolder("looks")
    try scratch.makeFolder("elsewhere")
    try save(makePicture(40, 30), to: scratch("shoot/a.png"))
    try scratch.write(Self.table, to: "shoot/luts/half.cube")
    try scratch.write(Self.table, to: "looks/half.cube")
    let photo = scratch("shoot/a.png")
    let recipe = try Recipe {
      try LUT(contentsOf: scratch("shoot/luts/half.cube"))
      try LUT(contentsOf: scratch("looks/../looks/half.cube"))
      try LUT(contentsOf: "safelight:luts/noir.cube")
    }
    let sidecar = try RecipeSidecar.save(recipe, forPhoto: photo, .set)
    let names = sidecar.recipe?.filters.compactMap { ($0 as? LUT)?.file } ?? []
    #expect(names[0] == "luts/half.cube")
    #expect(names[1].hasPrefix("/") && names[1].hasSuffix("/looks/half.cube") && !names[1].contains(".."))
    #expect(names[2] == "safelight:luts/noir.cube")

    try FileManager.default.moveItem(atPath: scratch("shoot"), toPath: scratch("elsewhere/moved"))
    let moved = scratch("elsewhere/moved/a.png")
    let loaded = try RecipeSidecar.recipe(forPhoto: moved)
    #expect(loaded.filters.allSatisfy { ($0 as? LUT)?.table != nil })

    try FileManager.default.removeItem(atPath: scratch("elsewhere/moved/luts/half.cube"))
    let text = message { _ = try RecipeSidecar.recipe(forPhoto: moved) }
    #expect(
      text
        == "\(moved).safelight.json: Cannot read \(scratch("elsewhere/moved/luts/half.cube")): there is no such file; check the spelling."
    )
    // It can still be looked at.
    #expect(try RecipeSidecar.read(forPhoto: moved)?.recipe?.filters.count == 3)
  }

  @Test("What is no regular file, or too large, is refused and not waited for")
  func strange() throws {
    let scratch = try makeFolder()
    let photo = scratch("a.png")
    let path = photo + ".safelight.json"
    try scratch.makeFolder("a.png.safelight.json")
    #expect(
      message { _ = try RecipeSidecar.read(forPhoto: photo) }
        == "Cannot read \(path): it is not a file; move it away.")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
    #expect(
      message { _ = try RecipeSidecar.read(forPhoto: photo) }?.hasPrefix("Cannot read \(path): ") ?? false)
    try FileManager.default.removeItem(atPath: path)
    try scratch.write(String(repeating: " ", count: (4 << 20) + 1), to: "a.png.safelight.json")
    #expect(
      message { _ = try RecipeSidecar.read(forPhoto: photo) }
        == "Cannot read \(path): it is larger than 4 MiB; give a smaller file.")
  }
}

/// A filter that the standard catalog does not know.
private struct Sepia: Filter {
  static let id: FilterID = "sepia"
  static let phase = FilterPhase.color
  static let summary = "Mixes colours with grey"
  static let parameters = [
    Parameter(\Sepia.amount, "amount", in: 0...100, neutral: 0, unit: .percent, flag: nil, "How much")
  ]

  var amount: Float

  init() { self.init(0) }
  init(_ amount: Float) { self.amount = amount }

  func lower(into plan: inout PlanBuilder) {}
}
