import Foundation
import LibraryTestSupport
import Libc
import Safelight
import Testing

@testable import Studio

@Suite("Marks in the studio")
struct StudioMarkTests {
  private static func marks(_ message: RecordedPeer.Message?, _ id: String) -> PhotoMark? {
    guard case .object(let fields)? = message?.object("marks")[id],
      case .number(let rating)? = fields["rating"],
      case .string(let flag)? = fields["flag"], case .string(let color)? = fields["color"]
    else { return nil }
    return PhotoMark(
      rating: Int(rating), flag: PhotoMark.Flag(rawValue: flag) ?? .none,
      color: PhotoMark.Color(rawValue: color) ?? .none)
  }

  @Test("are written as XMP beside the photos, and told to all pages")
  func marking() throws {
    let visit = try Visit(3)
    let other = RecordedPeer(id: 2)
    visit.room.join(other)
    let ids = visit.photos.entries.map(\.id)
    visit.say(
      #"{"type": "mark", "photos": ["\#(ids[0])", "\#(ids[2])"], "mark": {"rating": 4, "flag": "pick", "color": "green"}}"#
    )
    let mark = PhotoMark(rating: 4, flag: .pick, color: .green)
    for peer in [visit.peer, other] {
      for id in [ids[0], ids[2]] {
        #expect(peer.next("marks") { Self.marks($0, id) == mark } != nil)
      }
    }
    #expect(try PhotoMark.read(forPhoto: visit.scratch("3.png")) == mark)
    // What is absent stays, and a page that comes later is told.
    visit.say(#"{"type": "mark", "photos": ["\#(ids[0])"], "mark": {"flag": "reject"}}"#)
    #expect(
      visit.peer.next("marks") {
        Self.marks($0, ids[0]) == PhotoMark(rating: 4, flag: .reject, color: .green)
      }
        != nil)
    let late = RecordedPeer(id: 3)
    visit.room.join(late)
    #expect(late.next("marks") { Self.marks($0, ids[2]) == mark } != nil)
    // A neutral one is told as such.
    visit.say(
      #"{"type": "mark", "photos": ["\#(ids[2])"], "mark": {"rating": 0, "flag": "none", "color": "none"}}"#)
    #expect(other.next("marks") { Self.marks($0, ids[2]) == .neutral } != nil)
  }

  @Test("of another program are told, at the start and when they change")
  func otherProgram() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(60, 40), as: "1.png")
    try PhotoMark.change(forPhoto: scratch("1.png"), PhotoMark.Change(rating: 2))
    let photos = try StudioPhotos(scratch.path)
    let cache = try Scratch()
    let room = try StudioRoom(photos, cache: ThumbnailCache(folder: cache.path))
    defer { room.close() }
    let (peer, id) = (RecordedPeer(), photos.entries[0].id)
    room.join(peer)
    #expect(peer.next("marks") { Self.marks($0, id) == PhotoMark(rating: 2) } != nil)
    try PhotoMark.change(forPhoto: scratch("1.png"), PhotoMark.Change(flag: .pick))
    #expect(peer.next("marks") { Self.marks($0, id) == PhotoMark(rating: 2, flag: .pick) } != nil)
    // In place, as an editor of texts writes.
    let text = try String(decoding: scratch.read("1.png.xmp"), as: UTF8.self)
    try scratch.write(text.replacing("Rating=\"2\"", with: "Rating=\"5\""), to: "1.png.xmp")
    #expect(peer.next("marks") { Self.marks($0, id) == PhotoMark(rating: 5, flag: .pick) } != nil)
    try FileManager.default.removeItem(atPath: scratch("1.png.xmp"))
    #expect(peer.next("marks") { Self.marks($0, id) == .neutral } != nil)
  }

  @Test("that cannot be written are one sentence with the photo's name, and the others are written")
  func refused() throws {
    let visit = try Visit(2)
    try visit.scratch.write("no XMP", to: "1.png.xmp")
    let ids = visit.photos.entries.map(\.id)
    visit.say(
      #"{"type": "mark", "request": 7, "photos": ["\#(ids[0])", "\#(ids[1])"], "mark": {"rating": 3}}"#)
    let problem = try #require(visit.peer.next("problem"))
    #expect(problem.text("photo") == ids[0] && problem.number("request") == 7)
    #expect(problem.text("message")?.contains("1.png.xmp") ?? false)
    #expect(visit.peer.next("marks") { Self.marks($0, ids[1]) == PhotoMark(rating: 3) } != nil)
    #expect(try visit.scratch.read("1.png.xmp") == Array("no XMP".utf8))
  }

  @Test(
    "in a folder that cannot be written are one sentence",
    .enabled(if: geteuid() != 0, "root may write everywhere"))
  func readOnly() throws {
    let visit = try Visit()
    chmod(visit.scratch.path, 0o555)
    defer { chmod(visit.scratch.path, 0o755) }
    visit.say(#"{"type": "mark", "photos": ["\#(visit.id)"], "mark": {"rating": 3}}"#)
    #expect(visit.peer.next("problem")?.text("message")?.contains("not writable") ?? false)
  }

  @Test(
    "that are none are refused",
    arguments: [
      (#""photos": [], "mark": {"rating": 6}"#, "6 stars"),
      (#""photos": [], "mark": {"flag": "picked"}"#, "“pick”"),
      (#""photos": [], "mark": {"stars": 1}"#, "Unknown key"), (#""photos": []"#, "no “mark”"),
      (#""photos": ["x"], "mark": {}"#, "no such photo"),
    ])
  func mistakes(_ fields: String, _ words: String) throws {
    let visit = try Visit()
    visit.say(#"{"type": "mark", \#(fields)}"#)
    let problem = try #require(visit.peer.next("problem"))
    let text = (problem.text("message") ?? "") + (problem.text("remedy") ?? "")
    #expect(text.contains(words), "\(text)")
  }
}
