import LibraryTestSupport
import FoundationEssentials
import Safelight
import Testing

@Suite("rate")
struct RateCommandTests {
  private func makeFolder() throws -> Scratch {
    let scratch = try Scratch()
    for name in ["a.png", "b.png"] { try scratch.save(gradient(48, 32), as: name) }
    return scratch
  }

  private func run(_ arguments: [String], _ scratch: Scratch) throws -> Program.Outcome {
    try Program.run(["rate"] + arguments, in: scratch)
  }

  @Test("Marks are set, joined and printed, and the photo stays as it is")
  func life() throws {
    let scratch = try makeFolder()
    let original = try scratch.read("a.png")
    var rate = try run(["a.png", "--stars", "4", "--flag", "pick"], scratch)
    #expect(rate.output == "★★★★☆  pick    -       a.png\n", "\(rate.errors)")
    rate = try run(["a.png", "--color", "red"], scratch)
    #expect(rate.output == "★★★★☆  pick    red     a.png\n", "\(rate.errors)")
    #expect(try scratch.names == ["a.png", "a.png.xmp", "b.png"])
    #expect(try scratch.read("a.png") == original)
    #expect(
      try run(["."], scratch).output
        == "★★★★☆  pick    red     ./a.png\n☆☆☆☆☆  -       -       ./b.png\n")
    // What a shell's * finds.
    #expect(try run(["a.png", "a.png.xmp", "b.png", "--stars", "1"], scratch).errors == "")
    let json = try JSONDecoder().decode(
      [MarkReport].self, from: Data(run([".", "--json"], scratch).output.utf8))
    #expect(json.map(\.rating) == [1, 1] && json[0].flag == .pick && json[0].color == .red)
  }

  @Test("Mistakes are told in one sentence, and a bad photo does not stop the others")
  func mistakes() throws {
    let scratch = try makeFolder()
    let stars = try run(["a.png", "--stars", "6"], scratch)
    #expect(stars.exitCode == 64 && stars.errors.contains("The stars are “6”; give a number in 0…5."))
    #expect(try run(["a.png", "--color", "pink"], scratch).exitCode == 64)
    try scratch.write("no XMP", to: "a.png.xmp")
    let broken = try run([".", "--stars", "2"], scratch)
    #expect(broken.exitCode == 1 && broken.errors.contains("a.png.xmp:1:"), "\(broken.errors)")
    #expect(broken.output == "★★☆☆☆  -       -       ./b.png\n")
  }
}
