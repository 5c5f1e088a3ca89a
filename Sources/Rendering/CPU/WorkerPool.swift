import FrameCore
import PixelKernels
import Synchronization

/// Work that consists of independent pieces. Subclasses define what a piece is.
///
/// A class rather than a closure, so that the frame loop can reuse one instead of making one for each frame.
class PoolWork: @unchecked Sendable {
  /// The number of pieces; set before the work is run.
  final var pieces = 0
  private final let next = Atomic<Int>(0)
  /// The number of workers taking part, without the caller. Changed only under the pool's monitor.
  fileprivate final let helpers = Atomic<Int>(0)

  func perform(_ piece: Int, scratch: TileScratch) {}

  fileprivate final func rewind() { next.store(0, ordering: .relaxed) }

  fileprivate final var hasPieces: Bool { next.load(ordering: .relaxed) < pieces }

  fileprivate final func performPieces(_ scratch: TileScratch) {
    while true {
      let piece = next.add(1, ordering: .relaxed).oldValue
      guard piece < pieces else { return }
      perform(piece, scratch: scratch)
    }
  }
}

/// Threads that wait for work, each with a tile's memory of its own; the thread that submits work takes part in
/// it.
///
/// Threads start with the first work and end with the pool. If the system grants fewer threads, fewer take part.
/// An idle thread spins for some microseconds before it sleeps: waking it takes as long as a tile, and a frame
/// loop submits the next frame at once. After the first work of a kind, running it allocates nothing. Several
/// threads may submit work at once.
final class WorkerPool: Sendable {
  /// The number of threads that take part in one work, including the caller.
  let threads: Int

  private struct State {
    var works: [PoolWork] = []
    var isStopping = false

    // Loops over indices: without optimization an array iterator allocates memory.
    mutating func remove(_ work: PoolWork) {
      var index = 0
      while index < works.count, works[index] !== work { index += 1 }
      if index < works.count { works.remove(at: index) }
    }
  }
  private let state: Monitor<State>
  private let announcement: Announcement
  private let workers = Mutex<[WorkerThread]?>(nil)
  /// The memory of callers.
  private let scratches = Mutex<[TileScratch]>([])

  /// - Parameter threads: the number of threads; nil for one per core.
  init(threads: Int?) {
    let cores = ProcessorCount.usable
    self.threads = max(1, threads ?? cores)
    announcement = Announcement(isLookedOutFor: self.threads <= cores)
    var state = State()
    state.works.reserveCapacity(16)
    self.state = Monitor(state)
  }

  deinit {
    state.update { $0.isStopping = true }
    workers.withLock { $0 ?? [] }.forEach { $0.join() }
  }

  /// Runs all pieces of `work` and returns when they are done.
  func run(_ work: PoolWork) {
    work.rewind()
    let scratch = scratches.withLock { $0.popLast() } ?? TileScratch()
    defer { scratches.withLock { $0.append(scratch) } }
    guard threads > 1, work.pieces > 1 else {
      work.performPieces(scratch)
      return
    }
    startWorkers()
    state.update { $0.works.append(work) }
    announcement.announce()
    work.performPieces(scratch)
    state.update { $0.remove(work) }
    announcement.lookOut { work.helpers.load(ordering: .relaxed) == 0 }
    state.wait { _ in work.helpers.load(ordering: .relaxed) == 0 ? () : nil }
  }

  private func startWorkers() {
    workers.withLock { workers in
      guard workers == nil else { return }
      let (state, announcement) = (state, announcement)
      var started: [WorkerThread] = []
      for number in 1..<threads {
        guard
          let worker = try? WorkerThread(name: "render \(number)", { Self.work(state, announcement, number) })
        else {
          break
        }
        started.append(worker)
      }
      workers = started
    }
  }

  private static func work(_ state: Monitor<State>, _ announcement: Announcement, _ number: Int) {
    let scratch = TileScratch(thread: number)
    while let work = state.wait(for: { next(in: &$0) }) {
      work.performPieces(scratch)
      let seen = announcement.count
      state.update { _ in _ = work.helpers.subtract(1, ordering: .relaxed) }
      announcement.lookOut { announcement.count != seen }
    }
  }

  /// Returns nil while there is nothing to do, `.some(nil)` at the end.
  private static func next(in state: inout State) -> PoolWork?? {
    if state.isStopping { return .some(nil) }
    var index = 0
    while index < state.works.count {
      let work = state.works[index]
      if work.hasPieces {
        work.helpers.add(1, ordering: .relaxed)
        return work
      }
      index += 1
    }
    return nil
  }
}

/// Announces work to threads that are awake; sleeping ones learn of it from the pool's monitor.
private final class Announcement: Sendable {
  /// About the time it takes to put a thread to sleep and wake it again.
  private static let nanoseconds: Int64 = 50_000
  private let number = Atomic<Int>(0)
  /// False if there are more threads than cores: then it is better to sleep.
  private let isLookedOutFor: Bool

  init(isLookedOutFor: Bool) { self.isLookedOutFor = isLookedOutFor }

  /// The number of works announced so far.
  var count: Int { number.load(ordering: .relaxed) }

  func announce() { number.add(1, ordering: .relaxed) }

  /// Returns when `isThere`, or after some microseconds. The caller asks the monitor in either case.
  func lookOut(for isThere: () -> Bool) {
    guard isLookedOutFor, !isThere() else { return }
    let end = Timestamp.now.nanoseconds + Self.nanoseconds
    repeat {
      for _ in 0..<16 {
        if isThere() { return }
        sl_pause()
      }
    } while Timestamp.now.nanoseconds < end
  }
}

/// A closure as work, for work that is not done for every frame.
private final class ClosureWork: PoolWork, @unchecked Sendable {
  private let body: @Sendable (Int) -> Void

  init(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    self.body = body
    super.init()
    pieces = count
  }

  override func perform(_ piece: Int, scratch: TileScratch) { body(piece) }
}

extension WorkerPool {
  /// Calls `body` with 0..<count, in any order and on any thread.
  func forEach(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) { run(ClosureWork(count, body)) }
}
