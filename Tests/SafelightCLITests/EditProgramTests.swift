import FoundationEssentials
import LibraryTestSupport
import Testing

@Suite("A program that edits with the library alone")
struct EditProgramTests {
  /// Times differ from run to run.
  private static func withoutTimes(_ json: String) -> String {
    json.replacing(#/("[a-zA-Z]*[mM]illiseconds" : )[0-9.]+/#) { "\($0.output.1)0" }
  }

  @Test("does what `safelight edit --auto all --json` does, to the byte")
  func equality() throws {
    let scratch = try Scratch()
    try scratch.save(
      picture(120, 80) { x, y in [500 * x, y > 30 + x / 20 ? 10_000 : 45_000, 500 * y, 65_535] },
      as: "photo.png")
    let (photo, result) = (scratch("photo.png"), scratch("out.jpg"))
    let run = try Program.run(
      [
        "edit", photo, "-o", result, "--auto", "all", "--straighten", "auto", "--preset", "faded",
        "--strength",
        "70", "--json",
      ], in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    let bytes = try scratch.read("out.jpg")
    try FileManager.default.removeItem(atPath: result)

    let json = try editProgram(photo, to: result, preset: "faded", strength: 70)
    #expect(Self.withoutTimes(json + "\n") == Self.withoutTimes(run.output))
    #expect(json.contains("\"auto\"") && !bytes.isEmpty)
    #expect(try scratch.read("out.jpg") == bytes)
  }
}
