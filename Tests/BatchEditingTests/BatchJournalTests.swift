import LibraryTestSupport
import Safelight
import Testing

@Suite struct BatchJournalTests {
  private let state = BatchJournal.FileState(bytes: 3, modified: [1_700_000_000, 5])

  private func fill(_ journal: BatchJournal, _ scratch: Scratch) throws -> FileFingerprint {
    try scratch.write("picture", to: "a.jpg")
    let result = try FileFingerprint(contentsOf: scratch("a.jpg"))
    try journal.write(.run(engine: "1"))
    try journal.write(.planned(output: "a.jpg", input: "/in/a.jpg", state: state, edit: "e1"))
    try journal.write(.started(output: "a.jpg"))
    try journal.write(.finished(output: "a.jpg", result))
    return result
  }

  private func isDone(_ journal: BatchJournal, _ scratch: Scratch, edit: String = "e1") -> Bool {
    journal.isDone("a.jpg", input: "/in/a.jpg", state: state, edit: edit, in: scratch.path)
  }

  @Test("What was finished is known when the journal is opened again")
  func roundTrip() throws {
    let scratch = try Scratch()
    var journal: BatchJournal? = try BatchJournal(in: scratch.path)
    let result = try fill(try #require(journal), scratch)
    try journal?.write(.failed(output: "b.jpg", reason: "never planned"))
    journal = nil
    let again = try BatchJournal(in: scratch.path)
    #expect(again.records["a.jpg"]?.result == result)
    #expect(again.records["b.jpg"] == nil)
    #expect(!again.wasTorn)
    #expect(isDone(again, scratch))
  }

  @Test("A result counts only for the same edit of the same input, and only while it is whole")
  func proofs() throws {
    let scratch = try Scratch()
    let journal = try BatchJournal(in: scratch.path)
    _ = try fill(journal, scratch)
    #expect(isDone(journal, scratch))
    #expect(!isDone(journal, scratch, edit: "e2"))
    #expect(!journal.isDone("a.jpg", input: "/in/b.jpg", state: state, edit: "e1", in: scratch.path))
    let newer = BatchJournal.FileState(bytes: 3, modified: [1_700_000_001, 5])
    #expect(!journal.isDone("a.jpg", input: "/in/a.jpg", state: newer, edit: "e1", in: scratch.path))
    try scratch.write("pictur3", to: "a.jpg")
    #expect(!isDone(journal, scratch))
    try scratch.write("pic", to: "a.jpg")
    #expect(!isDone(journal, scratch))
  }

  @Test("Planning what is done again does not undo it; starting it does")
  func replanning() throws {
    let scratch = try Scratch()
    let journal = try BatchJournal(in: scratch.path)
    _ = try fill(journal, scratch)
    try journal.write(.run(engine: "1"))
    try journal.write(.planned(output: "a.jpg", input: "/in/a.jpg", state: state, edit: "e1"))
    #expect(isDone(journal, scratch))
    try journal.write(.started(output: "a.jpg"))
    #expect(!isDone(journal, scratch))
  }

  @Test("A journal cut at any byte keeps every whole line, and takes new ones")
  func torn() throws {
    let scratch = try Scratch()
    do { _ = try fill(try BatchJournal(in: scratch.path), scratch) }
    let whole = try scratch.read(BatchJournal.fileName)
    let lineEnds = whole.indices.filter { whole[$0] == 10 }
    for length in whole.indices {
      try scratch.write(Array(whole[..<length]), to: BatchJournal.fileName)
      let journal = try BatchJournal(in: scratch.path)
      #expect(journal.wasTorn == !(length == 0 || whole[length - 1] == 10))
      // The last line is whole once its text is, with or without its end.
      #expect(isDone(journal, scratch) == (length >= (lineEnds.last ?? 0)), "cut at \(length)")
      try journal.write(.run(engine: "1"))
      try journal.write(.planned(output: "z.jpg", input: "/in/z.jpg", state: state, edit: "e3"))
      #expect(journal.records["z.jpg"]?.edit == "e3")
      #expect(
        try scratch.read(BatchJournal.fileName).split(separator: 10).last.map {
          String(decoding: $0, as: UTF8.self)
        }?
        .contains("z.jpg") == true)
    }
  }

