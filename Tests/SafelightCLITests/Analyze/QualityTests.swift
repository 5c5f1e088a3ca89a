import AnalysisTestSupport
import Foundation
import LibraryTestSupport
import Safelight
import Testing

@Suite("Analyze: --find quality")
struct QualityTests {
  /// A page in focus and out of it, one in the dark, one with too much light.
  private func prepare() throws -> Scratch {
    let scratch = try Scratch()
    let page = try DocumentScene(seed: 5, ground: .papers).rgba()
    func save(_ name: String, _ level: (Int, Int) -> Double) throws {
      try scratch.save(
        Pictures.rgba8(page.width, page.height) { x, y in
          SIMD3(repeating: UInt8(min(max(level(x, y), 0), 255)))
        }, as: name)
    }
    func sample(_ x: Int, _ y: Int) -> Double {
      Double(page.row(min(max(y, 0), page.height - 1), as: UInt8.self)[4 * min(max(x, 0), page.width - 1)])
    }
    // The scene itself is blurred by a pixel or three: halved steps are sharp again.
    try save("sharp.png") { x, y in sample(x / 8 * 8, y / 8 * 8) }
    try save("blurred.png") { x, y in
      var sum = 0.0
      for dy in -3...3 { for dx in -3...3 { sum += sample(x + 3 * dx, y + 3 * dy) } }
      return sum / 49
    }
    try save("dark.png") { x, y in 0.15 * sample(x / 8 * 8, y / 8 * 8) }
    try save("bright.png") { x, y in 2.5 * sample(x / 8 * 8, y / 8 * 8) }
    return scratch
  }

  @Test("Each photo has a word for each measurement, which agree with the verdicts")
  func words() throws {
    let scratch = try prepare()
    let photos = ["sharp.png", "blurred.png", "dark.png", "bright.png"]
    let run = try Program.run(["analyze"] + photos + ["--find", "quality", "--json"], in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    let reports = try JSONReport.list(run.output)
    func word(_ photo: Int, _ name: String) throws -> String? {
      let quality = try #require(reports[photo]["quality"] as? [String: Any])
      return (quality[name] as? [String: Any])?["word"] as? String
    }
    #expect(reports.count == 4)
    #expect(try word(0, "sharpness") == "sharp" && word(1, "sharpness") == "blurred")
    #expect(try word(0, "exposure") == "good" && word(2, "exposure") == "dark")
    #expect(try word(0, "highlights") == "good" && word(3, "highlights") == "clipped")
    #expect(try word(0, "shadows") == "good" && word(0, "noise") == "clean")
    let verdicts = try JSONReport.list(Program.run(["analyze"] + photos + ["--json"], in: scratch).output)
    for (index, report) in verdicts.enumerated() {
      let said = try #require(report["verdicts"] as? [String])
      #expect(try said.contains("blurred") == (word(index, "sharpness") == "blurred"))
      #expect(try said.contains("underexposed") == (word(index, "exposure") == "dark"))
      #expect(try said.contains("highlights clipped") == (word(index, "highlights") == "clipped"))
    }
  }

  @Test("As text it is a line for each measurement, beside what else is looked for")
  func text() throws {
    let scratch = try prepare()
    let run = try Program.run(["analyze", "sharp.png", "--find", "quality"], in: scratch)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "sharp.png  1280×960" && lines.count == 6, "\(run.output)")
    #expect(
      lines[1].hasPrefix("  sharpness   sharp    edges ") && lines[2].hasPrefix("  exposure    good     "))
    let both = try Program.run(["analyze", "sharp.png", "--find", "quality,document"], in: scratch)
    #expect(both.output.contains("sharp.png  1280×960  1 document"), "\(both.output)")
    for arguments in [["--names"], ["--draw", "out.jpg"]] {
      let refused = try Program.run(["analyze", "sharp.png", "--find", "quality"] + arguments, in: scratch)
      #expect(refused.exitCode == 64 && refused.errors.contains("leave it out"), "\(refused.errors)")
    }
  }
}
