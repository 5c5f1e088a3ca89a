import LibraryTestSupport
import Safelight
import TestSupport
import Testing

@testable import Backends

private typealias Machine = BackendStateMachine<Character, Int>

/// Time is drawn as text, one column a tick; within a tick events come first, then the thread acts, then a frame comes.
/// One frame of each shape warms up, and two are timed.
///
/// Frames: a letter is a frame of that plan; plans a…m have one shape, n…z another.
/// Thread: `.` is done with what it measures, if anything, and asks for the next; `#` still works, or is not asked yet;
/// `x` as `.`, but the measurement fails; `c` as `.`, but it was cancelled.
/// Events: `x` the GPU has failed for good, `|` closes.
/// What comes out: what rendered each frame, `c` the processor and `g` the GPU, a capital where it is decided; what the
/// thread began to measure, `|` where it ends.
private struct BackendTimeline: Equatable, CustomStringConvertible {
  var rendered = ""
  var begun = ""
  var started = ""

  var description: String { "rendered \(rendered)  begun \(begun)  started \(started)" }

  init(rendered: String, begun: String = "", started: String = "") {
    func padded(_ line: String) -> String {
      line + String(repeating: "-", count: rendered.count - line.count)
    }
    (self.rendered, self.begun, self.started) = (rendered, padded(begun), padded(started))
  }

  /// - Parameters:
  ///   - faster: shapes for which the GPU is faster.
  ///   - hasThread: whether the system grants one.
  init(
    frames: String, thread: String, events: String? = nil, faster: Set<Int> = [1, 2], hasThread: Bool = true
  ) {
    var machine = Machine(warmUp: 1, frames: 2)
    var (mayUseGPU, isRunning) = (true, false)
    var choices: [Character: Machine.Outcome] = [:]
    /// Shapes for which the GPU is open and known to be faster: plans that come later begin there.
    var known: Set<Int> = []
    var underWay: (plan: Character, shape: Int)?
    let events = events ?? String(repeating: "-", count: frames.count)
    for (event, (act, plan)) in zip(events, zip(thread, frames)) {
      if event == "x" { mayUseGPU = false }
      if event == "|" { machine.close() }
      var (shown, began): (Character, Character) = ("-", "-")
      if act != "#", isRunning {
        if let (plan, shape) = underWay {
          let isFaster = act == "." && faster.contains(shape) && mayUseGPU
          if act == "x" { mayUseGPU = false }
          let outcome: Machine.Outcome = act != "." ? .none : isFaster ? .gpu : .processor
          if outcome == .gpu { known.insert(shape) }
          choices[plan] = isFaster ? .gpu : .processor
          machine.measured(plan, shape, outcome)
          underWay = nil
        }
        switch machine.next() {
        case .measure(let plan, let shape, let seconds):
          #expect(seconds.count == 2)
          (underWay, began) = ((plan, shape), plan)
        case .wait: break
        case .end: (isRunning, began) = (false, "|")
        }
      }
      var start: Character = "-"
      if plan != "-" {
        let shape = plan < "n" ? 1 : 2
        if choices[plan] == nil, known.contains(shape), mayUseGPU { choices[plan] = .gpu }
        if choices[plan] == nil {
          switch machine.rendered(plan, shape, seconds: 1, mayUseGPU: mayUseGPU) {
          case .none: break
          case .startThread:
            start = "^"
            if hasThread { isRunning = true } else { machine.threadIsMissing() }
            if !hasThread { choices[plan] = .processor }
          case .leaveToProcessor: choices[plan] = .processor
          }
        }
        switch choices[plan] {
        case .gpu: shown = mayUseGPU ? "G" : "C"
        case .processor: shown = "C"
        default: shown = "c"
        }
      }
      rendered.append(shown)
      begun.append(began)
      started.append(start)
    }
  }
}

