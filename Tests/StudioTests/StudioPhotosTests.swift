import LibraryTestSupport
import Libc
import Safelight
import Testing

@testable import Studio

@Suite("The list of photos in the studio")
struct StudioPhotosTests {
  @Test("takes a photo at its place, and tells all pages once")
  func adding() throws {
    let visit = try Visit(3)
    _ = try #require(visit.peer.next("welcome"))
    try visit.scratch.save(gradient(60, 40), as: "2b.png")
    let path = visit.scratch("2b.png")
    for _ in 0..<2 { visit.room.post { _ = $0.added(path) } }
    let told = try #require(visit.peer.next("photos"))
    guard case .array(let list)? = told.fields["photos"] else { throw Problem.missing }
    #expect(list.count == 4)
    #expect(visit.photos.entries.map(\.name) == ["1.png", "2.png", "2b.png", "3.png"])
    visit.open(2)
    #expect(visit.peer.next("photo")?.text("name") == "2b.png")
    #expect(visit.peer.all.count { $0.type == "photos" } == 1)
  }

  @Test("forgets a photo that is gone, which then cannot be opened")
  func removing() throws {
    let visit = try Visit(2)
    let gone = visit.photos.entries[0]
    // The folder is read when its watch begins, which would find it.
    unlink(gone.path)
    visit.room.post { $0.removed(gone.path) }
    _ = try #require(visit.peer.next("photos"))
    #expect(visit.photos.entries.map(\.name) == ["2.png"])
    visit.say(#"{"type": "open", "photo": "\#(gone.id)"}"#)
    #expect(visit.peer.next("problem")?.text("message")?.contains("no such photo") ?? false)
  }

  @Test("may begin with a folder that is empty, or not there yet, if it is to be filled")
  func toBeFilled() throws {
    let scratch = try Scratch()
    let photos = try StudioPhotos(scratch("Safelight/"), isToBeFilled: true)
    #expect(photos.entries.isEmpty && photos.folder == "Safelight")
    #expect(try !photos.readFolder())
    try Folder.makeWithParents(scratch("Safelight"))
    try scratch.save(gradient(60, 40), as: "Safelight/a.png")
    #expect(try photos.readFolder() && photos.entries.map(\.name) == ["a.png"])
    // What stands elsewhere is no part of the folder.
    photos.add(scratch("other.png"))
    #expect(try !photos.readFolder() && photos.entries.count == 2)
    #expect(message { _ = try StudioPhotos(scratch("none/")) } != nil)
  }

  private enum Problem: Error { case missing }
}
