import Safelight

/// Marks, edits and the list of photos.
extension StudioDesk {
  func answer(_ request: LibraryRequest, of client: StudioClient) throws {
    switch request {
    case .mark(let request, let photos, let change): try mark(photos, change, request, for: client)
    case .sight(let photos, let size): look(at: photos, size, for: client)
    case .paste(let request, let photos, let edit, let parts):
      begin(StudioBatch(request, .paste(edit, parts), photos, for: client.peer.id))
    case .stepOfPaste(let request, let isUndo, let photos, let steps):
      begin(StudioBatch(request, .stepOfPaste(isUndo: isUndo, steps), photos, for: client.peer.id))
    case .exportAll(let request, let photos, let options):
      begin(StudioBatch(request, .export(options), photos, for: client.peer.id))
    case .cancel(let request): cancel(request, of: client)
    }
  }

  /// A page has connected: it is told what is known, and what is not is read.
  func greet(_ client: StudioClient) {
    if !library.marks.isEmpty { send(library.marks, to: [client]) }
    if !library.edited.isEmpty { sendEdits(to: [client]) }
    startWatching()
    guard !library.isRead else { return }
    library.isRead = true
    reading.read(photos.entries)
  }

  private var reading: LibraryReading {
    let post = post
    return LibraryReading(on: parts.library.reader) { found in post { $0.learn(found) } }
  }

  // MARK: Marks

  private func mark(
    _ photos: [String], _ change: PhotoMark.Change, _ request: Int?, for client: StudioClient
  ) throws {
    let entries = try photos.map(entry)
    let (peer, post, markers) = (client.peer, post, parts.library.markers)
    // The next request waits: of two that mark one photo, the later one holds.
    parts.library.reader.run(isUrgent: true) {
      let news = Monitor((found: LibraryReading.Found(), told: Timestamp.now))
      markers.run(entries.count) { index in
        let entry = entries[index]
        let result = Result { try PhotoMark.change(forPhoto: entry.path, change) }
        switch result {
        case .success(let mark):
          // Pages see how far it is.
          let part = news.update { news -> LibraryReading.Found? in
            news.found.marks[entry.id] = mark
            guard Timestamp.now.seconds(since: news.told) > 0.1 else { return nil }
            defer { news = (LibraryReading.Found(), .now) }
            return news.found
          }
          if let part { post { $0.learn(part) } }
        case .failure(let error): peer.send(error, request: request, photo: entry.id)
        }
      }
      let rest = news.read { $0.found }
      post { $0.learn(rest) }
    }
  }

  func learn(_ found: LibraryReading.Found) {
    // What was read of a photo that has gone meanwhile is nobody's.
    let marks = library.learn(found.marks.filter { photos[$0.key] != nil })
    if !marks.isEmpty { send(marks, to: Array(clients.values)) }
    for (id, isEdited) in found.edited where photos[id] != nil { learn(edited: id, isEdited) }
  }

  private func send(_ marks: [String: PhotoMark], to clients: [StudioClient]) {
    for client in clients { client.peer.send("marks", ["marks": .object(marks.mapValues(\.json))]) }
  }

  // MARK: Edits

  /// A photo has an edit beside it now, or has none any more.
  func learn(edited id: String, _ isEdited: Bool) {
    guard library.learn(edited: id, isEdited) else { return }
    // Many at once are told of at once.
    library.editsDue = library.editsDue ?? .now.advanced(bySeconds: 0.1)
  }

  private func sendEdits(to clients: [StudioClient]) {
    let ids = JSONValue.array(library.edited.sorted().map { .string($0) })
    for client in clients { client.peer.send("edits", ["edited": ids]) }
  }

  // MARK: The list

  /// A file has been written that is to be in the list, such as a photo of a camera: pages are told, unless it is there.
  ///
  /// From other threads: `post { $0.added(path) }`.
  ///
  /// - Returns: its entry, by whose id pages know it.
  @discardableResult
  func added(_ path: String) -> StudioPhotos.Entry {
    let (entry, isNew) = photos.add(path)
    if isNew {
      tellPhotos()
      if library.isRead { reading.read([entry]) }
    }
    return entry
  }

