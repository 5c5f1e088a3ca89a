import LibraryTestSupport
import Foundation
import Safelight
import Testing

@Suite("Presets in sidecars keep their names")
struct PresetNameTests {
  @Test("recipe show tells the preset and its strength, and so does the sidecar")
  func show() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(48, 32), as: "a.png")
    _ = try Program.run(["recipe", "set", "a.png", "--preset", "noir", "--strength", "70"], in: scratch)
    let show = try Program.run(["recipe", "show", "a.png"], in: scratch)
    #expect(show.output.hasPrefix("a.png\n  look     noir at 70 %\n  edit     "), "\(show.output)")
    let json = try JSONReport.list(Program.run(["recipe", "show", "a.png", "--json"], in: scratch).output)
    let recipe = try #require(json.first?["recipe"] as? [String: Any])
    #expect(recipe["name"] as? String == "noir" && recipe["description"] as? String == "noir at 70 %")

    // What is joined to it leaves the name; a second preset is told, too.
    _ = try Program.run(["recipe", "set", "a.png", "--add", "--exposure", "0.2"], in: scratch)
    #expect(
      try Program.run(["recipe", "show", "a.png"], in: scratch).output.contains("\n  look     noir at 70 %\n")
    )
    _ = try Program.run(["recipe", "set", "a.png", "--add", "--preset", "faded"], in: scratch)
    let both = try Program.run(["recipe", "show", "a.png"], in: scratch)
    #expect(both.output.contains("\n  look     noir at 70 %, faded\n"), "\(both.output)")
  }

  @Test("Without a preset nothing is told")
  func none() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(48, 32), as: "a.png")
    _ = try Program.run(["recipe", "set", "a.png", "--exposure", "0.2"], in: scratch)
    #expect(try !Program.run(["recipe", "show", "a.png"], in: scratch).output.contains("look"))
  }

  @Test("export names results by the preset of each photo")
  func export() throws {
    let scratch = try Scratch()
    for name in ["a", "b", "c"] { try scratch.save(gradient(48, 32), as: "\(name).png") }
    _ = try Program.run(["recipe", "set", "a.png", "--preset", "noir", "--strength", "70"], in: scratch)
    _ = try Program.run(["recipe", "set", "b.png", "--preset", "Faded"], in: scratch)
    _ = try Program.run(["recipe", "set", "c.png", "--exposure", "0.2"], in: scratch)
    let export = try Program.run(
      ["export", "a.png", "b.png", "c.png", "-o", "out", "--name", "{stem}-{preset}"], in: scratch)
    #expect(export.exitCode == 0, "\(export.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch("out")).filter {
      $0.hasSuffix(".png")
    }
    #expect(names.sorted() == ["a-noir.png", "b-faded.png", "c-edited.png"])
  }
}
