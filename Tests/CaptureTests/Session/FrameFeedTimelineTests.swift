import FrameCore
import Testing

@testable import Capture

/// Time is drawn as text, one column for 100 ms; within a column the session acts first, then the source.
///
/// Source: `(` begins a stream, a letter is a frame whose number is its place in the alphabet, a capital is a frame that
/// the source reports as lost.
/// Session: `^` opens, `|` closes, `p`, `q`, `b` and `0` set the outputs: one of them, both, none.
/// Luma: a digit is the frame's mean luma in tenths.
/// What comes out: for each output its frames, `^` where it is opened and `|` where it is closed; how many frames are
/// missing ahead of the column's; frames that are withheld.
private struct FeedTimeline: Equatable, CustomStringConvertible {
  private struct Route: Identifiable { let id: Character }

  var p = ""
  var q = ""
  var missing = ""
  var withheld = ""

  var description: String { "p \(p)  q \(q)  missing \(missing)  withheld \(withheld)" }

  init(p: String, q: String = "", missing: String = "", withheld: String = "") {
    func padded(_ line: String) -> String {
      line + String(repeating: "-", count: p.count - line.count)
    }
    self.p = p
    self.q = padded(q)
    self.missing = padded(missing)
    self.withheld = padded(withheld)
  }

  init(session: String, source: String, luma: String? = nil, settling: Settling = .off) {
    let luma = luma ?? String(repeating: "5", count: source.count)
    var machine = FrameFeedStateMachine<Route>()
    machine.setSettling(settling)
    for (column, (act, (event, luma))) in zip(session, zip(source, luma)).enumerated() {
      var shown: [Character: Character] = ["p": "-", "q": "-"]
      var (missing, withheld): (Character, Character) = ("-", "-")
      let actions =
        switch act {
        case "^": machine.open()
        case "|": machine.close()
        case "p", "q": machine.setRoutes([Route(id: act)])
        case "b": machine.setRoutes([Route(id: "p"), Route(id: "q")])
        case "0": machine.setRoutes([])
        default: [FrameFeedStateMachine<Route>.Action]()
        }
      for action in actions {
        switch action {
        case .open(let route): shown[route.id] = "^"
        case .close(let route): shown[route.id] = "|"
        }
      }
      func note(_ gap: FrameFeedStateMachine<Route>.Gap?) {
        if let gap { missing = Character("\(gap.count)") }
      }
      switch event {
      case "-": break
      case "(": machine.begin()
      case _ where event.isUppercase:
        let loss = machine.lost(Self.number(Character(event.lowercased())), count: 1, .corrupt)
        note(loss?.gap)
        for route in machine.routes { shown[route.id] = loss.map { Self.letter($0.lost.number, event) } }
      default:
        let arrival = machine.frame(
          Self.number(event), meanLuma: Double(luma.wholeNumberValue ?? 0) / 10,
          at: Timestamp(nanoseconds: Int64(column) * 100_000_000))
        note(arrival.gap)
        let letter = Self.letter(arrival.number, event)
        if arrival.isDelivered {
          for route in machine.routes { shown[route.id] = letter }
        } else {
          withheld = letter
        }
      }
      p.append(shown["p"] ?? "-")
      q.append(shown["q"] ?? "-")
      self.missing.append(missing)
      self.withheld.append(withheld)
    }
  }

  private static func number(_ letter: Character) -> UInt64 { UInt64(letter.asciiValue ?? 0) - 97 }

  /// The letter of a number, a capital where `like` is one.
  private static func letter(_ number: UInt64, _ like: Character) -> Character {
    Character(Unicode.Scalar(UInt8(number) + (like.isUppercase ? 65 : 97)))
  }
}

