import FilterGraph

/// Decides which plans' frames are to be tried on the GPU, and when: a state machine without clock, lock or thread.
///
/// Events are its methods, in the order in which they happen; what to do about them is what they return. Frames come from
/// frame loops, for plans of which it is not decided yet what renders them; times come in with them. One thread tries plans
/// beside them: it asks for the next one when it is done with the one before.
///
/// - `Plan`: a plan as it was prepared.
/// - `Shape`: what the speed of plans depends on: what was found for one of them holds for all of a shape.
struct BackendStateMachine<Plan: Equatable, Shape: Hashable> {
  /// What to do after a frame.
  enum Action: Hashable {
    case none
    /// The thread is needed from now on; `threadIsMissing()` says where there is none to be had.
    case startThread
    /// The processor renders this plan from now on.
    case leaveToProcessor
  }

  /// What the thread does next.
  enum Next {
    /// Find out what renders a plan; `seconds` are those of its shape's frames on the processor.
    case measure(Plan, Shape, seconds: [Double])
    /// Nothing, until something changes.
    case wait
    case end
  }

  /// What a trial came to.
  enum Outcome: Hashable {
    case gpu
    case processor
    /// It was ended, or the GPU failed, before there was an answer.
    case none
  }

  /// What frames of one shape take on the processor, whichever plans they went through: looks may change before one of
  /// them has seen enough frames.
  private struct Timing {
    var warmUp: Int
    var seconds: [Double] = []
  }

  private enum Thread {
    case notStarted, running, missing
  }

  /// Frames of a shape that do not count, and how many do.
  private let warmUp, frames: Int
  private var timings: [Shape: Timing] = [:]
  /// Shapes that the processor was found to be faster for.
  private var left: Set<Shape> = []
  /// What was asked for last, and waits for the thread.
  private var wanted: (plan: Plan, shape: Shape)?
  private var tried: Plan?
  private var thread = Thread.notStarted
  private(set) var isClosed = false

  init(warmUp: Int, frames: Int) {
    (self.warmUp, self.frames) = (warmUp, frames)
  }

  // MARK: A frame loop's events

  /// The processor rendered a frame of a plan for which nothing is decided yet. Once enough frames of its shape are timed,
  /// this asks for a trial, frame after frame, until there is an answer; a plan that comes later takes its place.
  ///
  /// - Parameter mayUseGPU: whether there may be one that works.
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

  /// Whether enough frames of the shape are timed.
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

  /// The system grants no thread: there are no trials, and the processor goes on.
  mutating func threadIsMissing() {
    thread = .missing
    wanted = nil
  }

  // MARK: The thread's events

  /// The thread is free.
  mutating func next() -> Next {
    if isClosed { return .end }
    guard let (plan, shape) = wanted else { return .wait }
    wanted = nil
    tried = plan
    return .measure(plan, shape, seconds: timings[shape]?.seconds ?? [])
  }

  /// The thread is done with what `next()` gave it.
  mutating func measured(_ plan: Plan, _ shape: Shape, _ outcome: Outcome) {
    tried = nil
    // Asked for once more by a frame of which the answer was still unknown.
    forget { $0.plan == plan }
    guard outcome == .processor else { return }
    left.insert(shape)
    forget { $0.shape == shape }
  }

  private mutating func forget(where isDecided: ((plan: Plan, shape: Shape)) -> Bool) {
    if let wanted, isDecided(wanted) { self.wanted = nil }
  }

  // MARK: The end

  /// No more trials: the thread ends once it is done with the one at hand.
  mutating func close() {
    isClosed = true
    wanted = nil
  }
}
