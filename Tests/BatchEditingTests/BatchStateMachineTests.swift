import LibraryTestSupport
import Safelight
import FrameCore
import Testing

@testable import BatchEditing

private func item(
  _ index: Int, _ name: Character, _ decision: BatchNaming.Decision = .edit
) -> BatchNaming.Item {
  BatchNaming.Item(
    photo: BatchInputs.Photo(path: "in/\(name)"), index: index, output: "\(name)", decision: decision)
}

/// Time is drawn as text, one column a tick; within a tick the run's events come first, then the workers act in their order.
///
/// Inputs: a letter comes, a capital where it is to be skipped under the name of its small letter; `|` no more come.
/// Events: `s` stops, `f` ends the run for a reason.
/// Workers: `.` is done with its photo, if any, and takes the next; `x` as `.`, but it failed; `l` as `.`, but the photo is
/// left; `#` works. A worker that has ended does nothing.
/// What comes out: what each worker takes, `|` where it ends; in the order of the inputs what is `d`one, `s`kipped, `f`ailed and
/// `l`eft.
private struct BatchTimeline: Equatable, CustomStringConvertible {
  var workers: [String]
  var report: String

  var description: String { "workers \(workers)  report \(report)" }

  init(_ workers: String..., report: String) { (self.workers, self.report) = (workers, report) }

  /// - Parameter watches: whether photos may come anew, of which the last counts.
  init(inputs: String, events: String? = nil, workers acts: String..., watches: Bool = false) {
    var machine = BatchStateMachine()
    machine.begin(takesMore: watches)
    workers = acts.map { _ in "" }
    var works = [BatchStateMachine.Work?](repeating: nil, count: acts.count)
    var hasEnded = acts.map { _ in false }
    var count = 0
    for _ in acts { machine.workerStarts() }
    let events = events ?? String(repeating: "-", count: inputs.count)
    for (column, (input, event)) in zip(inputs, events).enumerated() {
      if input == "|" { machine.closeInputs() }
      if input.isLetter {
        count += 1
        let name = Character(input.lowercased())
        machine.add([item(count, name, input.isUppercase ? .skip("It is there") : .edit)])
      }
      if event == "s" { machine.stop() }
      if event == "f" { machine.end(because: SafelightError(.noSpace, "The disk is full")) }
      for (worker, acts) in acts.enumerated() {
        let act = Array(acts)[column]
        var shown: Character = "-"
        if act != "#", !hasEnded[worker] {
          if let work = works[worker].take() { Self.end(work, as: act, in: &machine) }
          switch machine.next() {
          case .edit(let work):
            works[worker] = work
            shown = Character(Self.isSkipped(work) ? work.item.output.uppercased() : work.item.output)
          case .wait: break
          case .end:
            (shown, hasEnded[worker]) = ("|", true)
            machine.workerEnded()
          }
        }
        workers[worker].append(shown)
      }
    }
    #expect(machine.workers == hasEnded.count { !$0 })
    let underWay = machine.takeProgress().current.count
    let entries = machine.finish().entries.sorted { $0.index < $1.index }
    report = String(entries.map { $0.status.rawValue.first ?? "?" })
    let progress = machine.takeProgress()
    #expect(progress.total == count)
    if !watches {
      #expect(progress.finished + entries.count { $0.status == .left } + underWay == progress.total)
    }
  }

  private static func isSkipped(_ work: BatchStateMachine.Work) -> Bool { work.item.decision != .edit }

  private static func end(
    _ work: BatchStateMachine.Work, as act: Character, in machine: inout BatchStateMachine
  ) {
    if act == "l" { return machine.left(work, output: work.item.output) }
    var entry = BatchReport.Entry(work.item)
    entry.status = act == "x" ? .failed : isSkipped(work) ? .skipped : .done
    machine.finished(work, entry)
  }
}

