import LibraryTestSupport
import Safelight
import Testing

@testable import Studio

@Suite("The studio's room")
struct StudioRoomTests {
  @Test("shows a photo: the welcome, what it is, its picture, its plan")
  func opening() throws {
    let visit = try Visit(2)
    visit.open()
    let welcome = try #require(visit.peer.next("welcome"))
    guard case .array(let filters)? = welcome.fields["filters"],
      case .array(let photos)? = welcome.fields["photos"]
    else { throw Problem.missing }
    #expect(filters.count == FilterCatalog.standard.filters.count && photos.count == 2)
    let photo = try #require(visit.peer.next("photo"))
    #expect(photo.number("width") == 300 && photo.text("name") == "1.png")
    let frame = try #require(visit.peer.next("frame"))
    #expect(frame.isFinal && frame.size("full") == PixelSize(width: 300, height: 200))
    #expect(frame.size("picture") == PixelSize(width: 150, height: 100))
    #expect(frame.payload.starts(with: [0xff, 0xd8]))
    #expect(frame.object("histogram")["lightness"] != nil)
    #expect(visit.peer.next("plan")?.number("width") == 300)
  }

  @Test("renders what is dragged, then the same sharp; the newest state only")
  func dragging() throws {
    let visit = try Visit()
    visit.open()
    let first = try #require(visit.peer.next("frame"))
    visit.say(#"{"type": "drawn", "frame": \#(Int(first.number("frame") ?? 0))}"#)
    for input in 1...40 {
      visit.edit(#"{"values": {"exposure": \#(Double(input) / 20)}}"#, input: input, dragging: true)
    }
    let moving = try #require(visit.peer.next("frame") { !$0.isFinal })
    visit.say(#"{"type": "drawn", "frame": \#(Int(moving.number("frame") ?? 0))}"#)
    let sharp = try #require(visit.peer.next("frame") { $0.isFinal && $0.number("input") == 40 })
    #expect(sharp.size("picture") == PixelSize(width: 150, height: 100))
    // 40 inputs at once do not make 40 frames.
    #expect(visit.peer.all.count { $0.type == "frame" } <= 8)
  }

  @Test("sends a page that draws nothing two frames, and the newest when it draws again")
  func credit() throws {
    let visit = try Visit()
    visit.open()
    _ = try #require(visit.peer.next("frame"))
    for input in 1...30 {
      visit.edit(#"{"values": {"exposure": \#(Double(input) / 20)}}"#, input: input, dragging: true)
      if input == 10 { _ = visit.peer.next("frame") { !$0.isFinal } }
    }
    let second = try #require(visit.peer.next("frame") { !$0.isFinal })
    #expect(visit.peer.all.count { $0.type == "frame" } == 2)
    visit.say(#"{"type": "drawn", "frame": \#(Int(second.number("frame") ?? 0))}"#)
    #expect(visit.peer.next("frame") { $0.number("input") == 30 && $0.isFinal } != nil)
  }

  @Test("keeps a page with a full pipe waiting, and no other")
  func fullPipe() throws {
    let visit = try Visit()
    visit.peer.bytesWaiting = 1 << 30
    visit.open()
    let other = RecordedPeer(id: 2)
    visit.room.join(other)
    visit.say(#"{"type": "open", "photo": "\#(visit.id)"}"#, from: 2)
    visit.say(
      #"{"type": "view", "photo": "\#(visit.id)", "view": 1, "width": 90, "height": 60, "mode": "fit"}"#,
      from: 2)
    #expect(other.next("frame") != nil)
    #expect(!visit.peer.all.contains { $0.type == "frame" })
  }

  @Test("takes a view that comes before its photo is opened")
  func earlyView() throws {
    let visit = try Visit(2)
    let id = visit.photos.entries[1].id
    visit.open()
    _ = try #require(visit.peer.next("frame"))
    visit.say(#"{"type": "view", "photo": "\#(id)", "view": 2, "width": 90, "height": 60, "mode": "fit"}"#)
    visit.say(#"{"type": "open", "photo": "\#(id)"}"#)
    #expect(visit.peer.next("frame") { $0.text("photo") == id } != nil)
  }

  @Test("turns and mirrors the evidence of a horizon with the photo")
  func evidence() throws {
    let scratch = try Scratch()
    try scratch.save(makePicture(300, 200), as: "a.png")
    func lines(_ filters: [any Filter]) throws -> JSONValue? {
      try StudioFinding(
        StudioFinding.Question(.straighten), in: scratch("a.png"), joining: Recipe(filters: filters)
      ).fields[
        "evidence"]
    }
    let plain = try lines([])
    #expect(try lines([Rotate(.halfTurn), Flip(.horizontal), Flip(.vertical)]) == plain)
    #expect(try lines([Rotate(.clockwise), Rotate(.counterclockwise)]) == plain)
  }

  @Test("exports the bytes that the command line would, and never over a file")
  func exporting() throws {
    let visit = try Visit()
    visit.open()
    visit.edit(#"{"values": {"exposure": 0.5}}"#, input: 1, dragging: false)
    for name in ["1.jpg", "1-2.jpg"] {
      let seen = visit.peer.all.count
      visit.say(
        #"{"type": "export", "photo": "\#(visit.id)", "request": 7, "options": {"format": "jpeg", "quality": 90, "maxSize": 120}}"#
      )
      let exported = try #require(visit.peer.next("exported", after: seen))
      #expect(exported.text("name") == name && exported.number("width") == 120)
      var export = PhotoExport()
      export.quality = 90
      export.maximumSize = PixelSize(width: 120, height: 120)
      let path = visit.scratch("cli-\(name)")
      _ = try export.runBlocking(
        visit.photos.entries[0].path, through: Recipe { Exposure(stops: 0.5) }, to: path)
      #expect(exported.text("seal") == (try FileFingerprint(contentsOf: path).hash))
    }
  }

  @Test("finds values, makes looks and thumbnails, and estimates sizes")
  func rest() throws {
    let visit = try Visit(2)
    visit.open()
    _ = try #require(visit.peer.next("frame"))
    visit.say(#"{"type": "auto", "photo": "\#(visit.id)", "request": 3, "kind": "straighten"}"#)
    #expect(visit.peer.next("auto")?.text("summary") != nil)
    visit.say(#"{"type": "looks", "photo": "\#(visit.id)", "size": 64, "edit": {}}"#)
    let look = try #require(visit.peer.next("thumbnail") { $0.text("preset") == "noir" })
    #expect(
      look.number("width") == 64 && look.number("height") == 64 && look.payload.starts(with: [0xff, 0xd8]))
    visit.say(#"{"type": "thumbnails", "photos": ["\#(visit.photos.entries[1].id)"], "size": 60}"#)
    let small = try #require(visit.peer.next("thumbnail") { $0.text("kind") == "photo" })
    #expect(small.number("width") == 60 && small.number("height") == 40)
    visit.say(#"{"type": "estimate", "photo": "\#(visit.id)", "request": 9, "options": {}}"#)
    #expect((visit.peer.next("estimate")?.number("bytes") ?? 0) > 500)
  }

  @Test(
    "answers what it cannot do with one sentence, and goes on",
    arguments: [
      ("no json", "message:1:1"), ("{}", "Unknown message"),
      (#"{"type": "open", "photo": "../etc"}"#, "no such photo"),
      (#"{"type": "undo", "photo": "0"}"#, "not open"), (#"{"type": "viev"}"#, "“view”"),
      (#"{"type": "drawn"}"#, "no “frame”"), (#"{"type": "drawn", "frame": 1, "x": 2}"#, "Unknown key"),
      (#"{"type": "thumbnails", "photos": [1]}"#, "list of ids"),
    ])
  func mistakes(_ text: String, _ words: String) throws {
    let visit = try Visit()
    visit.say(text)
    #expect(visit.peer.isTold(words), "\(visit.peer.all.map(\.fields))")
    visit.open()
    #expect(visit.peer.next("frame") != nil)
  }

  @Test("makes looks after a window was moved, too")
  func looksAfterMove() throws {
    let visit = try Visit()
    visit.open()
    visit.say(
      #"{"type": "view", "photo": "\#(visit.id)", "view": 2, "width": 120, "height": 90, "mode": "fit"}"#)
    visit.say(#"{"type": "looks", "photo": "\#(visit.id)", "size": 64, "edit": {}}"#)
    for _ in 0..<3 {
      guard let frame = visit.peer.next("frame", where: { $0.number("view") == 2 }) else { break }
      visit.say(#"{"type": "drawn", "frame": \#(Int(frame.number("frame") ?? 0))}"#)
    }
    #expect(visit.peer.next("thumbnail") != nil)
  }

  @Test("says what is wrong with an edit, and shows the picture as it was")
  func badEdit() throws {
    let visit = try Visit()
    visit.open()
    _ = try #require(visit.peer.next("frame"))
    visit.edit(#"{"values": {"exposure": 99}}"#, input: 1, dragging: false)
    #expect(visit.peer.next("problem")?.text("message")?.contains("exposure") ?? false)
    let seen = visit.peer.all.count
    visit.edit(#"{"values": {"exposure": 1}}"#, input: 2, dragging: false)
    #expect(visit.peer.next("frame", after: seen) { $0.number("input") == 2 } != nil)
  }

  @Test("says that a photo is gone")
  func missingPhoto() throws {
    let visit = try Visit(2)
    try visit.scratch.write("no picture", to: "2.png")
    visit.open(1)
    #expect(visit.peer.next("problem")?.text("photo") == visit.photos.entries[1].id)
  }

  private enum Problem: Error { case missing }
}
