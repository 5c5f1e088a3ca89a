import Files
import FrameCore
import Libc

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
    /// What makes these results. Those of others that the journal knows are not taken for own ones.
    public var command = "batch"
    /// Paths of files that the run reads beside the photos, such as a recipe: no result replaces them.
    public var otherInputs: [String] = []

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

  let folder: String
  let options: Options
  let makeEditor: @Sendable () throws -> any BatchEditor
  let monitor = Monitor(BatchStateMachine())
  /// What the photos at work share.
  let memory: MemoryBudget

  /// - Parameters:
  ///   - folder: where results go; made if it is missing.
  ///   - makeEditor: called on each job's own thread.
  public init(
    to folder: String, _ options: Options, editor makeEditor: @escaping @Sendable () throws -> any BatchEditor
  ) {
    self.folder = folder
    self.options = options
    self.makeEditor = makeEditor
    memory = MemoryBudget(bytes: options.memory)
  }

  /// Lets the photos at work be finished and begins no more.
  public func stop() { monitor.update { $0.stop() } }

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
    Leftovers.remove(of: journal.records.filter { $0.value.isUnderWay }.keys.map(\.path), in: folder)
    let planner = SharedNamePlanner(
      BatchNamePlanner(
        options.naming, in: folder, journal: journal, resumes: options.resumes,
        otherInputs: options.otherInputs))
    let editor = try namingEditor()
    try journal.write(.run(engine: SafelightVersion.current))
    try add(name(photos, planner, editor, telling: follow), journal)
    let lanes = try startLanes(
      more == nil ? min(options.jobs, max(photos.count, 1)) : options.jobs, isOpen: more != nil, journal,
      place,
      planner)
    do {
      try waitForEnd(of: lanes, telling: follow) { try addMore(more, planner, editor, journal) }
    } catch {
      // Lanes must not go on behind the caller's back.
      stop()
      lanes.forEach { $0.join() }
      throw error
    }
    let (result, fatal) = monitor.update { ($0.finish(), $0.fatal) }
    var report = BatchReport(
      entries: result.entries.sorted { $0.index < $1.index }, total: result.entries.count,
      seconds: clock.total,
      megapixels: result.megapixels, problem: fatal?.description)
    report.workingFolder = FileContents.workingFolder
    report.isDiskFull = fatal?.code == .noSpace ? true : nil
    if options.resumes, journal.damagedLines > 1 {
      report.notes = [
        "The journal of \(folder) is damaged: \(journal.damagedLines) of its lines could not be read, and what they said "
          + "was not known"
      ]
    }
    return report
  }

  /// Names photos, which is told and can be stopped where it takes reading them.
  private func name(
    _ photos: [BatchInputs.Photo], _ planner: SharedNamePlanner, _ editor: (any BatchEditor)?,
    telling tell: (Progress) -> Void
  ) -> [BatchNaming.Item] {
    var told = Timestamp.now
    return planner.items(for: photos, examining: editor) { named in
      if Timestamp.now.seconds(since: told) >= 0.1 {
        told = .now
        var progress = Progress()
        (progress.total, progress.named) = (photos.count, named)
        tell(progress)
      }
      return monitor.read { !$0.isStopped }
    }
  }

  /// Starts the lanes, and the thread that brings the journal to the disk.
  ///
  /// - Throws: `SafelightError` where the system grants no more threads; then none runs.
  private func startLanes(
    _ count: Int, isOpen: Bool, _ journal: BatchJournal, _ place: BatchOutputFolder,
    _ planner: SharedNamePlanner
  ) throws -> [WorkerThread] {
    // One lane more stands for the start itself: the journal's thread must not end before there are others.
    monitor.update { state in
      state.begin(takesMore: isOpen)
      state.laneStarts()
    }
    var threads = [try WorkerThread(name: "journal") { [self] in sync(journal) }]
    do {
      for lane in 0..<count {
        monitor.update { $0.laneStarts() }
        threads.append(
          try WorkerThread(name: "batch \(lane)") { [self] in
            runLane(journal, place, planner)
            monitor.update { $0.laneEnded() }
          })
      }
    } catch {
      monitor.update { state in
        // Those of the thread that is missing and of the start.
        state.laneEnded()
        state.laneEnded()
        state.stop()
      }
      threads.forEach { $0.join() }
      throw error
    }
    monitor.update { $0.laneEnded() }
    return threads
  }

  /// Tells progress, and asks for more photos, until the lanes have ended.
  private func waitForEnd(
    of lanes: [WorkerThread], telling tell: (Progress) -> Void, addMore: () throws -> Void
  ) throws {
    while true {
      let isOver = monitor.wait(until: Timestamp.now.advanced(bySeconds: 0.1)) { state -> Bool? in
        state.lanes == 0 ? true : nil
      }
      tell(monitor.update { $0.takeProgress() })
      if isOver == true { break }
      do {
        try addMore()
      } catch let error as SafelightError {
        end(because: error)
      }
    }
    lanes.forEach { $0.join() }
  }

  private func addMore(
    _ more: (() throws -> [BatchInputs.Photo]?)?, _ planner: SharedNamePlanner,
    _ editor: (any BatchEditor)?, _ journal: BatchJournal
  ) throws {
    guard let more, monitor.read({ $0.isOpen && $0.mayBegin }) else { return }
    guard let photos = try more() else { return monitor.update { $0.closeInputs() } }
    guard !photos.isEmpty else { return }
    try add(planner.items(for: photos, examining: editor), journal)
  }

  /// Gives items to the lanes, after their names are durable.
  private func add(_ items: [BatchNaming.Item], _ journal: BatchJournal) throws {
    try journal.write(
      items.flatMap { item -> [BatchJournal.Event] in
        guard case .edit = item.decision else { return [] }
        // What is known of a result that is there stays known until another really takes its place.
        if let old = journal.record(of: item.output), PathKey(old.input) != PathKey(item.photo.origin),
          FileIdentity(FolderListing.path(item.output, in: folder)) != nil
        {
          return []
        }
        return naming(item, journal)
      }, durable: true)
    monitor.update { $0.add(items) }
  }

  /// The line that keeps a name for its photo; none where the journal has it.
  func naming(_ item: BatchNaming.Item, _ journal: BatchJournal) -> [BatchJournal.Event] {
    if let old = journal.record(of: item.output), PathKey(old.input) == PathKey(item.photo.origin),
      PathKey(old.naming) == PathKey(item.rules)
    {
      return []
    }
    return [.named(output: item.output, input: item.photo.origin, naming: item.rules)]
  }

  /// Ends the run: nothing that follows could be done. The first reason is kept.
  func end(because error: SafelightError) { monitor.update { $0.end(because: error) } }
}
