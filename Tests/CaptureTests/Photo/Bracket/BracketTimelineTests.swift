import FrameCore
import Testing

@testable import Capture

/// Time is drawn as text, one column a tick of 10 ms; within a tick the source acts first, then the others.
///
/// Source: a digit is a frame with that many tenths of full brightness, `#` a white one, `|` ends the session.
/// Photographer: `x` gives the bracket up.
/// Camera: `!` refuses what is set or taken at this tick, and whatever is put back; elsewhere it does as it is told.
/// What comes out: `s` sets an exposure, `t` takes its frame (`~` unsettled, `=` unchanged, `?` unlike before), `p`
/// puts back, `e` ends; each with its exposure and the tick.
private struct BracketTimeline {
  private(set) var actions: [String] = []
  private(set) var machine: BracketStateMachine
  private var tick = 0

  static let length: Int64 = 10_000_000

  init(
    _ source: String, photographer: String = "", camera: String = "", stops: [Double] = [-2, 0, 2],
    seconds: Double? = nil, limit: Double = 0.3, clockOffset: Int64 = 0
  ) {
    machine = BracketStateMachine(stops.map { .init(stops: $0, seconds: seconds) }, limit: limit)
    let (photographer, camera) = (Array(photographer), Array(camera))
    for (column, event) in source.enumerated() {
      tick = column
      let now = Timestamp(nanoseconds: 1_000_000_000_000 + Int64(column) * Self.length)
      let refuses = column < camera.count && camera[column] == "!"
      if column == 0 { perform(machine.begin(now: now), now, refuses) }
      if let digit = event == "#" ? 10 : event.wholeNumberValue {
        perform(
          machine.frame(meanLuma: Double(digit) / 10, at: now.advanced(by: clockOffset), now: now), now,
          refuses)
      }
      if event == "|" { perform(machine.closed(), now, refuses) }
      if column < photographer.count, photographer[column] == "x" { perform(machine.cancel(), now, refuses) }
      perform(machine.timePassed(now: now), now, refuses)
    }
  }

  private mutating func perform(_ new: [BracketStateMachine.Action], _ now: Timestamp, _ refuses: Bool) {
    let error = SafelightError(.device, "Cam is gone")
    for action in new {
      switch action {
      case .set(let index):
        actions.append("s\(index)@\(tick)")
        perform(refuses ? machine.refused(index, error) : machine.exposureSet(now: now), now, refuses)
      case .take(let index, _, let brightness):
        let mark: String =
          switch brightness {
          case .settled: ""
          case .unsettled: "~"
          case .unchanged: "="
          case .unlikeBefore: "?"
          }
        actions.append("t\(index)\(mark)@\(tick)")
        perform(refuses ? machine.refused(index, error) : machine.captured(index), now, refuses)
      case .putBack:
        actions.append("p@\(tick)")
        perform(machine.wasPutBack(isComplete: !refuses, now: now), now, refuses)
      case .end: actions.append("e@\(tick)")
      }
    }
  }

  var text: String { actions.joined(separator: " ") }
}

@Suite("The course of a bracket")
struct BracketTimelineTests {
  @Test("Each frame is taken once its exposure shows and rests; then the former exposure comes back")
  func course() {
    // Two frames still have the former exposure after each change.
    let timeline = BracketTimeline("444222222444447777744444")
    #expect(timeline.text == "s0@0 t0@5 s1@5 t1@11 s2@11 t2@16 p@16 e@21")
    #expect(timeline.machine.failure == nil)
    #expect(timeline.machine.taken == 3)
  }

  @Test("A change that comes late, and slowly, is waited for")
  func settlesLate() {
    #expect(BracketTimeline("4444444432222", stops: [-2, 2]).text == "s0@0 t0@11 s1@11")
  }

  @Test("Frames of the former exposure that rest do not count, however they may flicker")
  func formerExposure() {
    // Brighter by flicker, where it is to become darker.
    #expect(BracketTimeline("4445555222", stops: [-2, 2]).text == "s0@0 t0@9 s1@9")
  }

  @Test("What never rests is taken at the limit, and says so")
  func neverSettles() {
    let timeline = BracketTimeline("4" + String(repeating: "27", count: 20), stops: [-2, 2])
    #expect(timeline.text.hasPrefix("s0@0 t0~@30 s1@30"))
  }

