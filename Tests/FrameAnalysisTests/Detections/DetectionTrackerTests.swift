import FrameAnalysis
import FrameCore
import Testing

/// Timelines are drawn, one character a look, ten looks a second. Of looks, a letter is something at its place on a line
/// from left to right (`a` 0.05, `b` 0.10, …), `.` nothing. Of events, a digit is the identity of what is new,
/// `u` an update, `s` that it is still, `e` an end, `.` nothing; several at one look are in brackets.
@Suite("Following what was detected") struct DetectionTrackerTests {
  private static func time(_ look: Int) -> Timestamp { Timestamp(nanoseconds: Int64(look) * 100_000_000) }

  private static func box(_ x: Double, _ y: Double = 0.5, width: Double = 0.1) -> [NormalizedPoint] {
    let (right, bottom) = (x + width, y + width)
    return [(x, y), (right, y), (right, bottom), (x, bottom)].map { NormalizedPoint($0, $1) }
  }

  private static func detection(
    _ mark: Character, _ kind: Detection.Kind = .face, confidence: Double = 0.9, text: String? = nil
  ) -> Detection? {
    guard let value = mark.asciiValue, value >= 97 else { return nil }
    return Detection(kind, outline: box(0.05 * Double(value - 96)), confidence: confidence, text: text)
  }

  private static func draw(_ events: [DetectionEvent]) -> String {
    let marks = events.map { event in
      switch event.phase {
      case .new: "\(event.track.id)"
      case .update: "u"
      case .still: "s"
      case .end: "e"
      }
    }
    return marks.count > 1 ? "[\(marks.joined())]" : marks.first ?? "."
  }

  private func follow(
    _ looks: String..., by tracker: inout DetectionTracker, kind: Detection.Kind = .face
  ) -> String {
    (0..<(looks[0].count)).map { look in
      let found = looks.compactMap { Self.detection(Array($0)[look], kind) }
      return Self.draw(tracker.update(kind, with: found, at: Self.time(look), sequence: UInt64(look)))
    }.joined()
  }

  private static func tracker(
    zones: [Zone] = [], _ change: (inout DetectionTracker.Settings) -> Void = { _ in }
  ) -> DetectionTracker {
    var settings = DetectionTracker.Settings()
    settings.goneAfter = 0.4
    settings.stillAfter = 100
    change(&settings)
    return DetectionTracker(zones: zones, settings: [.face: settings, .code: settings])
  }

  @Test(
    "Something is new once it was found in two of three looks, and ends when it was missed for a while",
    arguments: [
      ("a.aaa......", "..1.....e.."),
      ("a..a..a..aa", "..........1"),
      ("aa...aa....", ".1........e"),
      ("aa....aa...", ".1...e.2..."),
    ])
  func debounced(_ looks: String, _ events: String) {
    var tracker = Self.tracker()
    #expect(follow(looks, by: &tracker) == events)
  }

