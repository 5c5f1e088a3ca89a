import Safelight

/// What pages ask for.
extension StudioDesk {
  /// - Parameter request: nothing else than a message that cannot be read is a failure.
  func receive(_ request: Result<StudioRequest, any Error>, from peer: Int, at time: Timestamp) {
    guard let client = clients[peer] else { return }
    do {
      try answer(try request.get(), of: client, at: time)
    } catch {
      client.peer.send(error, photo: client.photo)
    }
  }

  private func answer(_ request: StudioRequest, of client: StudioClient, at time: Timestamp) throws {
    switch request {
    case .open(let photo, let near): try open(photo, near: near, for: client)
    case .view(let photo, let view): show(view, of: photo, to: client)
    case .edit(let photo, let input, let edit, let isDragging):
      try session(photo).set(edit)
      changed(photo, by: client, input: input, isDragging: isDragging)
    case .commit(let photo, let input, let edit):
      // A page that was cut off may have gone on to another photo meanwhile.
      let session = try sessions[photo] ?? PhotoSession(entry(photo))
      try session.set(edit)
      sessions[photo] = session
      changed(photo, by: client, input: input, isDragging: false)
      save(session, from: client, input: input)
    case .undo(let photo): step(try session(photo), isUndo: true)
    case .redo(let photo): step(try session(photo), isUndo: false)
    case .drawn(let frame): client.drawn(frame: frame, at: time)
    case .auto(let photo, let request, let kind): try find(kind, in: try session(photo), request, for: client)
    case .looks(let photo, let size, let edit):
      let presets =
        try [nil] + PresetLibrary.descriptions().map(\.preset) + (PresetFolder.standard?.ids ?? [])
      client.looks = presets.map {
        StudioClient.LookRequest(photo: photo, preset: $0, edit: edit, size: size)
      }
    case .keepLook(let photo, let request, let name, let edit):
      // A look is the same whatever it is seen on.
      let session = try photo == CameraRequest.photo ? .ofCamera(in: photos.folderPath) : session(photo)
      try keepLook(edit, as: name, of: session, request, for: client)
    case .thumbnails(let photos, let size):
      client.wishes.add(try photos.map { ThumbnailWishes.Wish(photo: try entry($0).id, edge: size) })
    case .estimate(let photo, let request, let options):
      try estimate(options, of: try session(photo), request, for: client)
    case .export(let photo, let request, let options):
      try export(try session(photo), options, request, for: client)
    case .camera:
      throw SafelightError(.unsupported, "This studio has no camera", remedy: "start it with one")
    case .library(let request): try answer(request, of: client)
    }
  }

  func entry(_ id: String) throws -> StudioPhotos.Entry {
    guard let entry = photos[id] else {
      throw SafelightError(.invalidValue, "There is no such photo here", remedy: "load the page again")
    }
    return entry
  }

  func session(_ id: String) throws -> PhotoSession {
    guard let session = sessions[id] else {
      throw SafelightError(.invalidValue, "The photo is not open", remedy: "open it first")
    }
    return session
  }

  private func show(_ view: StudioView, of photo: String, to client: StudioClient) {
    guard client.photo == photo else {
      client.early = (photo, view)
      return
    }
    let isFirst = client.view == nil
    client.view = view
    // The first picture of a window comes at once; the sharp one follows when the window rests.
    client.changed(isDragging: !isFirst)
  }

  /// Has a photo rendered anew for all pages that show it.
  private func changed(_ photo: String, by client: StudioClient, input: Int, isDragging: Bool) {
    for viewer in viewers(of: photo) {
      viewer.changed(input: viewer === client ? input : nil, isDragging: isDragging)
    }
  }

  // MARK: Opening

  /// Reads the photo that pages open first, while the browser starts.
  func prepareFirst() {
    if let entry = photos.first { prepare(entry) }
  }

  /// Lists a photo that another program has asked for, and has the next pages open it first.
  func openFirst(_ path: String) {
    let entry = added(path)
    photos.showFirst(entry.id)
    prepare(entry)
  }

  func prepare(_ entry: StudioPhotos.Entry) {
    let session = sessions[entry.id] ?? PhotoSession(entry)
    sessions[entry.id] = session
    session.lastUse = .now
    load(session, beginsWithDraft: true)
  }

  private func open(_ photo: String, near: [String], for client: StudioClient) throws {
    let entry = try entry(photo)
    client.near = near
    client.photo = photo
    client.view = client.early.flatMap { $0.photo == photo ? $0.view : nil }
    client.early = nil
    client.original = (nil, nil)
    client.looks = []
    // The page gives up the picture that it shows now, and those that are no longer beside it.
    let beside = Set(neighbours(of: photo, for: client).map(\.id))
    client.ahead = client.ahead.filter { beside.contains($0.key) }
    let session = sessions[photo] ?? PhotoSession(entry)
    sessions[photo] = session
    session.lastUse = .now
    if session.photo != nil {
      client.peer.send("photo", fields(of: session))
      if client.view != nil { client.changed(isDragging: false) }
      refresh(session)
      prefetch(about: entry, for: client)
    } else {
      load(session)
    }
  }

