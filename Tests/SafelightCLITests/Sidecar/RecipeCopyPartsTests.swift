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

  @Test("A table of one's own is the look alone, and a second value of a kind goes with the first")
  func tables() throws {
    let nodes = (0..<8).map { "\(Double($0 & 1) / 2) \(Double($0 >> 1 & 1) / 2) \(Double($0 >> 2) / 2)\n" }
    try scratch.write("LUT_3D_SIZE 2\n" + nodes.joined(), to: "f.cube")
    let values = ["--exposure", "0.5", "--contrast", "20", "--crop", "1:1", "--lut", "f.cube"]
    #expect(try Program.run(["recipe", "set", "c.png"] + values, in: scratch).exitCode == 0)
    let light = try recipe("copy", "c.png", "b.png", "--parts", "light", "--json")
    let report = try #require(JSONReport.list(light.output).first)
    #expect(report["flags"] as? String == "--rotate 90 --exposure 0.5 --contrast 20 --saturation 5")
    #expect(try recipe("copy", "c.png", "b.png", "--parts", "look").exitCode == 0)
    #expect(try filters("b.png").sorted() == ["contrast", "exposure", "lut", "rotate", "saturation"])
    #expect(try recipe("set", "c.png", "--add", "--exposure", "0.3").exitCode == 0)
    #expect(try recipe("copy", "c.png", "b.png", "--parts", "light").exitCode == 0)
    #expect(try filters("b.png").count { $0 == "exposure" } == 2)
    // In front of a look with values of its own.
    #expect(try recipe("set", "c.png", "--exposure", "0.5").exitCode == 0)
    #expect(try recipe("set", "c.png", "--add", "--preset", "noir").exitCode == 0)
    #expect(try recipe("set", "b.png", "--exposure", "1", "--contrast", "10").exitCode == 0)
    #expect(try recipe("copy", "c.png", "b.png", "--parts", "light").exitCode == 0)
    #expect(try filters("b.png") == ["exposure"])
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
