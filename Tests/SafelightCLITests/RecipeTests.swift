import LibraryTestSupport
import Safelight
import Testing

@Suite("Recipes and tables")
struct RecipeTests {
  @Test(
    "A recipe that is not sound is refused with its file and the place in it",
    arguments: [
      (
        #"{"safelight":1,"filters":[{"filter":"exposure","stops":NaN}]}"#,
        "r.json:1:56: “NaN” is not a JSON value; write strings in double quotes, and numbers like -0.5."
      ),
      ("", "r.json:1:1: the text ends where a value is expected."),
      (
        #"{"safelight":1,"filters":[{"filter":"exposure","stops":1e999}]}"#,
        "r.json:1:56: the number 1e999 is too large."
      ),
      (
        #"{"safelight":1,"filters":[{"filter":"exposure","stops":"nan"}]}"#,
        "r.json: filters[0]: exposure is not a number; give a value in -5…5 EV."
      ),
      (
        #"{"safelight":1,"filters":[{"filter":"exposure","stop":1}]}"#,
        "r.json: filters[0]: Unknown key “stop”; did you mean “stops”? Known: filter, stops."
      ),
      (
        #"{"safelight":1,"filters":[{"filter":"crop"},{"filter":"exposur"}]}"#,
        "r.json: filters[1]: Unknown filter “exposur”; did you mean “exposure”? Known: noise-reduction, lens, rotate, "
      ),
      (
        #"{"safelight":1,"filtrs":[]}"#,
        "r.json: Unknown key “filtrs”; did you mean “filters”? "
          + "Known: safelight, name, description, family, use, tags, order, filters."
      ),
      (
        #"{"safelight":1,"filters":[{"filter":"exposure","stops":9}]}"#,
        "r.json: filters[0]: exposure is 9, outside its range; give a value in -5…5 EV."
      ),
      (
        #"{"safelight":3,"filters":[]}"#,
        #"r.json is of recipe format 3; this build reads "safelight": 1 and 2; use a newer Safelight."#
      ),
      (
        #"{"filters":[]}"#,
        #"r.json has no “safelight” key, the version of the recipe format; write "safelight": 1, or 2 for a recipe with groups."#
      ),
      ("[]", "r.json is not a JSON object; write { … }."),
      (
        #"{"safelight":1,"filters":[{}]}"#,
        #"r.json: filters[0] has no “filter” key; name the filter, such as "exposure"."#
      ),
      (
        #"{"safelight":1,"filters":[{"filter":"lut","file":"none.cube"}]}"#,
        "r.json: filters[0]: Cannot read none.cube: there is no such file; check the spelling."
      ),
      (
        #"{"safelight":1,"filters":[{"filter":"lut","file":"safelight:luts/nor.cube"}]}"#,
        "r.json: filters[0]: Unknown shipped file “safelight:luts/nor.cube”; "
          + "did you mean “safelight:luts/noir.cube”? Known: "
      ),
    ])
  func unsound(json: String, sentence: String) throws {
    let scratch = try Scratch()
    try scratch.save(gradient(8, 6), as: "photo.png")
    try scratch.write(json, to: "r.json")
    let edit = try Program.run(["edit", "photo.png", "-o", "out.png", "--recipe", "r.json"], in: scratch)
    #expect(edit.exitCode == 1)
    // Lists of all names grow with the catalog; only their beginning is compared.
    #expect(edit.error?.hasPrefix(sentence) ?? false, "\(edit.errors)")
    #expect(edit.errors.split(separator: "\n").count == 1, "\(edit.errors)")
    #expect(try scratch.names == ["photo.png", "r.json"])
  }