  @Test("A second batch in the same folder is refused while the first runs")
  func lock() throws {
    let scratch = try Scratch()
    var first: BatchJournal? = try BatchJournal(in: scratch.path)
    let error = #expect(throws: SafelightError.self) { try BatchJournal(in: scratch.path) }
    #expect(
      error?.description
        == "Another batch is writing to \(scratch.path); wait until it has ended, or choose another output folder."
    )
    withExtendedLifetime(first) {}
    first = nil
    #expect(throws: Never.self) { try BatchJournal(in: scratch.path) }
  }

  @Test("A journal of mostly overtaken lines is written anew at the start, says the same, and stays locked")
  func compaction() throws {
    let scratch = try Scratch()
    let (one, two) = (FileFingerprint(bytes: 1, hash: "11"), FileFingerprint(bytes: 2, hash: "22"))
    func planned(_ name: String, _ edit: String) -> BatchJournal.Event {
      .planned(
        output: name, input: "/in/\(name)", state: state, edit: edit,
        original: OriginalIdentity(inode: 7, born: [8, 9]))
    }
    let before: [PathKey: BatchJournal.Record]
    do {
      let journal = try BatchJournal(in: scratch.path)
      var events: [BatchJournal.Event] = []
      for name in ["a", "b", "c", "d", "e"] {
        events.append(.named(output: name, input: "/in/\(name)", naming: "{stem}"))
      }
      for round in 0..<1100 {
        for name in ["a", "b", "c", "d"] {
          events += [planned(name, "\(round)"), .started(output: name), .finished(output: name, one)]
        }
      }
      events += [.started(output: "b"), .started(output: "c"), .failed(output: "c", reason: "bad")]
      events += [planned("d", "x"), .started(output: "d"), .finished(output: "d", two)]
      events += [planned("f", "x"), .started(output: "f")]
      try journal.write(events)
      before = journal.records
    }
    let size = try scratch.read(BatchJournal.fileName).count
    try scratch.write("left by a power cut", to: BatchJournal.fileName + ".new")
    let journal = try BatchJournal(in: scratch.path)
    #expect(try scratch.read(BatchJournal.fileName).count < size / 100)
    #expect(try scratch.names == [BatchJournal.fileName])
    #expect(throws: SafelightError.self) { try BatchJournal(in: scratch.path) }
    let again = try BatchJournal(in: scratch.path, forReading: true)
    #expect(again.records.keys.count == before.count && !again.wasTorn)
    for (name, record) in before {
      var (old, new) = (record, try #require(again.records[name]))
      (old.order, new.order) = (0, 0)
      #expect(old == new, "\(name.path)")
    }
    #expect(before["b"]?.isUnderWay == true && before["b"]?.lastResult == one)
    #expect(before["c"]?.isUnderWay == false && before["c"]?.lastResult == one)
    // What is added goes to the new file.
    try journal.write(.finished(output: "b", two))
    #expect(try BatchJournal(in: scratch.path, forReading: true).records["b"]?.result == two)
  }

  @Test("Fingerprints are XXH3's with 128 bits")
  func fingerprints() throws {
    // Reference: xxhsum 0.8.1, `printf '' | xxhsum -H2` and `printf Safelight | xxhsum -H2`.
    #expect(try FileFingerprint(of: []).hash == "99aa06d3014798d86001c324468d497f")
    let scratch = try Scratch()
    try scratch.write("Safelight", to: "a")
    #expect(try FileFingerprint(contentsOf: scratch("a")) == FileFingerprint(of: Array("Safelight".utf8)))
  }
}
