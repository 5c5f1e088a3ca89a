import Files
import FrameCore

/// Assigns the photos of a batch to its worker threads, counts the outcomes, and decides when the run is
/// over: a state machine without clock, lock or thread.
///
/// Its methods are the events, called in the order in which they happen; they return what to do. A worker is
/// the thread of one job: it asks for a photo, reports its outcome, and asks for the next.
struct BatchStateMachine {
  /// A photo assigned to a worker.
  struct Work: Sendable {
    fileprivate let number: Int
    let item: BatchNaming.Item
    /// The results that no other worker may work on in the meantime.
    fileprivate var claims: [PathKey] = []
  }

  /// What a worker should do next.
  enum Next {
    case edit(Work)
    /// Nothing, until something changes.
    case wait
    case end
  }

  /// What the journal's thread should do next.
  enum NextSync: Hashable {
    /// Sync it to disk at least up to this line.
    case sync(line: Int)
    case wait
    case end
  }

  /// The items that no worker has taken yet.
  private(set) var pending: ArraySlice<BatchNaming.Item> = []
  private(set) var entries: [BatchReport.Entry] = []
  /// The number of workers that have not ended.
  private(set) var workers = 0
  /// Whether more items may come.
  private(set) var isOpen = true
  private(set) var isStopped = false
  /// The first reason why the run cannot continue, such as a full disk.
  private(set) var fatal: SafelightError?

  /// The photos being edited, in the order in which they were taken.
  private var atWork: [Work] = []
  /// The results that workers are working on: a photo may arrive again while it is being edited.
  private var claimed: Set<PathKey> = []
  private var taken = 0
  private var progress = BatchRun.Progress()
  /// Whether only the last entry of each input is kept: a watched photo may have arrived in pieces.
  private var keepsLast = false
  /// The index in `entries` of each input, if only the last is kept.
  private var places: [PathKey: Int] = [:]
  /// The number of lines written to the journal, and how many of them are on disk.
  private var writtenLines = 0
  private var syncedLines = 0
  /// Why the journal cannot be synced to disk.
  private var syncProblem: SafelightError?

  // MARK: The run's events

  /// The run begins.
  ///
  /// - Parameter takesMore: whether items may arrive during the run; then the last one of each photo counts.
  mutating func begin(takesMore: Bool) { (isOpen, keepsLast) = (takesMore, takesMore) }

  mutating func add(_ items: [BatchNaming.Item]) {
    pending += items
    progress.total += items.count
  }

  /// No more items will arrive.
  mutating func closeInputs() { isOpen = false }

  /// Photos being edited are finished, and no more are started.
  mutating func stop() { isStopped = true }

  /// No further photo could be edited.
  mutating func end(because error: SafelightError) { fatal = fatal ?? error }

  /// Whether photos may be started.
  var mayBegin: Bool { !isStopped && fatal == nil }

  /// Returns the progress of the run, and the entries finished since the previous call.
  mutating func takeProgress() -> BatchRun.Progress {
    defer { progress.news = [] }
    progress.current = atWork.map(\.item.photo.path)
    return progress
  }

  /// The run is over: items that no worker has taken are left for another run.
  mutating func finish() -> (entries: [BatchReport.Entry], megapixels: Double) {
    for item in pending { add(BatchReport.Entry(item, status: .left)) }
    pending = []
    return (entries, progress.megapixels)
  }

  // MARK: A worker's events

  /// A worker is about to start.
  mutating func workerStarts() { workers += 1 }

  /// A worker has ended, or failed to start.
  mutating func workerEnded() { workers -= 1 }

  /// A worker is free: returns the first item whose result no other worker is working on.
  mutating func next() -> Next {
    guard mayBegin else { return .end }
    guard let at = pending.firstIndex(where: { !isClaimed($0) }) else {
      return isOpen || !pending.isEmpty ? .wait : .end
    }
    let item = at == pending.startIndex ? pending.removeFirst() : pending.remove(at: at)
    taken += 1
    var work = Work(number: taken, item: item)
    // An item that is not edited may share its name with one that is, and claims nothing.
    if item.isEdited { work.claims = [PathKey(item.output)] }
    claimed.formUnion(work.claims)
    atWork.append(work)
    return .edit(work)
  }

  private func isClaimed(_ item: BatchNaming.Item) -> Bool {
    item.isEdited && claimed.contains(PathKey(item.output))
  }

  /// The photo's result gets another name because its own is taken.
  mutating func renamed(_ work: Work, to output: String) {
    guard let at = atWork.firstIndex(where: { $0.number == work.number }) else { return }
    guard claimed.insert(PathKey(output)).inserted else { return }
    atWork[at].claims.append(PathKey(output))
  }

  /// The photo is finished.
  ///
  /// - Parameter megapixels: the size of the original, if it was edited.
  mutating func finished(_ work: Work, _ entry: BatchReport.Entry, megapixels: Double = 0) {
    guard release(work) else { return }
    add(entry)
    progress.news.append(entry)
    progress.megapixels += megapixels
    switch entry.status {
    case .done: progress.done += 1
    case .skipped: progress.skipped += 1
    case .failed: progress.failed += 1
    case .left: break
    }
  }

  /// The photo is left for another run.
  mutating func left(_ work: Work, output: String) {
    guard release(work) else { return }
    var item = work.item
    item.output = output
    add(BatchReport.Entry(item, status: .left))
  }

  /// Returns false if the photo was finished before.
  private mutating func release(_ work: Work) -> Bool {
    guard let at = atWork.firstIndex(where: { $0.number == work.number }) else { return false }
    claimed.subtract(atWork.remove(at: at).claims)
    return true
  }

  /// Photos finish in any order: the one that arrived last counts, not the one that finished last.
  private mutating func add(_ entry: BatchReport.Entry) {
    guard keepsLast else { return entries.append(entry) }
    let input = PathKey(entry.input)
    guard let at = places[input] else {
      places[input] = entries.count
      return entries.append(entry)
    }
    if entry.index >= entries[at].index { entries[at] = entry }
  }

  // MARK: The journal's events

  /// A worker wrote lines to the journal.
  ///
  /// - Returns: the number of the last one.
  mutating func wrote(lines: Int) -> Int {
    writtenLines += lines
    return writtenLines
  }

  /// Whether the journal is on disk up to a line; nil if that is pending.
  ///
  /// - Throws: the reason if it will not be.
  func isSynced(upTo line: Int) throws(SafelightError) -> Bool? {
    if syncedLines >= line { return true }
    if let syncProblem { throw syncProblem }
    return nil
  }

  /// The journal's thread is free.
  func nextSync() -> NextSync {
    if syncProblem != nil { return .end }
    if writtenLines > syncedLines { return .sync(line: writtenLines) }
    return workers == 0 ? .end : .wait
  }

  /// The journal is on disk up to a line.
  mutating func synced(upTo line: Int) { syncedLines = max(syncedLines, line) }

  /// The journal cannot be synced to disk, which ends the run.
  mutating func syncFailed(_ error: SafelightError) {
    syncProblem = error
    end(because: error)
  }
}

extension BatchNaming.Item {
  fileprivate var isEdited: Bool { if case .edit = decision { true } else { false } }
}
