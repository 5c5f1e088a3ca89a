import LibraryTestSupport
import Safelight
import Testing

@testable import LiveVideo

private typealias Machine = LookStateMachine<Character, Character, String>
private struct Failure: Error, Equatable { let look: Character }

/// Time is drawn as text, one column a tick; within a tick the look changes first, then the compiler acts, then a frame
/// comes.
///
/// Looks: a letter is set; a capital cannot be compiled.
/// Compiler: `.` is done with what it compiles, if anything, and asks for the next; `#` still works, or is not asked yet;
/// `^` has been released and asks; `|` no more frames come, and it asks.
/// Frames: a digit is a frame of that shape.
/// What comes out: the look of each frame, `!` where there is none to go on with; what the frame's thread compiled; what
/// the compiler began, `|` where it ends; the look that is reported as a problem after the tick.
private struct LookTimeline: Equatable, CustomStringConvertible {
  var frames = ""
  /// What frames waited for.
  var waited = ""
  var begun = ""
  var problem = ""
  /// `~` where a frame went through a plan without tables.
  var slow = ""

  var description: String {
    "frames \(frames)  waited \(waited)  begun \(begun)  problem \(problem)  slow \(slow)"
  }

  init(frames: String, waited: String = "", begun: String = "", problem: String = "", slow: String = "") {
    func padded(_ line: String) -> String {
      line + String(repeating: "-", count: frames.count - line.count)
    }
    self.frames = frames
    (self.waited, self.begun) = (padded(waited), padded(begun))
    (self.problem, self.slow) = (padded(problem), padded(slow))
  }

  /// - Parameter fails: whether a look cannot be compiled for a shape.
  init(
    live: Bool = true, hasTables: Bool = true, looks: String, compiler: String, frames: String,
    fails: (_ look: Character, _ shape: Character) -> Bool = { look, _ in look.isUppercase }
  ) {
    var machine = Machine("a", isLive: live)
    if hasTables { machine.bakedTables() }
    var underWay: Machine.Job?
    func plan(_ job: Machine.Job) -> String { "\(job.look)\(job.shape)\(job.isOptimized ? "" : "~")" }
    for (look, (act, shape)) in zip(looks, zip(compiler, frames)) {
      if look != "-" { machine.change { $0 = look } }
      var (seen, waited, begun): (Character, Character, Character) = ("-", "-", "-")
      if act != "#" {
        if let job = underWay.take() {
          if fails(job.look, job.shape) {
            _ = machine.failed(job, Failure(look: job.look))
          } else {
            machine.compiled(job, plan(job), isFast: false)
          }
        }
        if act == "^" { machine.release() }
        if act == "|" { machine.close() }
        switch machine.next() {
        case .compile(let job):
          underWay = job
          begun = job.look
        case .wait: break
        case .end: begun = "|"
        }
      }
      var used: String?
      if shape != "-" {
        switch machine.frame(shape) {
        case .use(let plan): used = plan
        case .compile(var job):
          while used == nil {
            waited = job.look
            guard fails(job.look, job.shape) else {
              machine.compiled(job, plan(job), isFast: false)
              used = plan(job)
              break
            }
            switch machine.failed(job, Failure(look: job.look)) {
            case .use(let plan): used = plan
            case .compile(let other):
              job = other
              continue
            case .fail: used = "!"
            }
          }
        }
        seen = used?.first ?? "-"
        if let used, used != "!" {
          let fits = used.dropFirst().first == shape
          #expect(fits, "a frame of shape \(shape) went through \(used)")
        }
      }
      self.frames.append(seen)
      self.waited.append(waited)
      self.begun.append(begun)
      problem.append((machine.problem as? Failure)?.look ?? "-")
      slow.append(used?.last == "~" ? "~" : "-")
    }
  }
}

