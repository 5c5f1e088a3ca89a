import LibraryTestSupport
import Safelight
import Testing
import Libc

@Suite("Automatic values on the command line")
struct AutoTests {
  /// A dim, warm picture of many colours.
  static func save(as name: String, in scratch: Scratch) throws {
    try scratch.save(
      picture(96, 64) { x, y in
        let (u, v) = (x / 8, y / 8)
        let level = 4000 + (u * 7919 + v * 104_729 + u * v * 611) % 26_000
        return [level + u * 300, level * 9 / 10 + v * 400, level * 7 / 10 + (u * v % 5) * 900, 65_535]
      }, as: name)
  }

  /// Upright and level stripes that lean by `slope`, such as a wall of windows.
  static func saveTilted(_ slope: Double, as name: String, in scratch: Scratch) throws {
    try scratch.save(
      picture(320, 240) { x, y in
        // Waves with steep flanks: edges of whole pixels would have steps that are level and upright.
        func stripe(_ place: Double) -> Double { min(max(0.5 + 3 * sin(place / 6), 0), 1) }
        let light = 1 - stripe(Double(x) + slope * Double(y)) * stripe(Double(y) - slope * Double(x))
        return [
          9000 + Int(39_000 * light), 12_000 + Int(34_000 * light), 16_000 + Int(26_000 * light), 65_535,
        ]
      }, as: name)
  }

  /// The flags that lines on standard error say.
  static func flags(_ errors: String) -> [String] {
    errors.split(separator: "\n").flatMap { line -> [String] in
      guard line.hasPrefix("auto "), let colon = line.firstIndex(of: ":") else { return [] }
      let words = line[line.index(after: colon)...].prefix { $0 != "(" }
      return words.contains("--") ? words.split(separator: " ").map(String.init) : []
    }
  }

  @Test("The flags that are printed, and the recipe that is written, give the same bytes again")
  func reproducible() throws {
    let scratch = try Scratch()
    try Self.save(as: "photo.png", in: scratch)
    let auto = try Program.run(
      [
        "edit", "photo.png", "-o", "auto.png", "--auto", "all", "--preset", "faded", "--write-recipe",
        "found.json",
      ],
      in: scratch)
    #expect(auto.exitCode == 0, "\(auto.errors)")
    let flags = Self.flags(auto.errors)
    #expect(flags.contains("--exposure") && flags.contains("--temperature"), "\(auto.errors)")
    let again = try Program.run(
      ["edit", "photo.png", "-o", "again.png", "--preset", "faded"] + flags, in: scratch)
    #expect(again.exitCode == 0, "\(again.errors)")
    #expect(try scratch.read("again.png") == scratch.read("auto.png"))
    let recipe = try Program.run(
      ["edit", "photo.png", "-o", "recipe.png", "--recipe", "found.json"], in: scratch)
    #expect(recipe.exitCode == 0, "\(recipe.errors)")
    #expect(try scratch.read("recipe.png") == scratch.read("auto.png"))
  }

  @Test("Finding again with the recipe that was written gives the same values and the same bytes")
  func twice() throws {
    let scratch = try Scratch()
    try Self.saveTilted(0.07, as: "photo.png", in: scratch)
    let find = ["edit", "photo.png", "--auto", "all", "--straighten", "auto"]
    let first = try Program.run(find + ["-o", "first.png", "--write-recipe", "first.json"], in: scratch)
    #expect(first.exitCode == 0 && first.errors.contains("straightened by"), "\(first.errors)")
    let second = try Program.run(
      find + ["-o", "second.png", "--recipe", "first.json", "--write-recipe", "second.json"], in: scratch)
    #expect(second.exitCode == 0 && second.errors.contains("level already"), "\(second.errors)")
    #expect(second.errors.contains("; replaces the recipe's own)"), "\(second.errors)")
    #expect(Self.flags(second.errors) == Self.flags(first.errors) && !Self.flags(first.errors).isEmpty)
    #expect(try scratch.read("second.png") == scratch.read("first.png"))
    let recipes = try ["first.json", "second.json"].map { try Recipe(contentsOf: scratch($0)).filters }
    #expect(recipes[0].count == recipes[1].count)
    for kind in [Exposure.id, WhiteBalance.id, Tone.id, Contrast.id, Straighten.id] {
      #expect(recipes[1].filter { type(of: $0).id == kind }.count <= 1, "\(kind)")
    }
  }