  @Test("Two things that cross keep their identities, because each has its velocity")
  func crossing() {
    var tracker = Self.tracker { $0.updateInterval = 100 }
    #expect(
      follow(
        "abcdefghijklmnop",
        "ponmlkjihgfedcba", by: &tracker) == ".[12]" + String(repeating: ".", count: 14))
    let places = tracker.tracks.map { $0.detection.outline[0].x }
    #expect(places.count == 2 && abs(places[0] - 0.8) < 1e-9 && abs(places[1] - 0.05) < 1e-9)
  }

  @Test("An identity lasts over looks that miss it while it moves on")
  func missed() {
    var tracker = Self.tracker { $0.updateInterval = 100 }
    #expect(follow("abcde..hijk", by: &tracker) == ".1.........")
  }

  @Test("Updates tell what changed, at most five times a second, and nothing while nothing does")
  func updates() {
    var tracker = Self.tracker()
    #expect(follow("aaabbbbbbb", by: &tracker) == ".1.u......")
    tracker = Self.tracker()
    #expect(follow("abcdefghi", by: &tracker) == ".1.u.u.u.")
    tracker = Self.tracker()
    var changes: Set<DetectionEvent.Change> = []
    for (look, confidence) in [0.5, 0.5, 0.5, 0.5, 0.9].enumerated() {
      let found = Self.detection("a", confidence: confidence).map { [$0] } ?? []
      let events = tracker.update(.face, with: found, at: Self.time(look), sequence: 0)
      for event in events where event.phase == .update { changes = event.changes }
    }
    #expect(changes == [.confidence])
  }

  @Test("Detections of too little confidence count as none")
  func confidence() {
    var tracker = Self.tracker { $0.leastConfidence = 0.95 }
    #expect(follow("aaaa", by: &tracker) == "....")
  }

  @Test("Something that stays is still once, and again after it has moved")
  func still() {
    var tracker = Self.tracker {
      $0.stillAfter = 0.3
      $0.updateInterval = 100
    }
    #expect(follow("aaaaaaabbbbbb", by: &tracker) == ".1.s......s..")
  }

  @Test("A change of zones is told at once; what is in none is followed all the same")
  func zones() throws {
    let zone = try Zone("right=0.45,0,1,0,1,1,0.45,1")
    var tracker = Self.tracker(zones: [zone]) { $0.updateInterval = 100 }
    var told: [[String]] = []
    for (look, mark) in "abcdefghijklm".enumerated() {
      let found = Self.detection(mark).map { [$0] } ?? []
      for event in tracker.update(.face, with: found, at: Self.time(look), sequence: 0)
      where event.changes.contains(.zones) {
        told.append(event.track.zones)
      }
    }
    // The middle of `h` is at 0.45.
    #expect(told == [[], ["right"]])
  }

  @Test(
    "A code is the same one wherever it goes as long as it says the same, and another one if it says something else"
  )
  func codes() {
    var tracker = Self.tracker()
    func look(_ number: Int, _ mark: Character, _ text: String) -> [DetectionEvent] {
      let found = Self.detection(mark, .code, text: text).map { [$0] } ?? []
      return tracker.update(.code, with: found, at: Self.time(number), sequence: 0)
    }
    _ = look(0, "a", "one")
    #expect(Self.draw(look(1, "a", "one")) == "1")
    #expect(Self.draw(look(2, "p", "one")) == ".")
    #expect(Self.draw(look(3, "p", "one")) == "u")
    _ = look(4, "p", "two")
    #expect(look(5, "p", "two").map(\.track.detection.text) == ["two"])
    #expect(tracker.tracks.map(\.detection.text) == ["one", "two"])
  }

  @Test("Kinds come at their own rates, and the absence of one says nothing of the other")
  func kinds() {
    var tracker = Self.tracker()
    var events: [DetectionEvent] = []
    for look in 0..<30 {
      let face = Self.detection("a").map { [$0] } ?? []
      events += tracker.update(.face, with: face, at: Self.time(look), sequence: UInt64(look))
      guard look % 3 == 0 else { continue }
      let code = Self.detection("a", .code, text: "x").map { [$0] } ?? []
      events += tracker.update(
        .code, with: look < 12 ? code : [], at: Self.time(look), sequence: UInt64(look))
    }
    #expect(events.map(\.phase) == [.new, .new, .end])
    #expect(events.map(\.track.detection.kind) == [.face, .code, .code])
    // Last found at 0.9 s, and gone at the first look after 1.3 s.
    #expect(events[2].time == Self.time(15) && events[2].sequence == 15)
    #expect(events[2].track.lastSeen == Self.time(9))
  }

  @Test("Outlines are moved on to the time of a frame, and a measurement between looks places them")
  func prediction() {
    var tracker = Self.tracker { $0.updateInterval = 100 }
    _ = follow("abcdef", by: &tracker)
    func x(_ seconds: Double) -> Double {
      tracker.tracks(at: Timestamp(nanoseconds: 0).advanced(bySeconds: seconds)).first?.detection.outline[0].x
        ?? -1
    }
    #expect(abs(x(0.5) - 0.3) < 1e-9 && abs(x(0.55) - 0.325) < 1e-9 && abs(x(0.45) - 0.275) < 1e-9)
    // Not beyond 0.3 s.
    #expect(abs(x(3) - 0.45) < 1e-9)
    let things = tracker.followed(.face)
    func carry(_ x: Double?, _ things: [FollowedOutline], at seconds: Double) {
      tracker.carry(
        things, to: x.map { [things[0].key: Self.box($0)] } ?? [:],
        at: Timestamp(nanoseconds: 0).advanced(bySeconds: seconds))
    }
    // Seen at 0.3 and carried to 0.6 within 0.1 s: 3 a second, and on at that.
    carry(0.6, things, at: 0.6)
    #expect(abs(x(0.6) - 0.6) < 1e-9 && abs(x(0.61) - 0.63) < 1e-9)
    // What was carried to before that, and what was carried from another look, is ignored.
    carry(0, things, at: 0.55)
    #expect(abs(x(0.6) - 0.6) < 1e-9)
    // Found again, 0.02 to the right of where the flow had it: it is drawn where the flow was until it is carried anew.
    _ = tracker.update(
      .face, with: [Self.detection("l")].compactMap { $0 }, at: Self.time(6), sequence: 6,
      flowed: [things[0].key: Self.box(0.58)])
    #expect(tracker.tracks.map(\.id) == [1] && abs(x(0.6) - 0.6) < 1e-9)
    carry(0.9, things, at: 0.65)
    #expect(abs(x(0.6) - 0.6) < 1e-9)
    carry(0.61, tracker.followed(), at: 0.6)
    #expect(abs(x(0.6) - 0.61) < 1e-9)
    // Where the flow is lost, it moves on from where it was found, as it did.
    carry(nil, tracker.followed(), at: 0.7)
    #expect(abs(x(0.6) - 0.6) < 1e-9 && x(0.61) > 0.62)
    // What is found by its motion is not carried.
    _ = tracker.update(
      .motion, with: [Self.detection("a", .motion)].compactMap { $0 }, at: Self.time(6), sequence: 6)
    #expect(tracker.followed(.motion).isEmpty && tracker.followed().count == 1)
  }

  @Test("When time goes back, all end, and what is there then is something else")
  func loops() {
    var tracker = Self.tracker()
    _ = follow("aaaa", by: &tracker)
    #expect(follow("aaaa", by: &tracker) == "e2..")
  }

  @Test("What a detector could not look for ends in time, and all at the end of a run")
  func ends() {
    var tracker = Self.tracker()
    _ = follow("aaaa", by: &tracker)
    #expect(tracker.missed(.face, at: Self.time(5), sequence: 5).isEmpty)
    #expect(tracker.missed(.code, at: Self.time(9), sequence: 9).isEmpty)
    #expect(tracker.missed(.face, at: Self.time(7), sequence: 7).map(\.phase) == [.end])
    _ = follow("aaaa", by: &tracker)
    #expect(tracker.finish(at: Self.time(4), sequence: 4).map(\.phase) == [.end])
    #expect(tracker.tracks.isEmpty)
  }

  @Test("However many things come and go, presence starts once and ends once, anywhere and in a zone")
  func presence() throws {
    var tracker = Self.tracker(zones: [try Zone("right=0.45,0,1,0,1,1,0.45,1")])
    var anywhere = DetectionPresence(of: .face)
    var right = DetectionPresence(of: .face, in: "right")
    var codes = DetectionPresence(of: .code)
    var drawn = ["", "", ""]
    for (look, marks) in zip("aabcdefghijk.......", "...nnnnnnn.........").enumerated() {
      let found = [marks.0, marks.1].compactMap { Self.detection($0) }
      let events = tracker.update(.face, with: found, at: Self.time(look), sequence: 0)
      func mark(_ presence: inout DetectionPresence) -> String {
        events.compactMap { presence.take($0) }.map { $0 == .start ? "S" : "E" }.joined()
      }
      for (index, text) in [mark(&anywhere), mark(&right), mark(&codes)].enumerated() {
        drawn[index] += text.isEmpty ? "." : text
      }
    }
    #expect(drawn == [".S.............E...", "....S..........E...", "..................."])
  }
}
