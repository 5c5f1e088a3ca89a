import ColorScience
import FilterGraph
import FrameCore
import Rendering

/// Turns the look of the moment into a prepared plan, off the frame loop.
///
/// The frame loop takes the newest plan that is ready, which is one pointer read under a lock; a changed look is
/// lowered, baked and prepared on this compiler's own thread and takes effect on the next frame after that. All plans
/// of one run have the output size and space of the first, so that streams and virtual cameras keep theirs.
final class LookCompiler: Sendable {
  /// A plan, and the frames that it fits.
  final class Compiled: Sendable {
    let shape: Shape
    let input: PlanInput
    let prepared: PreparedPlan
    /// Whether frames come out as they went in.
    let keepsSamples: Bool
    /// The version of the look that it was made for.
    let look: UInt64

    init(shape: Shape, input: PlanInput, prepared: PreparedPlan, look: UInt64) {
      self.shape = shape
      self.input = input
      self.prepared = prepared
      keepsSamples = prepared.plan.keepsSamples
      self.look = look
    }
  }

  /// What a frame must be like for a plan to fit; comparing it is cheap.
  struct Shape: Hashable, Sendable {
    var size: PixelSize
    var format: PixelFormat
    var tags: ColorTags
    var orientation: Orientation
    var alpha: AlphaMode

    init(_ frame: Frame) {
      size = frame.buffer.size
      format = frame.buffer.format
      tags = frame.buffer.tags
      orientation = frame.orientation
      alpha = frame.buffer.alpha
    }
  }

  private struct State {
    var look: LiveLook
    /// Counts changes of the look.
    var version: UInt64 = 1
    /// What frames are like at present.
    var shape: Shape?
    /// A plan for each of the last few shapes, since some sources alternate.
    var plans: [Compiled] = []
    var output: PlanOutput
    /// What the last change failed with; the plan before it goes on.
    var problem: (any Error)?
    /// The version that `problem` is about.
    var failedVersion: UInt64 = 0
    var isClosed = false
    /// Whether there is time for tables.
    var isReleased = false

    /// The plan for frames of the present shape, where there is one.
    var current: Compiled? { plans.first { $0.shape == shape } }

    /// Shapes whose plans are kept.
    static let shapes = 4

    mutating func keep(_ plan: Compiled) {
      plans.removeAll { $0.shape == plan.shape }
      if plans.count >= Self.shapes { plans.removeFirst() }
      plans.append(plan)
    }
  }

  private let renderer: any Renderer
  /// Whether the first frames are not to wait for tables.
  private let isLive: Bool
  private let monitor: Monitor<State>
  /// Whether pictures stay in the space of frames of a format.
  private let keepsSpace: @Sendable (PixelFormat) -> Bool
  private let bakes: BakeCache
  private let thread: Joinable

  /// - Parameters:
  ///   - isLive: false bakes before the first frame, so that all frames go through the same plan.
  ///   - keepsSpace: whether pictures are to stay in the space of frames of this format, rather than become sRGB.
  init(
    _ look: LiveLook, isLive: Bool, interpolation: Interpolation, renderer: any Renderer,
    keepsSpace: @escaping @Sendable (PixelFormat) -> Bool
  ) throws {
    let output = PlanOutput(format: .rgba8, space: .sRGB, interpolation: interpolation)
    let monitor = Monitor(State(look: look, output: output))
    self.monitor = monitor
    self.renderer = renderer
    self.isLive = isLive
    self.keepsSpace = keepsSpace
    let bakes = BakeCache()
    self.bakes = bakes
    thread = Joinable(try WorkerThread(name: "sl-look") { Self.run(monitor, renderer, bakes) })
  }

  /// The look that frames go through, or will once it is compiled.
  var look: LiveLook {
    get { monitor.read { $0.look } }
    set { update { $0 = newValue } }
  }

  /// Changes the look as one step, whoever else changes it.
  func update(_ edit: (inout LiveLook) -> Void) {
    monitor.update { state in
      edit(&state.look)
      state.version += 1
    }
  }

  /// What the last change of the look failed with, if it did.
  var problem: (any Error)? { monitor.read { $0.problem } }

  /// Lets the compiler's thread work. Before, the first frame has the processor to itself, and a run that ends with it
  /// waits for no table that nobody needs.
  func release() { monitor.update { $0.isReleased = true } }

  /// The plan for a frame: the newest one ready. Waits only where no plan fits the frame at all, that is for the first
  /// frame and after a change of format.
  ///
  /// - Throws: what lowering the look failed with, where there is no plan to go on with.
  func plan(for frame: Frame) throws -> Compiled {
    let shape = Shape(frame)
    if let fitting = monitor.read({ $0.shape == shape ? $0.current : nil }) { return fitting }
    let known = monitor.update { state in
      state.shape = shape
      return state.current
    }
    if let known { return known }
    let input = try frame.planInput
    let (look, version) = monitor.read { ($0.look, $0.version) }
    var output = monitor.read { $0.output }
    if output.size == nil, keepsSpace(input.format) { output.space = input.space }
    let prepared = try Self.compile(look, input, output, renderer, bakes, optimized: !isLive)
    output.size = prepared.plan.outputSize
    // Version 0 is out of date at once, so that the compiler's thread makes the fast plan.
    let isFast = !isLive || prepared.plan.isFast
    let compiled = Compiled(shape: shape, input: input, prepared: prepared, look: isFast ? version : 0)
    monitor.update { [output] state in
      state.keep(compiled)
      state.output = output
    }
    return compiled
  }

  private static func compile(
    _ look: LiveLook, _ input: PlanInput, _ output: PlanOutput, _ renderer: any Renderer,
    _ bakes: BakeCache, optimized: Bool = true
  ) throws -> PreparedPlan {
    let plan = try Plan(
      look.effectiveRecipe, input: input, output: output, evaluator: renderer.serialEvaluator, bakes: bakes,
      optimized: optimized)
    return try renderer.prepare(plan)
  }

  private static func run(
    _ monitor: Monitor<State>, _ renderer: any Renderer, _ bakes: BakeCache
  ) {
    // Frames come first: a table that is ready a little later does no harm.
    WorkerThread.lowerCurrentPriority()
    while let job = monitor.wait(for: Self.nextJob) {
      let result = Result { try compile(job.look, job.plan.input, job.output, renderer, bakes) }
      monitor.update { state in
        switch result {
        case .success(let prepared):
          state.problem = nil
          state.keep(
            Compiled(shape: job.plan.shape, input: job.plan.input, prepared: prepared, look: job.version))
        case .failure(let error):
          state.problem = error
          state.failedVersion = job.version
        }
      }
    }
  }

  private struct Job {
    var look: LiveLook
    var version: UInt64
    /// What it takes the place of.
    var plan: Compiled
    var output: PlanOutput
  }

  /// What to compile next; nil inside where the compiler is closed, nil outside where there is nothing to do.
  private static func nextJob(_ state: inout State) -> Job?? {
    if state.isClosed { return .some(nil) }
    guard state.isReleased, let current = state.current, current.look != state.version,
      state.failedVersion != state.version
    else { return nil }
    return Job(look: state.look, version: state.version, plan: current, output: state.output)
  }

  func close() {
    monitor.update { $0.isClosed = true }
    thread.join()
  }
}

extension Plan {
  /// Whether there is no colour that tables could make faster.
  fileprivate var isFast: Bool { !stages.contains(where: \.isPointwise) }
}