@Suite struct FrameFeedTimelineTests {
  @Test("Frames come in order from the opening to the end, to every output")
  func order() {
    #expect(
      FeedTimeline(session: "b^-----|", source: "--(abcd-") == FeedTimeline(p: "-^-abcd|", q: "-^-abcd|"))
  }

  @Test("What the source does not report is a gap ahead of the next frame; what it reports is no gap")
  func gaps() {
    #expect(
      FeedTimeline(session: "p^------|", source: "--(abe-g-")
        == FeedTimeline(p: "-^-abe-g|", missing: "-----2-1-"))
    #expect(
      FeedTimeline(session: "p^-----|", source: "--(aBCd-") == FeedTimeline(p: "-^-aBCd|"))
    #expect(
      FeedTimeline(session: "p^----|", source: "--(aCd-")
        == FeedTimeline(p: "-^-aCd|", missing: "----1--"))
  }

  @Test(
    "A stream that is opened again counts on, whatever its numbers: no frame is missing and none comes twice")
  func anotherStream() {
    #expect(
      FeedTimeline(session: "p^---------|", source: "--(abc(ab(y-")
        == FeedTimeline(p: "-^-abc-de-f|"))
  }

  @Test("An output that is added gets the frames from then on; one that is removed ends")
  func routes() {
    #expect(
      FeedTimeline(session: "p^---b--q-|", source: "--(abcdefg-")
        == FeedTimeline(p: "-^-abcde|--", q: "-----cdefg|"))
  }

  @Test("The column of an output's opening comes before its first frame")
  func opensBeforeTheFirstFrame() {
    var machine = FrameFeedStateMachine<Named>()
    _ = machine.open()
    #expect(machine.setRoutes([Named(id: "p")]).map(told) == ["^p"])
    #expect(machine.setRoutes([Named(id: "q")]).map(told) == ["|p", "^q"], "the end of one comes first")
    #expect(machine.setRoutes([Named(id: "q")]).isEmpty, "one that stays hears nothing")
    #expect(machine.close().map(told) == ["|q"])
    #expect(machine.setRoutes([Named(id: "p")]).map(told) == ["|q"], "a closed feed opens nothing")
    #expect(machine.open().map(told) == ["^p"])
  }

  @Test("A session that never started ends its outputs all the same: somebody may wait for a frame")
  func neverStarted() {
    #expect(FeedTimeline(session: "b--|", source: "----") == FeedTimeline(p: "---|", q: "---|"))
  }

  @Test(
    "Frames are withheld until the stream holds still, in each stream anew, and are no frames that were lost")
  func settling() {
    #expect(
      FeedTimeline(
        session: "p^--------", source: "--(abcdefg", luma: "0000035555", settling: .measured(atMost: 10))
        == FeedTimeline(p: "-^------fg", withheld: "---abcde--"))
    #expect(
      FeedTimeline(
        session: "p^--------", source: "--(abcd(ab", luma: "0005555555", settling: .measured(atMost: 10))
        == FeedTimeline(p: "-^---cd---", withheld: "---ab---ef"))
  }

  @Test("A picture that stays black is shown once its time is up")
  func black() {
    #expect(
      FeedTimeline(
        session: "p^------", source: "--(abcde", luma: "00000000", settling: .measured(atMost: 0.3))
        == FeedTimeline(p: "-^----de", withheld: "---abc--"))
  }

  @Test("Luma is asked for only until the stream has settled")
  func luma() {
    var machine = FrameFeedStateMachine<Named>()
    machine.begin()
    #expect(!machine.needsLuma)
    machine.setSettling(.measured(atMost: 1))
    #expect(!machine.needsLuma, "the stream that runs is left alone")
    machine.begin()
    #expect(machine.needsLuma)
    for _ in 0..<3 { _ = machine.frame(0, meanLuma: 0.5, at: Timestamp(nanoseconds: 0)) }
    #expect(!machine.needsLuma)
  }

  @Test("A loss of no frames is none")
  func noLoss() {
    var machine = FrameFeedStateMachine<Named>()
    #expect(machine.lost(5, count: 0, .corrupt) == nil)
    #expect(machine.statistics == SessionStatistics())
  }

  @Test(
    "Random events: numbers go on one by one, everything is counted, outputs are open exactly where routed")
  func randomEvents() {
    var random = SeededGenerator(seed: 7)
    var machine = FrameFeedStateMachine<Named>()
    var open: Set<Character> = []
    var (next, sourceNumber): (UInt64?, UInt64) = (nil, 0)
    var (delivered, withheld, missing, lost) = (0, 0, 0, 0)
    var problems: [String] = []
    func check(_ condition: Bool, _ what: @autoclosure () -> String) {
      if !condition, problems.count < 5 { problems.append(what()) }
    }
    func perform(_ actions: [FrameFeedStateMachine<Named>.Action]) {
      for action in actions {
        switch action {
        case .open(let route): open.insert(route.id)
        case .close(let route): open.remove(route.id)
        }
      }
      check(open == (machine.isOpen ? Set(machine.routes.map(\.id)) : []), "\(open) are open")
    }
    /// Every number is a frame, is reported as lost or is in a gap, once and in order.
    func follow(_ gap: FrameFeedStateMachine<Named>.Gap?, _ number: UInt64, _ count: Int) {
      if let gap {
        check(gap.number == next && gap.number + UInt64(gap.count) == number, "gap \(gap) before \(number)")
        missing += gap.count
      } else {
        check(next == nil || number == next, "\(number) follows \(next ?? 0)")
      }
      next = number + UInt64(count)
    }

    for step in 0..<200_000 {
      let time = Timestamp(nanoseconds: Int64(step) * 10_000_000)
      switch random.next() % 16 {
      case 0: perform(machine.setRoutes("pqrs".filter { _ in random.next() % 2 == 0 }.map(Named.init)))
      case 1: perform(machine.open())
      case 2: perform(machine.close())
      case 3:
        machine.setSettling(random.next() % 2 == 0 ? .off : .measured(atMost: 0.2))
        machine.begin()
        sourceNumber = random.next() % 1_000_000
      case 4:
        let count = Int(random.next() % 4)
        if let loss = machine.lost(sourceNumber, count: count, .corrupt) {
          follow(loss.gap, loss.lost.number, loss.lost.count)
          (lost, sourceNumber) = (lost + count, sourceNumber + UInt64(count))
        } else {
          check(count == 0, "a loss of \(count) is none")
        }
      default:
        if random.next() % 8 == 0 { sourceNumber += random.next() % 5 }
        let arrival = machine.frame(sourceNumber, meanLuma: Double(random.next() % 10) / 10, at: time)
        sourceNumber += 1
        follow(arrival.gap, arrival.number, 1)
        if arrival.isDelivered { delivered += 1 } else { withheld += 1 }
      }
      let frames = machine.statistics.frames
      check(frames.delivered == delivered && machine.statistics.unsettled == withheld, "\(frames)")
      check(frames.droppedDiscontinuity == missing && frames.droppedCorrupt == lost, "\(frames)")
      check(frames.waiting == 0, "\(frames.waiting) frames are nowhere")
    }
    #expect(problems.isEmpty, "\(problems)")
    #expect(delivered > 50_000 && withheld > 1000 && missing > 1000 && lost > 1000)
  }

  private struct Named: Identifiable { let id: Character }

  private func told(_ action: FrameFeedStateMachine<Named>.Action) -> String {
    switch action {
    case .open(let route): "^\(route.id)"
    case .close(let route): "|\(route.id)"
    }
  }
}
