import LibraryTestSupport
import Safelight

@testable import Studio

/// A room with some photos, and a page that has opened the first and looks at it.
final class Visit {
  let scratch: Scratch
  private let cache: Scratch
  let room: StudioRoom
  let peer: RecordedPeer
  let photos: StudioPhotos

  init(_ count: Int = 1, size: (Int, Int) = (300, 200), proof: SoftProof? = nil) throws {
    scratch = try Scratch()
    for number in 1...count { try scratch.save(makePicture(size.0, size.1), as: "\(number).png") }
    photos = try StudioPhotos(scratch.path)
    cache = try Scratch()
    room = try StudioRoom(photos, cache: ThumbnailCache(folder: cache.path), proof: proof)
    peer = RecordedPeer()
    room.join(peer)
  }

  deinit { room.close() }

  var id: String { photos.entries[0].id }

  func say(_ json: String, from peer: Int = 1) { room.receive(json, from: peer) }

  func open(_ index: Int = 0, view: String = #""width": 150, "height": 100, "mode": "fit""#) {
    let id = photos.entries[index].id
    say(#"{"type": "open", "photo": "\#(id)"}"#)
    say(#"{"type": "view", "photo": "\#(id)", "view": 1, \#(view)}"#)
  }

  func edit(_ edit: String, input: Int, dragging: Bool) {
    say(
      #"{"type": "edit", "photo": "\#(id)", "input": \#(input), "edit": \#(edit), "dragging": \#(dragging)}"#
    )
  }
}