  @Test("Automatic values replace a recipe's own of their kinds; its others, a preset's and flags' stay")
  func replaced() throws {
    let scratch = try Scratch()
    try Self.save(as: "photo.png", in: scratch)
    try scratch.write(
      Recipe(filters: [Straighten(3), Exposure(stops: -2), Contrast(7), WhiteBalance(temperature: 5000)])
        .json(),
      to: "own.json")
    func filters(_ arguments: String...) throws -> [any Filter] {
      let run = try Program.run(
        [
          "edit", "photo.png", "-o", "out.png", "--recipe", "own.json", "--write-recipe", "out.json",
          "--overwrite",
        ] + arguments,
        in: scratch)
      #expect(run.exitCode == 0, "\(run.errors)")
      return try Recipe(contentsOf: scratch("out.json")).filters
    }
    let exposed = try filters("--auto", "exposure")
    let stops = exposed.compactMap { ($0 as? Exposure)?.stops }
    #expect(stops.count == 1 && stops[0] > 0)
    #expect(exposed.compactMap { ($0 as? Contrast)?.amount } == [7])
    #expect(exposed.compactMap { ($0 as? WhiteBalance)?.temperature } == [5000])
    #expect(exposed.compactMap { ($0 as? Straighten)?.angle } == [3])
    #expect(
      try filters("--auto", "exposure", "--exposure", "0.5").compactMap { ($0 as? Exposure)?.stops } == [0.5])
    let preset = try PresetLibrary.preset("faded").recipe.filters.map { type(of: $0).id }
    let look = try filters("--auto", "tone", "--preset", "faded").map { type(of: $0).id }
    #expect(preset.allSatisfy(look.contains))
    #expect(!(try filters("--auto", "tone").contains { ($0 as? Contrast)?.amount == 7 }))
  }

  @Test("A value given by its own flag wins; the others are found")
  func precedence() throws {
    let scratch = try Scratch()
    try Self.save(as: "photo.png", in: scratch)
    let edit = try Program.run(
      [
        "edit", "photo.png", "-o", "out.png", "--auto", "exposure,white-balance", "--exposure", "0.5",
        "--tint", "0",
        "--write-recipe", "found.json",
      ], in: scratch)
    #expect(edit.exitCode == 0, "\(edit.errors)")
    let filters = try Recipe(contentsOf: scratch("found.json")).filters
    #expect(filters.compactMap { $0 as? Exposure }.map(\.stops) == [0.5])
    let balance = try #require(filters.compactMap { $0 as? WhiteBalance }.first)
    #expect(balance.tint == 0 && balance.temperature != 6500)
    #expect(!Self.flags(edit.errors).contains("--exposure") && !Self.flags(edit.errors).contains("--tint"))
  }

  @Test(
    "A leaning picture is straightened, cropped inside, and one line says so; the printed angle gives the same"
  )
  func straighten() throws {
    let scratch = try Scratch()
    try Self.saveTilted(0.07, as: "photo.png", in: scratch)
    let edit = try Program.run(
      ["edit", "photo.png", "-o", "auto.png", "--straighten", "auto", "--write-recipe", "found.json"],
      in: scratch)
    #expect(edit.exitCode == 0)
    #expect(
      edit.errors.hasPrefix("straightened by ") && edit.errors.split(separator: "\n").count == 1,
      "\(edit.errors)")
    let angle = try #require(
      Recipe(contentsOf: scratch("found.json")).filters.compactMap { $0 as? Straighten }.first?.angle)
    // atan 0.07
    #expect(abs(abs(angle) - 4) < 0.3, "\(angle)")
    #expect(try scratch.photo("auto.png").buffer.width < 320)
    let given = try Program.run(
      ["edit", "photo.png", "-o", "given.png", "--straighten", "\(angle)"], in: scratch)
    #expect(given.exitCode == 0)
    #expect(try scratch.read("given.png") == scratch.read("auto.png"))
    // Corners are given beside it.
    let kept = try Program.run(
      ["edit", "photo.png", "-o", "kept.png", "--straighten", "auto", "--straighten-corners", "keep"],
      in: scratch)
    #expect(kept.exitCode == 0)
    #expect(try scratch.photo("kept.png").buffer.width > 320)
  }

  @Test("A picture without a horizon is left as it is, and says so")
  func noHorizon() throws {
    let scratch = try Scratch()
    try scratch.save(picture(64, 48) { _, _ in [30_000, 20_000, 9000, 65_535] }, as: "photo.png")
    let edit = try Program.run(
      ["edit", "photo.png", "-o", "auto.png", "--straighten", "auto"], in: scratch)
    #expect(edit.exitCode == 0)
    #expect(edit.errors == "not straightened: no horizon found\n")
    #expect(try areEqual(scratch.photo("auto.png").buffer, scratch.photo("photo.png").buffer))
  }

  private func areEqual(_ a: PixelBuffer, _ b: PixelBuffer) -> Bool { largestDifference(a, b) == 0 }

  @Test("--json holds what was found and why, and nothing goes to standard error")
  func json() throws {
    let scratch = try Scratch()
    try Self.save(as: "photo.png", in: scratch)
    for arguments in [["edit", "photo.png", "-o", "out.png"], ["plan", "photo.png"]] {
      let run = try Program.run(
        arguments + ["--auto", "all", "--straighten", "auto", "--json"], in: scratch)
      #expect(run.exitCode == 0 && run.errors == "", "\(run.errors)")
      let auto = try #require(try JSONReport(run.output)["auto"] as? [String: Any])
      let values = try #require(auto["values"] as? [String: Double])
      #expect(values["exposure"] ?? 0 > 0.3, "\(values)")
      let reasons = try #require(auto["reasons"] as? [String: String])
      #expect(reasons.keys.sorted() == ["exposure", "tone", "white-balance"])
      let straighten = try #require(auto["straighten"] as? [String: Any])
      #expect((straighten["summary"] as? String)?.isEmpty == false && straighten["confidence"] is Double)
    }
    let plain = try Program.run(["edit", "photo.png", "-o", "plain.png", "--json"], in: scratch)
    #expect(try JSONReport(plain.output)["auto"] == nil)
  }

  @Test(
    "What cannot be meant is refused with a sentence",
    arguments: [
      (
        ["edit", "photo.png", "-o", "out.png", "--auto", "expsure"],
        "Unknown automatic value “expsure”; did you mean “exposure”? Known: exposure, white-balance, tone, all."
      ),
      (["edit", "photo.png", "-o", "out.png", "--auto", ""], "Unknown automatic value “”"),
      (
        ["edit", "photo.png", "-o", "out.png", "--straighten", "level"],
        "straighten is “level”, which is not a number; write it like 1.5 or -2, or “auto”."
      ),
      (
        ["edit", "photo.png", "-o", "out.png", "--write-recipe", "photo.png"],
        "--write-recipe names photo.png, which is not a .json file; give it a .json name."
      ),
      (
        ["plan", "--size", "40x30", "--auto", "tone"],
        "There is nothing to find values in; give a photo instead of --size."
      ),
    ])
  func refused(arguments: [String], sentence: String) throws {
    let scratch = try Scratch()
    try Self.save(as: "photo.png", in: scratch)
    let run = try Program.run(arguments, in: scratch)
    #expect(run.exitCode == 64, "\(run.errors)")
    #expect(run.error?.contains(sentence) ?? false, "\(run.errors)")
    #expect(try scratch.names == ["photo.png"])
  }

  @Test("A recipe that cannot be written stops the edit before anything is written")
  func unwritableRecipe() throws {
    let scratch = try Scratch()
    try Self.save(as: "photo.png", in: scratch)
    let run = try Program.run(
      ["edit", "photo.png", "-o", "out.png", "--write-recipe", "none/found.json"], in: scratch)
    #expect(run.exitCode == 1)
    #expect(run.error == "Cannot write none/found.json: the folder none does not exist; create it first.")
    #expect(try scratch.names == ["photo.png"])
  }

  @Test("A recipe that does not fit on the disk stops the edit before the original is replaced")
  func recipeBeforePhoto() throws {
    let scratch = try Scratch()
    try scratch.save(picture(8, 8) { x, y in [x * 900, y * 900, 20_000, 65_535] }, as: "photo.png")
    let long = Recipe(description: String(repeating: "long ", count: 40_000), filters: [Exposure(stops: 1)])
    try scratch.write(long.json(), to: "long.json")
    try scratch.write("{}", to: "found.json")
    let original = try scratch.read("photo.png")
    // A limit on files' sizes stands for the full disk: 64 blocks of 512 or 1024 bytes.
    let run = try Program.shell(
      #"trap '' XFSZ; ulimit -f 64; "$SAFELIGHT" edit photo.png --in-place --recipe long.json --write-recipe found.json --overwrite"#,
      in: scratch)
    #expect(run.exitCode == 1)
    #expect(run.error?.hasPrefix("Cannot write found.json") ?? false, "\(run.errors)")
    #expect(try scratch.read("photo.png") == original)
    #expect(try scratch.read("found.json") == Array("{}".utf8))
    #expect(try scratch.names == ["found.json", "long.json", "photo.png"])
  }

  @Test("A recipe does not appear where the photo could not be written")
  func noPhotoNoRecipe() throws {
    let scratch = try Scratch()
    try Self.save(as: "photo.png", in: scratch)
    let run = try Program.run(
      ["edit", "photo.png", "-o", "none/out.png", "--exposure", "1", "--write-recipe", "found.json"],
      in: scratch)
    #expect(run.exitCode == 1 && run.errors.contains("none/out.png"), "\(run.errors)")
    #expect(try scratch.names == ["photo.png"])
  }

  @Test("A written recipe never takes the place of the recipe that it was joined to")
  func sameRecipe() throws {
    let scratch = try Scratch()
    try Self.save(as: "photo.png", in: scratch)
    try scratch.write(Recipe(filters: [Saturation(5)]).json(), to: "mine.json")
    let before = try scratch.read("mine.json")
    let run = try Program.run(
      [
        "edit", "photo.png", "-o", "out.png", "--recipe", "mine.json", "--exposure", "1", "--write-recipe",
        "./mine.json", "--overwrite",
      ], in: scratch)
    let why = "./mine.json is the recipe of this edit, and inputs are never replaced"
    #expect(run.error == "\(why); write to another name.")
    #expect(try run.exitCode == 1 && scratch.read("mine.json") == before)
    #expect(try scratch.names == ["mine.json", "photo.png"])
  }

  @Test("A written recipe finds its tables from another folder")
  func tables() throws {
    let scratch = try Scratch()
    try Self.save(as: "photo.png", in: scratch)
    try scratch.write("LUT_1D_SIZE 2\n0 0 0\n0.5 0.5 0.5\n", to: "half.cube")
    let edit = try Program.shell(
      #"mkdir r && "$SAFELIGHT" edit photo.png -o a.png --lut half.cube --write-recipe r/found.json && cd r && "$SAFELIGHT" edit ../photo.png -o ../b.png --recipe found.json"#,
      in: scratch)
    #expect(edit.exitCode == 0, "\(edit.errors)")
    #expect(try scratch.read("a.png") == scratch.read("b.png"))
  }
}
