import Files
import FrameCore

/// The work of one job of a batch: it edits photo after photo until none is left.
extension BatchRun {
  /// An error that ends the whole run.
  private struct Fatal: Error {
    let reason: SafelightError
  }

  func runWorker(_ journal: BatchJournal, _ place: BatchOutputFolder, _ planner: SharedNamePlanner) {
    var editor: (any BatchEditor)?
    while let work = takeWork() {
      var attempt = Attempt(entry: BatchReport.Entry(work.item), work: work)
      var item = work.item
      do {
        try edit(&item, journal, place, planner, &editor, &attempt)
        finish(attempt)
      } catch let error as Fatal {
        end(because: error.reason)
        noteFailure(of: attempt, "\(error.reason)", journal)
        leave(attempt)
      } catch is CancellationError {
        noteFailure(of: attempt, "cancelled", journal)
        leave(attempt)
      } catch {
        let error = error as? SafelightError ?? SafelightError(.file, "\(error)")
        // A full disk will not take the next photo either.
        let fatal = place.problem(behind: error)
        if let fatal { end(because: fatal) }
        noteFailure(of: attempt, error.description, journal)
        if fatal != nil {
          leave(attempt)
        } else {
          attempt.entry.fail(error.description)
          finish(attempt)
        }
      }
    }
  }

  /// The attempt to edit one photo.
  private struct Attempt {
    var entry: BatchReport.Entry
    let work: BatchStateMachine.Work
    /// The pixels of the original, in millions; set once it is edited.
    var megapixels = 0.0
    /// Whether the journal records a start without an end.
    var isStarted = false
  }

  /// Waits for the next photo; nil at the end of the run.
  private func takeWork() -> BatchStateMachine.Work? {
    monitor.wait { state -> BatchStateMachine.Work?? in
      switch state.next() {
      case .edit(let work): .some(work)
      case .wait: nil
      case .end: .some(nil)
      }
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
    let photoEditor = try editor ?? makeEditor()
    editor = photoEditor
    let opened = try photoEditor.open(item.photo.path)
    let examination = opened.examination
    let hasWaited = memory.acquire(examination.memory)
    defer { memory.release(examination.memory) }
    if let reason = place.problem() { throw Fatal(reason: reason) }
    // During a long wait the run may have been stopped, and this photo has not been started yet.
    if hasWaited, !monitor.read({ $0.mayBegin }) { throw CancellationError() }
    // A result that was changed in the meantime is no longer the batch's own.
    if overwrite {
      guard let isStillReplaced = try decide(&item, photo, journal, planner, &attempt) else { return }
      overwrite = isStillReplaced
    }
    let path = FolderListing.path(item.output, in: folder)
    try Folder.makeWithParents(FolderListing.parent(of: path))
    attempt.isStarted = true
    try waitUntilSynced(
      note(
        naming(item, journal) + [
          .planned(
            output: item.output, input: photo.path, state: photo.state, edit: photo.edit,
            original: photo.identity, command: options.command),
          .started(output: item.output),
        ], journal))
    let result = try opened.edit(to: path, overwrite: overwrite)
    try note([.finished(output: item.output, result.fingerprint)], journal)
    attempt.isStarted = false
    attempt.entry.done(result)
    attempt.megapixels = Double(examination.width) * Double(examination.height) / 1e6
  }

  /// Decides what to do with an existing file of the photo's result name, and renames the result if necessary.
  ///
  /// - Returns: whether that file is replaced; nil if the photo is not edited, for the reason in its entry.
  private func decide(
    _ item: inout BatchNaming.Item, _ photo: FoundOriginal, _ journal: BatchJournal,
    _ planner: SharedNamePlanner, _ attempt: inout Attempt
  ) throws -> Bool? {
    switch try target(of: item, photo, journal, planner) {
    case .edit(let overwrite): return overwrite
    case .rename:
      item.output = planner.rename(item)
      attempt.entry.output = item.output
      monitor.update { [name = item.output, work = attempt.work] in $0.renamed(work, to: name) }
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
    return monitor.update { $0.wrote(lines: events.count) }
  }

  /// Records the failure of a photo that was started. One that was not started leaves no trace in the journal,
  /// since it did not touch the file of its name.
  private func noteFailure(of attempt: Attempt, _ reason: String, _ journal: BatchJournal) {
    guard attempt.isStarted else { return }
    do {
      try note([.failed(output: attempt.entry.output, reason: reason)], journal)
    } catch {
      if let error = error as? Fatal { end(because: error.reason) }
    }
  }

  /// Waits until the journal is on disk up to a line; one sync serves all waiting threads.
  private func waitUntilSynced(_ line: Int) throws {
    do {
      try monitor.wait { try $0.isSynced(upTo: line) }
    } catch let error as SafelightError {
      throw Fatal(reason: error)
    }
  }

  /// Syncs the journal to disk whenever it has grown, as long as there are worker threads.
  func sync(_ journal: BatchJournal) {
    while let line = monitor.wait(for: { state -> Int?? in
      switch state.nextSync() {
      case .sync(let line): .some(line)
      case .wait: nil
      case .end: .some(nil)
      }
    }) {
      do {
        try journal.sync()
        monitor.update { $0.synced(upTo: line) }
      } catch {
        let error = error as? SafelightError ?? SafelightError(.file, "\(error)")
        monitor.update { $0.syncFailed(error) }
      }
    }
  }

  private func finish(_ attempt: Attempt) {
    monitor.update { $0.finished(attempt.work, attempt.entry, megapixels: attempt.megapixels) }
  }

  /// Leaves the photo for another run.
  private func leave(_ attempt: Attempt) {
    monitor.update { $0.left(attempt.work, output: attempt.entry.output) }
  }

  /// Runs work in addition to the photos. Its memory counts towards theirs and must not exceed half of their
  /// budget.
  ///
  /// - Returns: nil if it would take more, and is not run.
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
    auto = result.found
  }
}
