import LibraryTestSupport
import Safelight
import Testing
import Libc

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
    #expect(error?.problem.hasSuffix("is not a snapshot of files") == true)
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

  @Test("A pipe that somebody names is read, and what is waited for is told once")
  func namedPipe() throws {
    let scratch = try Scratch()
    let pipe = scratch("r.json")
    #expect(mkfifo(pipe, 0o600) == 0)
    var told: [String] = []
    // The writer comes only when it is asked for.
    let bytes = try FileContents.read(pipe) { sentence in
      told.append(sentence)
      let writer = open(pipe, O_WRONLY | O_NONBLOCK)
      #expect(writer >= 0)
      _ = [UInt8]("text".utf8).withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
      close(writer)
    }
    #expect(String(decoding: bytes, as: UTF8.self) == "text")
    #expect(told == ["Waiting for data from the pipe \(pipe)"])
  }

  @Test("Devices and files larger than a recipe may be are refused before they are read")
  func unfit() throws {
    let scratch = try Scratch()
    func problem(_ path: String) -> String? {
      #expect(throws: SafelightError.self) { _ = try Recipe(contentsOf: path) }?.problem
    }
    #expect(problem("/dev/zero") == "Cannot read /dev/zero: it is a device")
    try scratch.write("", to: "large.json")
    #expect(truncate(scratch("large.json"), off_t(Recipe.sizeLimit) + 1) == 0)
    #expect(
      problem(scratch("large.json")) == "Cannot read \(scratch("large.json")): it is larger than 4 MiB")
  }

  @Test("A recipe is read with filters of one's own, which files of others may not name")
  func ownFilters() throws {
    let scratch = try Scratch()
    try scratch.write(
      #"{ "safelight": 1, "filters": [{ "filter": "glow", "amount": 40 }, { "filter": "contrast" }] }"#,
      to: "r.json")
    let catalog = try FilterCatalog.standard.adding(Glow.self)
    let recipe = try Recipe(contentsOf: scratch("r.json"), catalog: catalog)
    #expect((recipe.filters.first as? Glow)?.amount == 40)
    let error = #expect(throws: SafelightError.self) { _ = try Recipe(contentsOf: scratch("r.json")) }
    #expect(error?.problem.contains("Unknown filter “glow”") == true)
    #expect {
      try catalog.adding(Glow.self)
    } throws: {
      "\($0)" == "Two filters of the catalog are called “glow”; give each an id of its own."
    }
  }
}

/// A filter of a program that uses the library.
private struct Glow: Filter {
  static let id: FilterID = "glow"
  static let phase = FilterPhase.tone
  static let summary = "Lifts everything"
  static let parameters = [
    Parameter(\Glow.amount, "amount", in: 0...100, neutral: 0, unit: .percent, flag: nil, "How much")
  ]
  var amount: Float = 0
  func lower(into plan: inout PlanBuilder) {
    plan.matrix(
      .identity.blended(with: .diagonal(SIMD3(repeating: 2)), by: Double(amount) / 100))
  }
}
