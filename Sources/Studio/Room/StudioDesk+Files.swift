import Safelight

/// What reads and writes files, beside the rendering.
extension StudioDesk {
  // MARK: Edits

  /// Writes the newest state of a photo's edit beside it, as a step of its history.
  ///
  /// - Parameters:
  ///   - page: that made it; nil if it is gone.
  ///   - input: the page's number of it.
  func save(_ session: PhotoSession, from page: StudioClient?, input: Int) {
    let peer = page?.peer.id
    let (entry, recipe, edit, post) = (session.entry, session.recipe, session.edit, post)
    parts.files.run(isUrgent: true) {
      let result = Result {
        let before = try StoredEdit(ofPhoto: entry.path)
        // Nothing has changed: no step.
        guard try before.edit.json != edit.json else { return before }
        return StoredEdit(try RecipeSidecar.save(recipe, forPhoto: entry.path, .set))
      }
      post { try $0.saved(entry, result, from: peer, input: input) }
    }
  }

  /// Saves the newest state of a photo that no page shows any longer, unless it is saved.
  func saveRest(of session: PhotoSession) {
    guard session.isUnsaved else { return }
    save(session, from: nil, input: 0)
  }

  func step(_ session: PhotoSession, isUndo: Bool) {
    let (entry, post) = (session.entry, post)
    parts.files.run(isUrgent: true) {
      let result = Result {
        StoredEdit(
          try isUndo
            ? RecipeSidecar.undo(forPhoto: entry.path, keepsUndone: true)
            : RecipeSidecar.redo(forPhoto: entry.path))
      }
      post { try $0.saved(entry, result, from: nil, input: nil) }
    }
  }

  /// - Parameter input: of a page whose edit this is, and which may have gone on meanwhile; nil for a step back or
  ///   forward.
  func saved(
    _ entry: StudioPhotos.Entry, _ result: Result<StoredEdit, any Error>, from peer: Int?, input: Int?
  ) throws {
    if case .success(let stored) = result {
      learn(edited: entry.id, !stored.edit.isEmpty)
      renewThumbnail(of: entry.id)
    }
    guard let session = sessions[entry.id] else { return }
    do {
      let stored = try result.get()
      let label = StudioChange.title(from: session.saved, to: stored.edit)
      session.steps = (stored.undo, stored.redo)
      session.saved = stored.edit
      if input == nil {
        try session.set(stored.edit)
        for client in viewers(of: entry.id) { client.changed(isDragging: false) }
      }
      let command = StudioCommand.edit(stored.edit, photo: entry.path)
      for client in viewers(of: entry.id) {
        client.peer.send(
          "edited",
          [
            "photo": .string(entry.id), "edit": try stored.edit.json, "undo": .number(stored.undo),
            "redo": .number(stored.redo), "label": .string(label),
            // To all other pages it is news.
            "input": client.peer.id == peer ? input.map { .number($0) } ?? .null : .null,
            "command": .string(command), "saved": .string(UTCTime.now),
          ])
      }
    } catch {
      for client in viewers(of: entry.id) { client.peer.send(error, photo: entry.id) }
    }
  }

  // MARK: Findings

  func find(
    _ question: StudioFinding.Question, in session: PhotoSession, _ request: Int, for client: StudioClient
  )
    throws
  {
    let (entry, recipe, peer) = (session.entry, session.recipe, client.peer)
    parts.files.run(isUrgent: true) {
      do {
        let finding = try StudioFinding(question, in: entry.path, joining: recipe)
        peer.send("auto", finding.message(request, photo: entry.id))
      } catch {
        peer.send(error, request: request, photo: entry.id)
      }
    }
  }

  // MARK: Export

  func export(_ session: PhotoSession, _ options: StudioExport, _ request: Int, for client: StudioClient)
    throws
  {
    let (entry, recipe, edit, peer) = (session.entry, session.recipe, session.edit, client.peer)
    let renderer = parts.renderer
    peer.send("progress", ["request": .number(request), "fraction": .number(0)])
    parts.exports.run {
      do {
        let target = StudioExport.path(forPhoto: entry.path, format: options.format)
        try Folder.makeWithParents(target.folder)
        let path = FolderListing.path(target.name, in: target.folder)
        let report = try options.export.run(entry.path, through: recipe, to: path, renderer: renderer)
        let seal = try FileFingerprint(contentsOf: path)
        peer.send(
          "exported",
          [
            "request": .number(request), "name": .string(target.name), "path": .string(path),
            "bytes": .number(report.bytes), "width": .number(report.outputSize.width),
            "height": .number(report.outputSize.height), "seconds": .number(report.seconds),
            "seal": .string(seal.hash), "warnings": .array(report.warnings.map { .string($0) }),
            "command": .string(StudioCommand.edit(edit, photo: entry.path, to: path, options)),
          ])
      } catch {
        peer.send(error, request: request, photo: entry.id)
      }
    }
  }

  /// Tells about how large a file would be: a smaller one is written, and its size taken for the rest.
  func estimate(_ options: StudioExport, of session: PhotoSession, _ request: Int, for client: StudioClient)
    throws
  {
    guard let photo = session.photo else { return }
    let (entry, recipe, peer) = (session.entry, session.recipe, client.peer)
    var size = try photo.size(through: recipe)
    if let edge = options.maximumEdge {
      let box = PixelSize(width: edge, height: edge)
      if !size.fits(into: box) { size = size.fitted(into: box) }
    }
    let (full, renderer) = (size, parts.renderer)
    parts.exports.run {
      do {
        let bytes = try StudioEstimate.bytes(entry.path, recipe, options, full: full, renderer: renderer)
        peer.send(
          "estimate",
          [
            "request": .number(request), "bytes": .number(bytes), "width": .number(full.width),
            "height": .number(full.height),
          ])
      } catch {
        peer.send(error, request: request, photo: entry.id)
      }
    }
  }
}
