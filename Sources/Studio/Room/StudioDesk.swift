import Safelight

/// The state of a studio, which belongs to its thread.
final class StudioDesk {
  typealias Event = @Sendable (StudioDesk) throws -> Void
  /// Has an event handled on the desk's thread.
  typealias Post = @Sendable (@escaping Event) -> Void

  /// What needs memory and threads.
  struct Parts: Sendable {
    let renderer = CPURenderer()
    let encoder: StripeEncoder
    /// Reads and writes photos and their edits.
    let files: SerialWorker
    let exports: SerialWorker
    let numbers = FrameNumbers()
    /// For many photos: marks and small pictures.
    let library: StudioLibrary.Workers
    /// What pictures can be proofed by; nil for nothing.
    let proof: SoftProof?

    init(cache: ThumbnailCache, proof: SoftProof? = nil) throws {
      self.proof = proof
      encoder = try StripeEncoder()
      files = try SerialWorker(name: "files")
      exports = try SerialWorker(name: "exports")
      library = try StudioLibrary.Workers(cache: cache)
    }
  }

  let photos: StudioPhotos
  let parts: Parts
  let post: Post
  let library: StudioLibrary
  let scripts = ScriptWork()
  var sessions: [String: PhotoSession] = [:]
  private(set) var clients: [Int: StudioClient] = [:]
  /// Pages that wait for a picture before they have a connection, and the photo that they wait for.
  var waitingFirst: [(photo: String, picture: FirstPicture, reply: ScriptReply)] = []
  /// The pages in the order in which they get frames.
  private var turns: [Int] = []

  init(_ photos: StudioPhotos, _ parts: Parts, post: @escaping Post) {
    (self.photos, self.parts, self.post) = (photos, parts, post)
    library = StudioLibrary(parts.library)
  }

  func handle(_ event: Event) {
    do { try event(self) } catch { clients.values.forEach { $0.peer.send(error) } }
  }

  /// - Parameter welcome: what the page is told besides the photos.
  func join(_ peer: any StudioPeer, _ welcome: [String: JSONValue] = [:]) {
    let client = StudioClient(peer)
    clients[peer.id] = client
    turns.append(peer.id)
    var fields = StudioWelcome(photos).fields.merging(welcome) { $1 }
    if let proof = parts.proof {
      fields["proof"] = .object(["name": .string(proof.name), "gamutWarning": .bool(proof.marksGamut)])
    }
    if photos.isFirstChosen, fields["start"] != nil { fields["start"] = .string("photos") }
    peer.send("welcome", fields)
    greet(client)
  }

  func leave(_ peer: Int) {
    let photo = clients.removeValue(forKey: peer)?.photo
    turns.removeAll { $0 == peer }
    if clients.isEmpty { library.watch?.watch(false) }
    // A page that is closed in the middle of a drag has not saved it.
    if let session = photo.flatMap({ sessions[$0] }), viewers(of: session.entry.id).isEmpty {
      saveRest(of: session)
    }
  }

  /// Waits until everything is saved.
  func close() {
    for session in sessions.values { saveRest(of: session) }
    parts.files.close()
    parts.exports.close()
    library.watch?.close()
    parts.library.close()
  }

  // MARK: Work

  /// Does the most urgent piece of work.
  ///
  /// - Returns: when there is more to do, unless something happens before; nil if something was done.
  func work() -> Timestamp? {
    tellWhatIsDue()
    if let index = turns.firstIndex(where: { clients[$0].map(isReady) ?? false }),
      let client = clients[turns[index]]
    {
      turns.append(turns.remove(at: index))
      renderFrame(for: client)
      return nil
    }
    if giveFirst() || clients.values.contains(where: workOnRest) { return nil }
    let dues =
      clients.values.compactMap(nextFrame)
      + [library.due, makeThumbnails(), workForScripts()].compactMap { $0 }
    return dues.min() ?? .now.advanced(bySeconds: 3600)
  }

  /// When a page can be sent a frame that it lacks; nil if it lacks none, or has no room.
  private func nextFrame(for client: StudioClient) -> Timestamp? {
    guard client.hasRoom, let begin = client.pace.nextBegin, client.view != nil, let id = client.photo,
      sessions[id]?.photo != nil
    else { return nil }
    return (client.isStale ? begin : client.sharpensAt).map { max($0, begin) }
  }

  private func isReady(_ client: StudioClient) -> Bool { nextFrame(for: client).map { $0 <= .now } ?? false }

  /// What is done while no frame is wanted: descriptions, originals and small pictures.
  private func workOnRest(for client: StudioClient) -> Bool {
    guard client.hasRoom, client.pace.nextBegin != nil, !client.isStale else { return false }
    let shown = client.photo.flatMap { sessions[$0] }.flatMap { $0.photo == nil ? nil : $0 }
    let isSharp = !client.isUnsharp && client.view != nil
    if isSharp, let session = shown {
      if client.lacksPlan {
        describePlan(to: client, session)
        return true
      }
      if client.lacksOriginal {
        client.original.shown = client.original.wanted
        sendFrame(to: client, session, .original)
        return true
      }
    }
    return !client.isDragging
      && (renderLook(for: client) || (isSharp && shown != nil && client.pace.isIdle && sendAhead(to: client)))
  }

  private func renderFrame(for client: StudioClient) {
    guard let session = client.photo.flatMap({ sessions[$0] }) else { return }
    session.lastUse = .now
    let isMoving = client.isStale && client.isDragging
    client.isStale = false
    client.isUnsharp = isMoving
    // The drag is over: small pictures may be made.
    if !isMoving { client.isDragging = false }
    sendFrame(to: client, session, isMoving ? .moving : .still)
  }

  func nextFrame() -> Int { parts.numbers.next() }

  /// Returns the pages that show a photo.
  func viewers(of photo: String) -> [StudioClient] { clients.values.filter { $0.photo == photo } }
}

extension StudioClient {
  /// Whether what was sent has left: a page with a slow line must not fill the memory.
  var hasRoom: Bool { peer.bytesWaiting < Self.mostBytesWaiting }

  private static let mostBytesWaiting = 4 << 20
}
