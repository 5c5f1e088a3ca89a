import Files
import FrameCore
import Libc

/// Edits many photos into a folder, several at a time.
///
/// Every photo is decoded, rendered and encoded by one thread; as many run as there are jobs, while their memory
/// stays within the bound. Events are recorded in a journal in the output folder, so that a run that was killed
/// can be continued. Results do not depend on the number of jobs.
///
/// A photo that fails does not affect the others. An error that would recur with all following photos, such as a
/// full disk, ends the run.
public final class BatchRun: Sendable {
  /// How photos are named, edited and run.
  public struct Options: Sendable {
    public var naming: BatchNaming
    /// The number of photos edited at a time, at least 1.
    public var jobs: Int
    /// The memory that all photos being edited may take together, in bytes. A photo that needs more than this runs
    /// alone.
    public var memory: Int
    /// Whether results recorded in the journal are kept, and unfinished ones are made again.
    public var resumes: Bool
    /// Returns an identifier of the edit of a photo: results of another edit are made again.
    public var edit: @Sendable (_ input: String) throws -> String
    /// The command that makes these results. Results of other commands in the journal do not count as the run's
    /// own.
    public var command = "batch"
    /// The part of the photos that this run edits; others, on other machines, edit the rest into the same folder. Nil
    /// edits all of them.
    public var shard: BatchShard?
    /// The paths of files that the run reads besides the photos, such as a recipe: no result replaces them.
    package var otherInputs: [String] = []

    public init(
      naming: BatchNaming, edit: @escaping @Sendable (_ input: String) throws -> String, jobs: Int,
      memory: Int = 2 << 30, resumes: Bool = false
    ) {
      (self.naming, self.edit, self.jobs, self.memory) = (naming, edit, max(jobs, 1), memory)
      self.resumes = resumes
    }
  }

  /// The progress of a run.
  public struct Progress: Sendable {
    /// The number of photos, and how many of them are done, skipped and failed.
    public var total = 0
    public var done = 0
    public var skipped = 0
    public var failed = 0
    /// The pixels of the finished originals, in millions.
    public var megapixels = 0.0
    /// The photos being edited.
    public var current: [String] = []
    /// The entries finished since the previous report.
    public var news: [BatchReport.Entry] = []
    /// The number of photos named so far, if names depend on photos' contents and no photo is edited yet; else
    /// nil.
    public var named: Int?

    package init() {}

    /// The number of photos that are done, skipped or failed.
    public var finished: Int { done + skipped + failed }
  }

  let folder: String
  let options: Options
  let makeEditor: @Sendable () throws -> any BatchEditor
  let monitor = Monitor(BatchStateMachine())
  /// The memory shared by the photos being edited.
  let memory: MemoryBudget

  /// - Parameters:
  ///   - folder: the output folder; created if it does not exist.
  ///   - makeEditor: called on each job's own thread.
  public init(
    to folder: String, _ options: Options, editor makeEditor: @escaping @Sendable () throws -> any BatchEditor
  ) {
    self.folder = folder
    self.options = options
    self.makeEditor = makeEditor
    memory = MemoryBudget(bytes: options.memory)
  }

  /// Finishes the photos being edited and starts no more.
  public func stop() { monitor.update { $0.stop() } }