  /// Reads a photo and its edit, unless that is under way.
  ///
  /// - Parameter beginsWithDraft: whether it is read small first, in half the time, for the picture that a page shows
  ///   before its scripts run.
  private func load(_ session: PhotoSession, isUrgent: Bool = true, beginsWithDraft: Bool = false) {
    guard session.photo == nil, !session.isLoading else { return }
    session.isLoading = true
    let (entry, renderer, post) = (session.entry, parts.renderer, post)
    parts.files.run(isUrgent: isUrgent) {
      // What cannot be read is told when the photo itself is read.
      if beginsWithDraft,
        let draft = try? PhotoDraft(entry.path, longEdge: Self.draftEdge, renderer: renderer),
        let stored = try? StoredEdit(ofPhoto: entry.path)
      {
        post { $0.drafted(entry, draft, stored) }
      }
      let photo = Result { try ResidentPhoto(entry.path, renderer: renderer) }
      let stored = Result { try StoredEdit(ofPhoto: entry.path) }
      post { $0.loaded(entry, photo, stored) }
    }
  }

  /// Enough for a window of 1920 × 1080 pixels.
  private static let draftEdge = 2048

  private func drafted(_ entry: StudioPhotos.Entry, _ draft: PhotoDraft, _ stored: StoredEdit) {
    guard let session = sessions[entry.id], session.photo == nil else { return }
    if session.newest == nil {
      // An edit that cannot be used is told when the photo is read.
      guard (try? session.set(stored.edit)) != nil else { return }
      session.saved = stored.edit
    }
    session.draft = draft
  }

  private func loaded(
    _ entry: StudioPhotos.Entry, _ photo: Result<ResidentPhoto, any Error>,
    _ stored: Result<StoredEdit, any Error>
  ) {
    guard let session = sessions[entry.id] else { return }
    session.isLoading = false
    session.draft = nil
    do {
      session.photo = try photo.get()
      let stored = try stored.get()
      // A page that was cut off brings the state that it had.
      if session.newest == nil || !session.isUnsaved { try session.set(stored.edit) }
      session.saved = stored.edit
      session.steps = (stored.undo, stored.redo)
    } catch {
      // A photo whose edit cannot be read is not shown as if it had none.
      session.photo = nil
      sessions[entry.id] = nil
      for client in viewers(of: entry.id) { client.peer.send(error, photo: entry.id) }
      return
    }
    for client in viewers(of: entry.id) {
      client.peer.send("photo", fields(of: session))
      if client.view != nil { client.changed(isDragging: false) }
    }
    releasePhotos()
    if let viewer = viewers(of: entry.id).first { prefetch(about: entry, for: viewer) }
  }

  /// Reads the edit beside a photo that is opened again, which another program may have changed.
  func refresh(_ session: PhotoSession) {
    let (entry, post) = (session.entry, post)
    parts.files.run(isUrgent: true) {
      let stored = Result { try StoredEdit(ofPhoto: entry.path) }
      post { try $0.refreshed(entry, stored) }
    }
  }

  private func refreshed(_ entry: StudioPhotos.Entry, _ stored: Result<StoredEdit, any Error>) throws {
    guard let session = sessions[entry.id] else { return }
    let stored = try stored.get()
    // What a page has changed since is newer.
    guard try stored.edit.json != session.saved.json, try session.edit.json == session.saved.json else {
      return
    }
    try session.set(stored.edit)
    session.saved = stored.edit
    session.steps = (stored.undo, stored.redo)
    for client in viewers(of: entry.id) {
      client.peer.send("photo", fields(of: session).merging(["changed": .bool(true)]) { first, _ in first })
      client.changed(isDragging: false)
    }
  }

  /// The photos next to one on a page, which may show only some; those next to it in the list if it does not say.
  func neighbours(of photo: String, for client: StudioClient) -> [StudioPhotos.Entry] {
    client.near.isEmpty
      ? photos.neighbours(of: photo) : client.near.prefix(Self.mostIdlePhotos).compactMap { photos[$0] }
  }

  /// Reads the photos next to the one that a page shows, which people often look at next.
  private func prefetch(about entry: StudioPhotos.Entry, for client: StudioClient) {
    for neighbour in neighbours(of: entry.id, for: client) {
      let session = sessions[neighbour.id] ?? PhotoSession(neighbour)
      sessions[neighbour.id] = session
      load(session, isUrgent: false)
    }
  }

  /// Closes photos that nobody looks at, those looked at longest ago first.
  private func releasePhotos() {
    let idle = sessions.values.filter { $0.photo != nil && viewers(of: $0.entry.id).isEmpty }
    for session in idle.sorted(by: { $0.lastUse > $1.lastUse }).dropFirst(Self.mostIdlePhotos) {
      sessions[session.entry.id] = nil
    }
    for session in idle { session.photo?.releaseMemory() }
  }

  /// The photos on both sides of one.
  private static var mostIdlePhotos: Int { 2 }

  private func fields(of session: PhotoSession) -> [String: JSONValue] {
    guard let photo = session.photo else { return [:] }
    return [
      "photo": .string(session.entry.id), "name": .string(session.entry.name),
      "width": .number(photo.uprightSize.width), "height": .number(photo.uprightSize.height),
      "edit": (try? session.edit.json) ?? .null, "undo": .number(session.steps.undo),
      "redo": .number(session.steps.redo),
      "facts": .array(StudioFacts(photo).rows.map { .object(["name": .string($0), "value": .string($1)]) }),
    ]
  }
}
