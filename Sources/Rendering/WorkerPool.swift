import FrameCore
import PixelKernels
import Synchronization

/// Work that falls into independent pieces. Subclasses say what a piece is.
///
/// A class and not a closure, so that the frame loop can use one again instead of making one for each frame.
class PoolWork: @unchecked Sendable {
  /// Pieces to do; set before the work is run.
  final var pieces = 0
  private final let next = Atomic<Int>(0)
  /// Workers that are at it, the caller not counted. Changed under the pool's monitor only.
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

/// Threads that wait for work, each with a tile's memory of its own; whoever brings work takes part in it.
///
/// Threads start with the first work and end with the pool. Where the system grants fewer, fewer take part. A thread that
/// has nothing to do looks out for more for some microseconds before it sleeps: waking it takes as long as a tile, and
/// a frame loop brings the next frame at once.
/// After the first work of a kind, running it allocates nothing. Several threads may bring work at once.
final class WorkerPool: Sendable {
  /// Threads that take part in one work, the caller included.
  let threads: Int

  private struct State {
    var works: [PoolWork] = []
    var isStopping = false

    // Loops over indices: without optimization an iterator over the array asks for memory.
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

  /// - Parameter threads: nil stands for one a core.
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

  /// Runs all pieces of `work`, and returns when they are done.
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

  /// Nothing while there is nothing to do, `.some(nil)` at the end.
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

/// Tells threads that are awake that there is work; those that sleep learn it from the pool's monitor.
private final class Announcement: Sendable {
  /// About what it takes to put a thread to sleep and to wake it again.
  private static let nanoseconds: Int64 = 50_000
  private let number = Atomic<Int>(0)
  /// More threads than cores had better sleep.
  private let isLookedOutFor: Bool

  init(isLookedOutFor: Bool) { self.isLookedOutFor = isLookedOutFor }

  /// Works announced so far.
  var count: Int { number.load(ordering: .relaxed) }

  func announce() { number.add(1, ordering: .relaxed) }

  /// Returns when `isThere`, or after some microseconds; which of both, the monitor is asked in any case.
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

/// Work that is not done for every frame, as a closure.
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