  @Test("A recipe comes through the shell's pipes, and tables that it names are found from where one is")
  func pipes() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(8, 6), as: "photo.png")
    // Halves encoded values.
    try scratch.write("LUT_1D_SIZE 2\n0 0 0\n0.5 0.5 0.5\n", to: "half.cube")
    try scratch.write(
      #"{"safelight":1,"filters":[{"filter":"lut","file":"half.cube"}]}"#, to: "r.json")
    let edit = "\"$SAFELIGHT\" edit photo.png --recipe"
    for line in [
      "\(edit) r.json -o file.png", "bash -c '\(edit) <(cat r.json) -o substituted.png'",
      "sleep 0.2 | cat r.json - | \(edit) - -o piped.png", "\(edit) - -o redirected.png < r.json",
      "\"$SAFELIGHT\" recipe set photo.png --recipe - < r.json",
    ] {
      let outcome = try Program.shell(line, in: scratch)
      #expect(outcome.exitCode == 0 && outcome.errors == "", "\(line): \(outcome.errors)")
    }
    let file = try scratch.read("file.png")
    for name in ["substituted.png", "piped.png", "redirected.png"] {
      #expect(try scratch.read(name) == file, "\(name)")
    }
    #expect(try RecipeSidecar.recipe(forPhoto: scratch("photo.png")).filters.count == 1)
  }

  @Test("A recipe that is a device, or larger than recipes are, is refused before it is read")
  func unfit() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(8, 6), as: "photo.png")
    #expect(
      try Program.run(["edit", "photo.png", "-o", "out.png", "--recipe", "/dev/zero"], in: scratch).errors
        == "Error: Cannot read /dev/zero: it is a device; name a file.\n")
    let endless = try Program.shell(
      "cat /dev/zero | \"$SAFELIGHT\" edit photo.png -o out.png --recipe -", in: scratch)
    #expect(
      endless.errors == "Error: Cannot read /dev/stdin: it is larger than 4 MiB; give a smaller file.\n")
  }

  @Test(
    "A recipe that multiplies light by more than there are numbers for names the filter that goes too far")
  func infiniteGain() throws {
    let scratch = try Scratch()
    let filters = Array(repeating: #"{"filter":"exposure","stops":5}"#, count: 205).joined(separator: ",")
    try scratch.write(#"{"safelight":1,"filters":[\#(filters)]}"#, to: "r.json")
    for command in [
      ["plan", "--size", "64x48"], ["live", "--source", "synthetic", "--size", "160x120", "--to", "null"],
    ] {
      let run = try Program.run(command + ["--recipe", "r.json"], in: scratch)
      #expect(run.exitCode == 1)
      #expect(
        run.errors.contains("(exposure) makes colours, with the filters before it, brighter than can be"),
        "\(run.errors)")
    }
  }

  @Test("A hundred thousand nested brackets are refused, not a crash")
  func nested() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(8, 6), as: "photo.png")
    try scratch.write(String(repeating: "[", count: 100_000), to: "r.json")
    let edit = try Program.run(["edit", "photo.png", "-o", "out.png", "--recipe", "r.json"], in: scratch)
    #expect(edit.exitCode == 1)
    #expect(edit.error == "r.json:1:65: values are nested more than 64 deep.")
  }

  @Test("A recipe that is missing or a folder")
  func unreadable() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(8, 6), as: "photo.png")
    for (name, sentence) in [
      ("none.json", "Cannot read none.json: there is no such file; check the spelling."),
      (".", "Cannot read .: it is a folder; name a file in it."),
    ] {
      let edit = try Program.run(["edit", "photo.png", "-o", "out.png", "--recipe", name], in: scratch)
      #expect(edit.errors == "Error: \(sentence)\n")
      #expect(edit.exitCode == 1)
    }
  }

  @Test(
    "A malformed table is refused with its file and line",
    arguments: [
      ("LUT_3D_SIZE x\n", "t.cube:1: \"x\" is not a whole number"),
      ("TITLE \"a\"\nLUT_3D_SIZE 100000\n", "t.cube:2: LUT_3D_SIZE 100000 is outside 2…256"),
      ("# a comment\n\nhello\n", "t.cube:3: unknown keyword \"hello\""),
      ("LUT_1D_SIZE 2\n0 0 0\n1 1 one\n", "t.cube:3: "),
      ("LUT_1D_SIZE 2\n0 0 0\n1 1 nan\n", "t.cube:3: "),
      ("LUT_1D_SIZE 2\n0 0 0\n1 1\n", "t.cube:3: "),
      ("", "t.cube:1: "),
    ])
  func malformedTable(_ text: String, beginning: String) throws {
    let scratch = try Scratch()
    try scratch.save(gradient(8, 6), as: "photo.png")
    try scratch.write(text, to: "t.cube")
    let edit = try Program.run(["edit", "photo.png", "-o", "out.png", "--lut", "t.cube"], in: scratch)
    #expect(edit.exitCode == 1)
    #expect(edit.error?.hasPrefix(beginning) ?? false, "\(edit.errors)")
    #expect(edit.error?.contains("; ") ?? false, "no remedy: \(edit.errors)")
    #expect(try scratch.names == ["photo.png", "t.cube"])
  }

  @Test("A table that is missing, or a picture that is none")
  func noTable() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(8, 6), as: "photo.png")
    for (name, sentence) in [
      ("none.cube", "Cannot read none.cube: there is no such file; check the spelling."),
      (
        "photo.png",
        "photo.png is a picture of 8×6, which is no Hald; give a square one with edges of 8, 27, 64, 125, 216, 343, 512, … pixels that was not cropped or scaled."
      ),
    ] {
      let edit = try Program.run(["edit", "photo.png", "-o", "out.png", "--lut", name], in: scratch)
      #expect(edit.errors == "Error: \(sentence)\n")
    }
  }

  @Test("A recipe finds its table beside itself, from any working folder")
  func relativeTable() throws {
    let scratch = try Scratch()
    try scratch.save(picture(2, 1) { _, _ in [40_000, 20_000, 60_000, 65_535] }, as: "photo.png")
    // Exchanges red and blue: red changes fastest.
    let rows = (0..<8).map { "\($0 >> 2 & 1) \($0 >> 1 & 1) \($0 & 1)" }
    _ = try Program.shell("mkdir -p a/b a/c", in: scratch)
    try scratch.write(
      "LUT_3D_SIZE 2\n" + rows.joined(separator: "\n") + "\n", to: "a/b/swap.cube")
    try scratch.write(
      #"{"safelight":1,"filters":[{"filter":"lut","file":"../b/swap.cube"}]}"#, to: "a/c/r.json")
    for recipe in ["a/c/r.json", scratch("a/c/r.json"), "./a/../a/c/r.json"] {
      let edit = try Program.run(
        ["edit", "photo.png", "-o", "out.png", "--overwrite", "--recipe", recipe], in: scratch)
      #expect(edit.exitCode == 0, "\(edit.errors)")
      let before = try pixel(scratch.photo("photo.png").buffer, 0, 0)
      let after = try pixel(scratch.photo("out.png").buffer, 0, 0)
      #expect(zip(after, [before[2], before[1], before[0], 255]).allSatisfy { abs($0 - $1) <= 1 })
    }
  }

  @Test("A look that “presets show” prints renders as the preset does", arguments: PresetLibrary.ids)
  func shownLook(name: String) throws {
    let scratch = try Scratch()
    try scratch.save(gradient(48, 32), as: "photo.png")
    let show = try Program.shell("\"$SAFELIGHT\" presets show \(name) > mine.json", in: scratch)
    #expect(show.exitCode == 0)
    #expect(try !String(decoding: scratch.read("mine.json"), as: UTF8.self).contains("../"))
    for arguments in [
      ["--preset", name, "-o", "preset.png"], ["--recipe", "mine.json", "-o", "recipe.png"],
    ] {
      #expect(try Program.run(["edit", "photo.png"] + arguments, in: scratch).exitCode == 0)
    }
    #expect(try scratch.read("preset.png") == scratch.read("recipe.png"))
    #expect(
      try largestDifference(scratch.photo("preset.png").buffer, scratch.photo("photo.png").buffer) ?? 0 > 8)
  }

  @Test("Strength 0 leaves the picture as it was, and each step up moves it further")
  func strength() throws {
    let scratch = try Scratch()
    try scratch.save(picture(8, 8) { _, _ in [40_000, 20_000, 60_000, 65_535] }, as: "photo.png")
    let before = try pixel(scratch.photo("photo.png").buffer, 4, 4)
    for look in [["--preset", "noir"], ["--lut", "safelight:luts/noir.cube"]] {
      var distances: [Int] = []
      for strength in ["0", "30", "60", "100"] {
        let edit = try Program.run(
          ["edit", "photo.png", "-o", "out.png", "--overwrite", "--strength", strength] + look, in: scratch)
        #expect(edit.exitCode == 0, "\(edit.errors)")
        let after = try pixel(scratch.photo("out.png").buffer, 4, 4)
        distances.append(zip(after, before).map { abs($0 - $1) }.reduce(0, +))
      }
      #expect(
        distances[0] == 0 && distances == distances.sorted() && Set(distances).count == 4, "\(distances)")
    }
  }

  @Test("A recipe, a preset and flags are joined in this order, and strength is the preset's")
  func order() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(48, 32), as: "photo.png")
    // In its listed order, so that the order of joining shows.
    try scratch.write(
      #"{"safelight":1,"order":"listed","filters":[{"filter":"exposure","stops":-1}]}"#, to: "r.json")
    let edit = try Program.run(
      [
        "edit", "photo.png", "-o", "out.png", "--saturation", "-100", "--strength", "40", "--preset",
        "silver",
        "--recipe", "r.json", "--backend", "reference",
      ], in: scratch)
    #expect(edit.exitCode == 0, "\(edit.errors)")
    let recipe = try Recipe(order: .listed) {
      Exposure(stops: -1)
      for filter in try PresetLibrary.preset("silver").recipe.filters { filter.scaled(by: 0.4) }
      Saturation(-100)
    }
    let expected = try ReferenceRenderer().render(scratch.photo("photo.png"), through: recipe)
    #expect(try largestDifference(scratch.photo("out.png").buffer, expected.buffer) == 0)
  }
}

extension Recipe {
  fileprivate init(order: Order, @RecipeBuilder _ filters: () throws -> [any Filter]) rethrows {
    self.init(order: order, filters: try filters())
  }
}
