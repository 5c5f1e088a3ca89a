import LibraryTestSupport
import FoundationEssentials
import Safelight
import Testing

@Suite("recipe")
struct RecipeCommandTests {
  private func makeFolder(_ names: [String] = ["a.png", "b.png"]) throws -> Scratch {
    let scratch = try Scratch()
    for name in names { try scratch.save(gradient(48, 32), as: name) }
    return scratch
  }

  private func run(_ arguments: [String], _ scratch: Scratch) throws -> Program.Outcome {
    try Program.run(["recipe"] + arguments, in: scratch)
  }

  @Test("An edit is made, joined to, shown as the flags that give the same, and taken back")
  func life() throws {
    let scratch = try makeFolder()
    let original = try scratch.read("a.png")
    var edit = try run(["set", "a.png", "--crop", "4:3", "--exposure", "0.3"], scratch)
    #expect(edit.output == "a.png  --crop 4:3 --exposure 0.3\n", "\(edit.errors)")
    edit = try run(["set", "a.png", "--add", "--saturation", "-20"], scratch)
    #expect(edit.output == "a.png  --crop 4:3 --exposure 0.3 --saturation -20\n", "\(edit.errors)")
    #expect(try scratch.names == ["a.png", "a.png.safelight.json", "b.png"])
    #expect(try scratch.read("a.png") == original)

    let show = try run(["show", "a.png"], scratch)
    let lines = show.output.split(separator: "\n")
    #expect(lines.count == 4 && lines[1] == "  edit     --crop 4:3 --exposure 0.3 --saturation -20")
    #expect(lines[2].hasPrefix("  history  20") && lines[2].hasSuffix("Z") == false)
    #expect(lines[2].hasSuffix("  added, in place of --crop 4:3 --exposure 0.3"))
    #expect(lines[3].hasSuffix("  set"))

    #expect(try run(["undo", "a.png"], scratch).output == "a.png  --crop 4:3 --exposure 0.3\n")
    #expect(try run(["undo", "a.png"], scratch).output == "a.png  no edit\n")
    #expect(try scratch.names == ["a.png", "b.png"])
    let none = try run(["undo", "a.png"], scratch)
    #expect(none.errors == "Error: a.png has no edit; make one with “safelight recipe set”.\n")
    #expect(none.exitCode == 1)
  }

  @Test("The flags that are shown give the same file again")
  func shownFlags() throws {
    let scratch = try makeFolder()
    // Halves encoded values; the name needs quotes in a shell.
    try scratch.write("LUT_1D_SIZE 2\n0 0 0\n0.5 0.5 0.5\n", to: "it's half.cube")
    let made = try run(
      [
        "set", "a.png", "--straighten", "-2.5", "--straighten-corners", "keep", "--rotate", "90", "--shadows",
        "30",
        "--temperature", "7000", "--lut", "it's half.cube", "--strength", "60", "--lut-encoding", "rec2020",
      ], scratch)
    #expect(made.exitCode == 0, "\(made.errors)")
    let flags = made.output.split(separator: "\n")[0].dropFirst("a.png  ".count)
    let again = try Program.shell("\"$SAFELIGHT\" recipe set b.png \(flags)", in: scratch)
    #expect(again.exitCode == 0, "\(again.errors)")
    #expect(again.output.dropFirst(1) == made.output.dropFirst(1))
    let recipes = try ["a.png", "b.png"].map {
      try RecipeSidecar.require(forPhoto: scratch($0)).recipe?.json()
    }
    #expect(recipes[0] == recipes[1])
  }

  @Test("An edit that flags cannot give is shown filter by filter")
  func noFlags() throws {
    let scratch = try makeFolder()
    for _ in 0..<2 { _ = try run(["set", "a.png", "--add", "--exposure", "0.5"], scratch) }
    let show = try run(["show", "a.png"], scratch)
    #expect(show.output.contains("  edit     exposure stops 0.5, exposure stops 0.5\n"))
  }