  /// The file of a photo is gone. A page that shows it keeps what it has; it cannot be opened any more.
  func removed(_ path: String) {
    let id = StudioPhotos.id(of: path)
    guard photos.remove(id) else { return }
    library.forget(id)
    tellPhotos()
  }

  /// Has pages told of the list: at once, unless they were told just before.
  func tellPhotos() {
    let next = library.photosTold?.advanced(bySeconds: pauseBetweenLists)
    library.photosDue = library.photosDue ?? next.map { max($0, .now) } ?? .now
  }

  /// In seconds: a long list takes pages a while.
  private var pauseBetweenLists: Double { 0.25 + Double(photos.entries.count) / 10_000 }

  /// Tells what is due.
  func tellWhatIsDue() {
    if let due = library.photosDue, due <= .now {
      (library.photosDue, library.photosTold) = (nil, .now)
      let list = StudioWelcome(photos).list
      for client in clients.values { client.peer.send("photos", ["photos": list]) }
    }
    if let due = library.editsDue, due <= .now {
      library.editsDue = nil
      sendEdits(to: Array(clients.values))
    }
  }

  // MARK: What other programs do

  private func startWatching() {
    if library.watch == nil,
      let first = photos.folderPath ?? photos.entries.first.map({ FolderListing.parent(of: $0.path) })
    {
      let post = post
      // Without it, pages see what has changed when the studio starts again.
      library.watch = try? FolderWatch(first) { change in post { $0.folderChanged(change, in: first) } }
    }
    library.watch?.watch(true)
  }

  private func folderChanged(_ change: FolderWatch.Change, in folder: String) {
    switch change {
    case .names(let names): filesChanged(names, in: folder)
    case .begun, .unknown:
      let (photos, post) = (photos, post)
      parts.library.reader.run {
        // A folder that cannot be read now keeps its list.
        let isNew = (try? photos.readFolder()) ?? false
        post { desk in
          if isNew { desk.tellPhotos() }
          // When it begins, marks are as they have just been read.
          if isNew || change == .unknown { desk.reading.read(desk.photos.entries) }
        }
      }
    }
  }

  private func filesChanged(_ names: Set<String>, in folder: String) {
    var stale: [StudioPhotos.Entry] = []
    var stems: Set<String> = []
    for name in names {
      let path = photos.path(name, in: folder)
      if MarkFiles.isMarkFile(name) {
        let own = MarkFiles.stem(name)
        if let entry = photos[StudioPhotos.id(of: photos.path(own, in: folder))] {
          stale.append(entry)
        } else {
          stems.insert(own)
        }
      } else if name.hasSuffix(RecipeSidecar.suffix) {
        guard let entry = photos[StudioPhotos.id(of: String(path.dropLast(RecipeSidecar.suffix.count)))]
        else {
          continue
        }
        stale.append(entry)
        // Pages that show it see what another program made of it.
        if let session = sessions[entry.id], session.photo != nil { refresh(session) }
        renewThumbnail(of: entry.id)
      } else if StudioPhotos.isPhoto(name), photos.folderPath != nil {
        photoChanged(path)
      }
    }
    if !stale.isEmpty { reading.read(stale, isUrgent: true) }
    guard !stems.isEmpty else { return }
    let (photos, reading, wanted) = (photos, reading, stems)
    parts.library.reader.run(isUrgent: true) {
      reading.read(photos.entries.filter { wanted.contains(MarkFiles.stem($0.name)) }, isUrgent: true)
    }
  }

  private func photoChanged(_ path: String) {
    let id = StudioPhotos.id(of: path)
    if FileContents.kind(of: path) != .file {
      removed(path)
    } else if photos[id] == nil {
      added(path)
    } else {
      renewThumbnail(of: id)
    }
  }
}
