import LibraryTestSupport
import Safelight
import Testing

@Suite("presets import, export, rename")
struct PresetFilesTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(
      ["presets"] + arguments, in: scratch, environment: ["XDG_CONFIG_HOME": scratch("config")])
  }

  private func seed(_ name: String) throws -> String { try packageFile("Tests/Fuzz/looks/\(name)") }

  @Test("A folder is imported with a list for each file, and one that is damaged does not stop the others")
  func importing() throws {
    try scratch.makeFolder("in")
    for name in ["good-history.xmp", "good-curve.copreset", "bad-number.costyle"] {
      try scratch.write(seed(name), to: "in/\(name)")
    }
    let outcome = try run("import", "in")
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.output == """
        wide  \(scratch("config"))/safelight/presets/wide.json
          approximate  GradationCurveY 0,0;0.06,0.16;0.13,0.27;0.28,0.38;0.5,0.5;0.7,0.62;0.85,0.76
        good-history  \(scratch("config"))/safelight/presets/good-history.json
          exact        exposure.exposure 1.25
          ignored      filmicrgb (darktable applies it to every photo by itself)
        2 of 3 files imported

        """)
    #expect(
      outcome.errors == "Error: in/bad-number.costyle: Exposure is “bright”; it is a number in -4…4.\n")
    // They work as all looks do.
    try scratch.save(gradient(48, 32), as: "a.png")
    let edit = try Program.run(
      ["edit", "a.png", "-o", "b.png", "--preset", "good-history", "--strength", "50"], in: scratch,
      environment: ["XDG_CONFIG_HOME": scratch("config")])
    #expect(edit.exitCode == 0, "\(edit.errors)")
    #expect(try run("list", "--tag", "darktable").output.hasPrefix("good-history"))
  }

  @Test("--json has every setting in one of three lists, and --name is for one file")
  func json() throws {
    try scratch.write(seed("good-preset.xmp"), to: "a.xmp")
    let report = try #require(
      JSONReport.list(run("import", "a.xmp", "--name", "Soft", "--json").output).first)
    #expect(report["preset"] as? String == "soft" && report["keeping"] as? String == "new")
    #expect(report["program"] as? String == "lightroom")
    let lists = ["exact", "approximate", "ignored"].map { (report[$0] as? [[String: Any]])?.count }
    #expect(lists == [1, 20, 4])
    #expect((report["ignored"] as? [[String: Any]])?.allSatisfy { $0["reason"] is String } == true)
    try scratch.write(seed("good-film.lrtemplate"), to: "b.lrtemplate")
    let two = try run("import", "a.xmp", "b.lrtemplate", "--name", "Soft")
    #expect(two.error == "--name is for one file, and there are 2; leave it out, or import one.")
    let slash = try run("import", "a.xmp", "--name", "B/W")
    #expect(slash.exitCode == 1 && slash.error?.contains("“B/W” cannot name a preset") == true)
    let none = try run("import", "none.xmp")
    #expect(none.error == "Cannot read none.xmp: there is no such file; check its name.")
  }

  @Test("A look is written with its table, which is enough for another machine")
  func exporting() throws {
    let outcome = try run("export", "teal-orange", "-o", "teal-orange.json")
    #expect(outcome.output == "teal-orange.json  with teal-orange.cube\n", "\(outcome.errors)")
    #expect(try scratch.names.filter { $0.hasPrefix("teal") } == ["teal-orange.cube", "teal-orange.json"])
    try scratch.save(gradient(48, 32), as: "a.png")
    for (arguments, output) in [
      (["--preset", "teal-orange"], "b.png"), (["--recipe", "teal-orange.json"], "c.png"),
    ] {
      #expect(try Program.run(["edit", "a.png", "-o", output] + arguments, in: scratch).exitCode == 0)
    }
    #expect(try scratch.read("b.png") == scratch.read("c.png"))
    // Its name is that of a shipped one.
    let back = try run("import", "teal-orange.json", "--name", "Mine")
    #expect(back.exitCode == 0, "\(back.errors)")
    try scratch.write([], to: "teal-orange.cube")
    let again = try run("export", "teal-orange", "-o", "teal-orange.json")
    #expect(again.exitCode == 1 && again.error?.hasPrefix("teal-orange.json already exists") == true)
  }

  @Test("Tables and Lightroom's presets say what they do not have")
  func formats() throws {
    _ = try Program.run(["recipe", "to-lut", "--saturation", "10", "-o", "x.cube"], in: scratch)
    try scratch.write(
      #"{"safelight": 1, "name": "Both", "filters": [{"filter": "exposure", "stops": 0.5}, {"filter": "grain", "amount": 20}, {"filter": "fade", "amount": 20}]}"#,
      to: "both.json")
    #expect(try run("save", "Both", "both.json").exitCode == 0)
    let table = try run("export", "both", "-o", "both.cube")
    #expect(table.exitCode == 1 && table.error?.contains("A table cannot have grain") == true)
    let left = try run("export", "both", "-o", "both.cube", "--leave-out-local")
    #expect(left.exitCode == 0 && left.errors == "Warning: both.cube does not have grain.\n")
    let xmp = try run("export", "both", "-o", "both.xmp")
    #expect(
      xmp.output == """
        both.xmp
          exact        exposure.stops 0.5
          approximate  grain.amount 20
          ignored      fade.amount 20 (Lightroom has no such setting)

        """)
    #expect(try run("save", "Other", "both.json").exitCode == 0)
    let many = try run("export", "both", "other", "-o", "out", "--format", "xmp", "--json")
    #expect(many.exitCode == 0, "\(many.errors)")
    #expect(
      try JSONReport.list(many.output).compactMap { $0["file"] as? String } == [
        "out/both.xmp", "out/other.xmp",
      ])
    // It is a table and nothing else.
    let plain = try run("export", "silver", "-o", "silver.xmp")
    #expect(plain.error == "Lightroom has nothing of the look silver; export it as .cube or .json.")
    #expect(try run("export", "nor", "-o", "x.json").error?.contains("did you mean “noir”") == true)
    #expect(try run("export", "noir", "-o", "x.tif").error?.contains("give .json, .cube, .xmp") == true)
  }

  @Test("A look is renamed, and photos that have it keep it")
  func renaming() throws {
    try scratch.write(seed("good-curve.copreset"), to: "wide.copreset")
    _ = try run("import", "wide.copreset")
    try scratch.save(gradient(48, 32), as: "a.png")
    let environment = ["XDG_CONFIG_HOME": scratch("config")]
    _ = try Program.run(
      ["recipe", "set", "a.png", "--preset", "wide"], in: scratch, environment: environment)
    let before = try RecipeSidecar.require(forPhoto: scratch("a.png")).recipe?.filters.count
    let renamed = try run("rename", "Wide", "Very Wide")
    #expect(
      renamed.output == "very-wide  \(scratch("config"))/safelight/presets/very-wide.json\n",
      "\(renamed.errors)")
    #expect(try run("list", "--tag", "capture-one").output.hasPrefix("very-wide"))
    let show = try Program.run(["recipe", "show", "a.png"], in: scratch, environment: environment)
    #expect(show.exitCode == 0 && show.output.contains("--curve-luminance"))
    #expect(try RecipeSidecar.require(forPhoto: scratch("a.png")).recipe?.filters.count == before)
    #expect(try run("rename", "wide", "X").exitCode == 1)
    #expect(try run("rename", "very-wide", "a/b").error?.contains("without “/”") == true)
  }
}
