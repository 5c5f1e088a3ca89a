import LibraryTestSupport
import Safelight
import Synchronization
import Testing

@testable import BatchEditing
import Libc

/// Whose a file in the output folder is. Editors here copy what they are given: what matters is what may be replaced.
@Suite("Whose a result is")
struct BatchOwnershipTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.makeFolder("in")
  }

  private func run(
    _ names: [String], resumes: Bool = true, _ conflict: BatchConflict = .fail, edit: String = "e"
  ) throws -> BatchReport {
    try scratch.run(conflict, resumes: resumes, edit: edit).run(photos(names))
  }

  private func photos(_ names: [String]) -> [BatchInputs.Photo] {
    names.map { BatchInputs.Photo(path: scratch("in/\($0)")) }
  }

  private func result(_ name: String) throws -> String {
    String(decoding: try scratch.read("out/\(name)"), as: UTF8.self)
  }

  @Test("A retouched result survives any number of resumed runs, and a plan says so")
  func retouched() throws {
    try scratch.put("one", to: "in/a.jpg")
    #expect(try run(["a.jpg"]).count(.done) == 1)
    try scratch.put("retouched", to: "out/a.jpg")
    for _ in 1...3 {
      let report = try run(["a.jpg"])
      #expect(report.entries.first?.reason?.hasPrefix("a.jpg was changed since it was written; ") == true)
      let plan = try scratch.run(.fail, resumes: true).plan(photos(["a.jpg"]))
      #expect(plan.first?.action == .fail && plan.first?.reason == report.entries.first?.reason)
      #expect(try result("a.jpg") == "retouched")
    }
    #expect(try run(["a.jpg"], .skip).count(.skipped) == 1)
    #expect(try run(["a.jpg"], .rename).entries.first?.output == "a-2.jpg")
    #expect(try result("a.jpg") == "retouched" && result("a-2.jpg") == "one")
    #expect(try run(["a.jpg"], edit: "e2").entries.first?.status == .done)
    #expect(try result("a.jpg") == "retouched")
  }

  @Test("A finished batch that is started again without --resume is refused, and stays finished")
  func startedAgain() throws {
    let names = (1...3).map { "\($0).jpg" }
    for name in names { try scratch.put(name, to: "in/\(name)") }
    #expect(try run(names).count(.done) == 3)
    #expect(try run(names, resumes: false).count(.failed) == 3)
    try scratch.put("retouched", to: "out/2.jpg")
    let report = try run(names)
    #expect(report.entries.map(\.reason)[0] == "done before")
    #expect(report.entries.map(\.status) == [.skipped, .failed, .skipped])
    #expect(try result("2.jpg") == "retouched")
  }

  @Test("A photo whose name another has fails alone: the other's result is known as before")
  func sharedName() throws {
    for folder in ["in/a", "in/b"] {
      try scratch.makeFolder(folder)
      try scratch.put(folder, to: "\(folder)/1.jpg")
    }
    for status in [BatchReport.Status.done, .skipped, .skipped] {
      let report = try run(["a/1.jpg", "b/1.jpg"])
      #expect(report.entries.map(\.status) == [status, .failed])
    }
    // Also where only the other is there to be edited.
    #expect(try run(["b/1.jpg"], resumes: false).entries.first?.status == .failed)
    #expect(try run(["a/1.jpg"]).entries.first?.status == .skipped)
    #expect(try result("1.jpg") == "in/a")
  }

  @Test("A run that is repeated as it was is told how to go on")
  func repeated() throws {
    try scratch.put("one", to: "in/a.jpg")
    #expect(try run(["a.jpg"], resumes: false).count(.done) == 1)
    let reason = try #require(try run(["a.jpg"], resumes: false).entries.first?.reason)
    #expect(reason.contains("give --resume to keep it"))
    // A photo that has changed since has another result.
    try scratch.put("two", to: "in/a.jpg")
    let changed = try #require(try run(["a.jpg"], resumes: false).entries.first?.reason)
    #expect(!changed.contains("--resume"))
  }

  @Test("What the user puts where a photo failed is not replaced")
  func afterFailure() throws {
    try scratch.put("bad", to: "in/a.jpg")
    #expect(try run(["a.jpg"]).count(.failed) == 1)
    try scratch.put("mine", to: "out/a.jpg")
    try scratch.put("good", to: "in/a.jpg")
    for _ in 1...2 {
      #expect(try run(["a.jpg"]).entries.first?.reason?.hasPrefix("a.jpg already exists; ") == true)
      #expect(try result("a.jpg") == "mine")
    }
  }

  @Test("A failed edit leaves the result before it to the batch: the next run may replace it")
  func failureAfterResult() throws {
    try scratch.put("one", to: "in/a.jpg")
    #expect(try run(["a.jpg"]).count(.done) == 1)
    try scratch.put("bad", to: "in/a.jpg")
    #expect(try run(["a.jpg"]).count(.failed) == 1)
    #expect(try result("a.jpg") == "one")
    try scratch.put("two", to: "in/a.jpg")
    #expect(try run(["a.jpg"]).count(.done) == 1)
    #expect(try result("a.jpg") == "two")
  }

  @Test("What another command has made goes by the conflict's rule, in every later run too")
  func anotherCommand() throws {
    func run(_ command: String, edit: String, _ conflict: BatchConflict = .fail) throws -> BatchReport {
      try scratch.run(conflict, resumes: true, edit: edit, command: command).run(photos(["a.jpg"]))
    }
    try scratch.put("one", to: "in/a.jpg")
    #expect(try run("batch", edit: "e").count(.done) == 1)
    try scratch.put("two", to: "in/a.jpg")
    for _ in 1...2 {
      let report = try run("export", edit: "f")
      #expect(report.entries.first?.reason?.hasPrefix("a.jpg already exists; ") == true)
      #expect(try result("a.jpg") == "one")
    }
    #expect(try run("export", edit: "f", .skip).count(.skipped) == 1)
    // Whose it was stays known: batch still may replace it.
    #expect(try run("batch", edit: "e").count(.done) == 1)
    #expect(try result("a.jpg") == "two")
    // From here on it is export's.
    #expect(try run("export", edit: "f", .overwrite).count(.done) == 1)
    #expect(try run("export", edit: "g").count(.done) == 1)
    #expect(try run("batch", edit: "e2").count(.failed) == 1)
  }

  @Test("A start without an end is the batch's own, whatever is there")
  func killed() throws {
    try scratch.put("one", to: "in/a.jpg")
    try scratch.makeFolder("out")
    let input = scratch("in/a.jpg")
    do {
      let journal = try BatchJournal(in: scratch("out"))
      let state = try #require(BatchJournal.FileState(input))
      try journal.write([
        .planned(output: "a.jpg", input: input, state: state, edit: "e", original: OriginalIdentity(input)),
        .started(output: "a.jpg"),
      ])
    }
    try scratch.put("whole or not", to: "out/a.jpg")
    #expect(try run(["a.jpg"]).count(.done) == 1)
    #expect(try result("a.jpg") == "one")
  }

  @Test("Names that differ only in their Unicode form are two photos, with --resume and --name too")
  func unicodeForms() throws {
    let (one, two) = ("Caf\u{E9}.jpg", "Cafe\u{301}.jpg")
    #expect(one == two && !one.utf8.elementsEqual(two.utf8))
    try scratch.put("composed", to: "in/\(one)")
    try scratch.put("decomposed", to: "in/\(two)")
    for template in ["{stem}{ext}", "{stem}-e{ext}"] {
      for status in [BatchReport.Status.done, .skipped] {
        let report = try scratch.run(.fail, resumes: true, name: template).run(photos([one, two]))
        #expect(report.entries.map(\.status) == [status, status], "\(report.entries.map(\.reason))")
      }
      let end = template == "{stem}{ext}" ? "" : "-e"
      #expect(try result("Caf\u{E9}\(end).jpg") == "composed")
      #expect(try result("Cafe\u{301}\(end).jpg") == "decomposed")
    }
    let plain = try scratch.run(.fail, resumes: true, name: "same{ext}").run(photos([one, two]))
    #expect(plain.entries.map(\.status) == [.done, .failed])
    let hot = try HotFolder(scratch("in"), recursive: false, output: scratch("out"))
    for name in [one, two] { try scratch.age("in/\(name)") }
    var found: Set<PathKey> = []
    for _ in 0..<100 where found.count < 2 {
      found.formUnion(try hot.takePhotos().map { PathKey($0.path) })
      usleep(20_000)
    }
    #expect(found.count == 2)
  }

  @Test("Where a program has saved a photo as a new file, the message says so and how to go on")
  func savedAnew() throws {
    try scratch.put("one", to: "in/a.jpg")
    #expect(try run(["a.jpg"]).count(.done) == 1)
    try scratch.put("one, rated", to: "in/new.jpg")
    #expect(rename(scratch("in/new.jpg"), scratch("in/a.jpg")) == 0)
    #expect(
      try run(["a.jpg"]).entries.first?.reason
        == "a.jpg already exists, made before another file took the place of its photo; if it is the same photo "
        + "saved again, run this for it alone with --on-conflict overwrite; otherwise rename or skip.")
    #expect(try result("a.jpg") == "one")
    #expect(try run(["a.jpg"], .overwrite).count(.done) == 1)
    #expect(try result("a.jpg") == "one, rated")
  }

  @Test(
    "A new photo under an old name goes by --on-conflict; the same photo written anew replaces its result",
    arguments: [BatchConflict.fail, .rename, .skip, .overwrite])
  func booth(conflict: BatchConflict) throws {
    try scratch.put("guest 1", to: "in/capture.jpg")
    #expect(try run(["capture.jpg"], conflict).count(.done) == 1)
    // Written anew: the same file.
    try scratch.put("guest 1, again", to: "in/capture.jpg")
    #expect(try run(["capture.jpg"], conflict).entries.first?.output == "capture.jpg")
    #expect(try result("capture.jpg") == "guest 1, again")
    for guest in 2...3 {
      #expect(rename(scratch("in/capture.jpg"), scratch("in/kept-\(guest)")) == 0)
      try scratch.put("guest \(guest)", to: "in/capture.jpg")
      let entry = try #require(try run(["capture.jpg"], conflict).entries.first)
      switch conflict {
      case .fail: #expect(entry.reason?.hasPrefix("capture.jpg already exists") == true)
      case .skip:
        #expect(entry.status == .skipped && entry.reason?.hasPrefix("capture.jpg already exists") == true)
      case .rename: #expect(try entry.status == .done && result("capture-\(guest).jpg") == "guest \(guest)")
      case .overwrite: #expect(try result("capture.jpg") == "guest \(guest)")
      }
      if conflict != .overwrite { #expect(try result("capture.jpg") == "guest 1, again") }
    }
  }
}

