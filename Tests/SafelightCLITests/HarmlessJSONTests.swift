import LibraryTestSupport
import Safelight
import Testing

@Suite("JSON on terminals")
struct HarmlessJSONTests {
  /// A name that clears the screen by a control of ISO/IEC 6429, and turns the direction of writing.
  private static let name = "c1\u{9B}2J\u{202E}\u{2028}\u{7F}.png"

  @Test(
    "Names in JSON cannot command a terminal, and say the same",
    arguments: [
      ["analyze", name, "--json"], ["horizon", name, "--json"], ["edit", name, "-o", "out.png", "--json"],
      ["mask", name, "linear 0,0 1,1", "-o", "out.png", "--json"],
      ["recipe", "set", name, "--exposure", "1", "--json"], ["batch", name, "-o", "f", "--json", "-"],
    ])
  func names(arguments: [String]) throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: Self.name)
    let run = try Program.run(arguments, in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(run.output.contains(#"c1\u009b2J\u202e\u2028\u007f.png"#), "\(run.output)")
    let harmful = run.output.unicodeScalars.filter {
      (0x7F...0x9F).contains($0.value) || (0x2028...0x202E).contains($0.value)
    }
    #expect(harmful.isEmpty, "\(run.output)")
    // Foundation reads the name that was written.
    let list = run.output.hasPrefix("[") ? run.output : "[\(run.output)]"
    let report = try #require(try JSONReport.list(list).first)
    #expect((report["file"] ?? report["photo"] ?? report["input"] ?? entry(report)) as? String == Self.name)
  }

  /// The first photo of a batch's report.
  private func entry(_ report: [String: Any]) -> Any? {
    (report["entries"] as? [[String: Any]])?.first?["input"]
  }
}
