import Files
import FrameCore

/// What one job of a batch does: photo after photo until none is left.
extension BatchRun {
  /// Thrown for what ends the whole run.
  private struct Fatal: Error {
    let reason: SafelightError
  }

  func runLane(_ journal: BatchJournal, _ place: BatchOutputFolder, _ planner: SharedNamePlanner) {
    var editor: (any BatchEditor)?
    while var item = takeItem() {
      monitor.update { $0.progress.current.append(item.photo.path) }
      var attempt = Attempt(entry: BatchReport.Entry(item))
      let planned = item.output
      do {
        try edit(&item, journal, place, planner, &editor, &attempt)
        finish(attempt.entry)
      } catch let error as Fatal {
        leave(item, error.reason)
        noteFailure(of: attempt, "\(error.reason)", journal)
      } catch is CancellationError {
        noteFailure(of: attempt, "cancelled", journal)
        leave(item)
      } catch {
        let error = error as? SafelightError ?? SafelightError(.file, "\(error)")
        // A disk that is full will not take the next photo either.
        if let reason = place.problem(behind: error) {
          leave(item, reason)
          noteFailure(of: attempt, error.description, journal)
        } else {
          noteFailure(of: attempt, error.description, journal)
          attempt.entry.fail(error.description)
          finish(attempt.entry)
        }
      }
      monitor.update { state in
        state.busy.remove(PathKey(planned))
        state.busy.remove(PathKey(item.output))
      }
    }
  }

  /// One photo's turn.
  private struct Attempt {
    var entry: BatchReport.Entry
    /// Whether the journal says that it was started, and no end yet.
    var isStarted = false
  }

  /// The next item whose result is not at work in another lane, once there is one; nil at the end.
  private func takeItem() -> BatchNaming.Item? {
    monitor.wait { state -> BatchNaming.Item?? in
      guard !state.isStopped, state.fatal == nil else { return .some(nil) }
      if let item = state.takePending() { return .some(item) }
      return state.isOpen || !state.pending.isEmpty ? nil : .some(nil)
    }
  }

  private func edit(
    _ item: inout BatchNaming.Item, _ journal: BatchJournal, _ place: BatchOutputFolder,
    _ planner: SharedNamePlanner, _ editor: inout (any BatchEditor)?, _ attempt: inout Attempt
  ) throws {
    switch item.decision {
    case .fail(let error): throw error
    case .skip(let reason): return attempt.entry.skip(reason)
    case .edit: break
    }
    let photo = try find(item.photo)
    guard var overwrite = try decide(&item, photo, journal, planner, &attempt) else { return }
    let worker = try editor ?? makeEditor()
    editor = worker
    let examination = try worker.examine(item.photo.path)
    memory.acquire(examination.memory)
    defer { memory.release(examination.memory) }
    if let reason = place.problem() { throw Fatal(reason: reason) }
    // The wait may have been long: a result that somebody changed meanwhile is no longer the batch's own.
    if overwrite {
      guard let isStillReplaced = try decide(&item, photo, journal, planner, &attempt) else { return }
      overwrite = isStillReplaced
    }
    let path = FolderListing.path(item.output, in: folder)
    try FileContents.makeFolders(FolderListing.parent(of: path))
    attempt.isStarted = true
    try waitUntilSynced(
      note(
        naming(item, journal) + [
          .planned(
            output: item.output, input: photo.path, state: photo.state, edit: photo.edit,
            original: photo.identity, command: options.command),
          .started(output: item.output),
        ], journal))
    let result = try worker.edit(to: path, overwrite: overwrite)
    try note([.finished(output: item.output, result.fingerprint)], journal)
    attempt.isStarted = false
    attempt.entry.done(result)
    monitor.update {
      $0.progress.megapixels += Double(examination.width) * Double(examination.height) / 1e6
    }
  }

  /// Decides what the photo may do to the file that has its name now, and gives it another name where it needs
  /// one.
  ///
  /// - Returns: whether that file is replaced; nil where the photo is not edited, as its entry says then.
  private func decide(
    _ item: inout BatchNaming.Item, _ photo: FoundOriginal, _ journal: BatchJournal,
    _ planner: SharedNamePlanner, _ attempt: inout Attempt
  ) throws -> Bool? {
    switch try target(of: item, photo, journal, planner) {
    case .edit(let overwrite): return overwrite
    case .rename:
      item.output = planner.rename(item)
      attempt.entry.output = item.output
      monitor.update { [name = item.output] in _ = $0.busy.insert(PathKey(name)) }
      return false
    case .done(let record): attempt.entry.skip("done before", record)
    case .keep(let reason): attempt.entry.skip(reason)
    }
    return nil
  }

  /// - Returns: the number of the last line.
  @discardableResult
  private func note(_ events: [BatchJournal.Event], _ journal: BatchJournal) throws -> Int {
    do {
      try journal.write(events)
    } catch let error as SafelightError {
      throw Fatal(reason: error)
    }
    return monitor.update { state in
      state.journalEvents += events.count
      return state.journalEvents
    }
  }

  /// The end without a result of what was started; what was not leaves no trace in the journal, since it did nothing to
  /// what is there under its name.
  private func noteFailure(of attempt: Attempt, _ reason: String, _ journal: BatchJournal) {
    guard attempt.isStarted else { return }
    do {
      try note([.failed(output: attempt.entry.output, reason: reason)], journal)
    } catch {
      if let error = error as? Fatal { end(because: error.reason) }
    }
  }

  /// Waits until the journal is on the disk up to a line; lanes that wait share the wait.
  private func waitUntilSynced(_ line: Int) throws {
    let problem = monitor.wait { state -> SafelightError?? in
      if state.syncedEvents >= line { return .some(nil) }
      return state.syncProblem.map { .some($0) }
    }
    if let problem { throw Fatal(reason: problem) }
  }

  /// Brings the journal to the disk whenever it has grown, as long as there are lanes.
  func sync(_ journal: BatchJournal) {
    while let line = monitor.wait(for: { state -> Int?? in
      guard state.journalEvents > state.syncedEvents else { return state.lanes == 0 ? .some(nil) : nil }
      return state.journalEvents
    }) {
      do {
        try journal.sync()
        monitor.update { $0.syncedEvents = line }
      } catch {
        let error = error as? SafelightError ?? SafelightError(.file, "\(error)")
        end(because: error)
        return monitor.update { $0.syncProblem = error }
      }
    }
  }

  private func finish(_ entry: BatchReport.Entry) {
    monitor.update { state in
      state.add(entry)
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
    leave(item)
  }

  private func leave(_ item: BatchNaming.Item) {
    monitor.update { state in
      if let at = state.progress.current.firstIndex(of: item.photo.path) {
        state.progress.current.remove(at: at)
      }
      state.add(BatchReport.Entry(item, status: .left))
    }
  }

  /// What is to be done beside the photos, counted among them where it takes no more than half of what they may take together.
  ///
  /// - Returns: nil where it takes more, and is not done.
  func beside<Value>(taking bytes: Int, _ body: () throws -> Value) rethrows -> Value? {
    guard bytes <= options.memory / 2 else { return nil }
    return try memory.spend(bytes, body)
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
    (backend, device) = (result.backend?.backend, result.backend?.device)
  }
}
