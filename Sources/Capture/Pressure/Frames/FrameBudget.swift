import FrameCore
import Synchronization

/// Meters what frames cost against the time that they have. A session feeds it from any thread; recording
/// costs a short lock and allocates nothing.
public final class FrameBudget: Sendable {
  /// The p99 is that of the latest frames, at most as many: 4 s at 30 frames a second, and one hiccup in them
  /// is not their p99 yet.
  public static let ringSize = 128

  private struct State {
    var interval: Double
    var capacity: Int
    var ring: [Float]
    var next = 0
    var filled = 0
    var frames = 0
    var dropped = 0
    var sum = 0.0
    var depth = 0
    var deepest = 0
    var shallowest = 0
    var begin: Timestamp?
    var load: FrameLoad
  }
  private let state: Mutex<State>

  /// - Parameters:
  ///   - frameInterval: the seconds between two frames; above 0.
  ///   - queueCapacity: the number of frames that may wait for the encoder; 0 if there is no queue.
  /// - Throws: `SafelightError` for an interval that is not above 0 or a negative capacity.
  public init(frameInterval: Double, queueCapacity: Int = 0) throws {
    try Self.check(frameInterval)
    guard queueCapacity >= 0 else {
      throw SafelightError(
        .invalidValue, "The queue of frames has a capacity of \(queueCapacity)",
        remedy: "give it 0 (no queue) or more")
    }
    state = Mutex(
      State(
        interval: frameInterval, capacity: queueCapacity, ring: Array(repeating: 0, count: Self.ringSize),
        load: FrameLoad(seconds: 0, frameInterval: frameInterval, queueCapacity: queueCapacity)))
  }

  private static func check(_ interval: Double) throws {
    guard interval > 0, interval.isFinite else {
      throw SafelightError(
        .invalidValue, "The frame interval is \(interval) s", remedy: "give it seconds above 0, such as 0.033"
      )
    }
  }

  /// Records a finished frame and the seconds that its slowest stage worked on it, without waiting. A stage
  /// that works on several frames at once gives the time divided by their number.
  public func finished(in seconds: Double) {
    guard seconds >= 0, seconds.isFinite else { return }
    state.withLock { state in
      state.ring[state.next] = Float(seconds)
      state.next = (state.next + 1) % Self.ringSize
      state.filled = min(state.filled + 1, Self.ringSize)
      state.frames += 1
      state.sum += seconds
    }
  }

  /// Records frames that were lost because there was no time for them.
  public func dropped(_ count: Int = 1) {
    state.withLock { $0.dropped += max(0, count) }
  }

  /// Records the number of frames that wait, after each change of it.
  public func queued(_ depth: Int) {
    state.withLock { state in
      state.depth = max(0, depth)
      state.deepest = max(state.deepest, state.depth)
      state.shallowest = min(state.shallowest, state.depth)
    }
  }

  /// Sets the seconds between two frames after the rate changed. Times measured before are forgotten.
  ///
  /// - Throws: `SafelightError` for an interval that is not above 0.
  public func setFrameInterval(_ seconds: Double) throws {
    try Self.check(seconds)
    state.withLock { state in
      state.interval = seconds
      (state.filled, state.next) = (0, 0)
    }
  }

  /// The latest whole window.
  public var load: FrameLoad { state.withLock { $0.load } }

  /// Ends the window and begins the next one. Only one caller, such as a `SystemPressureMonitor`, may do so.
  package func endWindow(at time: Timestamp) -> FrameLoad {
    let (window, times) = state.withLock { state -> (FrameLoad, [Float]) in
      let window = FrameLoad(
        seconds: state.begin.map { time.seconds(since: $0) } ?? 0, frameInterval: state.interval,
        frames: state.frames, dropped: state.dropped,
        meanTime: state.frames > 0 ? state.sum / Double(state.frames) : 0, queueDepth: state.deepest,
        standingQueue: state.shallowest, queueCapacity: state.capacity)
      (state.frames, state.dropped, state.sum, state.begin) = (0, 0, 0, time)
      (state.deepest, state.shallowest) = (state.depth, state.depth)
      return (window, Array(state.ring[..<state.filled]))
    }
    // Sorted outside the lock, which threads of the frame loop take.
    var load = window
    load.p99Time = OrderStatistics.percentile(0.99, ofSorted: times.map(Double.init).sorted())
    state.withLock { $0.load = load }
    return load
  }
}
