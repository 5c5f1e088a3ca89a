import Capture
import ColorScience
import FilterGraph
import FrameCore
import Rendering

/// Compiles the current look into a prepared plan, as `LookStateMachine` decides.
///
/// Live frames do not wait for it: the frame loop takes the newest plan that is ready, which is one pointer read
/// under a lock. A changed look is lowered, baked and prepared on the compiler's own thread and takes effect on
/// the next frame after that. Frames that are not live wait, so that each goes through the look that was set for
/// it.
///
/// All plans of one run have the output size and space of the first, because streams and virtual cameras cannot
/// change theirs.
final class LookCompiler: Sendable {
  /// A plan, and the input that it fits.
  final class Compiled: Sendable {
    let input: PlanInput
    let prepared: any PreparedPlan
    /// Whether the plan leaves the samples of a frame unchanged.
    let keepsSamples: Bool
    /// Whether tables make it as fast as possible; false if a frame would have had to wait for them.
    let isOptimized: Bool

    init(input: PlanInput, prepared: any PreparedPlan, isOptimized: Bool) {
      self.input = input
      self.prepared = prepared
      keepsSamples = prepared.plan.keepsSamples
      self.isOptimized = isOptimized
    }
  }

  /// The properties of a frame that a plan must fit; cheap to compare.
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

  private typealias Machine = LookStateMachine<LiveLook, Shape, Compiled>

  private struct State {
    var machine: Machine
    /// The output of all plans; nil until the first frame has one.
    var output: PlanOutput?
  }

  private let renderer: any Renderer
  private let monitor: Monitor<State>
  /// Whether pictures keep the colour space of frames of a format.
  private let keepsSpace: @Sendable (PixelFormat) -> Bool
  /// The format of luma and colour differences that all sinks want of frames of a format; nil if some want others.
  private let planes: @Sendable (PixelFormat) -> PixelFormat?
  private let interpolation: Interpolation
  private let bakes: BakeCache
  /// What was measured of the frames so far, whatever plan rendered them.
  let history = LightHistory()
  /// Nil if frames wait: plans are then made on the frame loop.
  private let thread: Joinable?

  /// - Parameters:
  ///   - isLive: false bakes before the first frame, and compiles a changed look before the next frame: equal
  ///     frames and looks give equal pictures.
  ///   - keepsSpace: whether pictures keep the colour space of frames of this format, rather than become sRGB.
  ///   - planes: the format of luma and colour differences that all sinks want of frames of this format, if they do.
  init(
    _ look: LiveLook, isLive: Bool, interpolation: Interpolation, renderer: any Renderer,
    keepsSpace: @escaping @Sendable (PixelFormat) -> Bool,
    planes: @escaping @Sendable (PixelFormat) -> PixelFormat? = { _ in nil }
  ) throws {
    let monitor = Monitor(State(machine: Machine(look, isLive: isLive)))
    self.monitor = monitor
    self.renderer = renderer
    self.keepsSpace = keepsSpace
    self.planes = planes
    self.interpolation = interpolation
    let bakes = BakeCache()
    self.bakes = bakes
    thread =
      isLive
      ? Joinable(
        try WorkerThread(name: "sl-look") { [history] in Self.run(monitor, renderer, bakes, history) }) : nil
  }

  /// The look of the frames, effective once it is compiled.
  var look: LiveLook {
    get { monitor.read { $0.machine.look } }
    set { update { $0 = newValue } }
  }

  /// Changes the look atomically.
  func update(_ edit: (inout LiveLook) -> Void) {
    monitor.update { $0.machine.change(edit) }
  }

  /// The error of the last change of the look, if it failed.
  var problem: (any Error)? { monitor.read { $0.machine.problem } }

  /// Lets the compiler's thread start work. Until then the first frame has the processor to itself, and a run that
  /// ends with it does not wait for tables that are never used.
  func release() { monitor.update { $0.machine.release() } }

  /// Whether `bake(for:)` was called.
  var hasTables: Bool { monitor.read { $0.machine.hasTables } }

  /// Bakes the tables for the first frames, on the calling thread, which has nothing else to do yet.
  func bake(for format: StreamFormat) {
    let look = monitor.read { $0.machine.look }
    // Tables do not depend on the orientation, which is only known from a frame. An error here recurs with the
    // first frame, and is reported then.
    if let input = try? PlanInput(size: format.size, format: format.pixelFormat, tags: format.tags) {
      _ = try? renderer.plan(
        look.effectiveRecipe, input: input, output: firstOutput(for: input, format.tags),
        options: PlanOptions(bakes: bakes, usesOneThread: true))
    }
    monitor.update { $0.machine.bakedTables() }
  }

