import LibraryTestSupport
import Safelight
import Testing

@testable import Studio
@testable import WebServer

@Suite("The picture before the page's scripts run")
struct StudioFirstPictureTests {
  private func query(_ text: String) -> [WebRequest.QueryItem] {
    text.split(separator: "&").map { item in
      let parts = item.split(separator: "=", omittingEmptySubsequences: false)
      return WebRequest.QueryItem(name: String(parts[0]), value: String(parts.last ?? ""))
    }
  }

  /// The message in an answer, as a page reads it.
  private func frame(_ response: WebResponse) throws -> RecordedPeer.Message {
    let peer = RecordedPeer()
    peer.send([try #require(response.body)])
    return try #require(peer.all.first)
  }

  @Test("it is the frame that a page gets over its connection for the same window")
  func likeFrame() async throws {
    let visit = try Visit()
    let first = try FirstPicture(query("width=150&height=170&film=70"))
    let early = try frame(await visit.room.answer(first))
    visit.open(view: #""width": 150, "height": 170, "mode": "fit", "stripes": 1"#)
    let frame = try #require(visit.peer.next("frame") { $0.isFinal })
    #expect(early.type == "frame" && early.isFinal && early.payload == frame.payload)
    for key in ["photo", "full", "scaled", "window", "picture", "stripes", "kind", "space", "places"] {
      #expect(early.fields[key] == frame.fields[key], "\(key)")
    }
    #expect(early.size("pane") == PixelSize(width: 150, height: 170) && early.number("photos") == 1)
  }

  @Test("of several photos it leaves room for the others")
  func film() async throws {
    let visit = try Visit(2)
    let first = try FirstPicture(query("width=150&height=120&film=70&space=display-p3"))
    let early = try frame(await visit.room.answer(first))
    #expect(early.size("pane") == PixelSize(width: 150, height: 50) && early.number("photos") == 2)
    #expect(early.size("scaled") == PixelSize(width: 75, height: 50))
    #expect(early.text("photo") == visit.id && early.text("space") == "display-p3")
  }

  @Test("it has the edit beside the photo")
  func edited() async throws {
    let visit = try Visit()
    visit.open()
    visit.edit(#"{"values": {"crop": "0,0,100,200"}}"#, input: 1, dragging: false)
    let early = try frame(
      await visit.room.answer(try FirstPicture(query("width=150&height=100&film=0"))))
    #expect(early.size("full") == PixelSize(width: 100, height: 200))
  }

  @Test("there is none of a photo that cannot be read, or without photos")
  func none() async throws {
    let scratch = try Scratch()
    try scratch.write(Array("no photo".utf8), to: "a.jpg")
    let first = try FirstPicture(query("width=150&height=100&film=0"))
    let cache = try Scratch()
    for photos in [try StudioPhotos(scratch.path), try StudioPhotos(cache.path, isToBeFilled: true)] {
      let room = try StudioRoom(photos, cache: ThumbnailCache(folder: cache.path))
      defer { room.close() }
      #expect(await room.answer(first).status == 204)
    }
  }

  @Test(
    "what is asked for wrongly is refused with a sentence",
    arguments: [
      ("height=100&film=0", "There is no “width”; give it in device pixels."),
      ("width=0&height=100&film=0", "The width is “0”; give 1 to 16384."),
      ("width=10&height=99999&film=0", "The height is “99999”; give 1 to 16384."),
      ("width=10&height=10&film=-1", "The film is “-1”; give 0 to 16384."),
      ("width=10&width=10", "“width” is given twice; give it once."),
      ("width=10&height=10&film=0&space=srbg", "srgb"), ("width=10&hieght=10&film=0", "height"),
    ])
  func refusals(text: String, sentence: String) {
    #expect(message { _ = try FirstPicture(query(text)) }?.contains(sentence) ?? false)
  }
}
