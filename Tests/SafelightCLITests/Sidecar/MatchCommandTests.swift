import LibraryTestSupport
import Safelight
import Testing

@Suite("match")
struct MatchCommandTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    for name in ["a", "b", "c"] { try scratch.save(gradient(96, 64), as: "\(name).png") }
  }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(arguments, in: scratch)
  }

  private func exposure(_ photo: String) throws -> Float? {
    let recipe = try RecipeSidecar.read(forPhoto: scratch(photo))?.recipe
    return recipe?.filters.compactMap { ($0 as? Exposure)?.stops }.last
  }

  @Test("The reference is its edit, and stays as it is where it is named among the photos")
  func reference() throws {
    #expect(try run("recipe", "set", "a.png", "--exposure", "0.8", "--crop", "1:1").exitCode == 0)
    let before = try scratch.read("a.png.safelight.json")
    let match = try run("match", "a.png", "a.png", "b.png", "--save")
    #expect(match.exitCode == 0, "\(match.errors)")
    #expect(try scratch.read("a.png.safelight.json") == before)
    #expect(try abs((exposure("b.png") ?? 0) - 0.8) < 0.3, "\(match.output)")
    let alone = try run("match", "a.png", "a.png")
    #expect(alone.exitCode == 1 && alone.errors.contains("a.png is the only photo"), "\(alone.errors)")
  }

  @Test("--save keeps the look of a photo, and finds what takes it near the reference")
  func look() throws {
    #expect(try run("recipe", "set", "b.png", "--preset", "noir", "--contrast", "30").exitCode == 0)
    #expect(try run("match", "a.png", "b.png", "--save").exitCode == 0)
    let shown = try run("recipe", "show", "b.png").output
    #expect(shown.contains("look     noir") && shown.contains("contrast"), "\(shown)")
    // Found again, it takes the place of what was found before.
    func recipe() throws -> String? { try RecipeSidecar.read(forPhoto: scratch("b.png"))?.recipe?.json() }
    let found = try recipe()
    #expect(try run("match", "a.png", "b.png", "--save").exitCode == 0)
    #expect(try recipe() == found)
  }
}