  /// The output of the first plan.
  private func firstOutput(for input: PlanInput, _ tags: ColorTags) -> PlanOutput {
    LiveLook.planOutput(
      for: input, keepsSpace: keepsSpace(input.format),
      planes: planes(input.format).map { ($0, tags.planeTags(of: input.format)) },
      interpolation: interpolation)
  }

  /// Returns the plan for a frame: for live frames the newest one that is ready, for others that of the current
  /// look.
  ///
  /// Live frames wait only if no plan fits them: the first frame, and the first of another shape.
  ///
  /// - Throws: the error of compiling the look, if there is no plan to fall back on.
  func plan(for frame: Frame) throws -> Compiled {
    let shape = Shape(frame)
    if let plan = monitor.read({ $0.machine.plan(for: shape) }) { return plan }
    switch monitor.update({ $0.machine.frame(shape) }) {
    case .use(let plan): return plan
    case .compile(let job): return try makePlan(for: frame, job)
    }
  }

  /// Makes a plan on the calling thread; if that fails, returns the one to fall back on.
  private func makePlan(for frame: Frame, _ job: Machine.Job) throws -> Compiled {
    do {
      return try makePlan(job, job.former?.input ?? frame.planInput, frame.buffer.tags)
    } catch {
      switch monitor.update({ $0.machine.failed(job, error) }) {
      case .use(let plan): return plan
      case .compile(let other):
        // If that fails too, the newest look's error is the one to report.
        guard let plan = try? makePlan(other, frame.planInput, frame.buffer.tags) else { throw error }
        return plan
      case .fail: throw error
      }
    }
  }

  private func makePlan(_ job: Machine.Job, _ input: PlanInput, _ tags: ColorTags) throws -> Compiled {
    var output = monitor.read { $0.output } ?? firstOutput(for: input, tags)
    let compiled = try Self.compile(job, input, output, renderer, bakes, history)
    output.size = compiled.prepared.plan.outputSize
    monitor.update { [output] state in
      state.output = output
      state.machine.compiled(job, compiled, isFast: compiled.isOptimized)
    }
    return compiled
  }

  private static func compile(
    _ job: Machine.Job, _ input: PlanInput, _ output: PlanOutput, _ renderer: any Renderer,
    _ bakes: BakeCache, _ history: LightHistory
  ) throws -> Compiled {
    let plan = try renderer.plan(
      job.look.effectiveRecipe, input: input, output: output,
      options: PlanOptions(bakes: bakes, isOptimized: job.isOptimized, usesOneThread: true))
    let prepared: any PreparedPlan = try renderer.prepare(plan)
    return Compiled(
      input: input, prepared: prepared.following(history), isOptimized: job.isOptimized || plan.isFast)
  }

  private static func run(
    _ monitor: Monitor<State>, _ renderer: any Renderer, _ bakes: BakeCache, _ history: LightHistory
  ) {
    // Frames take priority: a table that is ready a little later does no harm.
    WorkerThread.lowerCurrentPriority()
    while let (job, former, output) = monitor.wait(for: Self.nextJob) {
      let result = Result { try compile(job, former.input, output, renderer, bakes, history) }
      monitor.update { state in
        switch result {
        case .success(let plan): state.machine.compiled(job, plan, isFast: plan.isOptimized)
        case .failure(let error): _ = state.machine.failed(job, error)
        }
      }
    }
  }

  /// The next job: the outer nil means that there is nothing to do, the inner nil that the compiler is closed.
  private static func nextJob(_ state: inout State) -> (Machine.Job, former: Compiled, PlanOutput)?? {
    switch state.machine.next() {
    case .end: return .some(nil)
    case .wait: return nil
    case .compile(let job):
      // Frames had a plan before, so its output is known.
      guard let former = job.former, let output = state.output else { return .some(nil) }
      return (job, former, output)
    }
  }

  func close() {
    monitor.update { $0.machine.close() }
    thread?.join()
  }
}

extension Plan {
  /// Whether there are no colour stages that tables could make faster.
  fileprivate var isFast: Bool { !stages.contains(where: \.isColor) }
}
