import LibraryTestSupport
import Safelight
import Testing

@testable import Studio

@Suite("Pictures of the photos beside the one shown")
struct StudioAheadTests {
  private func acknowledge(_ frame: RecordedPeer.Message, _ visit: Visit) {
    visit.say(#"{"type": "drawn", "frame": \#(Int(frame.number("frame") ?? 0))}"#)
  }

  @Test("are sent when nothing else is to do, and are those that opening shows, to the byte")
  func ahead() throws {
    let visit = try Visit(3)
    visit.open()
    let own = try #require(visit.peer.next("frame"))
    #expect(own.text("photo") == visit.id && own.fields["ahead"] == nil)
    acknowledge(own, visit)
    let next = visit.photos.entries[1].id
    let ahead = try #require(visit.peer.next("frame") { $0.fields["ahead"] == .bool(true) })
    #expect(ahead.text("photo") == next && ahead.isFinal)
    acknowledge(ahead, visit)
    // The photo after the next is none of its neighbours.
    let count = visit.peer.all.count
    visit.open(1)
    let opened = try #require(
      visit.peer.next("frame", after: count) { $0.fields["ahead"] == nil && $0.text("photo") == next })
    #expect(opened.payload == ahead.payload)
    #expect(!visit.peer.all.prefix(count).contains { $0.text("photo") == visit.photos.entries[2].id })
  }

  @Test("are sent again for the photo that was left, with its edit")
  func left() throws {
    let visit = try Visit(2)
    let id = visit.id
    visit.open()
    acknowledge(try #require(visit.peer.next("frame")), visit)
    acknowledge(try #require(visit.peer.next("frame") { $0.fields["ahead"] == .bool(true) }), visit)
    visit.say(
      #"{"type": "commit", "photo": "\#(visit.id)", "input": 1, "edit": {"values": {"exposure": 1}}, "label": "E"}"#
    )
    let edited = try #require(visit.peer.next("frame") { $0.number("input") == 1 && $0.isFinal })
    acknowledge(edited, visit)
    let count = visit.peer.all.count
    visit.open(1)
    acknowledge(
      try #require(visit.peer.next("frame", after: count) { $0.text("photo") != id }), visit)
    let back = try #require(
      visit.peer.next("frame", after: count) {
        $0.text("photo") == id && $0.fields["ahead"] == .bool(true)
      })
    #expect(back.payload == edited.payload)
  }
}
