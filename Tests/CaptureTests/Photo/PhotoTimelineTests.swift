import FrameCore
import Testing

@testable import Capture

/// Time is drawn as text, one column a tick of 10 ms; within a tick the source acts first, then the photographer.
///
/// Source: a letter is a frame, `|` ends the session, `^` opens it again.
/// Photographer: `s`, `b`, `q` press with the quality's first letter, `n` presses for one frame without zero shutter
/// lag, `x` gives up the oldest photo that waits.
/// What comes out: for each photo its frames, the nearest to the press as a capital, and the tick at which they were
/// taken; `!` for a photo that failed.
struct PhotoTimeline {
  private(set) var photos: [String] = []
  private(set) var readiness = ""
  private(set) var qualities: [PhotoQualityPrioritization] = []
  private(set) var lags: [ZeroShutterLag] = []

  static let tick: Int64 = 10_000_000

  init(
    source: String, presses: String, isResponsive: Bool = true, fast: Bool = false, defers: Bool = false,
    pressedEarlier: Int = 0,
    clockOffset: Int64 = 0, places: Int = 100, processes: Bool = true
  ) {
    var machine = PhotoOutputStateMachine<Character>(isResponsive: isResponsive, prioritizesFastCapture: fast)
    machine.opened()
    var waiting: [UInt64] = []
    var order: [UInt64: Int] = [:]
    for (column, (event, press)) in zip(source, presses).enumerated() {
      let now = Timestamp(nanoseconds: 1_000_000_000_000 + Int64(column) * Self.tick)
      var actions: [PhotoOutputStateMachine<Character>.Action] = []
      switch event {
      case "-": break
      case "|": actions += machine.closed()
      case "^": machine.opened()
      default:
        while machine.ring.entries.count >= places { actions += machine.makeRoom(now: now).actions }
        actions += machine.captured(event, at: now.advanced(by: clockOffset), isOnly: places == 1, now: now)
      }
      if let deadline = machine.deadline, deadline <= now { actions += machine.timePassed(now: now) }
      if press == "x" {
        actions += machine.cancel(waiting[0])
      } else if let quality = Self.quality(press) {
        let settings = PhotoSettings(
          qualityPrioritization: quality, isDeferred: defers, allowsZeroShutterLag: press != "n")
        let moment = now.advanced(by: -Int64(pressedEarlier) * Self.tick)
        do {
          let resolved = try machine.resolve(settings, pressedAt: moment, now: now)
          order[settings.id] = photos.count
          photos.append("")
          waiting.append(settings.id)
          qualities.append(resolved.qualityPrioritization)
          lags.append(resolved.zeroShutterLag)
          actions += machine.begin(resolved, now: now)
        } catch {
          photos.append("refused")
        }
      }
      for action in actions {
        switch action {
        case .process(let settings, let entries, let reference, _):
          let names = entries.enumerated().map { index, entry -> String in
            index == reference ? entry.picture.uppercased() : String(entry.picture)
          }
          photos[order[settings.id, default: 0]] += names.joined() + "@\(column)"
          waiting.removeAll { $0 == settings.id }
          if processes { machine.processed() }
        case .fail(let id, _):
          photos[order[id, default: 0]] += "!@\(column)"
          waiting.removeAll { $0 == id }
        }
      }
      readiness.append(Self.letter(machine.readiness))
    }
  }

  private static func quality(_ press: Character) -> PhotoQualityPrioritization? {
    switch press {
    case "s", "n": .speed
    case "b": .balanced
    case "q": .quality
    default: nil
    }
  }

  /// `r`eady, `m`omentarily not, waiting for `c`apture, for `p`rocessing, `o`ff.
  private static func letter(_ readiness: PhotoReadiness) -> Character {
    switch readiness {
    case .ready: "r"
    case .notReadyMomentarily: "m"
    case .notReadyWaitingForCapture: "c"
    case .notReadyWaitingForProcessing: "p"
    case .sessionNotRunning: "o"
    }
  }
}