  /// Edits all photos; returns when they are done or the run is stopped.
  ///
  /// - Parameters:
  ///   - more: called on the caller's thread every tenth of a second for newly arrived photos; if it is nil or
  ///     returns nil, no more will come.
  ///   - follow: called on the caller's thread every tenth of a second, starting when photos are named, and once
  ///     at the end.
  /// - Throws: `SafelightError` if the run could not start: the folder cannot be created or written to, or another
  ///   batch uses it.
  public func run(
    _ photos: [BatchInputs.Photo], more: (() throws -> [BatchInputs.Photo]?)? = nil,
    follow: (Progress) -> Void = { _ in }
  ) throws -> BatchReport {
    let clock = Stopwatch()
    try Folder.makeWithParents(folder)
    let place = try BatchOutputFolder(folder)
    let journal = try BatchJournal(in: folder, of: options.shard)
    let others = try BatchJournal.others(in: folder, besides: options.shard, resuming: options.resumes)
    Leftovers.remove(of: journal.records.filter { $0.value.isUnderWay }.keys.map(\.path), in: folder)
    let planner = SharedNamePlanner(
      BatchNamePlanner(
        options.naming, in: folder, journal: journal, others: others, resumes: options.resumes,
        otherInputs: options.otherInputs))
    let editor = try namingEditor()
    try journal.write(.run(engine: SafelightVersion.current))
    try add(name(photos, planner, editor, telling: follow), journal)
    let workers = try startWorkers(
      more == nil ? min(options.jobs, max(photos.count, 1)) : options.jobs, isOpen: more != nil, journal,
      place,
      planner)
    do {
      try waitForEnd(of: workers, telling: follow) { try addMore(more, planner, editor, journal) }
    } catch {
      // No worker thread may continue after the error is thrown.
      stop()
      workers.forEach { $0.join() }
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
        "The journal of \(folder) is damaged: \(journal.damagedLines) of its lines could not be read and were "
          + "ignored"
      ]
    }
    return report
  }

  /// Names photos; if that requires reading them, reports progress and can be stopped.
  private func name(
    _ photos: [BatchInputs.Photo], _ planner: SharedNamePlanner, _ editor: (any BatchEditor)?,
    telling tell: (Progress) -> Void
  ) -> [BatchNaming.Item] {
    var told = Timestamp.now
    // All are named, because names depend on the other photos.
    let items = planner.items(for: photos, examining: editor) { named in
      if Timestamp.now.seconds(since: told) >= 0.1 {
        told = .now
        var progress = Progress()
        (progress.total, progress.named) = (photos.count, named)
        tell(progress)
      }
      return monitor.read { !$0.isStopped }
    }
    return ofShard(items)
  }

  /// Returns those that this run edits.
  func ofShard(_ items: [BatchNaming.Item]) -> [BatchNaming.Item] {
    guard let shard = options.shard else { return items }
    return items.filter { shard.contains($0.photo) }
  }

  /// Starts the worker threads, and the thread that syncs the journal.
  ///
  /// - Throws: `SafelightError` if the system grants no more threads; then none runs.
  private func startWorkers(
    _ count: Int, isOpen: Bool, _ journal: BatchJournal, _ place: BatchOutputFolder,
    _ planner: SharedNamePlanner
  ) throws -> [WorkerThread] {
    // The start itself counts as a worker: the journal's thread must not end before there are others.
    monitor.update { state in
      state.begin(takesMore: isOpen)
      state.workerStarts()
    }
    var threads = [try WorkerThread(name: "journal") { [self] in sync(journal) }]
    do {
      for number in 0..<count {
        monitor.update { $0.workerStarts() }
        threads.append(
          try WorkerThread(name: "batch \(number)") { [self] in
            runWorker(journal, place, planner)
            monitor.update { $0.workerEnded() }
          })
      }
    } catch {
      monitor.update { state in
        // One for the missing thread, one for the start.
        state.workerEnded()
        state.workerEnded()
        state.stop()
      }
      threads.forEach { $0.join() }
      throw error
    }
    monitor.update { $0.workerEnded() }
    return threads
  }

  /// Reports progress, and asks for more photos, until the worker threads have ended.
  private func waitForEnd(
    of workers: [WorkerThread], telling tell: (Progress) -> Void, addMore: () throws -> Void
  ) throws {
    while true {
      let isOver = monitor.wait(until: Timestamp.now.advanced(bySeconds: 0.1)) { state -> Bool? in
        state.workers == 0 ? true : nil
      }
      tell(monitor.update { $0.takeProgress() })
      if isOver == true { break }
      do {
        try addMore()
      } catch let error as SafelightError {
        end(because: error)
      }
    }
    workers.forEach { $0.join() }
  }

  private func addMore(
    _ more: (() throws -> [BatchInputs.Photo]?)?, _ planner: SharedNamePlanner,
    _ editor: (any BatchEditor)?, _ journal: BatchJournal
  ) throws {
    guard let more, monitor.read({ $0.isOpen && $0.mayBegin }) else { return }
    guard let photos = try more() else { return monitor.update { $0.closeInputs() } }
    guard !photos.isEmpty else { return }
    try add(ofShard(planner.items(for: photos, examining: editor)), journal)
  }

  /// Gives items to the worker threads after their names are durable.
  private func add(_ items: [BatchNaming.Item], _ journal: BatchJournal) throws {
    try journal.write(
      items.flatMap { item -> [BatchJournal.Event] in
        guard case .edit = item.decision else { return [] }
        // The record of an existing result is kept until another result really replaces it.
        if let old = journal.record(of: item.output), PathKey(old.input) != PathKey(item.photo.origin),
          FileIdentity(FolderListing.path(item.output, in: folder)) != nil
        {
          return []
        }
        return naming(item, journal)
      }, durable: true)
    monitor.update { $0.add(items) }
  }

  /// Returns the event that reserves a name for its photo; none if the journal has it.
  func naming(_ item: BatchNaming.Item, _ journal: BatchJournal) -> [BatchJournal.Event] {
    if let old = journal.record(of: item.output), PathKey(old.input) == PathKey(item.photo.origin),
      PathKey(old.naming) == PathKey(item.rules)
    {
      return []
    }
    return [.named(output: item.output, input: item.photo.origin, naming: item.rules)]
  }

  /// Ends the run because no further photo could be edited. The first reason is kept.
  func end(because error: SafelightError) { monitor.update { $0.end(because: error) } }
}
