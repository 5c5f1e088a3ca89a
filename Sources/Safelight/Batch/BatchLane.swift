import FrameCore

/// What one job of a batch does: photo after photo until none is left.
extension BatchRun {
  /// Thrown for what ends the whole run.
  private struct Fatal: Error {
    let reason: SafelightError
  }

  func runLane(_ journal: BatchJournal, _ place: BatchOutputFolder) {
    var editor: (any BatchEditor)?
    while let item = takeItem() {
      monitor.update { $0.progress.current.append(item.photo.path) }
      var entry = BatchReport.Entry(item)
      do {
        try edit(item, journal, place, &editor, &entry)
      } catch let error as Fatal {
        leave(item, error.reason)
        continue
      } catch let error as SafelightError {
        // A disk that is full will not take the next photo either.
        if let reason = place.problem(behind: error) {
          leave(item, reason)
          continue
        }
        entry.fail(error.description)
      } catch {
        entry.fail("\(error)")
      }
      finish(entry, journal)
    }
  }

  /// The next item, once there is one; nil at the end.
  private func takeItem() -> BatchNaming.Item? {
    monitor.wait { state -> BatchNaming.Item?? in
      guard !state.isStopped, state.fatal == nil else { return .some(nil) }
      guard state.next < state.items.count else { return state.isOpen ? nil : .some(nil) }
      state.next += 1
      return state.items[state.next - 1]
    }
  }

  private func edit(
    _ item: BatchNaming.Item, _ journal: BatchJournal, _ place: BatchOutputFolder,
    _ editor: inout (any BatchEditor)?, _ entry: inout BatchReport.Entry
  ) throws {
    var overwrite: Bool
    switch item.decision {
    case .fail(let error): throw error
    case .skip(let reason): return entry.skip(reason)
    case .edit(let replaces): overwrite = replaces
    }
    guard let state = BatchJournal.FileState(item.photo.path) else {
      throw SafelightError(
        .file, "Cannot read \(item.photo.path): there is no such file", remedy: "it went away meanwhile")
    }
    let edit = try options.edit(item.photo.path)
    if isDone(item, journal, edit: edit) { return entry.skip("done before", journal.record(of: item.output)) }
    let path = FolderListing.path(item.output, in: folder)
    if overwrite, let reason = try keepsChanged(item, path, journal) { return entry.skip(reason) }
    let worker = try editor ?? makeEditor()
    editor = worker
    let examination = try worker.examine(item.photo.path)
    acquire(examination.memory)
    defer { release(examination.memory) }
    if let reason = place.problem() { throw Fatal(reason: reason) }
    try FileContents.makeFolders(FolderListing.parent(of: path))
    try note(
      [
        .planned(output: item.output, input: item.photo.path, state: state, edit: edit),
        .started(output: item.output),
      ], journal)
    let result = try worker.edit(to: path, overwrite: overwrite)
    try note([.finished(output: item.output, result.fingerprint)], journal)
    entry.done(result)
    monitor.update {
      $0.progress.megapixels += Double(examination.width * examination.height) / 1e6
    }
  }

  /// Whether the result that stands at `path` was changed by somebody since it was made, and stays.
  ///
  /// - Returns: why it is kept; nil where it may be replaced.
  private func keepsChanged(_ item: BatchNaming.Item, _ path: String, _ journal: BatchJournal) throws
    -> String?
  {
    guard options.naming.conflict != .overwrite, let result = journal.record(of: item.output)?.result,
      let found = try? FileFingerprint(contentsOf: path), found != result
    else { return nil }
    let problem = "\(item.output) was changed since it was written"
    guard options.naming.conflict == .skip else {
      throw SafelightError(.file, problem, remedy: "move it away, or choose --on-conflict skip or overwrite")
    }
    return problem
  }

  private func note(_ events: [BatchJournal.Event], _ journal: BatchJournal) throws {
    do {
      try journal.write(events)
    } catch let error as SafelightError {
      throw Fatal(reason: error)
    }
    monitor.update { $0.hasNewLines = true }
  }

  /// Brings the journal to the disk whenever it has grown, as long as there are lanes: that a photo was begun should be
  /// known there before its result is, and nobody has to wait for it.
  func sync(_ journal: BatchJournal) {
    while monitor.wait(for: { state -> Bool? in
      guard state.hasNewLines else { return state.lanes == 0 ? false : nil }
      state.hasNewLines = false
      return true
    }) {
      do {
        try journal.sync()
      } catch {
        if let error = error as? SafelightError { end(because: error) }
      }
    }
  }

  private func finish(_ entry: BatchReport.Entry, _ journal: BatchJournal) {
    if entry.status == .failed {
      do {
        try journal.write(.failed(output: entry.output, reason: entry.reason ?? ""))
      } catch {
        if let error = error as? SafelightError { end(because: error) }
      }
    }
    monitor.update { state in
      state.entries.append(entry)
      state.progress.news.append(entry)
      if let at = state.progress.current.firstIndex(of: entry.input) { state.progress.current.remove(at: at) }
      switch entry.status {
      case .done: state.progress.done += 1
      case .skipped: state.progress.skipped += 1
      case .failed: state.progress.failed += 1
      case .left: break
      }
    }
  }

  /// The photo is left for another run, like all that come after it.
  private func leave(_ item: BatchNaming.Item, _ reason: SafelightError) {
    end(because: reason)
    monitor.update { state in
      if let at = state.progress.current.firstIndex(of: item.photo.path) {
        state.progress.current.remove(at: at)
      }
    }
  }

  /// Waits until `bytes` are left of the bound, or nobody else is at work; photos wait in turn.
  private func acquire(_ bytes: Int) {
    let ticket = monitor.update { state in
      state.tickets += 1
      return state.tickets - 1
    }
    monitor.wait { state -> Void? in
      guard state.serving == ticket,
        state.running == 0 || state.memoryInUse + bytes <= options.memory
      else { return nil }
      state.running += 1
      state.memoryInUse += bytes
      return ()
    }
    // Wakes the next in turn.
    monitor.update { $0.serving += 1 }
  }

  private func release(_ bytes: Int) {
    monitor.update { state in
      state.running -= 1
      state.memoryInUse -= bytes
    }
  }
}

extension BatchReport.Entry {
  fileprivate mutating func fail(_ why: String) {
    status = .failed
    reason = why
  }

  fileprivate mutating func skip(_ why: String, _ record: BatchJournal.Record? = nil) {
    status = .skipped
    reason = why
    bytes = record?.result?.bytes
    hash = record?.result?.hash
  }

  fileprivate mutating func done(_ result: BatchResult) {
    status = .done
    (width, height) = (result.width, result.height)
    (bytes, hash) = (result.fingerprint.bytes, result.fingerprint.hash)
    seconds = result.seconds
    warnings = result.warnings
  }
}
