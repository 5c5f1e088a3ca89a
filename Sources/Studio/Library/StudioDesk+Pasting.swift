import Safelight

/// An edit that is given to many photos, and taken back from all of them.
extension StudioDesk {
  /// The edit of a photo after a batch changed it, or what it was if there was nothing to change.
  private typealias Pasted = (stored: StoredEdit, isChanged: Bool)

  func paste(
    _ parts: Set<EditPart>, of edit: StudioEdit, to entry: StudioPhotos.Entry, _ batch: StudioBatch
  ) {
    // What a page has changed and not yet saved is part of it.
    let newest = sessions[entry.id].flatMap { $0.isUnsaved ? $0.newest : nil }
    change(entry, batch) {
      let before = try StoredEdit(ofPhoto: entry.path)
      let pasted = (newest ?? before.edit).taking(parts, from: edit)
      guard try pasted.json != before.edit.json else { return (before, false) }
      let recipe = try pasted.recipe(forPhoto: entry.path, in: FileSnapshot())
      return (StoredEdit(try RecipeSidecar.save(recipe, forPhoto: entry.path, .copied)), true)
    }
  }

  /// Takes back what was pasted, or gives it again, unless the photo's edit has changed since.
  ///
  /// - Parameter count: the steps of the photo's history just after it was pasted.
  func stepOfPaste(_ entry: StudioPhotos.Entry, at count: Int, isUndo: Bool, _ batch: StudioBatch) {
    let isUnsaved = sessions[entry.id]?.isUnsaved ?? false
    change(entry, batch) {
      let sidecar = try RecipeSidecar.change(forPhoto: entry.path) { before in
        let step = isUndo ? before?.history.last : before?.undone.last
        let steps = (before?.history.count ?? 0) + (isUndo ? 0 : 1)
        guard var sidecar = before, step?.action == .copied, steps == count, !isUnsaved else {
          throw SafelightError(
            .invalidValue, "The edit of \(entry.name) has changed since",
            remedy: "open the photo and undo its steps there")
        }
        if isUndo { try sidecar.undo() } else { try sidecar.redo() }
        return sidecar
      }
      return (StoredEdit(sidecar), true)
    }
  }

  private func change(
    _ entry: StudioPhotos.Entry, _ batch: StudioBatch, _ body: @escaping @Sendable () throws -> Pasted
  ) {
    let (request, peer, post) = (batch.request, batch.peer, post)
    parts.files.run {
      let result = Result { try body() }
      post { try $0.changed(entry, result, request, of: peer) }
    }
  }

  private func changed(
    _ entry: StudioPhotos.Entry, _ result: Result<Pasted, any Error>, _ request: Int, of peer: Int
  ) throws {
    guard let batch = library.batches.first(where: { $0.request == request && $0.peer == peer }) else {
      return
    }
    switch result {
    case .success(let pasted):
      if pasted.isChanged, case .paste = batch.kind { batch.steps[entry.id] = pasted.stored.undo }
      try saved(entry, .success(pasted.stored), from: nil, input: nil)
      finished(entry.id, batch)
    case .failure(let error): finished(entry.id, batch, failure: error)
    }
  }
}
