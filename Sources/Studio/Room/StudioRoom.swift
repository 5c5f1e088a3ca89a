import Safelight
import WebServer

/// Where photos are edited: all pages that are connected, and one thread that renders for them.
///
/// Whatever happens is put into the inbox; the thread takes all of it, then renders one picture for the page that has
/// waited longest, and looks again. So edits that arrive while a picture is rendered are joined: the newest state is
/// rendered next, and no frame in flight is ever given up.
final class StudioRoom: Sendable {
  private let inbox = DeskInbox<StudioDesk>()
  private let thread: Joinable
  /// Beside the desk; nil if there is none.
  let camera: StudioCamera?

  /// Where the camera's pictures come from, and the folder that its photos and movies go to.
  struct CameraPlace {
    let sources: CameraSources
    let folder: String
  }

  /// - Parameters:
  ///   - cache: of small pictures.
  ///   - proof: what pictures can be proofed by.
  /// - Throws: `SafelightError` if memory is short, or if the system grants no more threads.
  init(
    _ photos: StudioPhotos, camera place: CameraPlace? = nil, cache: ThumbnailCache = ThumbnailCache(),
    proof: SoftProof? = nil
  ) throws {
    let inbox = inbox
    let post: StudioDesk.Post = { event in inbox.post { $0.handle(event) } }
    let parts = try StudioDesk.Parts(cache: cache, proof: proof)
    camera = try place.map { place in
      try StudioCamera(place.sources, folder: place.folder, numbers: parts.numbers) { path, listed in
        post { listed($0.added(path).id) }
      }
    }
    thread = Joinable(
      try WorkerThread(name: "studio") {
        let desk = StudioDesk(photos, parts, post: post)
        desk.prepareFirst()
        inbox.serve(desk) { $0.work() }
        desk.close()
      })
  }

  /// The pages that are there, and since when none is: since the beginning, before the first.
  private struct Presence {
    var pages: Set<Int> = []
    var last: Timestamp?
    /// All that have ever been there.
    var joins = 0
    var began = Timestamp.now
  }
  private let presence = Monitor(Presence())

  /// Whether all pages have been gone for so many seconds. Before the first one is there it takes ten times as long: a
  /// browser may have to start.
  func isDeserted(seconds: Double) -> Bool {
    presence.read { presence in
      guard presence.pages.isEmpty else { return false }
      let limit = presence.last == nil ? 10 * seconds : seconds
      return Timestamp.now.seconds(since: presence.last ?? presence.began) > limit
    }
  }

  /// The number of pages that have been there so far.
  var joins: Int { presence.read { $0.joins } }

  /// A page is about to come: it is waited for as at the beginning, since a browser may have to start.
  func expectPage() { presence.update { ($0.last, $0.began) = (nil, .now) } }

  /// Has a photo listed, and shown first by pages that come from now on.
  func open(_ path: String) { post { $0.openFirst(path) } }

  /// A page has connected and shown that it may.
  func join(_ peer: any StudioPeer) {
    presence.update { presence in
      presence.pages.insert(peer.id)
      presence.joins += 1
    }
    camera?.join(peer)
    let welcome = camera?.welcome ?? [:]
    post { $0.join(peer, welcome) }
  }

  /// A page has sent a message.
  func receive(_ text: String, from peer: Int) {
    // Not when the thread has time for it.
    let time = Timestamp.now
    let request = Result { try StudioRequest(text) }
    // What is about live frames does not wait for the desk.
    if let camera, case .success(let known) = request {
      if case .drawn(let frame) = known { camera.drawn(frame, by: peer) }
      if let asked = known.ofCamera { return camera.receive(asked, from: peer, at: time) }
    }
    post { $0.receive(request, from: peer, at: time) }
  }

  /// A page is gone.
  func leave(_ peer: Int) {
    presence.update { presence in
      presence.pages.remove(peer)
      presence.last = .now
    }
    camera?.leave(peer)
    post { $0.leave(peer) }
  }

  /// Answers a page that starts.
  func answer(_ first: FirstPicture) async -> WebResponse {
    await withCheckedContinuation { continuation in
      let reply = ScriptReply(continuation)
      post { $0.answer(first, reply) }
    }
  }

  /// Answers what a script asks for, when its turn has come.
  func answer(_ request: ScriptRequest) async -> WebResponse {
    await withCheckedContinuation { continuation in
      let reply = ScriptReply(continuation)
      post { $0.answer(request, reply) }
    }
  }

  /// One's own presets have changed.
  func presetsChanged() { post { $0.presetsChanged() } }

  /// Ends the threads, once photos, movies and edits are saved.
  func close() {
    camera?.close()
    inbox.close()
    thread.join()
  }

  /// Has an event handled on the thread of the desk.
  func post(_ event: @escaping StudioDesk.Event) { inbox.post { $0.handle(event) } }
}
