import Files
import FrameCore

/// Hands the photos of a batch to its lanes, counts what becomes of them, and knows when the run is over: a state machine
/// without clock, lock or thread.
///
/// Events are its methods, in the order in which they happen; what to do about them is what they return. A lane is one job: it
/// asks for a photo, tells what became of it, and asks for the next.
struct BatchStateMachine {
  /// A photo that a lane has.
  struct Work: Sendable {
    fileprivate let number: Int
    let item: BatchNaming.Item
    /// The results that no other lane may be at meanwhile.
    fileprivate var claims: [PathKey] = []
  }

  /// What a lane does next.
  enum Next {
    case edit(Work)
    /// Nothing, until something changes.
    case wait
    case end
  }

  /// What the journal's thread does next.
  enum NextSync: Hashable {
    /// Bring it to the disk up to this line, at least.
    case sync(line: Int)
    case wait
    case end
  }

  /// What no lane has taken yet.
  private(set) var pending: ArraySlice<BatchNaming.Item> = []
  private(set) var entries: [BatchReport.Entry] = []
  /// Lanes that have not ended.
  private(set) var lanes = 0
  /// Whether more items may come.
  private(set) var isOpen = true
  private(set) var isStopped = false
  /// Why nothing more can be done, as where the disk is full: the first reason.
  private(set) var fatal: SafelightError?

  /// In the order in which they were taken.
  private var atWork: [Work] = []
  /// The results that lanes are at: a photo may come again while it is being edited.
  private var claimed: Set<PathKey> = []
  private var taken = 0
  private var progress = BatchRun.Progress()
  /// Whether only the last entry of each input is kept: a watched photo may have come in pieces.
  private var keepsLast = false
  /// Of entries, where only the last is kept.
  private var places: [PathKey: Int] = [:]
  /// Lines that lanes gave to the journal, and how many of them are on the disk.
  private var writtenLines = 0
  private var syncedLines = 0
  /// Why the journal cannot be brought to the disk.
  private var syncProblem: SafelightError?

  // MARK: The run's events

  /// The run begins.
  ///
  /// - Parameter takesMore: whether items may come while it runs, of which the last of each photo counts.
  mutating func begin(takesMore: Bool) { (isOpen, keepsLast) = (takesMore, takesMore) }

  mutating func add(_ items: [BatchNaming.Item]) {
    pending += items
    progress.total += items.count
  }

  /// No more items come.
  mutating func closeInputs() { isOpen = false }

  /// Photos at work are finished, and no more are begun.
  mutating func stop() { isStopped = true }

  /// Nothing that follows could be done.
  mutating func end(because error: SafelightError) { fatal = fatal ?? error }

  /// Whether photos may be begun.
  var mayBegin: Bool { !isStopped && fatal == nil }

  /// How far the run is, and what came to its end since this was asked last.
  mutating func takeProgress() -> BatchRun.Progress {
    defer { progress.news = [] }
    progress.current = atWork.map(\.item.photo.path)
    return progress
  }

  /// The run is over: what no lane has taken is left for another run.
  mutating func finish() -> (entries: [BatchReport.Entry], megapixels: Double) {
    for item in pending { add(BatchReport.Entry(item, status: .left)) }
    pending = []
    return (entries, progress.megapixels)
  }

  // MARK: A lane's events

  /// A lane is about to start.
  mutating func laneStarts() { lanes += 1 }

  /// A lane has ended, or did not start.
  mutating func laneEnded() { lanes -= 1 }

  /// A lane is free: the first item whose result no other lane is at.
  mutating func next() -> Next {
    guard mayBegin else { return .end }
    guard let at = pending.firstIndex(where: { !isClaimed($0) }) else {
      return isOpen || !pending.isEmpty ? .wait : .end
    }
    let item = at == pending.startIndex ? pending.removeFirst() : pending.remove(at: at)
    taken += 1
    var work = Work(number: taken, item: item)
    // What is not edited may have the name of what is, and claims nothing.
    if item.isEdited { work.claims = [PathKey(item.output)] }
    claimed.formUnion(work.claims)
    atWork.append(work)
    return .edit(work)
  }

  private func isClaimed(_ item: BatchNaming.Item) -> Bool {
    item.isEdited && claimed.contains(PathKey(item.output))
  }

  /// The photo's result gets another name, as its own turned out to be taken.
  mutating func renamed(_ work: Work, to output: String) {
    guard let at = atWork.firstIndex(where: { $0.number == work.number }) else { return }
    guard claimed.insert(PathKey(output)).inserted else { return }
    atWork[at].claims.append(PathKey(output))
  }

  /// The photo came to its end.
  ///
  /// - Parameter megapixels: of the original, where it was edited.
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

  /// False where the photo came to its end before.
  private mutating func release(_ work: Work) -> Bool {
    guard let at = atWork.firstIndex(where: { $0.number == work.number }) else { return false }
    claimed.subtract(atWork.remove(at: at).claims)
    return true
  }

  /// Lanes end in any order: what came later counts, not what ended later.
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

  /// A lane gave lines to the journal.
  ///
  /// - Returns: the number of the last one.
  mutating func wrote(lines: Int) -> Int {
    writtenLines += lines
    return writtenLines
  }

  /// Whether the journal is on the disk up to a line; nil where that is still to come.
  ///
  /// - Throws: why it will not be.
  func isSynced(upTo line: Int) throws(SafelightError) -> Bool? {
    if syncedLines >= line { return true }
    if let syncProblem { throw syncProblem }
    return nil
  }

  /// The journal's thread is free.
  func nextSync() -> NextSync {
    if syncProblem != nil { return .end }
    if writtenLines > syncedLines { return .sync(line: writtenLines) }
    return lanes == 0 ? .end : .wait
  }

  /// The journal is on the disk up to a line.
  mutating func synced(upTo line: Int) { syncedLines = max(syncedLines, line) }

  /// The journal cannot be brought to the disk, which ends the run.
  mutating func syncFailed(_ error: SafelightError) {
    syncProblem = error
    end(because: error)
  }
}

extension BatchNaming.Item {
  fileprivate var isEdited: Bool { if case .edit = decision { true } else { false } }
}
