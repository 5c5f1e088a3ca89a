import LibraryTestSupport
import Foundation
import Safelight
import Testing

@Suite("Analyze")
struct AnalyzeTests {
  /// A grey picture of 8 bits whose left quarter is black and right quarter white.
  private func steps() throws -> PixelBuffer {
    try picture(80, 60) { x, _ in
      let level = x < 20 ? 0 : x < 60 ? 128 * 257 : 65_535
      return [level, level, level, 65_535]
    }
  }

  @Test("One photo is a block of lines")
  func block() throws {
    let scratch = try Scratch()
    try scratch.save(steps(), as: "steps.png")
    let run = try Program.run(["analyze", "steps.png"], in: scratch)
    #expect(run.exitCode == 0 && run.errors == "")
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "steps.png  80×60  PNG")
    #expect(
      lines.dropFirst().map { String($0.prefix(12)) } == [
        "  verdict   ", "  lightness ", "  exposure  ", "  clipping  ", "  cast      ", "  sharpness ",
        "  horizon   ",
      ])
    // OKLab L of code 128 is 0.6 (CSS Color 4), so its cell of 64 is the 39th; it holds half, black and white a
    // quarter each.
    let bars = Array(lines[2].dropFirst(14))
    #expect(bars.count == 64)
    #expect(bars[0] == "▅" && bars[63] == "▅" && bars[38] == "█")
    #expect(bars.filter { $0 != " " }.count == 3)
    #expect(lines[1] == "  verdict     highlights clipped, shadows clipped")
    #expect(lines[4] == "  clipping    highlights 25.0 % · shadows 25.0 %")
    #expect(lines[5] == "  cast        cannot be told: too few colours")
    #expect(try scratch.names == ["steps.png"])
  }

  @Test("JSON is a list with every number and four histograms of 256 bins")
  func json() throws {
    let scratch = try Scratch()
    try scratch.save(steps(), as: "steps.png")
    let run = try Program.run(["analyze", "steps.png", "--json"], in: scratch)
    #expect(run.exitCode == 0)
    let report = try #require(JSONReport.list(run.output).first)
    #expect(report["photo"] as? String == "steps.png" && report["format"] as? String == "PNG")
    #expect(report["width"] as? Int == 80 && report["height"] as? Int == 60)
    #expect(report["measuredAt"] as? [String: Int] == ["width": 80, "height": 60])
    // Not known is null, and not a key that is missing.
    #expect(report["cast"] is NSNull && report["error"] == nil)
    let histogram = try #require(report["histogram"] as? [String: Any])
    #expect(histogram["count"] as? Int == 4800)
    for (channel, code) in [("lightness", 153), ("red", 128), ("green", 128), ("blue", 128)] {
      let bins = try #require(histogram[channel] as? [Int])
      #expect(bins.count == 256 && bins.reduce(0, +) == 4800, "\(channel)")
      #expect(bins[0] == 1200 && bins[code] == 2400 && bins[255] == 1200, "\(channel)")
    }
    let clipping = try #require(report["clippingPercent"] as? [String: [String: Any]])
    #expect(clipping["highlights"]?["all"] as? Double == 25)
    #expect((clipping["shadows"]?["channels"] as? [String: Double]) == ["red": 25, "green": 25, "blue": 25])
    let exposure = try #require(report["exposure"] as? [String: Double])
    // Half at 0.2159 of white (sRGB's curve at 128/255), a quarter at 1: log2(0.35793 / 0.18).
    #expect(abs((exposure["stops"] ?? 0) - 0.9917) < 0.01)
    #expect(exposure["range"] == 1)
    let horizon = try #require(report["horizon"] as? [String: Any])
    #expect(horizon["confidence"] is Double && horizon["isConfident"] is Bool)
  }

  @Test("JSON says at which size a large photo was measured, and what is not known")
  func measuredSize() throws {
    let scratch = try Scratch()
    try scratch.save(picture(2600, 4) { _, _ in [40_000, 40_000, 40_000, 65_535] }, as: "wide.png")
    let run = try Program.run(["analyze", "wide.png", "--json"], in: scratch)
    let report = try #require(JSONReport.list(run.output).first)
    #expect(report["width"] as? Int == 2600)
    #expect(report["measuredAt"] as? [String: Int] == ["width": 1300, "height": 2])
    #expect(report["sharpness"] is NSNull)
    let horizon = try #require(report["horizon"] as? [String: Any])
    #expect(horizon["degrees"] is NSNull && horizon["deviation"] is NSNull)
  }

  @Test("Several photos are a table; one that cannot be read is told and does not stop the others")
  func partialFailure() throws {
    let scratch = try Scratch()
    try scratch.save(steps(), as: "a.png")
    try scratch.write("no picture", to: "b.jpg")
    try scratch.save(gradient(40, 30), as: "c.png")
    let run = try Program.run(["analyze", "a.png", "b.jpg", "c.png"], in: scratch)
    #expect(run.exitCode == 1)
    let lines = run.output.split(separator: "\n")
    #expect(lines.map { $0.prefix(6) } == ["photo ", "a.png ", "c.png ", "2 phot"])
    #expect(lines.last?.hasSuffix(" · 1 unreadable") == true)
    #expect(
      run.errors
        == "Error: Cannot read b.jpg: it looks like text, which is not a supported format; use a "
        + "photo such as a JPEG, PNG, TIFF, WebP, HEIC, AVIF or JPEG XL.\n")

    let json = try Program.run(["analyze", "a.png", "b.jpg", "c.png", "--json"], in: scratch)
    #expect(json.exitCode == 1)
    let reports = try JSONReport.list(json.output)
    #expect(reports.map { $0["photo"] as? String } == ["a.png", "b.jpg", "c.png"])
    #expect((reports[1]["error"] as? String)?.hasPrefix("Cannot read b.jpg: ") == true)
    #expect(reports[0]["error"] == nil && reports[2]["horizon"] != nil)
  }

  @Test("Scopes are written beside each other into a folder, or to one file")
  func scopes() throws {
    let scratch = try Scratch()
    try scratch.save(steps(), as: "a.png")
    try scratch.save(gradient(40, 30), as: "c.png")
    let one = try Program.run(["analyze", "a.png", "--scopes", "scopes.jpg"], in: scratch)
    #expect(one.exitCode == 0 && one.output.hasSuffix("  scopes      scopes.jpg\n"))
    #expect(try scratch.photo("scopes.jpg").buffer.size == PixelSize(width: 1920, height: 1080))
    let both = try Program.run(["analyze", "a.png", "c.png", "--scopes", "out/"], in: scratch)
    #expect(both.exitCode == 0 && both.output.contains("\nscopes in out/\n"))
    #expect(try scratch.names == ["a.png", "c.png", "out", "scopes.jpg"])
    #expect(try scratch.photo("out/a-scopes.png").formatName == "PNG")
    #expect(try scratch.photo("out/c-scopes.png").formatName == "PNG")
  }

  @Test(
    "Where scopes cannot go",
    arguments: [
      (
        ["a.png", "c.png", "--scopes", "x.png"],
        "--scopes x.png names one picture, but 2 photos are given; name a folder, such as --scopes x/."
      ),
      (["a.png", "--scopes", "a.png"], "a.png is the photo a.png itself; write to another name."),
      (["a.png", "--scopes", "./a.png"], "./a.png is the photo a.png itself; write to another name."),
      (
        ["a.png", "--scopes", "none/x.png"],
        "a.png: Cannot write none/x.png: the folder none does not exist; create it first."
      ),
      (
        ["a.png", "c.png", "--scopes", "none/x/"],
        "Cannot create the folder none/x: its parent folder does not exist; create that first."
      ),
      (
        ["a.png", "--scopes", "x.gif"],
        "Cannot write x.gif: GIF is read but not written; use one of .jpg, .jpeg, .jpe, .jfif, .png, .tif, .tiff, "
          + ".webp, .heic, .heif, .hif, .avif, .jxl."
      ),
      (["a.png", "--scopes", ""], "The name of the output file is empty; give it a name."),
    ])
  func refusedTargets(arguments: [String], sentence: String) throws {
    let scratch = try Scratch()
    try scratch.save(steps(), as: "a.png")
    try scratch.save(gradient(40, 30), as: "c.png")
    let before = try scratch.read("a.png")
    let run = try Program.run(["analyze"] + arguments, in: scratch)
    #expect(run.exitCode == 1)
    #expect(run.errors == "Error: \(sentence)\n")
    #expect(try scratch.names == ["a.png", "c.png"])
    #expect(try scratch.read("a.png") == before)
  }

  @Test("A picture that cannot be written leaves nothing behind, and the other photos are measured")
  func unwritable() throws {
    let scratch = try Scratch()
    try scratch.save(steps(), as: "a.png")
    try scratch.save(gradient(40, 30), as: "c.png")
    try scratch.write("", to: "out")
    let run = try Program.run(["analyze", "a.png", "c.png", "--scopes", "out/"], in: scratch)
    #expect(run.exitCode == 1)
    #expect(
      run.errors
        == "Error: Cannot create the folder out: there is a file with this name; choose another name.\n"
    )
    // A limit on the size of files stands for a full disk.
    let full = try Program.shell(
      #"ulimit -f 1; "$SAFELIGHT" analyze a.png c.png --scopes ."#, in: scratch)
    #expect(full.exitCode == 1)
    #expect(
      full.errors.split(separator: "\n").count == 2 && full.errors.hasPrefix("Error: a.png: Cannot write"))
    #expect(try scratch.names == ["a.png", "c.png", "out"])
  }

  @Test("A mistyped name leaves no folder behind")
  func mistyped() throws {
    let scratch = try Scratch()
    let run = try Program.run(["analyze", "a.png", "--scopes", "out/"], in: scratch)
    #expect(run.exitCode == 1)
    #expect(run.error == "Cannot read a.png: there is no such file; check the spelling.")
    #expect(try scratch.names == [])
  }

  @Test("Odd pictures have numbers, and no crash", arguments: [(1, 1), (3, 400), (400, 3), (7, 7)])
  func oddShapes(width: Int, height: Int) throws {
    let scratch = try Scratch()
    try scratch.save(gradient(width, height), as: "odd.png")
    let run = try Program.run(["analyze", "odd.png", "--scopes", "s.png"], in: scratch)
    #expect(run.exitCode == 0 && run.errors == "")
    #expect(
      run.output.contains("\n  horizon     ") && run.output.contains("\n  sharpness   no edges · noise "))
    #expect(try scratch.names == ["odd.png", "s.png"])
  }

  @Test("All black and all white have no cast, no edges and no horizon", arguments: [0, 65_535])
  func oneLevel(level: Int) throws {
    let scratch = try Scratch()
    try scratch.save(picture(64, 48) { _, _ in [level, level, level, 65_535] }, as: "plain.png")
    let run = try Program.run(["analyze", "plain.png"], in: scratch)
    #expect(run.exitCode == 0)
    for line in [
      "  cast        cannot be told: too few colours", "  sharpness   no edges",
      "  horizon     no horizon found",
    ] {
      #expect(run.output.contains(line), "\(run.output)")
    }
    #expect(run.output.contains(level == 0 ? "shadows 100.0 %" : "highlights 100.0 %"))
  }
}
