import Safelight

/// What is done to many photos: one at a time, so that whatever a page waits for comes between, and so that it can be
/// ended after the photo in work.
extension StudioDesk {
  func begin(_ batch: StudioBatch) {
    library.batches.append(batch)
    tellProgress(of: batch)
    goOnInTurn(with: batch)
  }

  func cancel(_ request: Int, of client: StudioClient) {
    for batch in library.batches where batch.request == request && batch.peer == client.peer.id {
      batch.isCancelled = true
    }
  }

  /// Ends a batch of a script: now, or after the photo in work.
  func cancel(_ batch: StudioBatch) {
    batch.isCancelled = true
    if !batch.isInWork { end(batch) }
  }

  /// Those of scripts take turns with other work for scripts.
  private func goOnInTurn(with batch: StudioBatch) {
    // Its end takes no turn.
    let isOver = batch.isCancelled || batch.next == batch.photos.count
    guard batch.isOfScript, !isOver else { return goOn(with: batch) }
    scripts.wait { desk in
      // It may have been cancelled while it waited.
      guard desk.library.batches.contains(where: { $0 === batch }) else { return desk.scripts.endTurn() }
      desk.goOn(with: batch)
      if !batch.isInWork { desk.scripts.endTurn() }
    }
  }

  private func goOn(with batch: StudioBatch) {
    guard !batch.isCancelled, batch.next < batch.photos.count else { return end(batch) }
    let id = batch.photos[batch.next]
    batch.next += 1
    batch.isInWork = true
    do {
      let entry = try entry(id)
      switch batch.kind {
      case .paste(let edit, let parts): paste(parts, of: edit, to: entry, batch)
      case .stepOfPaste(let isUndo, let steps): stepOfPaste(entry, at: steps[id] ?? 0, isUndo: isUndo, batch)
      case .export(let options): export(entry, options, batch)
      }
    } catch {
      finished(id, batch, failure: error)
    }
  }

  func finished(_ id: String, _ batch: StudioBatch, name: String? = nil, failure: (any Error)? = nil) {
    batch.isInWork = false
    if let failure {
      batch.failed.append(StudioBatch.Failure(photo: id, error: failure))
    } else {
      batch.done.append(id)
    }
    tellProgress(of: batch, photo: id, name: name)
    // Not from within: a list of photos that are all gone is long.
    let (request, peer) = (batch.request, batch.peer)
    post { $0.goOn(with: request, of: peer) }
  }

  private func goOn(with request: Int, of peer: Int) {
    guard let batch = library.batches.first(where: { $0.request == request && $0.peer == peer }) else {
      return
    }
    goOnInTurn(with: batch)
  }

  private func tellProgress(of batch: StudioBatch, photo: String? = nil, name: String? = nil) {
    let ready = batch.done.count + batch.failed.count
    clients[batch.peer]?.peer.send(
      "progress",
      [
        "request": .number(batch.request), "done": .number(ready), "count": .number(batch.photos.count),
        "fraction": .number(batch.photos.isEmpty ? 1 : Double(ready) / Double(batch.photos.count)),
        "photo": photo.map { .string($0) } ?? .null, "name": name.map { .string($0) } ?? .null,
      ])
  }

  private func end(_ batch: StudioBatch) {
    library.batches.removeAll { $0 === batch }
    var fields: [String: JSONValue] = [
      "request": .number(batch.request), "failed": batch.failures, "cancelled": .bool(batch.isCancelled),
    ]
    switch batch.kind {
    case .paste, .stepOfPaste:
      fields["steps"] = .object(batch.steps.mapValues { .number($0) })
      fields["photos"] = .array(batch.done.map { .string($0) })
      clients[batch.peer]?.peer.send("pasted", fields)
    case .export(let options):
      fields["done"] = .array(batch.done.map { .string($0) })
      fields["folder"] = batch.folder.map { .string($0) } ?? .null
      fields["bytes"] = .number(batch.bytes)
      fields["seconds"] = .number((Timestamp.now.seconds(since: batch.began) * 1000).rounded() / 1000)
      fields["command"] = command(of: batch, options)
      clients[batch.peer]?.peer.send("exported-all", fields)
      if batch.isOfScript { scripts.ended(batch, command: fields["command"] ?? .null) }
    }
  }

  // MARK: Export

  private func export(_ entry: StudioPhotos.Entry, _ options: StudioExport, _ batch: StudioBatch) {
    let newest = sessions[entry.id].flatMap { $0.isUnsaved ? $0.recipe : nil }
    let (request, peer, post, renderer) = (batch.request, batch.peer, post, parts.library.renderer)
    parts.exports.run {
      let result = Result {
        let recipe =
          try newest ?? StoredEdit(ofPhoto: entry.path).edit.recipe(forPhoto: entry.path, in: FileSnapshot())
        let target = StudioExport.path(forPhoto: entry.path, format: options.format)
        try Folder.makeWithParents(target.folder)
        let path = FolderListing.path(target.name, in: target.folder)
        let report = try options.export.run(entry.path, through: recipe, to: path, renderer: renderer)
        return Written(
          folder: target.folder, name: target.name, bytes: report.bytes, isEdited: !recipe.filters.isEmpty)
      }
      post { $0.exported(entry, result, request, of: peer) }
    }
  }

  /// A file that was exported.
  private struct Written {
    let folder, name: String
    let bytes: Int
    let isEdited: Bool
  }

  private func exported(
    _ entry: StudioPhotos.Entry,
    _ result: Result<Written, any Error>, _ request: Int, of peer: Int
  ) {
    guard let batch = library.batches.first(where: { $0.request == request && $0.peer == peer }) else {
      return
    }
    if batch.isOfScript { scripts.endTurn() }
    switch result {
    case .success(let written):
      batch.folder = written.folder
      if written.isEdited { batch.edited.insert(entry.id) }
      batch.bytes += written.bytes
      if batch.isOfScript {
        let path = FileContents.absolute(FolderListing.path(written.name, in: written.folder))
        batch.files.append(
          .object([
            "photo": .string(entry.id), "path": .string(path), "bytes": .number(written.bytes),
          ]))
      }
      finished(entry.id, batch, name: written.name)
    case .failure(let error): finished(entry.id, batch, failure: error)
    }
  }

  /// The command line that exports the same photos: those with an edit as it is beside them, all others as they are.
  private func command(of batch: StudioBatch, _ options: StudioExport) -> JSONValue {
    guard let folder = batch.folder else { return .null }
    func paths(isEdited: Bool) -> [String] {
      batch.done.filter { batch.edited.contains($0) == isEdited }.compactMap { photos[$0]?.path }
    }
    let edited = paths(isEdited: true)
    // Photos without an edit are passed over in a folder.
    let isAll = edited.count > 3 && batch.edited == library.edited && photos.folderPath != nil
    return .string(
      StudioCommand.export(
        edited: isAll ? [photos.folderPath ?? "."] : edited, plain: paths(isEdited: false), to: folder,
        options))
  }
}
