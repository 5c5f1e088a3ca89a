import Foundation
import LibraryTestSupport
import Libc
import Safelight
import Testing

@testable import Studio

@Suite("The grid of the studio's library")
struct StudioGridTests {
  private func list(_ ids: some Sequence<String>) -> String { ids.map { "\"\($0)\"" }.joined(separator: ",") }

  @Test("gets pictures of what is in sight, in their size, the first wish first")
  func sight() throws {
    let visit = try Visit(3)
    let ids = visit.photos.entries.map(\.id)
    visit.say(#"{"type": "sight", "photos": [\#(list(ids.reversed()))], "size": 90}"#)
    for id in ids {
      let small = try #require(visit.peer.next("thumbnail") { $0.text("photo") == id && $0.isFinal })
      #expect(small.number("width") == 90 && small.number("height") == 60 && small.number("edge") == 90)
      #expect(small.text("kind") == "photo" && small.payload.starts(with: [0xFF, 0xD8]))
    }
    #expect(visit.peer.all.first { $0.type == "thumbnail" }?.text("photo") == ids[2])
  }

  @Test("shows what a camera put into the photo first, upright and without bars, then the photo itself")
  func preview() throws {
    let scratch = try Scratch()
    // A small picture of another shape than the photo's, lying on its side.
    let small = try JPEGFrameEncoder(quality: 90).encode(makePicture(160, 120)) { Array($0) }
    try scratch.save(
      makePicture(300, 200), as: "a.jpg",
      metadata: PhotoMetadata(exif: Self.exif(orientation: 6, thumbnail: small)))
    let cache = try Scratch()
    let photos = try StudioPhotos(scratch.path)
    let room = try StudioRoom(photos, cache: ThumbnailCache(folder: cache.path))
    defer { room.close() }
    let (peer, id) = (RecordedPeer(), photos.entries[0].id)
    room.join(peer)
    room.receive(#"{"type": "sight", "photos": ["\#(id)"], "size": 120}"#, from: 1)
    let first = try #require(peer.next("thumbnail"))
    #expect(!first.isFinal)
    // 160×107 of 160×120, turned.
    #expect(first.number("width") == 80 && first.number("height") == 120)
    let final = try #require(peer.next("thumbnail") { $0.isFinal })
    #expect(final.number("width") == 80 && final.number("height") == 120)
    // The next time it is there at once.
    let seen = peer.all.count
    room.receive(#"{"type": "sight", "photos": ["\#(id)"], "size": 120}"#, from: 1)
    #expect(peer.next("thumbnail", after: seen)?.isFinal ?? false)
  }

  /// An EXIF block with an orientation and a thumbnail (TIFF 6.0; EXIF 2.32, 4.5.4).
  private static func exif(orientation: UInt8, thumbnail: [UInt8]) -> [UInt8] {
    func entry(_ tag: UInt16, _ type: UInt16, _ value: UInt32) -> [UInt8] {
      func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
      }
      return bytes(tag) + bytes(type) + bytes(UInt32(1)) + bytes(value)
    }
    let head: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    let first: [UInt8] = [1, 0] + entry(0x0112, 3, UInt32(orientation)) + [26, 0, 0, 0]
    let second: [UInt8] =
      [2, 0] + entry(0x0201, 4, 56) + entry(0x0202, 4, UInt32(thumbnail.count)) + [0, 0, 0, 0]
    return head + first + second + thumbnail
  }

  @Test("shows a photo with its edit, and anew when the edit changes")
  func edited() throws {
    let visit = try Visit()
    visit.say(#"{"type": "sight", "photos": ["\#(visit.id)"], "size": 90}"#)
    let plain = try #require(visit.peer.next("thumbnail") { $0.isFinal })
    let seen = visit.peer.all.count
    visit.say(
      #"{"type": "commit", "photo": "\#(visit.id)", "input": 1, "edit": {"values": {"exposure": 2, "crop": "1:1"}}}"#
    )
    let square = try #require(visit.peer.next("thumbnail", after: seen))
    #expect(square.number("width") == 90 && square.number("height") == 90 && square.payload != plain.payload)
    let edits = try #require(visit.peer.next("edits"))
    #expect(edits.fields["edited"] == .array([.string(visit.id)]))
    // Taken back by another program.
    try RecipeSidecar.remove(forPhoto: visit.scratch("1.png"))
    #expect(visit.peer.next("edits") { $0.fields["edited"] == .array([]) } != nil)
    #expect(visit.peer.next("thumbnail", after: seen + 1) { $0.number("height") == 60 } != nil)
  }

  @Test("forgets what has scrolled away")
  func replacement() throws {
    var wishes = ThumbnailWishes()
    func wish(_ photo: String) -> ThumbnailWishes.Wish { ThumbnailWishes.Wish(photo: photo, edge: 90) }
    wishes.look(at: ["a", "b", "c"].map(wish))
    #expect(wishes.next()?.wish == wish("a"))
    wishes.needsFull(wish("a"))
    wishes.look(at: ["d", "a"].map(wish))
    wishes.needsFull(wish("b"))
    #expect(wishes.next()?.wish == wish("d"))
    wishes.needsFull(wish("d"))
    // All quickly first, then again.
    #expect(wishes.next()?.wish == wish("a"))
    let last = wishes.next()
    #expect(last?.wish == wish("d") && last?.way == .full && wishes.next() == nil && wishes.isEmpty)
    wishes.renew("a")
    wishes.renew("c")
    #expect(wishes.next()?.wish == wish("a") && wishes.isEmpty)
  }

  @Test("of ten thousand photos is there at once, and so is what is in sight")
  func manyPhotos() throws {
    let scratch = try Scratch()
    try scratch.save(makePicture(300, 200), as: "00000.jpg")
    for number in 1..<10_000 {
      let name = String("0000\(number)".suffix(5))
      link(scratch("00000.jpg"), scratch("\(name).jpg"))
    }
    for number in 5000..<5100 {
      try PhotoMark.change(forPhoto: scratch("0\(number).jpg"), PhotoMark.Change(rating: 5))
    }
    let photos = try StudioPhotos(scratch.path)
    let cache = try Scratch()
    let room = try StudioRoom(photos, cache: ThumbnailCache(folder: cache.path))
    defer { room.close() }
    let peer = RecordedPeer()
    room.join(peer)
    let ids = photos.entries.map(\.id)
    // Scrolling through all of it in no time: only the last is made.
    for first in stride(from: 0, to: 9960, by: 40) {
      room.receive(
        #"{"type": "sight", "photos": [\#(list(ids[first..<first + 40]))], "size": 64}"#, from: 1)
    }
    for id in ids[9920..<9960] {
      #expect(peer.next("thumbnail") { $0.text("photo") == id && $0.isFinal } != nil)
    }
    #expect(peer.all.count { $0.type == "thumbnail" } < 4000)
    // Marks beside photos come before those that must be looked for.
    func rated() -> Int {
      peer.all.filter { $0.type == "marks" }.reduce(0) { $0 + $1.object("marks").count }
    }
    let end = Timestamp.now.advanced(bySeconds: 10)
    while rated() < 100, Timestamp.now < end { usleep(10_000) }
    #expect(rated() == 100)
  }

  @Test("follows the folder: photos that come and go, written, moved or linked")
  func folder() throws {
    let visit = try Visit(2)
    _ = try #require(visit.peer.next("welcome"))
    @Sendable func names(_ message: RecordedPeer.Message) -> [String] {
      guard case .array(let list)? = message.fields["photos"] else { return [] }
      return list.compactMap {
        if case .object(let fields) = $0, case .string(let name)? = fields["name"] { name } else { nil }
      }
    }
    let elsewhere = try Scratch()
    try elsewhere.save(gradient(60, 40), as: "a.png")
    let bytes = try elsewhere.read("a.png")
    try visit.scratch.write(bytes, to: "1b.png")
    #expect(visit.peer.next("photos") { names($0) == ["1.png", "1b.png", "2.png"] } != nil)
    rename(visit.scratch("1b.png"), visit.scratch("3.png"))
    #expect(visit.peer.next("photos") { names($0) == ["1.png", "2.png", "3.png"] } != nil)
    link(visit.scratch("3.png"), visit.scratch("4.png"))
    #expect(visit.peer.next("photos") { names($0).count == 4 } != nil)
    for name in ["3.png", "4.png"] { unlink(visit.scratch(name)) }
    #expect(visit.peer.next("photos") { names($0) == ["1.png", "2.png"] } != nil)
    // What is no photo is not listed.
    let seen = visit.peer.all.count
    try visit.scratch.write("text", to: "notes.txt")
    usleep(400_000)
    #expect(!visit.peer.all.dropFirst(seen).contains { $0.type == "photos" })
  }
}
