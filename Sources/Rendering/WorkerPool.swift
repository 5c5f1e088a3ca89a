import FrameCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Work that falls into independent pieces. Subclasses say what a piece is.
///
/// A class and not a closure, so that the frame loop can use one again instead of making one for each frame.
class PoolWork: @unchecked Sendable {
  /// Pieces to do; set before the work is run.
  final var pieces = 0
  private final let next = Atomic<Int>(0)
  /// Workers that are at it, the caller not counted. Guarded by the pool's monitor.
  fileprivate final var helpers = 0

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
/// Threads start with the first work and end with the pool. Where the system grants fewer, fewer take part.
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
  private let workers = Mutex<[WorkerThread]?>(nil)
  /// The memory of callers.
  private let scratches = Mutex<[TileScratch]>([])

  /// - Parameter threads: nil stands for one a core.
  init(threads: Int?) {
    self.threads = max(1, threads ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
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
    work.performPieces(scratch)
    state.update { $0.remove(work) }
    state.wait { _ in work.helpers == 0 ? () : nil }
  }

  private func startWorkers() {
    workers.withLock { workers in
      guard workers == nil else { return }
      let state = state
      var started: [WorkerThread] = []
      for number in 1..<threads {
        guard let worker = try? WorkerThread(name: "render \(number)", { Self.work(state, number) }) else {
          break
        }
        started.append(worker)
      }
      workers = started
    }
  }

  private static func work(_ state: Monitor<State>, _ number: Int) {
    let scratch = TileScratch(thread: number)
    while let work = state.wait(for: { next(in: &$0) }) {
      work.performPieces(scratch)
      state.update { _ in work.helpers -= 1 }
    }
  }

  /// Nothing while there is nothing to do, `.some(nil)` at the end.
  private static func next(in state: inout State) -> PoolWork?? {
    if state.isStopping { return .some(nil) }
    var index = 0
    while index < state.works.count {
      let work = state.works[index]
      if work.hasPieces {
        work.helpers += 1
        return work
      }
      index += 1
    }
    return nil
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