@Suite("The state machine of a batch")
struct BatchStateMachineTests {
  @Test("Workers take photo after photo, whichever ends first, and end when there are none")
  func order() {
    #expect(
      BatchTimeline(inputs: "abcd----", workers: ".#####..", "#...#...")
        == BatchTimeline("a-----|-", "-bcd-|--", report: "dddd"))
    #expect(
      BatchTimeline(inputs: "abcd----", workers: ".##.##..", "#.##.##.")
        == BatchTimeline("a--c--|-", "-b--d--|", report: "dddd"))
  }

  @Test("A photo that fails costs no other")
  func failure() {
    #expect(
      BatchTimeline(inputs: "abc-----", workers: ".x.x.###") == BatchTimeline("abc|----", report: "fdf"))
  }

  @Test("Photos that come while the run goes on are taken by workers that wait, until none will come")
  func hotFolder() {
    #expect(
      BatchTimeline(inputs: "--a-b-c--|-", workers: "....##.....", ".......#...", watches: true)
        == BatchTimeline("--a---c--|-", "----b----|-", report: "ddd"))
  }

  @Test(
    "A photo that comes again while it is edited waits for its turn, others pass it, and its last entry stays"
  )
  func again() {
    #expect(
      BatchTimeline(inputs: "aab--|----", workers: ".####.#x##", "#.......##", watches: true)
        == BatchTimeline("a----a-|--", "--b--|----", report: "fd"))
  }

  @Test("What is not edited claims no name: a photo that is skipped frees none that is at work")
  func skippedName() {
    #expect(
      BatchTimeline(inputs: "aAa------", workers: ".####..##", "#........", watches: true)
        == BatchTimeline("a----a---", "-A-------", report: "d"))
  }

  @Test("What came last counts, even where it ended first")
  func lastEntry() {
    // The photo is edited, and while that goes on it is found to be skipped.
    #expect(
      BatchTimeline(inputs: "aA--|-", workers: ".###.-", "#..###", watches: true)
        == BatchTimeline("a---|-", "-A----", report: "s"))
  }

  @Test("Stopping finishes the photos at work and begins no more; stopping again changes nothing")
  func stopping() {
    #expect(
      BatchTimeline(inputs: "abcdef---", events: "---s--s--", workers: ".###.####", "#.####.##")
        == BatchTimeline("a---|----", "-b----|--", report: "ddllll"))
    // Workers that wait for photos end at once.
    #expect(
      BatchTimeline(inputs: "a----", events: "--s--", workers: ".##x.", "#....", watches: true)
        == BatchTimeline("a--|-", "--|--", report: "f"))
  }

  @Test("What ends the run leaves the photo that it came from, and all that follow, for another run")
  func fatal() {
    #expect(
      BatchTimeline(inputs: "abcd----", events: "---f----", workers: ".##l####", "#.##.###")
        == BatchTimeline("a--|----", "-b--|---", report: "ldll"))
    var machine = BatchStateMachine()
    machine.end(because: SafelightError(.noSpace, "The disk is full"))
    machine.end(because: SafelightError(.file, "The journal cannot be written"))
    #expect(machine.fatal?.description.hasPrefix("The disk is full") == true && !machine.mayBegin)
  }

  @Test("A photo that is named anew holds both names until its end")
  func renaming() throws {
    var machine = BatchStateMachine()
    machine.begin(takesMore: true)
    machine.add([item(1, "a"), item(2, "b"), item(3, "a"), item(4, "c")])
    guard case .edit(let first) = machine.next() else { throw SafelightError(.file, "Nothing is taken") }
    machine.renamed(first, to: "b")
    guard case .edit(let other) = machine.next() else { throw SafelightError(.file, "Nothing is taken") }
    #expect(other.item.output == "c", "a and b are at work")
    // A name that somebody else has is not freed by who wanted it too.
    machine.renamed(other, to: "a")
    machine.left(other, output: "a")
    guard case .wait = machine.next() else { throw SafelightError(.file, "A name at work is taken") }
    machine.finished(first, BatchReport.Entry(first.item))
    guard case .edit(let next) = machine.next() else { throw SafelightError(.file, "Nothing is taken") }
    #expect(next.item.index == 2)
    machine.finished(first, BatchReport.Entry(first.item))
    #expect(machine.takeProgress().failed == 1, "a photo ends once")
  }

  @Test("Progress tells what is at work in the order in which it was taken, and news once")
  func progress() throws {
    var machine = BatchStateMachine()
    machine.begin(takesMore: false)
    machine.add("abc".enumerated().map { item($0 + 1, $1) })
    guard case .edit(let a) = machine.next(), case .edit = machine.next() else {
      throw SafelightError(.file, "Nothing is taken")
    }
    #expect(machine.takeProgress().current == ["in/a", "in/b"])
    machine.finished(a, BatchReport.Entry(a.item, status: .done), megapixels: 2.5)
    var told = machine.takeProgress()
    #expect(told.current == ["in/b"] && told.news.map(\.index) == [1] && told.done == 1)
    #expect(told.megapixels == 2.5 && told.total == 3)
    told = machine.takeProgress()
    #expect(told.news.isEmpty && told.done == 1)
  }

  @Test(
    "The journal's thread syncs what was written since, ends after the last worker, and a failure ends the run"
  )
  func journal() throws {
    var machine = BatchStateMachine()
    machine.workerStarts()
    #expect(machine.nextSync() == .wait)
    #expect(machine.wrote(lines: 2) == 2)
    #expect(machine.nextSync() == .sync(line: 2))
    #expect(machine.wrote(lines: 1) == 3)
    machine.synced(upTo: 2)
    #expect(try machine.isSynced(upTo: 2) == true && machine.isSynced(upTo: 3) == nil)
    machine.workerEnded()
    #expect(machine.nextSync() == .sync(line: 3), "what was written last is synced after the last worker")
    machine.syncFailed(SafelightError(.file, "The disk is gone"))
    #expect(throws: SafelightError.self) { try machine.isSynced(upTo: 3) }
    #expect(try machine.isSynced(upTo: 1) == true)
    #expect(machine.nextSync() == .end && machine.fatal != nil && !machine.mayBegin)
    var finished = BatchStateMachine()
    finished.workerStarts()
    finished.workerEnded()
    #expect(finished.nextSync() == .end)
  }
}
