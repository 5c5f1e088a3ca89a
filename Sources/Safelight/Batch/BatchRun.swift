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
///
/// A photo that fails costs nobody else. What would fail for all that follow, such as a full disk, ends the run.
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
    /// What came to its end since progress was told last.
    public var news: [BatchReport.Entry] = []
    /// How many photos have their names, where those depend on what photos say, before any is edited; nil afterwards.
    public var named: Int?

    public init() {}

    public var finished: Int { done + skipped + failed }
  }

  struct State {
    var items: [BatchNaming.Item] = []
    /// The place of the first item that nobody has taken.
    var next = 0
    /// Whether more items may come.
    var isOpen = true
    var progress = Progress()
    var entries: [BatchReport.Entry] = []
    var memoryInUse = 0
    var running = 0
    /// Photos wait for memory in turn, or a large one would wait while small ones pass it.
    var tickets = 0
    var serving = 0
    var lanes = 0
    /// Whether the journal has lines that are not on the disk yet.
    var hasNewLines = false
    var isStopped = false
    /// Why nothing more can be done, as where the disk is full.
    var fatal: SafelightError?
  }

  let folder: String
  let options: Options
  let makeEditor: @Sendable () throws -> any BatchEditor
  let monitor = Monitor(State())

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
  public struct PlannedResult: Sendable, Hashable, Codable {
    public enum Action: String, Sendable, Hashable, Codable {
      case edit, skip, fail
    }
    public var input: String
    /// Relative to the output folder; empty where the photo cannot be named.
    public var output: String
    public var action: Action
    /// Why it would not be edited; nil where it would.
    public var reason: String?
  }

  /// What `run` would do; writes nothing.
  public func plan(_ photos: [BatchInputs.Photo]) throws -> [PlannedResult] {
    let journal =
      FileContents.kind(of: folder) == .folder ? try BatchJournal(in: folder, forReading: true) : nil
    var planner = BatchNamePlanner(options.naming, in: folder, journal: journal, resumes: options.resumes)
    return planner.items(for: photos, examining: try namingEditor()).map { item in
      var line = PlannedResult(input: item.photo.path, output: item.output, action: .edit)
      switch item.decision {
      case .edit:
        do {
          guard try isDone(item, journal, edit: options.edit(item.photo.path)) else { break }
          (line.action, line.reason) = (.skip, "done before")
        } catch {
          (line.action, line.reason) = (.fail, "\(error)")
        }
      case .skip(let reason): (line.action, line.reason) = (.skip, reason)
      case .fail(let error): (line.action, line.reason) = (.fail, error.description)
      }
      return line
    }
  }

  func isDone(_ item: BatchNaming.Item, _ journal: BatchJournal?, edit: String) -> Bool {
    guard options.resumes, let journal, let state = BatchJournal.FileState(item.photo.path) else {
      return false
    }
    return journal.isDone(
      item.output, input: item.photo.path, state: state, edit: edit, in: folder)
  }

  /// Where names depend on what a photo says, its header must be read; another process may have to do that.
  private func namingEditor() throws -> (any BatchEditor)? {
    let template = options.naming.template
    return template.needsMetadata || template.needsSize ? try makeEditor() : nil
  }

  /// Lets the photos at work be finished and begins no more.
  public func stop() { monitor.update { $0.isStopped = true } }

  /// Edits everything; returns when all is done, or stopped.
  ///
  /// - Parameters:
  ///   - more: called on the caller's thread every tenth of a second for photos that have come meanwhile; nil from it, or
  ///     for it, says that no more will come.
  ///   - follow: called on the caller's thread every tenth of a second, from when photos are named on, and once at the
  ///     end.
  /// - Throws: `SafelightError` where nothing could start: the folder cannot be made or written to, or another batch has
  ///   it.
  public func run(
    _ photos: [BatchInputs.Photo], more: (() throws -> [BatchInputs.Photo]?)? = nil,
    follow: (Progress) -> Void = { _ in }
  ) throws -> BatchReport {
    let clock = Stopwatch()
    try FileContents.makeFolders(folder)
    let place = try BatchOutputFolder(folder)
    let journal = try BatchJournal(in: folder)
    Leftovers.remove(
      of: journal.records.filter { $0.value.isStarted && $0.value.result == nil }.keys, in: folder)
    var planner = BatchNamePlanner(options.naming, in: folder, journal: journal, resumes: options.resumes)
    let editor = try namingEditor()
    try journal.write(.run(engine: SafelightVersion.current))
    var told = Timestamp.now
    let items = planner.items(for: photos, examining: editor) { named in
      if Timestamp.now.seconds(since: told) >= 0.1 {
        told = .now
        var progress = Progress()
        (progress.total, progress.named) = (photos.count, named)
        follow(progress)
      }
      return monitor.read { !$0.isStopped }
    }
    try add(items, journal)
    let laneCount = more == nil ? min(options.jobs, max(photos.count, 1)) : options.jobs
    monitor.update { state in
      state.lanes = laneCount
      state.isOpen = more != nil
    }
    let syncing = try WorkerThread(name: "journal") { [self] in sync(journal) }
    let lanes = try (0..<laneCount).map { lane in
      try WorkerThread(name: "batch \(lane)") { [self] in
        runLane(journal, place)
        monitor.update { $0.lanes -= 1 }
      }
    }
    while true {
      let isOver = monitor.wait(until: Timestamp.now.advanced(bySeconds: 0.1)) { state -> Bool? in
        state.lanes == 0 ? true : nil
      }
      follow(takeProgress())
      if isOver == true { break }
      do {
        try addMore(more, &planner, editor, journal)
      } catch let error as SafelightError {
        end(because: error)
      }
    }
    for thread in lanes + [syncing] { thread.join() }
    let (entries, progress, fatal, all) = monitor.read { ($0.entries, $0.progress, $0.fatal, $0.items) }
    let reached = Set(entries.map { "\($0.index) \($0.input)" })
    let left = all.map { BatchReport.Entry($0, status: .left) }.filter {
      !reached.contains("\($0.index) \($0.input)")
    }
    var report = BatchReport(
      entries: (entries + left).sorted { $0.index < $1.index }, total: progress.total, seconds: clock.total,
      megapixels: progress.megapixels, problem: fatal?.description)
    report.workingFolder = FileContents.workingFolder
    if more != nil {
      report.keepLast()
      report.total = report.entries.count
    }
    return report
  }

  private func addMore(
    _ more: (() throws -> [BatchInputs.Photo]?)?, _ planner: inout BatchNamePlanner,
    _ editor: (any BatchEditor)?, _ journal: BatchJournal
  ) throws {
    guard let more, monitor.read({ $0.isOpen && !$0.isStopped && $0.fatal == nil }) else { return }
    guard let photos = try more() else { return monitor.update { $0.isOpen = false } }
    guard !photos.isEmpty else { return }
    try add(planner.items(for: photos, examining: editor), journal)
  }

  /// Gives items to the lanes, after their names are durable.
  private func add(_ items: [BatchNaming.Item], _ journal: BatchJournal) throws {
    let naming = options.naming.identity
    try journal.write(
      items.compactMap { item in
        guard case .edit = item.decision else { return nil }
        let old = journal.record(of: item.output)
        let isKnown = old?.input == item.photo.path && old?.naming == naming
        return isKnown ? nil : .named(output: item.output, input: item.photo.path, naming: naming)
      }, durable: true)
    monitor.update { state in
      state.items += items
      state.progress.total += items.count
    }
  }

  /// Ends the run: nothing that follows could be done. The first reason is kept.
  func end(because error: SafelightError) {
    monitor.update { if $0.fatal == nil { $0.fatal = error } }
  }

  private func takeProgress() -> Progress {
    monitor.update { state in
      defer { state.progress.news = [] }
      return state.progress
    }
  }
}
