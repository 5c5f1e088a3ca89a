import LibraryTestSupport
import Safelight
import Testing

@testable import Studio

@Suite("The history of an edit in the studio")
struct StudioHistoryTests {
  @Test("saves a step, takes it back and does it again, in the file beside the photo")
  func history() throws {
    let visit = try Visit()
    visit.open()
    let path = visit.photos.entries[0].path
    visit.say(
      #"{"type": "commit", "photo": "\#(visit.id)", "input": 1, "label": "Exposure", "edit": {"values": {"exposure": 0.5}}}"#
    )
    let saved = try #require(visit.peer.next("edited"))
    #expect(saved.number("undo") == 1 && saved.text("label") == "Exposure")
    #expect(saved.text("command") == "safelight edit \(path) -o edited.jpg --exposure 0.5")
    #expect((try RecipeSidecar.read(forPhoto: path)?.recipe?.filters.first as? Exposure)?.stops == 0.5)
    var seen = visit.peer.all.count
    visit.say(#"{"type": "undo", "photo": "\#(visit.id)"}"#)
    let undone = try #require(visit.peer.next("edited", after: seen))
    #expect(undone.number("undo") == 0 && undone.number("redo") == 1)
    #expect(undone.object("edit")["values"] == .object([:]))
    seen = visit.peer.all.count
    visit.say(#"{"type": "redo", "photo": "\#(visit.id)"}"#)
    let redone = try #require(visit.peer.next("edited", after: seen))
    #expect(redone.number("redo") == 0)
    #expect(redone.object("edit")["values"] == .object(["exposure": .number(0.5)]))
    seen = visit.peer.all.count
    visit.say(#"{"type": "redo", "photo": "\#(visit.id)"}"#)
    #expect(
      visit.peer.next("problem", after: seen)?.text("message")?.contains("nothing to do again") ?? false)
  }

  @Test("shows the same edit on two pages")
  func twoPages() throws {
    let visit = try Visit()
    visit.open()
    let other = RecordedPeer(id: 2)
    visit.room.join(other)
    visit.say(#"{"type": "open", "photo": "\#(visit.id)"}"#, from: 2)
    _ = try #require(other.next("photo"))
    visit.say(
      #"{"type": "commit", "photo": "\#(visit.id)", "input": 1, "edit": {"values": {"contrast": 20}}}"#)
    let news = try #require(other.next("edited"))
    #expect(news.object("edit")["values"] == .object(["contrast": .number(20)]))
    // Only the page that made it knows it already.
    #expect(news.fields["input"] == .null && visit.peer.next("edited")?.number("input") == 1)
  }

  @Test("shows what another program made of the edit, when the photo is opened again")
  func otherProgram() throws {
    let visit = try Visit()
    visit.open()
    _ = try #require(visit.peer.next("frame"))
    try RecipeSidecar.save(Recipe { Contrast(40) }, forPhoto: visit.photos.entries[0].path, .set)
    visit.open()
    let changed = try #require(visit.peer.next("photo") { $0.fields["changed"] == .bool(true) })
    #expect(changed.object("edit")["values"] == .object(["contrast": .number(40)]))
  }

  @Test("saves what was dragged when the page is closed in the middle of it", arguments: [false, true])
  func closedPage(isRoom: Bool) throws {
    let visit = try Visit()
    visit.open()
    _ = try #require(visit.peer.next("frame"))
    visit.edit(#"{"values": {"exposure": 0.75}}"#, input: 1, dragging: true)
    if !isRoom { visit.room.leave(1) }
    visit.room.close()
    let sidecar = try #require(try RecipeSidecar.read(forPhoto: visit.photos.entries[0].path))
    #expect((sidecar.recipe?.filters.first as? Exposure)?.stops == 0.75 && sidecar.history.count == 1)
  }

  @Test("saves steps in their order, however fast they come")
  func manySteps() throws {
    let visit = try Visit()
    visit.open()
    for step in 1...20 {
      visit.say(
        #"{"type": "commit", "photo": "\#(visit.id)", "input": \#(step), "edit": {"values": {"exposure": \#(Double(step) / 10)}}}"#
      )
    }
    _ = try #require(visit.peer.next("edited") { $0.number("input") == 20 })
    let sidecar = try #require(try RecipeSidecar.read(forPhoto: visit.photos.entries[0].path))
    #expect((sidecar.recipe?.filters.first as? Exposure)?.stops == 2 && sidecar.history.count == 20)
    let before = sidecar.history.compactMap { ($0.replaced?.filters.first as? Exposure)?.stops }
    #expect(before == (1..<20).map { Float($0) / 10 })
  }

  @Test("saves a step of a photo that the page has left")
  func lateCommit() throws {
    let visit = try Visit(2)
    visit.open()
    let other = visit.photos.entries[1]
    visit.say(
      #"{"type": "commit", "photo": "\#(other.id)", "input": 5, "edit": {"values": {"exposure": 1}}}"#)
    let saved = try #require(visit.peer.next("photo") { $0.number("undo") == 0 })
    #expect(saved.text("photo") == visit.id)
    visit.open(1)
    let opened = try #require(visit.peer.next("photo") { $0.text("photo") == other.id })
    #expect(opened.object("edit")["values"] == .object(["exposure": .number(1)]))
    #expect((try RecipeSidecar.read(forPhoto: other.path)?.recipe?.filters.first as? Exposure)?.stops == 1)
  }

  @Test("keeps the state that a page comes back with, though the file beside the photo has another")
  func comingBack() throws {
    let visit = try Visit(2)
    // Not the first, which is read before any page is there.
    let entry = visit.photos.entries[1]
    try RecipeSidecar.save(Recipe { Exposure(stops: 1) }, forPhoto: entry.path, .set)
    // At once, before the photo can be read.
    visit.room.post { desk in
      desk.receive(
        Result { try StudioRequest(#"{"type": "open", "photo": "\#(entry.id)"}"#) }, from: 1, at: .now)
      desk.receive(
        Result {
          try StudioRequest(
            #"{"type": "edit", "photo": "\#(entry.id)", "input": 1, "edit": {"values": {"contrast": 30}}}"#)
        },
        from: 1, at: .now)
    }
    let photo = try #require(visit.peer.next("photo"))
    #expect(photo.object("edit")["values"] == .object(["contrast": .number(30)]))
    #expect(photo.number("undo") == 1)
  }
}