  @Test("A name that holds commands for the terminal is shown without them")
  func terminalCommands() throws {
    let scratch = try makeFolder()
    _ = try run(["set", "a.png", "--exposure", "0.5"], scratch)
    let text = try String(decoding: scratch.read("a.png.safelight.json"), as: UTF8.self)
    try scratch.write(
      text.replacing(#""action": "set","#, with: #""action": "copied", "source": "\u001b[31mred","#),
      to: "a.png.safelight.json")
    let show = try run(["show", "a.png"], scratch)
    #expect(show.output.contains("copied from ?[31mred"), "\(show.errors)")
    #expect(!show.output.contains("\u{1B}"))
  }

  @Test("JSON says what there is, and that a photo has changed")
  func json() throws {
    let scratch = try makeFolder()
    _ = try run(["set", "a.png", "--exposure", "0.5"], scratch)
    var list = try JSONReport.list(run(["show", ".", "--json"], scratch).output)
    #expect(list.count == 1)
    #expect(list[0]["file"] as? String == "./a.png")
    #expect(list[0]["flags"] as? String == "--exposure 0.5")
    #expect(list[0]["photoChanged"] as? Bool == false)
    #expect((list[0]["recipe"] as? [String: Any])?["safelight"] as? Int == 1)
    try scratch.write(scratch.read("a.png") + [0], to: "a.png")
    let show = try run(["show", "a.png", "--json"], scratch)
    list = try JSONReport.list(show.output)
    #expect(list[0]["photoChanged"] as? Bool == true)
    #expect(
      show.errors == "Warning: a.png has changed since its edit was made; check that it still fits.\n")
  }

  @Test("Automatic values are found in each photo and kept as numbers")
  func automatic() throws {
    let scratch = try Scratch()
    for (name, level) in [("dark.png", 6000), ("bright.png", 50_000)] {
      try scratch.save(
        picture(64, 48) { x, y in
          let value = level * (x + y + 8) / 128
          return [value, value, value, 65_535]
        }, as: name)
    }
    let set = try run(["set", "dark.png", "bright.png", "--auto", "exposure"], scratch)
    #expect(set.exitCode == 0, "\(set.errors)")
    let stops = try ["dark.png", "bright.png"].map { name in
      (try RecipeSidecar.require(forPhoto: scratch(name)).recipe?.filters.first as? Exposure)?.stops ?? 0
    }
    #expect(stops[0] > 0.5 && stops[0] > stops[1] + 0.5, "\(stops)")
  }

