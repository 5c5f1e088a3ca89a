import LibraryTestSupport
import Foundation
import Safelight
import Testing

@Suite("Analyze a shoot")
struct AnalyzeShootTests {
  /// Squares of several greys with clean edges; each sample is the mean of `blur` columns.
  private func squares(blur: Int = 1, gain: Double = 1) throws -> PixelBuffer {
    func level(_ x: Int, _ y: Int) -> Double {
      let grey = (x / 13 * 7 + y / 11 * 5 + x * y / 900) % 6
      return 9000 * Double(grey) + 12_000
    }
    return try picture(240, 160) { x, y in
      var sum = 0.0
      for step in 0..<blur { sum += level(x + step, y) }
      let sample = min(Int(sum / Double(blur) * gain), 65_535)
      return [sample, sample, sample, 65_535]
    }
  }

  /// A sharp, a blurred and a dark photo in `shoot`, and another of the sharp one's name in `card2`.
  private func shoot() throws -> Scratch {
    let scratch = try Scratch()
    for folder in ["shoot", "card2"] {
      try FileManager.default.createDirectory(atPath: scratch(folder), withIntermediateDirectories: true)
    }
    try scratch.save(squares(), as: "shoot/a2.png")
    try scratch.save(squares(blur: 9), as: "shoot/a10.png")
    try scratch.save(squares(gain: 0.25), as: "shoot/dark.png")
    try scratch.save(squares(), as: "card2/A2.PNG")
    return scratch
  }

  @Test("A folder is a line a photo with verdicts in words, and a summary")
  func folder() throws {
    let run = try Program.run(["analyze", "shoot"], in: shoot())
    #expect(run.exitCode == 0 && run.errors == "")
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 5)
    #expect(lines[0].hasPrefix("photo ") && lines[0].hasSuffix("  verdict"))
    #expect(lines[1].hasPrefix("shoot/a2.png ") && lines[1].hasSuffix("  good"), "\(run.output)")
    #expect(lines[2].hasPrefix("shoot/a10.png ") && lines[2].hasSuffix("  blurred"), "\(run.output)")
    #expect(lines[3].hasPrefix("shoot/dark.png ") && lines[3].hasSuffix("  underexposed"), "\(run.output)")
    #expect(lines[4] == "3 photos · 1 blurred · 1 underexposed · 1 without a flag")
  }

  @Test(
    "--flag chooses by verdicts, --names prints names alone",
    arguments: [
      (["--flag", "blurred"], ["shoot/a10.png"]),
      (["--flag", "under,blurred"], ["shoot/a10.png", "shoot/dark.png"]),
      (["--flag", "over"], []), (["--flag", "any"], ["shoot/a10.png", "shoot/dark.png"]),
      (["--flag", "none"], ["shoot/a2.png"]),
      (["--sort", "sharpness"], ["shoot/a10.png", "shoot/a2.png", "shoot/dark.png"]),
      (["--sort", "exposure"], ["shoot/dark.png", "shoot/a2.png", "shoot/a10.png"]),
      (["--sort", "name", "--reverse"], ["shoot/dark.png", "shoot/a10.png", "shoot/a2.png"]),
    ])
  func choosing(flags: [String], names: [String]) throws {
    let run = try Program.run(["analyze", "shoot", "--names"] + flags, in: shoot())
    #expect(run.exitCode == 0, "\(run.errors)")
    let found = run.output.split(separator: "\n").map(String.init)
    // Photos that are alike may come either way.
    if flags.contains("exposure") || flags.contains("sharpness") {
      #expect(found.first == names.first && found.sorted() == names.sorted())
    } else {
      #expect(found == names)
    }
  }

  @Test("Files of the same name in different folders are told, whatever their case")
  func duplicateNames() throws {
    let scratch = try shoot()
    let run = try Program.run(["analyze", "shoot", "card2", "--flag", "duplicate-names"], in: scratch)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(
      lines[1].hasSuffix("  same name as card2/A2.PNG") && lines[2].hasSuffix("  same name as shoot/a2.png"))
    #expect(lines[3].contains("4 photos · ") && lines[3].contains(" · 2 with duplicate names · "))
  }

  @Test("JSON has the numbers behind the verdicts")
  func json() throws {
    let run = try Program.run(["analyze", "shoot", "--json", "--sort", "name"], in: shoot())
    let reports = try JSONReport.list(run.output)
    #expect(reports.map { $0["verdicts"] as? [String] } == [[], ["blurred"], ["underexposed"]])
    #expect(
      (reports[0]["edgeWidth"] as? Double ?? 9) < 2.75 && (reports[1]["edgeWidth"] as? Double ?? 0) > 2.75)
    #expect((reports[0]["sharpness"] as? Double ?? 0) > (reports[1]["sharpness"] as? Double ?? 1))
    #expect((reports[2]["missingExposure"] as? Double ?? 0) >= 1)
  }

  @Test(
    "Mistyped flags and orders name the nearest",
    arguments: [
      (["--flag", "blured"], "Unknown flag “blured”; did you mean “blurred”? Known: blurred, soft, under,"),
      (
        ["--sort", "sharpnes"],
        "Unknown order “sharpnes”; did you mean “sharpness”? Known: sharpness, exposure,"
      ),
      (["--names", "--json"], "--names and --json exclude each other; give one of them."),
    ])
  func refused(flags: [String], sentence: String) throws {
    let run = try Program.run(["analyze", "shoot"] + flags, in: Scratch())
    #expect(run.exitCode == 64 && run.error?.contains(sentence) == true, "\(run.errors)")
  }

  @Test("A folder without photos is an error")
  func empty() throws {
    let run = try Program.run(["analyze", "."], in: Scratch())
    #expect(run.exitCode == 1)
    #expect(run.error == "There are no photos among the inputs; name photos or folders that contain some.")
  }
}