  @Test("The limit covers twelve frames of a slow stream")
  func slowStream() {
    let frames = String(repeating: "2----7----", count: 10)
    #expect(BracketTimeline("4----" + frames, stops: [-2, 2], limit: 0.1).text.hasPrefix("s0@0 t0~@"))
    let first = BracketTimeline("4----" + frames, stops: [-2, 2], limit: 0.1).actions[1]
    #expect(first == "t0~@60")
  }

  @Test("A brightness that does not follow is taken after ten frames, and says so")
  func unchanged() {
    #expect(BracketTimeline("4444444444444", stops: [-2, 2]).text == "s0@0 t0=@12 s1@12")
    // White cannot become brighter, nor black darker.
    #expect(BracketTimeline("######", stops: [2, 0]).text == "s0@0 t0@5 s1@5")
    #expect(BracketTimeline("000000", stops: [-2, 0]).text == "s0@0 t0@5 s1@5")
  }

  @Test("An exposure of 0 EV unlike the one before the bracket says so")
  func unlikeBefore() {
    #expect(BracketTimeline("444777777", stops: [0, 2], seconds: 0.01).text == "s0@0 t0?@5 s1@5")
    #expect(
      BracketTimeline("444777777", stops: [0, 2]).text == "s0@0 t0@5 s1@5", "the camera's choice may differ")
  }

  @Test("Lost frames delay, and nothing else")
  func drops() {
    #expect(BracketTimeline("4-2--2-2---2--2-", stops: [-2, 2]).text == "s0@0 t0@14 s1@14")
  }

  @Test("Frames on another clock are compared on it")
  func foreignClock() {
    let timeline = BracketTimeline("444222222444447777744444", clockOffset: -900_000_000_000)
    #expect(timeline.text == "s0@0 t0@5 s1@5 t1@11 s2@11 t2@16 p@16 e@21")
  }

  @Test("A camera that is unplugged between exposures ends the bracket, and what was taken counts")
  func unplugged() {
    let timeline = BracketTimeline("444222" + String(repeating: "-", count: 110), camera: "")
    #expect(timeline.text == "s0@0 t0@5 s1@5 p@105 e@105")
    #expect(timeline.machine.taken == 1)
    #expect(timeline.machine.failure?.problem == "no more frames came")
    // Its driver may say so at once.
    let refused = BracketTimeline("444222222", camera: "-----!")
    #expect(refused.text == "s0@0 t0@5 p@5 e@5")
    #expect(refused.machine.failure?.problem == "Cam is gone")
  }

  @Test("A long exposure may take its time")
  func longExposure() {
    let timeline = BracketTimeline("4" + String(repeating: "-", count: 320), stops: [2, 0], seconds: 0.5)
    #expect(timeline.text == "s0@0 p@300 e@300")
  }

  @Test("No frame at all ends the bracket before anything is set")
  func noFrame() {
    let timeline = BracketTimeline(String(repeating: "-", count: 110))
    #expect(timeline.text == "p@100 e@100")
    #expect(timeline.machine.taken == 0)
  }

  @Test("Giving up at any time puts back once, and ends", arguments: 0..<24)
  func cancel(column: Int) {
    let photographer = String(repeating: "-", count: column) + "x"
    let timeline = BracketTimeline("444222222444447777744444444", photographer: photographer)
    #expect(timeline.actions.filter { $0.hasPrefix("p") }.count == 1)
    #expect(timeline.actions.filter { $0.hasPrefix("e") }.count == 1)
    #expect(timeline.actions.last?.hasPrefix("e") == true)
    #expect((timeline.machine.failure == nil) == (timeline.machine.taken == 3))
  }

  @Test("So does the end of the session, and a refusal", arguments: 0..<24)
  func closed(column: Int) {
    let source = Array("444222222444447777744444444")
    let ended = BracketTimeline(String(source[..<column]) + "|")
    let refused = BracketTimeline(String(source), camera: String(repeating: "-", count: column) + "!")
    for timeline in [ended] + (refused.machine.failure == nil ? [] : [refused]) {
      #expect(timeline.actions.filter { $0.hasPrefix("p") }.count == 1)
      #expect(timeline.actions.last?.hasPrefix("e") == true)
    }
  }
}