@Suite struct PhotoTimelineTests {
  @Test("The frame nearest to the press is taken: the last one at once, the next one when it comes")
  func nearest() {
    #expect(PhotoTimeline(source: "a--b--c--d", presses: "-------s--").photos == ["C@7"])
    #expect(PhotoTimeline(source: "a--b--c--d", presses: "--------s-").photos == ["D@9"])
    #expect(PhotoTimeline(source: "a--b--c--d", presses: "------s---").photos == ["C@6"])
  }

  @Test("Of two equally near frames the earlier is taken, since people press late")
  func tie() {
    #expect(PhotoTimeline(source: "a-b-c-d-e", presses: "-----s---").photos == ["C@5"])
  }

  @Test("A press that arrives late takes the frame of its moment out of the past")
  func past() {
    let timeline = PhotoTimeline(source: "a--b--c--d--e", presses: "------------s", pressedEarlier: 8)
    #expect(timeline.photos == ["B@12"])
    #expect(timeline.lags == [.applies])
  }

  @Test("A press from before the first frame takes that one and says that it is not the moment's")
  func tooEarly() {
    let timeline = PhotoTimeline(source: "--a--b--", presses: "---s----", pressedEarlier: 3)
    #expect(timeline.photos == ["A@3"])
    #expect(timeline.lags == [.doesNotApply(.noEarlierFrame)])
  }

  @Test("Without zero shutter lag the first frame from the press on is taken")
  func notAllowed() {
    let timeline = PhotoTimeline(source: "a--b--c--d", presses: "----n-----")
    #expect(timeline.photos == ["C@6"])
    #expect(timeline.lags == [.doesNotApply(.notAllowed)])
  }

  @Test("Several frames are those around the press")
  func around() {
    #expect(PhotoTimeline(source: "abcdefghijklmn", presses: "------b-------").photos == ["efGhi@8"])
    #expect(PhotoTimeline(source: "abcdefghijklmn", presses: "------q-------").photos == ["cdefGhij@9"])
  }

  @Test("More frames than are usually kept are collected from the press on")
  func many() throws {
    var machine = PhotoOutputStateMachine<Int>()
    machine.opened()
    var settings = PhotoSettings(qualityPrioritization: .balanced)
    settings.frameCount = 32
    var taken: [Int] = []
    var now = Timestamp(nanoseconds: 1_000_000_000_000)
    for number in 0..<60 {
      var actions = machine.captured(number, at: now, now: now)
      if number == 30 {
        actions += machine.begin(try machine.resolve(settings, pressedAt: now, now: now), now: now)
      }
      for case .process(_, let entries, _, _) in actions { taken = entries.map(\.picture) }
      now = now.advanced(by: 33_000_000)
    }
    // Half a second is 16 frames; the rest follow.
    #expect(taken.count == 32 && taken.contains(30) && taken == Array(taken[0]...taken[31]))
  }

  @Test("A number of frames outside the range is refused")
  func frameCount() throws {
    var machine = PhotoOutputStateMachine<Int>()
    machine.opened()
    var settings = PhotoSettings(qualityPrioritization: .quality)
    settings.frameCount = 33
    let now = Timestamp(nanoseconds: 1_000_000_000_000)
    #expect(throws: SafelightError.self) { try machine.resolve(settings, pressedAt: now, now: now) }
    settings.qualityPrioritization = .speed
    #expect(try machine.resolve(settings, pressedAt: now, now: now).frameCount == 1)
  }

  @Test("A stream that has just begun gives the frames that come")
  func beginning() {
    #expect(PhotoTimeline(source: "abcdefghi", presses: "b--------").photos == ["Abcde@4"])
  }

  @Test("Presses at the same time each get their photo")
  func several() {
    #expect(PhotoTimeline(source: "abcdefgh", presses: "--ss-b--").photos == ["C@2", "D@3", "deFgh@7"])
  }

  @Test("Little memory means fewer frames, but the nearest is among them")
  func memory() {
    #expect(PhotoTimeline(source: "abcdefgh--", presses: "---b------", places: 3).photos == ["cDe@4"])
    let one = PhotoTimeline(source: "a--b--c--d", presses: "----q-----", places: 1)
    #expect(one.photos == ["B@4"])
    #expect(one.lags == [.doesNotApply(.tooLittleMemory)])
  }

