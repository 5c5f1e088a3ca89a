import LibraryTestSupport
import Safelight
import Testing

@Suite("recipe copy --parts")
struct RecipeCopyPartsTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    for name in ["a", "b", "c"] { try scratch.save(gradient(48, 32), as: "\(name).png") }
    _ = try recipe(
      "set", "a.png", "--preset", "noir", "--exposure", "0.5", "--temperature", "7000", "--clarity", "20",
      "--grain", "10", "--crop", "1:1", "--masked", "linear 0,0 0,1: exposure -1")
    _ = try recipe(
      "set", "b.png", "--exposure", "-1", "--contrast", "10", "--rotate", "90", "--saturation", "5")
  }

  private func recipe(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["recipe"] + arguments, in: scratch)
  }

  private func filters(_ photo: String) throws -> [String] {
    let recipe = try #require(RecipeSidecar.require(forPhoto: scratch(photo)).recipe)
    return recipe.filters.map { type(of: $0).id.name }
  }

  @Test("Only the named parts are taken, and what the photo has in others stays")
  func parts() throws {
    let light = try recipe("copy", "a.png", "b.png", "--parts", "light,effects", "--json")
    #expect(light.exitCode == 0, "\(light.errors)")
    let report = try #require(JSONReport.list(light.output).first)
    #expect(report["flags"] as? String == "--rotate 90 --exposure 0.5 --grain 10 --saturation 5")
    // What is neutral there becomes so here.
    #expect(try recipe("copy", "a.png", "b.png", "--parts", "color").exitCode == 0)
    #expect(try filters("b.png") == ["rotate", "white-balance", "exposure", "grain"])
    // A look is its filters and its name.
    #expect(try recipe("copy", "a.png", "b.png", "--parts", "look").exitCode == 0)
    #expect(try recipe("show", "b.png").output.contains("\n  look     noir\n"))
    #expect(try recipe("copy", "a.png", "c.png", "--parts", "masks,crop").exitCode == 0)
    #expect(try filters("c.png") == ["crop", "group"])
    #expect(try recipe("undo", "c.png").exitCode == 0)
  }

  @Test("All parts are the whole edit, and unknown ones are named")
  func all() throws {
    let words = "look,light,color,detail,effects,crop,rotation,masks"
    #expect(try recipe("copy", "a.png", "c.png", "--parts", words).exitCode == 0)
    let (from, to) = (
      try RecipeSidecar.require(forPhoto: scratch("a.png")).recipe,
      try RecipeSidecar.require(forPhoto: scratch("c.png")).recipe
    )
    #expect(from?.json() == to?.json())
    let unknown = try recipe("copy", "a.png", "b.png", "--parts", "light,colour")
    #expect(unknown.exitCode == 64 && unknown.errors.contains("did you mean “color”"), "\(unknown.errors)")
    let both = try recipe("copy", "a.png", "b.png", "--parts", "light", "--only", "color")
    #expect(both.exitCode == 64)
  }
}