  @Test("An edit is copied whole, or the part that is asked for; what it replaces comes back")
  func copy() throws {
    let scratch = try makeFolder(["a.png", "b.png", "c.png"])
    _ = try run(["set", "a.png", "--crop", "4:3", "--exposure", "0.3"], scratch)
    _ = try run(["set", "b.png", "--crop", "1:1", "--exposure", "-1"], scratch)
    #expect(
      try run(["copy", "a.png", "b.png", "--only", "color"], scratch).output
        == "b.png  --crop 1:1 --exposure 0.3\n")
    #expect(try run(["undo", "b.png"], scratch).output == "b.png  --crop 1:1 --exposure -1\n")
    #expect(
      try run(["copy", "a.png", "b.png", "--only", "geometry"], scratch).output
        == "b.png  --crop 4:3 --exposure -1\n")
    // The folder holds the photo itself too.
    let all = try run(["copy", "a.png", "."], scratch)
    #expect(
      all.output == "./b.png  --crop 4:3 --exposure 0.3\n./c.png  --crop 4:3 --exposure 0.3\n",
      "\(all.errors)")
    #expect(try RecipeSidecar.require(forPhoto: scratch("a.png")).history.count == 1)
    let none = try run(["copy", "none.png", "b.png"], scratch)
    #expect(none.errors == "Error: Cannot read none.png: there is no such file; check the spelling.\n")
    _ = try run(["clear", "c.png"], scratch)
    let cleared = try run(["copy", "c.png", "b.png"], scratch)
    #expect(
      cleared.errors
        == "Error: The edit of c.png was removed; restore it with “safelight recipe undo”.\n")
  }

  @Test("A crop that does not fit one photo is told and does not stop the others")
  func unfitting() throws {
    let scratch = try makeFolder(["a.png", "c.png"])
    try scratch.save(gradient(20, 20), as: "b.png")
    _ = try run(["set", "a.png", "--crop", "0,0,40,30"], scratch)
    let copy = try run(["copy", "a.png", "b.png", "c.png"], scratch)
    #expect(copy.exitCode == 1)
    #expect(copy.output == "c.png  --crop 0,0,40,30\n")
    #expect(
      copy.errors.hasPrefix("Error: b.png: The crop 0,0,40,30 reaches outside the picture"), "\(copy.errors)")
    #expect(try !scratch.names.contains("b.png.safelight.json"))
  }

  @Test("Of a hundred programs that change one edit at the same time none loses what another did")
  func manyPrograms() throws {
    let scratch = try makeFolder(["a.png"])
    let numbers = Array(10..<60)
    for number in numbers {
      try scratch.write(scratch.read("a.png"), to: "\(number).png")
      try RecipeSidecar.save(
        Recipe { Exposure(stops: Float(number) / 100) }, forPhoto: scratch("\(number).png"), .set)
    }
    func atOnce(_ command: String) throws -> Program.Outcome {
      try Program.shell(
        """
        for number in \(numbers.map(String.init).joined(separator: " ")); do
          "$SAFELIGHT" recipe \(command) >/dev/null || echo "failed $number" &
        done
        wait
        """, in: scratch)
    }
    var outcome = try atOnce("copy $number.png a.png")
    #expect(outcome.output == "" && outcome.errors == "")
    let history = try RecipeSidecar.require(forPhoto: scratch("a.png")).history
    #expect(history.compactMap(\.source).sorted() == numbers.map { "\($0).png" })
    // Each step replaced the edit of the one before it.
    let replaced = history.dropFirst().map { ($0.replaced?.filters.first as? Exposure)?.stops }
    let sources = history.dropLast().map { Float($0.source?.prefix(2) ?? "").map { $0 / 100 } }
    #expect(replaced == sources)

    outcome = try atOnce("undo a.png")
    #expect(outcome.output == "" && outcome.errors == "")
    #expect(try scratch.names.filter { $0.contains("a.png") } == ["a.png"])
  }

  @Test("What ten programs add to one edit at the same time is all in it")
  func manyAdditions() throws {
    let scratch = try makeFolder(["a.png"])
    let outcome = try Program.shell(
      """
      for tenth in 0 1 2 3 4 5 6 7 8 9; do
        "$SAFELIGHT" recipe set a.png --add --exposure 0.$tenth >/dev/null || echo "failed $tenth" &
      done
      wait
      """, in: scratch)
    #expect(outcome.output == "" && outcome.errors == "")
    let sidecar = try RecipeSidecar.require(forPhoto: scratch("a.png"))
    let stops = sidecar.recipe?.filters.compactMap { ($0 as? Exposure)?.stops }.sorted()
    #expect(stops == (0..<10).map { Float($0) / 10 })
    #expect(sidecar.history.map { $0.replaced?.filters.count ?? 0 } == Array(0..<10))
    #expect(try scratch.names == ["a.png", "a.png.safelight.json"])
  }

  @Test("A cleared edit comes back, one cleared with its history does not")
  func clear() throws {
    let scratch = try makeFolder()
    _ = try run(["set", "a.png", "b.png", "--exposure", "0.3"], scratch)
    #expect(try run(["clear", "a.png"], scratch).output == "a.png  no edit\n")
    #expect(try run(["undo", "a.png"], scratch).output == "a.png  --exposure 0.3\n")
    #expect(try run(["clear", ".", "--history"], scratch).exitCode == 0)
    #expect(try scratch.names == ["a.png", "b.png"])
  }

  @Test("A damaged edit is neither used nor replaced")
  func damaged() throws {
    let scratch = try makeFolder()
    try scratch.write("{", to: "a.png.safelight.json")
    for arguments in [
      ["set", "a.png", "--exposure", "1"], ["show", "a.png"], ["copy", "b.png", "a.png"], ["undo", "a.png"],
    ] {
      if arguments[0] == "copy" { _ = try run(["set", "b.png", "--exposure", "1"], scratch) }
      let outcome = try run(arguments, scratch)
      #expect(outcome.exitCode == 1)
      #expect(outcome.errors.hasPrefix("Error: a.png.safelight.json:1:2: "), "\(outcome.errors)")
      #expect(try scratch.read("a.png.safelight.json") == Array("{".utf8))
    }
  }

  @Test("Nothing to set, and nothing there")
  func usage() throws {
    let scratch = try makeFolder([])
    #expect(
      try run(["set", "a.png"], scratch).error
        == "Missing what to do; give flags such as --exposure 0.3, --preset or --recipe. “recipe clear” removes an edit."
    )
    #expect(
      try run(["set", ".", "--exposure", "1"], scratch).errors.hasPrefix("Error: There are no photos among"))
    #expect(
      try run(["set", "a.png", "--exposure", "1"], scratch).errors
        == "Error: Cannot read a.png: there is no such file; check the spelling.\n")
  }

  @Test(
    "The help of each command shows examples",
    arguments: [[], ["set"], ["show"], ["copy"], ["import"], ["undo"], ["clear"]])
  func help(command: [String]) throws {
    let run = try run(command + ["--help"], Scratch())
    #expect(run.exitCode == 0)
    #expect(run.output.contains("\n  safelight recipe "))
  }
}
