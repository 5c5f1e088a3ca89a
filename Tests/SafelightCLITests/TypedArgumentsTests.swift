import LibraryTestSupport
import Safelight
import Testing

@testable import SafelightCLI

@Suite("Mistyped words")
struct TypedArgumentsTests {
  @Test(
    "A command that is none is told with the nearest that is one",
    arguments: [
      (
        ["bacth", "shoot/", "-o", "x"],
        "Unknown command “bacth”; did you mean “batch”? Known: edit, studio, "
      ),
      (
        ["presets", "shows", "noir"],
        "Unknown command “presets shows”; did you mean “show”? Known: list, show, sheet, save, import, export, rename, remove."
      ),
      (["recipe", "sett", "a.jpg"], "Unknown command “recipe sett”; did you mean “set”? Known: "),
      (["help", "anlyze"], "Unknown command “anlyze”; did you mean “analyze”? Known: "),
      (["harbour.jpg"], "Unknown command “harbour.jpg”; known: edit, studio, "),
    ])
  func commands(arguments: [String], sentence: String) throws {
    let run = try Program.run(arguments, in: Scratch())
    #expect(run.exitCode == 64 && run.error?.hasPrefix(sentence) == true, "\(run.errors)")
  }

  @Test(
    "An option that is none is told with the nearest of the command's own",
    arguments: [
      (
        ["edit", "a.jpg", "-o", "b.jpg", "--expo", "1"], "Unknown option '--expo'. Did you mean '--exposure'?"
      ),
      (
        ["edit", "a.jpg", "-o", "b.jpg", "--Preset", "noir"],
        "Unknown option '--Preset'. Did you mean '--preset'?"
      ),
      (
        ["edit", "a.jpg", "-o", "b.jpg", "--saturatoin=3"],
        "Unknown option '--saturatoin'. Did you mean '--saturation'?"
      ),
      (["analyze", "a.jpg", "--recursiv"], "Unknown option '--recursiv'. Did you mean '--recursive'?"),
      (["presets", "--jsn"], "Unknown option '--jsn'. Did you mean '--json'?"),
      (["analyze", "a.jpg", "--sideways"], "Unknown option '--sideways'."),
    ])
  func options(arguments: [String], sentence: String) throws {
    let run = try Program.run(arguments, in: Scratch())
    #expect(run.exitCode == 64 && run.error == sentence, "\(run.errors)")
  }

  @Test("British spellings are read")
  func british() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: "a.png")
    #expect(try Program.run(["analyse", "a.png"], in: scratch).exitCode == 0)
    let edit = try Program.run(["edit", "a.png", "-o", "b.png", "--colour-space", "display-p3"], in: scratch)
    #expect(edit.exitCode == 0, "\(edit.errors)")
    // Names of files stay what they are.
    #expect(
      TypedArguments.normalized(["--colour-space=srgb", "--", "--colour"]) == [
        "--color-space=srgb", "--", "--colour",
      ])
  }

  @Test(
    "Presets by any case, with spaces or hyphens",
    arguments: ["Warm-Film", "WARM FILM", "warm_film", "warm-film"])
  func presets(name: String) throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: "a.png")
    let run = try Program.run(["plan", "a.png", "--preset", name], in: scratch)
    #expect(run.exitCode == 0 && run.output.contains("warm-film.cube"), "\(run.errors)")
  }

  @Test("--quiet says nothing but errors, --verbose what was decided")
  func verbosity() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: "a.png")
    let edit = ["edit", "a.png", "--exposure", "0.5", "-o"]
    let usual = try Program.run(edit + ["b.png"], in: scratch)
    #expect(usual.output.hasPrefix("b.png  40×30  ") && usual.errors == "")
    let quiet = try Program.run(edit + ["c.png", "--quiet"], in: scratch)
    #expect(quiet.exitCode == 0 && quiet.output == "" && quiet.errors == "")
    let verbose = try Program.run(edit + ["d.png", "--verbose"], in: scratch)
    #expect(
      verbose.errors.hasPrefix("plan  40×30 ") && verbose.errors.contains("backend "), "\(verbose.errors)")
    let failed = try Program.run(["edit", "none.png", "-o", "e.png", "--quiet"], in: scratch)
    #expect(failed.exitCode == 1 && failed.error?.hasPrefix("Cannot read none.png: ") == true)
  }
}
