import Files
import FrameCore
import Synchronization

extension BatchRun {
  /// What the lanes of a run share.
  struct State {
    /// What no lane has taken yet.
    var pending: ArraySlice<BatchNaming.Item> = []
    /// The results that lanes are at: a photo may come again while it is being edited.
    var busy: Set<PathKey> = []
    /// Whether more items may come.
    var isOpen = true
    var progress = Progress()
    private(set) var entries: [BatchReport.Entry] = []
    /// Whether only the last entry of each input is kept: a watched photo may have come in pieces.
    var keepsLast = false
    private var places: [PathKey: Int] = [:]
    var lanes = 0
    /// Lines that lanes gave to the journal, and how many of them are on the disk.
    var journalEvents = 0
    var syncedEvents = 0
    /// Why the journal cannot be brought to the disk.
    var syncProblem: SafelightError?
    var isStopped = false
    /// Why nothing more can be done, as where the disk is full.
    var fatal: SafelightError?

    /// The first item whose result is not at work; its result is from now on.
    mutating func takePending() -> BatchNaming.Item? {
      guard let at = pending.firstIndex(where: { !isBusy($0) }) else { return nil }
      let item = at == pending.startIndex ? pending.removeFirst() : pending.remove(at: at)
      if case .edit = item.decision { busy.insert(PathKey(item.output)) }
      return item
    }

    private func isBusy(_ item: BatchNaming.Item) -> Bool {
      guard case .edit = item.decision else { return false }
      return busy.contains(PathKey(item.output))
    }

    /// What no lane has taken is left for another run.
    mutating func leavePending() {
      for item in pending { add(BatchReport.Entry(item, status: .left)) }
      pending = []
    }

    mutating func add(_ entry: BatchReport.Entry) {
      if keepsLast {
        if let at = places[PathKey(entry.input)] {
          entries[at] = entry
          return
        }
        places[PathKey(entry.input)] = entries.count
      }
      entries.append(entry)
    }
  }
}

/// The planner of names, asked by the lanes too.
final class SharedNamePlanner: Sendable {
  private let planner: Mutex<BatchNamePlanner>

  init(_ planner: sending BatchNamePlanner) { self.planner = Mutex(planner) }

  func items(
    for photos: [BatchInputs.Photo], examining editor: (any BatchEditor)?,
    while goesOn: (_ named: Int) -> Bool = { _ in true }
  ) -> [BatchNaming.Item] {
    planner.withLock { $0.items(for: photos, examining: editor, while: goesOn) }
  }
  func rename(_ item: BatchNaming.Item) -> String { planner.withLock { $0.rename(item) } }
  func isOriginal(_ file: FileIdentity) -> Bool { planner.withLock { $0.isOriginal(file) } }
  func isOtherInput(_ file: FileIdentity) -> Bool { planner.withLock { $0.isOtherInput(file) } }
}
