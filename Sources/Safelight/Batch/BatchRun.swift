import FrameCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Edits many photos into a folder, several at a time.
///
/// Every photo is decoded, rendered and encoded by one thread; as many run as there are jobs, while their memory stays
/// within the bound. What happens is noted in a journal in the output folder, so that a run which was killed can be
/// continued. Results do not depend on the number of jobs.
public final class BatchRun: Sendable {
  public struct Options: Sendable {
    public var naming: BatchNaming
    /// At least 1.
    public var jobs: Int
    /// What all photos at work may take together, bytes. A photo that wants more by itself runs alone.
    public var memory: Int
    /// Whether results that the journal knows are kept, and what was begun is done again.
    public var resumes: Bool
    /// Identifies the edit of a photo: results of another edit are made again.
    public var edit: @Sendable (_ input: String) throws -> String

    public init(
      naming: BatchNaming, edit: @escaping @Sendable (_ input: String) throws -> String, jobs: Int,
      memory: Int = 2 << 30, resumes: Bool = false
    ) {
      (self.naming, self.edit, self.jobs, self.memory) = (naming, edit, max(jobs, 1), memory)
      self.resumes = resumes
    }
  }

  /// How far a run is.
  public struct Progress: Sendable {
    public var total = 0
    public var done = 0
    public var skipped = 0
    public var failed = 0
    /// Of the originals that are done, in millions.
    public var megapixels = 0.0
    /// What is being edited.
    public var current: [String] = []

    public var finished: Int { done + skipped + failed }
  }

  private struct State {
    var next = 0
    var progress = Progress()
    var entries: [BatchReport.Entry] = []
    var memoryInUse = 0
    var running = 0
    var lanes = 0
    var isStopped = false
    /// Why nothing more can be done, as where the disk is full.
    var fatal: SafelightError?
  }

  private let folder: String
  private let options: Options
  private let makeEditor: @Sendable () throws -> any BatchEditor
  private let monitor = Monitor(State())

  /// - Parameters:
  ///   - folder: where results go; made if it is missing.
  ///   - makeEditor: called on each job's own thread.
  public init(
    to folder: String, _ options: Options, editor makeEditor: @escaping @Sendable () throws -> any BatchEditor
  ) {
    self.folder = folder
    self.options = options
    self.makeEditor = makeEditor
  }

  /// What would become of a photo.
  public struct PlannedResult: Sendable, Hashable {
    public var input: String
    /// Relative to the output folder.
    public var output: String
    /// Why it would not be edited; nil where it would.
    public var reason: String?
    public var isSkipped = false
  }

  /// What `run` would do; writes nothing.
  public func plan(_ photos: [BatchInputs.Photo]) throws -> [PlannedResult] {
    let journal =
      FileContents.kind(of: folder) == .folder ? try BatchJournal(in: folder, forReading: true) : nil
    return try plan(photos, journal?.records ?? [:]).map { item in
      var line = PlannedResult(input: item.photo.path, output: item.output)
      switch item.decision {
      case .edit:
        do {
          line.reason = try isDone(item, journal, edit: options.edit(item.photo.path)) ? "done before" : nil
          line.isSkipped = line.reason != nil
        } catch {
          line.reason = "\(error)"
        }
      case .skip(let reason): (line.reason, line.isSkipped) = (reason, true)
      case .fail(let error): line.reason = error.description
      }
      return line
    }
  }

  private func isDone(_ item: BatchNaming.Item, _ journal: BatchJournal?, edit: String) -> Bool {
    guard options.resumes, let journal, let state = BatchJournal.FileState(item.photo.path) else {
      return false
    }
    return journal.isDone(
      item.output, input: item.photo.path, state: state, edit: edit, in: folder)
  }

  /// Lets the photos at work be finished and begins no more.
  public func stop() { monitor.update { $0.isStopped = true } }

  /// Edits everything; returns when all is done, or stopped.
  ///
  /// - Parameter follow: called on the caller's thread every tenth of a second.
  /// - Throws: `SafelightError` where nothing could start: the folder cannot be made, or another batch has it.
  public func run(_ photos: [BatchInputs.Photo], follow: (Progress) -> Void = { _ in }) throws -> BatchReport
  {
    let clock = Stopwatch()
    try FileContents.makeFolders(folder)
    let journal = try BatchJournal(in: folder)
    for (output, record) in journal.records where record.isStarted && record.result == nil {
      Leftovers.remove(of: output, in: folder)
    }
    let items = try plan(photos, journal.records)
    try journal.write(.run(engine: SafelightVersion.current))
    monitor.update { state in
      state.progress.total = items.count
      state.lanes = min(options.jobs, max(items.count, 1))
    }
    let lanes = try (0..<min(options.jobs, max(items.count, 1))).map { lane in
      try WorkerThread(name: "batch \(lane)") { [self] in
        runLane(items, journal)
        monitor.update { $0.lanes -= 1 }
      }
    }
    while true {
      let isOver = monitor.wait(until: Timestamp.now.advanced(bySeconds: 0.1)) { state -> Bool? in
        state.lanes == 0 ? true : nil
      }
      follow(monitor.read { $0.progress })
      if isOver == true { break }
    }
    for lane in lanes { lane.join() }
    let (entries, progress, fatal) = monitor.read { ($0.entries, $0.progress, $0.fatal) }
    return BatchReport(
      entries: entries.sorted { $0.index < $1.index }, total: items.count, seconds: clock.total,
      megapixels: progress.megapixels, problem: fatal?.description)
  }