@Suite("The state machine of the automatic backend")
struct BackendStateMachineTests {
  @Test(
    "Frames warm up and are timed on the processor, then the GPU is tried beside them and takes over if faster"
  )
  func faster() {
    #expect(
      BackendTimeline(frames: "aaaaaaaaa", thread: "####.##..")
        == BackendTimeline(rendered: "cccccccGG", begun: "----a----", started: "--^"))
  }

  @Test("Where the GPU is slower the processor goes on, and plans of that shape are not tried again")
  func slower() {
    #expect(
      BackendTimeline(frames: "aaaaaaabbbb", thread: "####.#.....", faster: [])
        == BackendTimeline(rendered: "ccccccCCCCC", begun: "----a------", started: "--^"))
  }

  @Test(
    "Looks that change on the way share the frames of their shape, and the last one that asked is tried first"
  )
  func changingLooks() {
    #expect(
      BackendTimeline(frames: "abcdefghhhhh", thread: "####.###.#..")
        == BackendTimeline(rendered: "ccccccccGGGG", begun: "----d---h---", started: "--^")
    )
    // What was prepared before the answer has to be prepared for the GPU by the thread; what comes later begins there.
    #expect(
      BackendTimeline(frames: "aaaabbbbbbcc", thread: "####.##.#...")
        == BackendTimeline(rendered: "cccccccGGGGG", begun: "----a--b----", started: "--^"))
  }

  @Test("Each shape is timed and tried for itself")
  func shapes() {
    #expect(
      BackendTimeline(frames: "ananananananan", thread: "#####.#.#.#.##", faster: [2])
        == BackendTimeline(rendered: "ccccccccCGCGCG", begun: "-----a-n-", started: "----^"))
  }

  @Test("A plan is not asked for again while it is tried, and once it is decided not even then")
  func once() {
    #expect(
      BackendTimeline(frames: "aaaaaaaaaaaa", thread: "####.####...")
        == BackendTimeline(rendered: "cccccccccGGG", begun: "----a-------", started: "--^"))
  }

  @Test("A GPU that fails while it is tried, or later, leaves everything to the processor for good")
  func failing() {
    #expect(
      BackendTimeline(frames: "aaaaaaabbb", thread: "####.#x...")
        == BackendTimeline(rendered: "ccccccCCCC", begun: "----a-----", started: "--^"))
    #expect(
      BackendTimeline(frames: "aaaaaaaaabb", thread: "####.#.....", events: "--------x--")
        == BackendTimeline(rendered: "ccccccGGCCC", begun: "----a------", started: "--^"))
    #expect(
      BackendTimeline(frames: "aaaa", thread: "....", events: "x---") == BackendTimeline(rendered: "CCCC"))
  }

  @Test("Without a thread there is no trial, and none is asked for again")
  func noThread() {
    #expect(
      BackendTimeline(frames: "aaaaabnnnn", thread: "..........", hasThread: false)
        == BackendTimeline(rendered: "ccCCCCCCCC", started: "--^"))
  }

  @Test(
    "Closing ends the thread once its trial has ended; frames go on on the processor and ask nobody any more")
  func closing() {
    #expect(
      BackendTimeline(frames: "aaaaaaabb", thread: "####.#c..", events: "-----|---")
        == BackendTimeline(rendered: "cccccCCCC", begun: "----a-|--", started: "--^"))
    // What waits then is not begun.
    #expect(
      BackendTimeline(frames: "aaaanaa", thread: "######.", events: "----|--")
        == BackendTimeline(rendered: "ccccCCC", begun: "------|", started: "--^"))
    #expect(
      BackendTimeline(frames: "aaa", thread: "...", events: "|--") == BackendTimeline(rendered: "CCC"))
  }

  @Test("Only frames after the warm ones are timed, as many as are wanted, with the seconds that came in")
  func timing() {
    var machine = Machine(warmUp: 2, frames: 3)
    for second in 1...4 {
      #expect(machine.rendered("a", 1, seconds: Double(second), mayUseGPU: true) == .none)
    }
    #expect(machine.rendered("b", 1, seconds: 5, mayUseGPU: true) == .startThread)
    #expect(machine.rendered("b", 1, seconds: 6, mayUseGPU: true) == .none)
    guard case .measure("b", 1, let seconds) = machine.next() else {
      Issue.record("nothing is measured")
      return
    }
    #expect(seconds == [3, 4, 5])
  }

  @Test(
    "Random events: one thread, one trial at a time, no plan stays undecided, and nothing begins after the end"
  )
  func randomEvents() {
    var problems: [String] = []
    func check(_ condition: Bool, _ what: @autoclosure () -> String) {
      if !condition, problems.count < 5 { problems.append(what()) }
    }
    for seed in 0..<300 {
      var random = SeededRandom(seed: UInt64(seed))
      var machine = BackendStateMachine<Int, Int>(warmUp: 2, frames: 3)
      var (started, mayUseGPU) = (0, true)
      var underWay: (plan: Int, shape: Int)?
      var choices: [Int: BackendStateMachine<Int, Int>.Outcome] = [:]
      var slower: Set<Int> = []
      func shape(_ plan: Int) -> Int { plan % 3 }
      func threadActs() {
        guard started == 1 else { return }
        if let (plan, shape) = underWay.take() {
          let isFaster = shape != 1
          let outcome: BackendStateMachine<Int, Int>.Outcome =
            machine.isClosed || !mayUseGPU ? .none : isFaster ? .gpu : .processor
          choices[plan] = outcome == .gpu ? .gpu : .processor
          if outcome == .processor { slower.insert(shape) }
          machine.measured(plan, shape, outcome)
        }
        switch machine.next() {
        case .measure(let plan, let shape, let seconds):
          check(choices[plan] == nil, "plan \(plan) is measured though it is decided")
          check(
            !machine.isClosed && seconds.count == 3 && !slower.contains(shape), "plan \(plan) is measured")
          underWay = (plan, shape)
        case .wait: break
        case .end: check(machine.isClosed, "the thread ends too early")
        }
      }
      func frame(_ plan: Int) {
        guard choices[plan] == nil else { return }
        switch machine.rendered(plan, shape(plan), seconds: 1, mayUseGPU: mayUseGPU) {
        case .none: check(mayUseGPU && !machine.isClosed, "plan \(plan) stays undecided")
        case .startThread:
          started += 1
          if seed % 10 == 9 {
            machine.threadIsMissing()
            choices[plan] = .processor
          }
        case .leaveToProcessor: choices[plan] = .processor
        }
      }
      for _ in 0..<200 {
        switch random.next() % 64 {
        case 0 where seed % 3 == 0: mayUseGPU = false
        case 1 where seed % 5 == 0: machine.close()
        case 2..<20: if seed % 10 != 9 { threadActs() }
        default: frame(Int(random.next() % 12))
        }
      }
      // A plan whose frames go on comes to be decided.
      for _ in 0..<10 {
        frame(5)
        if seed % 10 != 9 { threadActs() }
      }
      check(choices[5] != nil, "seed \(seed): plan 5 is undecided")
      check(started <= 1, "\(started) threads were started")
    }
    #expect(problems.isEmpty, "\(problems)")
  }
}
