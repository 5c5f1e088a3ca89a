import LibraryTestSupport
import Foundation
import Testing

@Suite("What --json says of found values")
struct FoundValuesTests {
  @Test("Angles that are not known are null, and not keys that are missing")
  func unknownAngles() throws {
    let scratch = try Scratch()
    try scratch.save(picture(64, 48) { _, _ in [30_000, 20_000, 9000, 65_535] }, as: "photo.png")
    let run = try Program.run(
      ["edit", "photo.png", "-o", "out.png", "--straighten", "auto", "--json"], in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    let auto = try #require(try JSONReport(run.output)["auto"] as? [String: Any])
    let straighten = try #require(auto["straighten"] as? [String: Any])
    #expect(straighten["degrees"] is NSNull && straighten["horizonDegrees"] is NSNull)
  }
}