  @Test(
    "Of recorded pictures that end, the nearest makes the photo however far it is; of a camera's none does")
  func endOfRecording() {
    let (source, presses) = ("a--------------------|-", "---------------bs------")
    let recorded = PhotoTimeline(source: source, presses: presses, clockOffset: -900_000_000_000)
    #expect(recorded.photos == ["A@21", "A@21"])
    #expect(PhotoTimeline(source: source, presses: presses).photos == ["!@21", "!@21"])
  }

  @Test("Frames on a clock of their own are matched by their arrival")
  func foreignClock() {
    let timeline = PhotoTimeline(
      source: "a--b--c--d", presses: "-------s--", clockOffset: -900_000_000_000)
    #expect(timeline.photos == ["C@7"])
    #expect(timeline.lags == [.applies])
  }

  @Test("When the session ends, a photo takes what there is, and fails without a frame")
  func ending() {
    #expect(PhotoTimeline(source: "abcdef|", presses: "-----q-").photos == ["abcdeF@6"])
    #expect(PhotoTimeline(source: "--|", presses: "-s-").photos == ["!@2"])
    #expect(PhotoTimeline(source: "a|-", presses: "--s").photos == ["refused"])
    #expect(PhotoTimeline(source: "ab|^---c-", presses: "----s----").photos == ["C@7"])
  }

  @Test("A camera that falls silent: the last frame if it is near, otherwise the photo fails in a second")
  func silence() {
    let silent = String(repeating: "-", count: 120)
    #expect(PhotoTimeline(source: "a--b--c" + silent, presses: "-------b" + silent).photos == ["abC@107"])
    #expect(
      PhotoTimeline(source: "abc" + silent, presses: String(repeating: "-", count: 18) + "s" + silent).photos
        == ["!@118"])
  }

  @Test("A photo that is given up fails, and others go on")
  func cancelling() {
    #expect(PhotoTimeline(source: "a--b--c--", presses: "--s-nx---").photos == ["B@3", "!@5"])
  }

  @Test("Readiness: not before the first frame, not while one without zero shutter lag waits, off at the end")
  func readiness() {
    #expect(PhotoTimeline(source: "-a--b--c|-", presses: "---------").readiness == "mrrrrrrro")
    #expect(PhotoTimeline(source: "a--b--c--", presses: "-n-------").readiness == "rccrrrrrr")
    // Zero shutter lag lets presses overlap.
    #expect(PhotoTimeline(source: "abcdefghi", presses: "----q----").readiness == "rrrrrrrrr")
    #expect(
      PhotoTimeline(source: "abcdefghi", presses: "----b----", isResponsive: false).readiness == "rrrrccrrr")
  }

  @Test("Readiness waits for processing: after one photo, or after eight if capture is responsive")
  func processing() {
    let one = PhotoTimeline(source: "abcdef", presses: "--s---", isResponsive: false, processes: false)
    #expect(one.readiness == "rrpppp")
    let many = PhotoTimeline(source: "abcdefghijkl", presses: "--ssssssss--", processes: false)
    #expect(many.readiness == "rrrrrrrrrppp")
  }

  @Test("Rapid presses lower the quality in the field's order, and pauses raise it again")
  func fastCapture() {
    let busy = PhotoTimeline(
      source: "abcdefghijklmnopqrstuvw", presses: "---------q-q-q-q-q-----", fast: true, processes: false)
    #expect(busy.qualities == [.quality, .balanced, .balanced, .speed, .speed])
    let slow = PhotoTimeline(
      source: "abcdefghijklmnopqrstuvw", presses: "---q-----q-------q-----", fast: true)
    #expect(slow.qualities == [.quality, .quality, .quality])
    let plain = PhotoTimeline(
      source: "abcdefghijklmnopqrstuvw", presses: "---------q-q-q-q-q-----", processes: false)
    #expect(plain.qualities.allSatisfy { $0 == .quality })
    // Deferred photos take no time now.
    let deferred = PhotoTimeline(
      source: "abcdefghijklmnopqrstuvw", presses: "---------q-q-q-q-q-----", fast: true, defers: true,
      processes: false)
    #expect(deferred.qualities.allSatisfy { $0 == .quality })
  }
}