  // MARK: Planning

  private func plan(
    _ photos: [BatchInputs.Photo], _ records: [String: BatchJournal.Record]
  ) throws -> [BatchNaming.Item] {
    var known: [String: String] = [:]
    if options.resumes {
      for (output, record) in records { known[record.input] = output }
    }
    // Names that depend on what a photo says need its header; another process may have to read it.
    let template = options.naming.template
    let editor = template.needsMetadata || template.needsSize ? try makeEditor() : nil
    let names = photos.enumerated().map { index, photo in
      Result { () throws(SafelightError) in
        do {
          guard photo.passedOver == nil else { return "" }
          let examination = try known[photo.path] == nil ? editor?.examine(photo.path) : nil
          return try options.naming.output(
            for: photo, index: index + 1, facts: examination?.facts,
            size: examination.map { PixelSize(width: $0.resultWidth, height: $0.resultHeight) })
        } catch let error as SafelightError {
          throw error
        } catch {
          throw SafelightError(.file, "\(error)")
        }
      }
    }
    return options.naming.plan(photos, names: names, in: folder, known: known)
  }

  // MARK: Lanes

  private func runLane(_ items: [BatchNaming.Item], _ journal: BatchJournal) {
    var editor: (any BatchEditor)?
    while true {
      let index = monitor.update { state -> Int? in
        guard !state.isStopped, state.fatal == nil, state.next < items.count else { return nil }
        state.next += 1
        return state.next - 1
      }
      guard let index else { return }
      let item = items[index]
      monitor.update { $0.progress.current.append(item.photo.path) }
      var entry = BatchReport.Entry(index: item.index, input: item.photo.path, output: item.output)
      do {
        try edit(item, journal, &editor, &entry)
      } catch let error as SafelightError {
        entry.status = .failed
        entry.reason = error.description
      } catch {
        entry.status = .failed
        entry.reason = "\(error)"
      }
      finish(entry, journal)
    }
  }

  private func edit(
    _ item: BatchNaming.Item, _ journal: BatchJournal, _ editor: inout (any BatchEditor)?,
    _ entry: inout BatchReport.Entry
  ) throws {
    let overwrite: Bool
    switch item.decision {
    case .fail(let error): throw error
    case .skip(let reason):
      entry.status = .skipped
      entry.reason = reason
      return
    case .edit(let replaces): overwrite = replaces
    }
    guard let state = BatchJournal.FileState(item.photo.path) else {
      throw SafelightError(
        .file, "Cannot read \(item.photo.path): there is no such file", remedy: "it went away meanwhile")
    }
    let edit = try options.edit(item.photo.path)
    if isDone(item, journal, edit: edit) {
      entry.status = .skipped
      entry.reason = "done before"
      return
    }
    let worker = try editor ?? makeEditor()
    editor = worker
    let examination = try worker.examine(item.photo.path)
    acquire(examination.memory)
    defer { release(examination.memory) }
    let path = FolderListing.path(item.output, in: folder)
    try FileContents.makeFolders(FolderListing.parent(of: path))
    try journal.write(.planned(output: item.output, input: item.photo.path, state: state, edit: edit))
    try journal.write(.started(output: item.output))
    let result: BatchResult
    do {
      result = try worker.edit(to: path, overwrite: overwrite)
    } catch {
      // A process that was lost could not clean up.
      Leftovers.remove(of: item.output, in: folder)
      throw error
    }
    try journal.write(.finished(output: item.output, result.fingerprint))
    entry.status = .done
    entry.width = result.width
    entry.height = result.height
    entry.bytes = result.fingerprint.bytes
    entry.hash = result.fingerprint.hash
    entry.seconds = result.seconds
    entry.warnings = result.warnings
    monitor.update {
      $0.progress.megapixels += Double(examination.width * examination.height) / 1e6
    }
  }

  private func finish(_ entry: BatchReport.Entry, _ journal: BatchJournal) {
    if entry.status == .failed {
      // A disk that is full will not take the next photo either, nor this line.
      try? journal.write(.failed(output: entry.output, reason: entry.reason ?? ""))
    }
    monitor.update { state in
      state.entries.append(entry)
      if let at = state.progress.current.firstIndex(of: entry.input) { state.progress.current.remove(at: at) }
      switch entry.status {
      case .done: state.progress.done += 1
      case .skipped: state.progress.skipped += 1
      case .failed: state.progress.failed += 1
      }
    }
  }

  /// Waits until `bytes` are left of the bound, or nobody else is at work.
  private func acquire(_ bytes: Int) {
    monitor.wait { state -> Void? in
      guard state.running == 0 || state.memoryInUse + bytes <= options.memory else { return nil }
      state.running += 1
      state.memoryInUse += bytes
      return ()
    }
  }

  private func release(_ bytes: Int) {
    monitor.update { state in
      state.running -= 1
      state.memoryInUse -= bytes
    }
  }
}
