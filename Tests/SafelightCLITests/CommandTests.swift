import LibraryTestSupport
import Safelight
import Testing

@Suite("Help, plan, filters, presets, demo")
struct CommandTests {
  @Test("Without arguments the program explains itself")
  func noArguments() throws {
    let run = try Program.run([], in: Scratch())
    #expect(run.exitCode == 0)
    #expect(run.errors == "")
    for word in [
      "USAGE: safelight <subcommand>", "  edit ", "  analyze, analyse ", "  horizon ", "  plan ",
      "  filters ", "  presets ", "  demo ", "  profile ",
    ] {
      #expect(run.output.contains(word), "\(word)")
    }
  }

  @Test(
    "The help of every command shows examples, whole on a line of 80 columns",
    arguments: [
      [], ["edit"], ["analyze"], ["horizon"], ["mask"], ["plan"], ["filters"], ["presets"],
      ["presets", "list"],
      ["presets", "show"],
      ["presets", "sheet"], ["demo"], ["profile"],
    ])
  func examples(command: [String]) throws {
    let run = try Program.run(command + ["--help"], in: Scratch())
    #expect(run.exitCode == 0)
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0 == "Examples:" || $0 == "Example:" })
    let examples = lines[(start + 1)...].prefix { !$0.isEmpty }
    #expect(!examples.isEmpty)
    // A line that was wrapped goes on without this beginning.
    #expect(examples.allSatisfy { $0.hasPrefix("  safelight ") }, "\(examples)")
  }

  @Test("The version is one line")
  func version() throws {
    let run = try Program.run(["--version"], in: Scratch())
    #expect(run.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
  }

  @Test("The plan of a photo: the stages, the passes and the cost")
  func plan() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(96, 64), as: "photo.png")
    let run = try Program.run(
      ["plan", "photo.png", "--rotate", "90", "--exposure", "0.5", "--contrast", "20"], in: scratch)
    #expect(run.exitCode == 0)
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines[0] == "plan  96×64 rgba8 sRGB  →  64×96 rgba8 sRGB")
    // A quarter turn moves pixels; exposure and contrast are one table for each channel.
    #expect(lines[1].hasPrefix("  1  geometry  turn 90.00°"), "\(run.output)")
    #expect(lines[2].hasPrefix("  2  "), "\(run.output)")
    #expect(lines[3] == "  3  store     rgba8", "\(run.output)")
    #expect(
      lines.contains("segments") && lines.contains { $0.hasPrefix("  1  geometry → ") }, "\(run.output)")
    #expect(lines.contains("passes") && lines.contains { $0.hasPrefix("cost, estimated for one core (") })
    #expect(lines.contains { $0.hasSuffix(" ms  together") })
    // Planning reads the header only and writes nothing.
    #expect(try scratch.names == ["photo.png"])
  }

  @Test("The plan for a size is the plan for a photo of that size")
  func planForSize() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(96, 64), as: "photo.png")
    let flags = ["--preset", "noir", "--straighten", "2", "--json"]
    let photo = try Program.run(["plan", "photo.png"] + flags, in: scratch)
    let size = try Program.run(["plan", "--size", "96X64"] + flags, in: scratch)
    #expect(size.exitCode == 0 && photo.output == size.output)
    let report = try JSONReport(size.output)
    #expect(report["width"] as? Int ?? 0 > 0)
    #expect((report["passes"] as? [Any])?.isEmpty == false)
    let bake = try #require(report["bake"] as? [String: Any])
    // DESIGN's bound for baked tables.
    #expect(bake["maximumDeltaE2000"] as? Double ?? 9 <= 1)
    #expect(bake["meanDeltaE2000"] as? Double ?? 9 <= 0.05)
  }

  @Test(
    "A size that is none",
    arguments: [
      ("0x0", "two positive whole numbers are needed; write it like 1920x1080."),
      ("-1x5", "two positive whole numbers are needed; write it like 1920x1080."),
      ("big", "two positive whole numbers are needed; write it like 1920x1080."),
      ("99999999999999999999x1", "two positive whole numbers are needed; write it like 1920x1080."),
      (
        "100000x100000",
        "The picture is too large (100000×100000): at most 65535 pixels per edge and 1200 megapixels are accepted."
      ),
    ])
  func nonsenseSize(size: String, sentence: String) throws {
    let run = try Program.run(["plan", "--size", size], in: Scratch())
    #expect(run.error == "The value '\(size)' is invalid for '--size <WxH>': \(sentence)")
    #expect(run.exitCode == 64)
  }

  @Test("A plan needs either a photo or a size")
  func planForNothing() throws {
    let scratch = try Scratch()
    let none = try Program.run(["plan"], in: scratch)
    #expect(none.error == "Missing the input; give a photo, or --size WxH.")
    let both = try Program.run(["plan", "a.jpg", "--size", "3x3"], in: scratch)
    #expect(both.error == "A photo and --size exclude each other; give one of them.")
    #expect(none.exitCode == 64 && both.exitCode == 64)
  }

  @Test("The list of filters is the catalog, as text and as JSON")
  func filters() throws {
    let scratch = try Scratch()
    let text = try Program.run(["filters"], in: scratch).output
    let json = try JSONReport.list(Program.run(["filters", "--json"], in: scratch).output)
    let ids = FilterCatalog.all.map { $0.id.name }
    #expect(json.compactMap { $0["filter"] as? String } == ids)
    for filter in FilterCatalog.all {
      #expect(text.contains("\(filter.id.name)  \(filter.summary)\n"))
      for parameter in filter.parameters { #expect(text.contains("  \(parameter.name) ")) }
    }
  }

  @Test("The list of presets, one a line, and as JSON")
  func presets() throws {
    let scratch = try Scratch()
    let lines = try Program.run(["presets"], in: scratch).output.split(separator: "\n")
    #expect(lines.compactMap { $0.split(separator: " ").first.map(String.init) } == PresetLibrary.ids)
    let json = try JSONReport.list(Program.run(["presets", "list", "--json"], in: scratch).output)
    #expect(json.compactMap { $0["preset"] as? String } == PresetLibrary.ids)
    let slides = try Program.run(["presets", "list", "--family", "slide", "--tag", "warm"], in: scratch)
    #expect(slides.output.hasPrefix("warm-slide  ") && slides.output.split(separator: "\n").count == 1)
    for (arguments, sentence) in [
      (["--family", "slides"], "Unknown family “slides”; did you mean “slide”? Known: "),
      (["--tag", "peopel"], "Unknown tag “peopel”; did you mean “people”? Known: "),
    ] {
      let refused = try Program.run(["presets", "list"] + arguments, in: scratch)
      #expect(refused.exitCode == 1)
      #expect(refused.error?.hasPrefix(sentence) ?? false, "\(refused.errors)")
    }
    let unknown = try Program.run(["presets", "show", "noi"], in: scratch)
    #expect(unknown.exitCode == 1)
    #expect(unknown.error?.hasPrefix("Unknown preset “noi”; did you mean “noir”? Known: ") ?? false)
  }

  @Test(
    "A look is shown as a recipe alone on standard output, with its character beside it; a path is no name")
  func show() throws {
    let scratch = try Scratch()
    let shown = try Program.run(["presets", "show", "cine-print"], in: scratch)
    #expect(shown.exitCode == 0)
    #expect(try shown.output == PresetLibrary.preset("cine-print").portableRecipe.json())
    #expect(shown.errors.contains("Use: Stills that") && shown.errors.contains("Measured: contrast 1."))
    let quiet = try Program.run(["presets", "show", "noir", "--quiet"], in: scratch)
    #expect(quiet.errors.isEmpty && quiet.output.hasPrefix("{"))
    let json = try Program.run(["presets", "show", "noir", "--json"], in: scratch).output
    #expect(json.contains("\"saturation\" : ") && json.contains("\"family\" : \"black-and-white\""))
    try scratch.save(gradient(12, 8), as: "a.png")
    for arguments in [
      ["presets", "show", "mine/noir"], ["edit", "a.png", "-o", "b.png", "--preset", "mine/noir"],
    ] {
      let refused = try Program.run(arguments, in: scratch)
      #expect(
        refused.error?.hasPrefix("“mine/noir” is no preset: their names have no “/”; give a file") ?? false)
      #expect(refused.exitCode != 0)
    }
    #expect(try scratch.names == ["a.png"])
  }

  @Test("A sheet of all looks; errors leave nothing")
  func sheet() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(96, 64), as: "photo.png")
    let run = try Program.run(
      ["presets", "sheet", "photo.png", "-o", "looks.png", "--size", "64"], in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("looks.png  "))
    let sheet = try scratch.photo("looks.png").buffer
    // The original and thirty looks, of 64 × 43 pixels.
    #expect(sheet.size.pixelCount > 31 * 64 * 43)
    for (arguments, code, sentence) in [
      (
        ["photo.png", "-o", "photo.png"], Int32(1),
        "photo.png is the photo itself; write the sheet to another name."
      ),
      (["none.png", "-o", "a.png"], 1, "Cannot read none.png: there is no such file; check the spelling."),
      (
        ["photo.png", "-o", "a.png", "--size", "3"], 64,
        "size is 3, outside its range; give a value in 64…2048 px."
      ),
      (
        ["photo.png", "-o", "a.png", "--strength", "200"], 64,
        "strength is 200, outside its range; give a value in 0…100 %."
      ),
    ] {
      let refused = try Program.run(["presets", "sheet"] + arguments, in: scratch)
      #expect(refused.error == sentence)
      #expect(refused.exitCode == code)
    }
    #expect(try scratch.names == ["looks.png", "photo.png"])
  }

  @Test("The demo writes six pictures, of its own scene or of a photo; a wrong name leaves no folder")
  func demo() throws {
    let scratch = try Scratch()
    let own = try Program.run(["demo"], in: scratch)
    #expect(own.exitCode == 0, "\(own.errors)")
    #expect(own.output.split(separator: "\n").count == 7)
    for name in ["original.jpg", "edited.jpg", "before-after.jpg", "looks.jpg", "horizon.jpg", "scopes.jpg"] {
      #expect(try scratch.photo("out/" + name).buffer.width > 1000, "\(name)")
    }
    // Its horizon is level afterwards, so the edit is smaller than the original.
    #expect(try scratch.photo("out/edited.jpg").buffer.width < scratch.photo("out/original.jpg").buffer.width)

    try scratch.save(gradient(96, 64), as: "photo.png")
    let photo = try Program.run(
      ["demo", "--photo", "photo.png", "--output", "mine", "--preset", "noir"], in: scratch)
    #expect(photo.exitCode == 0, "\(photo.errors)")
    #expect(try scratch.photo("mine/edited.jpg").buffer.size == PixelSize(width: 96, height: 64))
    for (arguments, sentence) in [
      (["--photo", "none.jpg"], "Cannot read none.jpg: there is no such file; check the spelling."),
      (["--preset", "fded"], "Unknown preset “fded”; did you mean “faded”? Known: "),
    ] {
      let refused = try Program.run(["demo", "--output", "new"] + arguments, in: scratch)
      #expect(refused.exitCode != 0)
      #expect(refused.error?.hasPrefix(sentence) ?? false, "\(refused.errors)")
    }
    #expect(try scratch.names == ["mine", "out", "photo.png"])
  }
}
