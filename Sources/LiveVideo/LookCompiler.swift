import Capture
import ColorScience
import FilterGraph
import FrameCore
import Rendering

/// Turns the look of the moment into a prepared plan.
///
/// Live frames do not wait for it: the frame loop takes the newest plan that is ready, which is one pointer
/// read under a lock; a changed look is lowered, baked and prepared on this compiler's own thread and takes
/// effect on the next frame after that. Frames that are not live wait, so that each goes through the look
/// that was set for it.
///
/// All plans of one run have the output size and space of the first, so that streams and virtual cameras keep
/// theirs.
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
    let isLive: Bool
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
    /// Whether the tables of the first plan are in the cache, or cannot be made.
    var hasTables = false

    /// The plan for frames of the present shape, where there is one.
    var current: Compiled? { plans.first { $0.shape == shape } }

    /// The plan that frames of the present shape go through; nil where they wait for one.
    var ready: Compiled? {
      guard let current else { return nil }
      // A look that failed fails again.
      let isUpToDate = current.look == version || failedVersion == version
      return isLive || isUpToDate ? current : nil
    }

    /// Shapes whose plans are kept.
    static let shapes = 4

    mutating func keep(_ plan: Compiled) {
      plans.removeAll { $0.shape == plan.shape }
      if plans.count >= Self.shapes { plans.removeFirst() }
      plans.append(plan)
    }
  }

  private let renderer: any Renderer
  /// Whether frames are not to wait: neither the first ones for tables, nor later ones for a changed look.
  private let isLive: Bool
  private let monitor: Monitor<State>
  /// Whether pictures stay in the space of frames of a format.
  private let keepsSpace: @Sendable (PixelFormat) -> Bool
  private let bakes: BakeCache
  /// Nil where frames wait: plans are made on the frame loop then.
  private let thread: Joinable?

  /// - Parameters:
  ///   - isLive: false bakes before the first frame, and makes the plan of a changed look before the next
  ///     frame: equal frames and looks give equal pictures.
  ///   - keepsSpace: whether pictures are to stay in the space of frames of this format, rather than become sRGB.
  init(
    _ look: LiveLook, isLive: Bool, interpolation: Interpolation, renderer: any Renderer,
    keepsSpace: @escaping @Sendable (PixelFormat) -> Bool
  ) throws {
    let output = PlanOutput(format: .rgba8, space: .sRGB, interpolation: interpolation)
    let monitor = Monitor(State(isLive: isLive, look: look, output: output))
    self.monitor = monitor
    self.renderer = renderer
    self.isLive = isLive
    self.keepsSpace = keepsSpace
    let bakes = BakeCache()
    self.bakes = bakes
    thread =
      isLive ? Joinable(try WorkerThread(name: "sl-look") { Self.run(monitor, renderer, bakes) }) : nil
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

  /// Whether `bake(for:)` was called.
  var hasTables: Bool { monitor.read { $0.hasTables } }

  /// Bakes the tables for frames that are to come, on the calling thread, which has nothing else to do until then.
  func bake(for format: StreamFormat) {
    let (look, present) = monitor.read { ($0.look, $0.output) }
    // Tables do not depend on the orientation, which only frames know. What fails here fails again for the first
    // frame, and is told then.
    if let input = try? PlanInput(size: format.size, format: format.pixelFormat, tags: format.tags) {
      var output = present
      if keepsSpace(input.format) { output.space = input.space }
      _ = try? Plan(
        look.effectiveRecipe, input: input, output: output, evaluator: renderer.serialEvaluator, bakes: bakes)
    }
    monitor.update { $0.hasTables = true }
  }

  /// The plan for a frame: of live frames the newest one ready, of others that of the present look.
  ///
  /// Live frames wait only where no plan fits them at all: the first one, and the first of another shape.
  ///
  /// - Throws: what lowering the look failed with, where there is no plan to go on with.
  func plan(for frame: Frame) throws -> Compiled {
    let shape = Shape(frame)
    if let ready = monitor.read({ $0.shape == shape ? $0.ready : nil }) { return ready }
    let (ready, former) = monitor.update { state in
      state.shape = shape
      return (state.ready, state.current)
    }
    if let ready { return ready }
    // Read together: other threads change the look.
    let (look, version, present) = monitor.read { ($0.look, $0.version, $0.output) }
    do {
      return try makePlan(shape, former?.input ?? frame.planInput, look, version, present)
    } catch {
      guard let former else { throw error }
      monitor.update { state in
        state.problem = error
        state.failedVersion = version
      }
      return former
    }
  }

  /// Makes the plan for frames of a shape on the calling thread, and keeps it.
  private func makePlan(
    _ shape: Shape, _ input: PlanInput, _ look: LiveLook, _ version: UInt64, _ present: PlanOutput
  ) throws -> Compiled {
    var output = present
    if output.size == nil, keepsSpace(input.format) { output.space = input.space }
    // Tables were baked ahead for the first plan only; live frames do not wait for those of another look.
    let isOptimized = !isLive || monitor.read { $0.hasTables && $0.plans.isEmpty }
    let prepared = try Self.compile(look, input, output, renderer, bakes, optimized: isOptimized)
    output.size = prepared.plan.outputSize
    // Version 0 is out of date at once, so that the compiler's thread makes the fast plan.
    let isFast = isOptimized || prepared.plan.isFast
    let compiled = Compiled(shape: shape, input: input, prepared: prepared, look: isFast ? version : 0)
    monitor.update { [output] state in
      state.keep(compiled)
      state.output = output
      if !state.isLive, state.failedVersion != version { state.problem = nil }
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
    thread?.join()
  }
}

extension Plan {
  /// Whether there is no colour that tables could make faster.
  fileprivate var isFast: Bool { !stages.contains(where: \.isPointwise) }
}