@Suite("The state machine of live looks")
struct LookStateMachineTests {
  @Test("A changed look takes effect on the first frame after it is compiled, and no frame waits")
  func change() {
    #expect(
      LookTimeline(looks: "---b-----", compiler: "#^.#.##.#", frames: "111111111")
        == LookTimeline(frames: "aaaaaaabb", waited: "a", begun: "----b----"))
  }

  @Test("Of many changes while one is compiled only the newest is compiled")
  func manyChanges() {
    #expect(
      LookTimeline(looks: "--bcdef-----", compiler: "#^.####.###.", frames: "111111111111")
        == LookTimeline(frames: "aaaaaaabbbbf", waited: "a", begun: "--b----f----"))
  }

  @Test("The compiler does nothing before it is released, nor before the first frame")
  func release() {
    #expect(
      LookTimeline(looks: "-b------", compiler: "....^.#.", frames: "--111111")
        == LookTimeline(frames: "--bbbbbb", waited: "--b"))
    #expect(
      LookTimeline(looks: "-b-c----", compiler: "....^.#.", frames: "-1111111")
        == LookTimeline(frames: "-bbbbccc", waited: "-b", begun: "----c---"))
  }

  @Test("Without tables the first plan is a slow one, in whose place a fast one of the same look comes")
  func firstPlan() {
    #expect(
      LookTimeline(hasTables: false, looks: "------", compiler: "#^#.#.", frames: "111111")
        == LookTimeline(frames: "aaaaaa", waited: "a", begun: "-a", slow: "~~~"))
  }

  @Test("A look that fails keeps the one before, is reported, and is not compiled again")
  func failure() {
    #expect(
      LookTimeline(looks: "--X---b----", compiler: "#^.#.##.##.", frames: "11111111111")
        == LookTimeline(frames: "aaaaaaaaaab", waited: "a", begun: "--X----b---", problem: "----XXXXXX-"))
  }

  @Test("A look that fails while the one before is still slow does not leave it slow")
  func failureOfASlowOne() {
    #expect(
      LookTimeline(hasTables: false, looks: "-X------", compiler: "#^#.##.#", frames: "11111111")
        == LookTimeline(
          frames: "aaaaaaaa", waited: "a", begun: "-X-a", problem: "---XXXXX", slow: "~~~~~~--"))
    // And where tables fail too, that is the end of it.
    var count = 0
    #expect(
      LookTimeline(hasTables: false, looks: "-X------", compiler: "#^..####", frames: "11111111") { _, _ in
        count += 1
        return count > 1
      } == LookTimeline(frames: "aaaaaaaa", waited: "a", begun: "-Xa", problem: "--XXXXXX", slow: "~~~~~~~~"))
  }

  @Test("Frames that are not live wait for each look, and go on with the one before where it fails")
  func waiting() {
    #expect(
      LookTimeline(live: false, looks: "--b-cX--d", compiler: "#########", frames: "11111-111")
        == LookTimeline(frames: "aabbc-ccd", waited: "a-b-c-X-d", problem: "------XX-"))
  }

  @Test("Of a look that fails for one shape, frames of another know nothing")
  func failureOfOneShape() {
    let fails = { (look: Character, shape: Character) in look == "b" && shape == "1" }
    #expect(
      LookTimeline(live: false, looks: "--b------", compiler: "#########", frames: "121212121", fails: fails)
        == LookTimeline(frames: "aaabababa", waited: "aabb", problem: "--bbbbbbb"))
    #expect(
      LookTimeline(looks: "--b-------", compiler: "#^........", frames: "1211221212", fails: fails)
        == LookTimeline(
          frames: "aaaabbabab", waited: "aa", begun: "--bb", problem: "----bbbbbb", slow: "-~"))
  }

  @Test(
    "The first frame of another shape goes through the look before, where the newest one fails; without any it fails"
  )
  func noPlan() {
    #expect(
      LookTimeline(looks: "--X---------", compiler: "#^.##.##.#.#", frames: "111112222222")
        == LookTimeline(
          frames: "aaaaaaaaaaaa", waited: "a----a", begun: "--X-----a", problem: "-----XXXXXXX",
          slow: "-----~~~~~--"))
    #expect(
      LookTimeline(looks: "X--", compiler: "###", frames: "111")
        == LookTimeline(frames: "!!!", waited: "XXX", problem: "XXX"))
  }

  @Test(
    "Levels that step while a look is compiled hold it up by no more than one of them, and go on if it fails")
  func levelSteps() {
    // Steps are looks b…h, of which the sixth change, f, is what a user asked for; each takes two ticks.
    #expect(
      LookTimeline(looks: "-bcdefgh-----", compiler: "^.#.#.#.#.#.#", frames: "1111111111111")
        == LookTimeline(frames: "aaabbddffhhhh", waited: "a", begun: "-b-d-f-h-----"))
    #expect(
      LookTimeline(looks: "-bcdEfgh-----", compiler: "^.#.#.#.#.#.#", frames: "1111111111111")
        == LookTimeline(frames: "aaabbddffhhhh", waited: "a", begun: "-b-d-f-h-----"))
    #expect(
      LookTimeline(looks: "-bcdeFgh-----", compiler: "^.#.#.#.#.#.#", frames: "1111111111111")
        == LookTimeline(
          frames: "aaabbddddhhhh", waited: "a", begun: "-b-d-F-h-----", problem: "-------FF----"))
  }

  @Test("The end ends the compiler once it is done with what it compiles, which no look changes any more")
  func end() {
    #expect(
      LookTimeline(looks: "-b-c---", compiler: "^.##|..", frames: "11111--")
        == LookTimeline(frames: "aaaab--", waited: "a", begun: "-b--|||"))
  }

  @Test("A plan of an older look never takes the place of a newer one")
  func order() throws {
    var machine = Machine("a", isLive: true)
    machine.release()
    func show(_ shape: Character) -> String? {
      switch machine.frame(shape) {
      case .use(let plan): return plan
      case .compile(let job):
        let plan = "\(job.look)\(job.shape)"
        machine.compiled(job, plan, isFast: true)
        return plan
      }
    }
    #expect(show("1") == "a1")
    machine.change { $0 = "b" }
    guard case .compile(let slow) = machine.next() else {
      Issue.record("there is nothing to compile")
      return
    }
    // So many shapes come meanwhile that the first one is given up, and comes again with a newer look.
    machine.change { $0 = "c" }
    for shape: Character in ["2", "3", "4", "5"] { #expect(show(shape) == "c\(shape)") }
    machine.compiled(slow, "b1", isFast: true)
    #expect(show("5") == "c5", "a plan for frames that are gone pushes no other out")
    #expect(show("1") == "c1")
    machine.compiled(slow, "b1", isFast: true)
    #expect(show("1") == "c1")
    #expect(machine.plan(for: "1") == "c1" && machine.plan(for: "2") == nil)
  }

  @Test("Of more shapes than are kept, the ones used last are")
  func shapes() {
    #expect(
      LookTimeline(
        looks: "------------", compiler: "############", frames: "123415161718", fails: { _, _ in false })
        == LookTimeline(frames: "aaaaaaaaaaaa", waited: "aaaa-a-a-a-a", slow: "-~~~-~-~-~-~"))
  }
}
