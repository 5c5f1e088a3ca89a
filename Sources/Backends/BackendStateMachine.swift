import FilterGraph

/// Decides which plans' frames are tried on the GPU, and when: a state machine without clock, lock or thread.
///
/// Its methods are the events, in the order in which they happen; they return what to do. Frames, with their
/// times, come from frame loops, for plans whose renderer is undecided. One thread tries plans alongside the loops
/// and asks for the next one when it has finished the last.
///
/// - `Plan`: a prepared plan.
/// - `Shape`: what the speed of plans depends on: a result for one plan holds for all of its shape.
struct BackendStateMachine<Plan: Equatable, Shape: Hashable> {
  /// What to do after a frame.
  enum Action: Hashable {
    case none
    /// Start the thread; if that fails, call `threadIsMissing()`.
    case startThread
    /// The processor renders this plan from now on.
    case leaveToProcessor
  }

  /// What the thread does next.
  enum Next {
    /// Determine what renders a plan; `seconds` are times of frames of its shape on the processor.
    case measure(Plan, Shape, seconds: [Double])
    /// Wait until something changes.
    case wait
    case end
  }

  /// The result of a trial.
  enum Outcome: Hashable {
    case gpu
    case processor
    /// The trial was cancelled or the GPU failed before there was an answer.
    case none
  }

  /// Times of frames of one shape on the processor, whatever their plans: looks may change before any one of them
  /// has rendered enough frames.
  private struct Timing {
    var warmUp: Int
    var seconds: [Double] = []
  }

  private enum Thread {
    case notStarted, running, missing
  }

  /// The number of frames of a shape that are ignored, and the number that are timed.
  private let warmUp, frames: Int
  private var timings: [Shape: Timing] = [:]
  /// Shapes for which the processor was found to be faster.
  private var left: Set<Shape> = []
  /// The latest request, waiting for the thread.
  private var wanted: (plan: Plan, shape: Shape)?
  private var tried: Plan?
  private var thread = Thread.notStarted
  private(set) var isClosed = false

  init(warmUp: Int, frames: Int) {
    (self.warmUp, self.frames) = (warmUp, frames)
  }

  // MARK: A frame loop's events

  /// Records that the processor rendered a frame of an undecided plan. Once enough frames of its shape are timed,
  /// every frame requests a trial until there is an answer; a later plan replaces the waiting one.
  ///
  /// - Parameter mayUseGPU: whether there may be a working GPU.
  mutating func rendered(_ plan: Plan, _ shape: Shape, seconds: Double, mayUseGPU: Bool) -> Action {
    guard mayUseGPU, !isClosed, thread != .missing, !left.contains(shape) else {
      forget { $0.plan == plan }
      return .leaveToProcessor
    }
    guard count(seconds, shape), tried != plan else { return .none }
    wanted = (plan, shape)
    guard thread == .notStarted else { return .none }
    thread = .running
    return .startThread
  }

  /// Records a frame; returns whether enough frames of the shape are timed.
  private mutating func count(_ seconds: Double, _ shape: Shape) -> Bool {
    var timing = timings.removeValue(forKey: shape) ?? Timing(warmUp: warmUp)
    defer { timings[shape] = timing }
    if timing.warmUp > 0 {
      timing.warmUp -= 1
    } else if timing.seconds.count < frames {
      timing.seconds.append(seconds)
    }
    return timing.seconds.count == frames
  }

  /// No thread could be started: there are no trials, and the processor keeps rendering.
  mutating func threadIsMissing() {
    thread = .missing
    wanted = nil
  }

  // MARK: The thread's events

  /// The thread is free for the next trial.
  mutating func next() -> Next {
    if isClosed { return .end }
    guard let (plan, shape) = wanted else { return .wait }
    wanted = nil
    tried = plan
    return .measure(plan, shape, seconds: timings[shape]?.seconds ?? [])
  }

  /// The thread has finished the trial that `next()` returned.
  mutating func measured(_ plan: Plan, _ shape: Shape, _ outcome: Outcome) {
    tried = nil
    // A frame rendered before the answer may have requested the plan again.
    forget { $0.plan == plan }
    guard outcome == .processor else { return }
    left.insert(shape)
    forget { $0.shape == shape }
  }

  private mutating func forget(where isDecided: ((plan: Plan, shape: Shape)) -> Bool) {
    if let wanted, isDecided(wanted) { self.wanted = nil }
  }

  // MARK: The end

  /// Ends trials: the thread ends once the current one is finished.
  mutating func close() {
    isClosed = true
    wanted = nil
  }
}
