import FrameCore
import Synchronization

/// Watches the machine and the sessions on it, on a thread of its own.
///
/// Deadlines are looked at every half second while a session is watched, all else every two seconds.
///
///     let monitor = SystemPressureMonitor()
///     try monitor.start()
///     for await pressure in monitor.changes { print(pressure.level) }
public final class SystemPressureMonitor: Sendable {
  /// Seconds between two readings of the system, and of deadlines.
  public static let interval = 2.0
  public static let deadlineInterval = 0.5

  /// A session under watch, until `remove`.
  public struct Watch: Sendable, Hashable {
    fileprivate let id: Int
  }

  private struct Session: Sendable {
    let id: Int
    let budget: FrameBudget
    let policy: PressurePolicy?
    var readings: DeadlineReadings
  }

  private struct State {
    var thread: WorkerThread?
    /// Changes with each start and stop; a thread ends when it is no longer its own.
    var generation = 0
    var nextID = 1
    var sessions: [Session] = []
  }

  /// What the thread has; nobody else locks it for long.
  private struct Reading {
    var sources: SystemPressureSources
    var meter = PressureMeter()
    var nextSystem: Timestamp?
  }

  private let state = Monitor(State())
  private let reading: Mutex<Reading>
  private let published = Mutex(SystemPressure.nominal)
  private let broadcast = Broadcast<SystemPressure>(keepingNewest: 64)

  public convenience init() { self.init(root: "") }

  /// - Parameter root: what stands before `/sys` and `/proc`.
  package init(root: String) { reading = Mutex(Reading(sources: SystemPressureSources(root: root))) }

  deinit {
    // This may be the monitor's own thread releasing the last reference; it cannot wait for itself.
    let thread = state.update { state in
      state.generation += 1
      return state.thread.take()
    }
    thread?.detach()
    broadcast.finish()
  }

  /// The present pressure, with sentences of the latest values; nominal before `start()`.
  public var current: SystemPressure { published.withLock { $0 } }

  /// The present pressure, and then each change of a level or of what is available. A reader that is 64
  /// behind loses the oldest.
  public var changes: AsyncStream<SystemPressure> { published.withLock { broadcast.stream(after: $0) } }

  /// Begins to watch; does nothing if it has begun.
  ///
  /// - Throws: `SafelightError` if the system grants no more threads.
  public func start() throws {
    try state.update { state in
      guard state.thread == nil else { return }
      state.generation += 1
      let (shared, generation) = (self.state, state.generation)
      state.thread = try WorkerThread(name: "pressure") { [weak self] in
        WorkerThread.dropRaisedPriority()
        while let isWatching = self?.tick(at: .now) {
          let next = Timestamp.now.advanced(
            bySeconds: isWatching ? Self.deadlineInterval : Self.interval)
          let isOver = shared.wait(until: next) { state -> Bool? in
            if state.generation != generation { return true }
            // A session to watch does not wait for the end of a long pause.
            return isWatching || state.sessions.isEmpty ? nil : false
          }
          if isOver ?? false { return }
        }
      }
    }
  }

  /// Stops watching and returns once the thread has ended. Must not be called by a responder.
  public func stop() {
    let thread = state.update { state in
      state.generation += 1
      return state.thread.take()
    }
    thread?.join()
  }

  /// Adds a session's own deadlines to what is watched.
  ///
  /// - Parameters:
  ///   - budget: fed by the session; watched by one monitor only.
  ///   - policy: follows the budget's load and the machine's pressure; nil if the session goes on as it is.
  public func watch(_ budget: FrameBudget, policy: PressurePolicy? = nil) -> Watch {
    state.update { state in
      let id = state.nextID
      state.nextID += 1
      state.sessions.append(
        Session(id: id, budget: budget, policy: policy, readings: DeadlineReadings(id: id)))
      return Watch(id: id)
    }
  }

  /// Ends the watch; the steps of its policy stay as they are. What its deadlines did to the pressure ends
  /// within ten seconds.
  public func remove(_ watch: Watch) {
    let session = state.update { state -> Session? in
      guard let index = state.sessions.firstIndex(where: { $0.id == watch.id }) else { return nil }
      return state.sessions.remove(at: index)
    }
    session?.policy?.finish()
  }

  /// Reads what is due and lets policies act. Only the monitor's thread may call it, or a test instead of it.
  ///
  /// - Returns: whether sessions are watched.
  @discardableResult
  package func tick(at time: Timestamp) -> Bool {
    let (samples, loads) = state.update { state in
      var samples: [PressureSample] = []
      var loads: [(policy: PressurePolicy?, load: FrameLoad)] = []
      for index in state.sessions.indices {
        let load = state.sessions[index].budget.endWindow(at: time)
        samples += state.sessions[index].readings.samples(of: load)
        loads.append((state.sessions[index].policy, load))
      }
      return (samples, loads)
    }
    let (pressure, isChange) = reading.withLock { reading in
      var samples = samples
      var unavailable: [SystemPressure.UnavailableSource]?
      if reading.nextSystem.map({ time >= $0 }) ?? true {
        // A little early, so that a thread that wakes a moment too soon does not wait for the next tick.
        reading.nextSystem = time.advanced(bySeconds: Self.interval - 0.1)
        samples += reading.sources.read(at: time)
        unavailable = reading.sources.unavailable
      }
      let isChange = reading.meter.read(samples, unavailable: unavailable, at: time)
      return (reading.meter.pressure, isChange)
    }
    published.withLock { published in
      published = pressure
      // Under the lock, so that a new reader gets no change twice and misses none.
      if isChange { broadcast.send(pressure) }
    }
    for (policy, load) in loads { policy?.advance(to: time, load: load, pressure: pressure) }
    return !loads.isEmpty
  }
}