/// An editor that copies; photos that begin with "bad" fail.
final class CopyingEditor: BatchEditor {
  private let memory: Int
  private let beforeResult: @Sendable (_ input: String) -> Void

  /// - Parameter memory: what each photo is said to take.
  init(memory: Int = 0, beforeResult: @escaping @Sendable (_ input: String) -> Void = { _ in }) {
    (self.memory, self.beforeResult) = (memory, beforeResult)
  }

  func open(_ input: String) throws -> any BatchPhoto {
    CopiedPhoto(
      input,
      BatchExamination(
        width: 1, height: 1, memory: memory, effort: 0, resultWidth: 1, resultHeight: 1, facts: CaptureFacts()
      ),
      beforeResult)
  }
}

private final class CopiedPhoto: BatchPhoto {
  let examination: BatchExamination
  private let input: String
  private let beforeResult: @Sendable (_ input: String) -> Void

  init(
    _ input: String, _ examination: BatchExamination,
    _ beforeResult: @escaping @Sendable (_ input: String) -> Void
  ) {
    (self.input, self.examination, self.beforeResult) = (input, examination, beforeResult)
  }

  func edit(to output: String, overwrite: Bool) throws -> BatchResult {
    let bytes = try FileContents.read(input)
    beforeResult(input)
    if bytes.starts(with: Array("bad".utf8)) { throw SafelightError(.corruptData, "It is bad") }
    if !overwrite, FileContents.kind(of: output) != .missing {
      throw SafelightError(.file, "\(output) already exists")
    }
    try FileContents.write(bytes, to: output, overwrite: overwrite)
    return BatchResult(
      width: 1, height: 1, fingerprint: try FileFingerprint(contentsOf: output), seconds: 0, warnings: [])
  }
}

extension Scratch {
  /// Writes into the file that is there, where there is one.
  func put(_ text: String, to name: String) throws {
    let file = try #require(fopen(self(name), "w"))
    fputs(text, file)
    fclose(file)
  }

  /// Makes a file look as if it had not been changed for long.
  func age(_ name: String) throws {
    var times = [timeval(tv_sec: 1_600_000_000, tv_usec: 0), timeval(tv_sec: 1_600_000_000, tv_usec: 0)]
    #expect(utimes(self(name), &times) == 0)
  }

  /// A batch of copies into `out`.
  func run(
    _ conflict: BatchConflict, resumes: Bool, jobs: Int = 2, name: String = "{stem}{ext}", edit: String = "e",
    command: String = "batch", beforeResult: @escaping @Sendable (_ input: String) -> Void = { _ in }
  ) throws -> BatchRun {
    var options = BatchRun.Options(
      naming: BatchNaming(template: try NameTemplate(name), conflict: conflict), edit: { _ in edit },
      jobs: jobs, resumes: resumes)
    options.command = command
    return BatchRun(to: self("out"), options) { CopyingEditor(beforeResult: beforeResult) }
  }
}
