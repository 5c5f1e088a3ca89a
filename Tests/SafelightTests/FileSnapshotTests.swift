import Safelight
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("Snapshots of files")
struct FileSnapshotTests {
  private static let recipe =
    #"{"safelight": 1, "filters": [{"filter": "exposure", "stops": 0.5}, {"filter": "lut", "file": "t.cube"}]}"#

  private static func table(_ top: String) -> String { "LUT_1D_SIZE 2\n0 0 0\n\(top) \(top) \(top)\n" }

  @Test("What was read stays as it was, also for processes that are given it, whatever becomes of the files")
  func stays() throws {
    let scratch = try Scratch()
    try scratch.write(Self.recipe, to: "r.json")
    try scratch.write(Self.table("0.5"), to: "t.cube")
    let files = FileSnapshot()
    let first = try Recipe(contentsOf: scratch("r.json"), in: files).fingerprint(options: [])
    try scratch.write(Self.table("0.25"), to: "t.cube")
    try scratch.write("{", to: "r.json")
    #expect(try Recipe(contentsOf: scratch("r.json"), in: files).fingerprint(options: []) == first)
    let spool = try #require(try files.spool())
    let passed = try FileSnapshot(contentsOf: spool.path)
    #expect(try Recipe(contentsOf: scratch("r.json"), in: passed).fingerprint(options: []) == first)
    // Another reader finds its own place in the file.
    let again = try FileSnapshot(contentsOf: spool.path)
    #expect(try again.read(scratch("t.cube")) == Array(Self.table("0.5").utf8))
    #expect(throws: SafelightError.self) { _ = try Recipe(contentsOf: scratch("r.json")) }
    #expect(try FileSnapshot().spool() == nil)
  }

  @Test(
    "What is no snapshot is refused",
    arguments: ["", "x", "[]x\n", #"[{"path":"a","bytes":9}]"# + "\nshort"])
  func damaged(text: String) throws {
    let scratch = try Scratch()
    try scratch.write(text, to: "spool")
    let error = #expect(throws: SafelightError.self) { _ = try FileSnapshot(contentsOf: scratch("spool")) }
    #expect(error?.problem.hasSuffix("is no snapshot of files") == true)
  }

  @Test("A pipe that a recipe names is refused at once")
  func pipes() throws {
    let scratch = try Scratch()
    try scratch.write(Self.recipe, to: "r.json")
    #expect(mkfifo(scratch("t.cube"), 0o600) == 0)
    let error = #expect(throws: SafelightError.self) { _ = try Recipe(contentsOf: scratch("r.json")) }
    let sentence = "Cannot read \(scratch("t.cube")): it is not a regular file"
    #expect(error?.problem.hasSuffix(sentence) == true)
    let fingerprint = #expect(throws: SafelightError.self) {
      _ = try FileFingerprint(contentsOf: scratch("t.cube"))
    }
    #expect(fingerprint?.problem == sentence)
    #expect(throws: SafelightError.self) { _ = try FileContents.readRegular("/dev/zero") }
  }
}
