import LibraryTestSupport
import Safelight
import FrameCore
import Synchronization
import Testing

@testable import BatchEditing
import Libc

@Suite("Workers of a batch")
struct BatchWorkerTests {
  private struct Trouble: Error {}

  /// Who is at work.
  private struct Work {
    var begun = 0
    var atOnce = 0
    var mostAtOnce = 0
    var mayEnd = false
  }

  @Test("A photo that is written anew while it is edited waits, and its last content is what stays")
  func rewritten() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("in")
    try scratch.put("first", to: "in/a.jpg")
    let work = Monitor(Work())
    let run = try scratch.run(.fail, resumes: true) { _ in
      work.update { work in
        work.begun += 1
        work.atOnce += 1
        work.mostAtOnce = max(work.mostAtOnce, work.atOnce)
      }
      work.wait(for: { $0.mayEnd ? () : nil })
      work.update { $0.atOnce -= 1 }
    }
    let photo = BatchInputs.Photo(path: scratch("in/a.jpg"), isNamed: false)
    var calls = 0
    let report = try run.run(
      [photo],
      more: {
        calls += 1
        switch calls {
        case 1:
          work.wait(for: { $0.begun == 1 ? () : nil })
          try scratch.put("second", to: "in/a.jpg")
          return [photo]
        // Time for the other worker to take it, if it would.
        case 2, 3: return []
        default:
          work.update { $0.mayEnd = true }
          return nil
        }
      })
    #expect(work.read { $0.mostAtOnce } == 1 && work.read { $0.begun } == 2)
    #expect(report.entries.map(\.status) == [.done] && report.total == 1, "\(report.entries)")
    #expect(try scratch.read("out/a.jpg") == Array("second".utf8))
  }

  /// Photos that take all the memory there is, one after the other.
  private struct Waiting {
    var examined: Set<String> = []
    /// The photo that is edited first.
    var first: String?
  }

  /// An editor that copies, and tells when it has examined a photo.
  private final class LargePhotoEditor: BatchEditor {
    private let copying: CopyingEditor
    private let waiting: Monitor<Waiting>

    init(_ waiting: Monitor<Waiting>, beforeResult: @escaping @Sendable (_ input: String) -> Void) {
      self.waiting = waiting
      copying = CopyingEditor(memory: 100, beforeResult: beforeResult)
    }

    func open(_ input: String) throws -> any BatchPhoto {
      let photo = try copying.open(input)
      waiting.update { _ = $0.examined.insert(input) }
      return photo
    }
  }

  @Test("A result that somebody changes while its photo waits for memory is not replaced")
  func changedWhileWaiting() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("in")
    for name in ["a.jpg", "b.jpg"] { try scratch.put(name, to: "in/\(name)") }
    let photos = ["a.jpg", "b.jpg"].map { BatchInputs.Photo(path: scratch("in/\($0)")) }
    #expect(try scratch.run(.fail, resumes: true).run(photos).count(.done) == 2)

    let waiting = Monitor(Waiting())
    let (a, results) = (photos[0].path, [scratch("out/a.jpg"), scratch("out/b.jpg")])
    let options = BatchRun.Options(
      naming: BatchNaming(template: try NameTemplate("{stem}{ext}")), edit: { _ in "another edit" }, jobs: 2,
      memory: 1, resumes: true)
    let run = BatchRun(to: scratch("out"), options) {
      LargePhotoEditor(waiting) { input in
        let isFirst = waiting.update { state in
          guard state.first == nil else { return false }
          state.first = input
          return true
        }
        guard isFirst else { return }
        // The other one waits for what this one takes.
        waiting.wait(for: { $0.examined.count == 2 ? () : nil })
        let other = input == a ? results[1] : results[0]
        _ = try? FileContents.write(Array("retouched".utf8), to: other, overwrite: true)
      }
    }
    let report = try run.run(photos)
    let first = waiting.read { $0.first == a } ? 0 : 1
    let expected: [BatchReport.Status] = first == 0 ? [.done, .failed] : [.failed, .done]
    #expect(report.entries.map(\.status) == expected)
    let name = ["a.jpg", "b.jpg"][1 - first]
    #expect(
      report.entries[1 - first].reason?.hasPrefix("\(name) was changed since it was written; ") == true,
      "\(report.entries)")
    #expect(try scratch.read("out/\(name)") == Array("retouched".utf8))
  }

  @Test("A run that is stopped while a photo waits for memory leaves that photo for another run")
  func stoppedWhileWaiting() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("in")
    let names = ["a.jpg", "b.jpg"]
    for name in names { try scratch.put(name, to: "in/\(name)") }
    let options = BatchRun.Options(
      naming: BatchNaming(template: try NameTemplate("{stem}{ext}")), edit: { _ in "" }, jobs: 2, memory: 1)
    let current = Mutex<BatchRun?>(nil)
    let run = BatchRun(to: scratch("out"), options) {
      LargePhotoEditor(Monitor(Waiting())) { _ in
        guard let run = current.withLock({ $0 }) else { return }
        while run.memory.waiting == 0 { sched_yield() }
        run.stop()
      }
    }
    current.withLock { $0 = run }
    let report = try run.run(names.map { BatchInputs.Photo(path: scratch("in/\($0)")) })
    current.withLock { $0 = nil }
    #expect(report.count(.done) == 1 && report.count(.left) == 1, "\(report.entries)")
    let records = try BatchJournal(in: scratch("out")).records
    #expect(!records.values.contains { $0.isUnderWay })
  }

  @Test(
    "An error of who brings the photos ends the run after the photos at work, and leaves no worker behind")
  func strangeError() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("in")
    for name in ["a", "b", "c", "d"] { try scratch.put(name, to: "in/\(name).jpg") }
    let work = Monitor(Work())
    let run = try scratch.run(.fail, resumes: true) { _ in
      work.update { work in
        work.begun += 1
        work.atOnce += 1
      }
      usleep(300_000)
      work.update { $0.atOnce -= 1 }
    }
    #expect(throws: Trouble.self) {
      try run.run(["a", "b", "c", "d"].map { BatchInputs.Photo(path: scratch("in/\($0).jpg")) }) {
        work.wait(for: { $0.begun > 0 ? () : nil })
        throw Trouble()
      }
    }
    #expect(work.read { $0.atOnce } == 0)
    // The journal's lock is free.
    let records = try BatchJournal(in: scratch("out")).records
    #expect(!records.values.contains { $0.isUnderWay })
    #expect(records.values.contains { $0.result != nil } && records.values.contains { $0.result == nil })
  }

  @Test("What was taken is not kept, and a watched photo has one entry")
  func bounds() throws {
    var state = BatchStateMachine()
    state.begin(takesMore: true)
    for round in 0..<1000 {
      state.add([
        BatchNaming.Item(
          photo: BatchInputs.Photo(path: "a.jpg"), index: round, output: "a.jpg", decision: .edit)
      ])
      guard case .edit(let work) = state.next(), case .wait = state.next() else {
        Issue.record("round \(round) takes something else")
        return
      }
      #expect(state.pending.isEmpty)
      state.finished(work, BatchReport.Entry(work.item))
    }
    #expect(state.entries.map(\.index) == [999])
  }
}
