import ColorScience
import FilterGraph
import FrameCore
import Rendering
import Synchronization
import VulkanRendering

/// Renders on the processor, and on the GPU where that was measured to be faster for the plan.
///
/// Live frames begin on the processor; while it renders, the GPU is opened and tried on a thread beside it, once for each
/// machine and shape of plan, and takes over where it is faster. Where it fails, the processor takes over for good. Stored
/// photos are rendered on the GPU in batches alone: a single one is done before a GPU is open. What is rendered row by row
/// stays on the processor.
public final class AutomaticRenderer: Renderer {
  private let cpu: CPURenderer
  private let chooser: BackendChooser
  private let trials: Trials
  /// Whether stored photos are a batch's.
  private let isOfBatch: Bool
  /// Who rendered last, where that was a GPU, or the processor in its place.
  private let current = Mutex<GuardedGPU?>(nil)

  /// - Parameter threads: of the CPU renderer.
  init(_ chooser: BackendChooser, threads: Int? = nil, isOfBatch: Bool = false) {
    self.chooser = chooser
    self.isOfBatch = isOfBatch
    cpu = CPURenderer(threads: threads)
    trials = Trials(chooser, cpu)
  }

  deinit { trials.close() }

  /// Ends trials that are at work, and returns when they have: to be called before the program ends, since a driver must
  /// not be at work then.
  public func endTrials() { trials.close() }

  /// Why the processor renders though a GPU was to; each is told once.
  public func takeBackendNotes() -> [String] { chooser.takeNotes() }

  public var backendReport: BackendReport {
    let device = current.withLock { $0 }?.device
    return BackendReport(
      backend: device == nil ? cpu.name : "vulkan", device: device?.name, fallback: chooser.fallback)
  }

  /// What renders a plan from file to file: of a batch by what was measured before, else the processor.
  public func chosenRenderer(for plan: Plan) -> any Renderer {
    guard isOfBatch, case .gpu(let gpu) = chooser.answer(for: PlanShape(plan, use: .stored)) else {
      current.withLock { $0 = nil }
      return cpu
    }
    let guarded = GuardedGPU(gpu, else: cpu, chooser)
    current.withLock { $0 = guarded }
    return guarded.renderer
  }

  // MARK: Renderer

  public var name: String { backendReport.backend }
  public var evaluator: any ColorEvaluator { cpu.evaluator }
  public var serialEvaluator: any ColorEvaluator { cpu.serialEvaluator }
  public var framesInFlight: Int { chooser.mayUseGPU ? 3 : 1 }

  public func prepare(_ plan: Plan) throws -> PreparedPlan {
    let shape = PlanShape(plan, use: .live)
    let own = AutomaticPlan(cpu: cpu.prepare(plan), shape: shape)
    // A look that changes while the GPU renders goes on there. One that is the first begins on the processor even where
    // the GPU is known to be faster: opening it takes longer than many frames.
    if let gpu = chooser.openGPU(for: shape) {
      do {
        try own.use(GuardedGPU(gpu, else: cpu, chooser))
      } catch {
        chooser.fail(error)
      }
    }
    return PreparedPlan(plan: plan, state: own)
  }

  public func prepare(_ source: PixelBuffer, for prepared: PreparedPlan) throws -> PreparedSource {
    try cpu.prepare(source, for: own(prepared).cpu)
  }

  public func render(
    _ source: PreparedSource, through prepared: PreparedPlan, rows: Range<Int>, into output: PixelBuffer
  ) throws {
    try cpu.render(source, through: own(prepared).cpu, rows: rows, into: output)
  }

  public func renderFrame(_ source: PixelBuffer, through prepared: PreparedPlan, into output: PixelBuffer)
    throws
  {
    try submitFrame(source, through: prepared, into: output).wait()
  }

  public func submitFrame(_ source: PixelBuffer, through prepared: PreparedPlan, into output: PixelBuffer)
    throws -> PendingFrame
  {
    let own = try own(prepared)
    if let gpu = own.gpu {
      current.withLock { $0 = gpu.gpu }
      return try gpu.gpu.renderer.submitFrame(source, through: gpu.plan, into: output)
    }
    let began = Timestamp.now
    try cpu.renderFrame(source, through: own.cpu, into: output)
    current.withLock { $0 = nil }
    if own.isUndecided { trials.rendered(own, seconds: Timestamp.now.seconds(since: began)) }
    return .done
  }

  private func own(_ prepared: PreparedPlan) throws -> AutomaticPlan {
    guard let own = prepared.state as? AutomaticPlan else {
      throw SafelightError(
        .invalidValue, "The plan was prepared by another renderer", remedy: "prepare it with this one")
    }
    return own
  }
}

/// A GPU with the processor behind it.
private struct GuardedGPU: Sendable {
  let renderer: FallbackRenderer
  private let description: GPUDescription

  init(_ opened: OpenedGPU, else cpu: CPURenderer, _ chooser: BackendChooser) {
    description = opened.description
    renderer = FallbackRenderer(opened.renderer, else: cpu) { chooser.fail($0) }
  }

  /// The GPU; nil once the processor has taken over.
  var device: GPUDescription? { renderer.fallback == nil ? description : nil }
}

/// A plan as the processor renders it and, once it is to, the GPU.
private final class AutomaticPlan: Sendable, Equatable {
  struct GPU: Sendable {
    let gpu: GuardedGPU
    let plan: PreparedPlan
  }

  private enum Choice {
    case undecided
    case processor
    case gpu(GPU)
  }

  let cpu: PreparedPlan
  let shape: PlanShape
  private let choice = Mutex(Choice.undecided)

  init(cpu: PreparedPlan, shape: PlanShape) { (self.cpu, self.shape) = (cpu, shape) }

  static func == (a: AutomaticPlan, b: AutomaticPlan) -> Bool { a === b }

  var gpu: GPU? { choice.withLock { if case .gpu(let gpu) = $0 { gpu } else { nil } } }

  /// Whether it is still to be found out what renders it; the processor does meanwhile.
  var isUndecided: Bool { choice.withLock { if case .undecided = $0 { true } else { false } } }

  /// The processor renders it from now on, unless the GPU does already.
  func leaveToProcessor() {
    choice.withLock { if case .undecided = $0 { $0 = .processor } }
  }

  /// Prepares the plan for a GPU, which has it from the next frame on.
  func use(_ gpu: GuardedGPU) throws {
    let own = GPU(gpu: gpu, plan: try gpu.renderer.prepare(cpu.plan))
    choice.withLock { $0 = .gpu(own) }
  }
}

/// Finds out beside a frame loop what renders its plans, as `BackendStateMachine` says, one at a time, on a thread of its own
/// that alone opens the GPU.
private final class Trials: Sendable {
  private struct State {
    var machine = BackendStateMachine<AutomaticPlan, PlanShape>(
      warmUp: BackendTrial.warmUpFrames, frames: BackendTrial.frames)
    var thread: Joinable?
  }

  private let chooser: BackendChooser
  private let cpu: CPURenderer
  private let monitor = Monitor(State())

  init(_ chooser: BackendChooser, _ cpu: CPURenderer) { (self.chooser, self.cpu) = (chooser, cpu) }

  /// The processor rendered a frame of a plan that is undecided.
  func rendered(_ plan: AutomaticPlan, seconds: Double) {
    let mayUseGPU = chooser.mayUseGPU
    let action = monitor.update { state in
      let action = state.machine.rendered(plan, plan.shape, seconds: seconds, mayUseGPU: mayUseGPU)
      guard action == .startThread else { return action }
      if let thread = try? WorkerThread(name: "sl-trial", { [self] in serve() }) {
        state.thread = Joinable(thread)
        return .none
      }
      state.machine.threadIsMissing()
      return .leaveToProcessor
    }
    if action == .leaveToProcessor { plan.leaveToProcessor() }
  }

  private func serve() {
    // A render thread's own priority would go on to the driver's threads. Nor is it lowered: what copies pictures for the GPU
    // would wait longer than it does in use.
    WorkerThread.dropRaisedPriority()
    while let (plan, seconds) = monitor.wait(for: { state -> (AutomaticPlan, [Double])?? in
      switch state.machine.next() {
      case .end: .some(nil)
      case .wait: nil
      case .measure(let plan, _, let seconds): .some((plan, seconds))
      }
    }) {
      let outcome = measure(plan, seconds)
      plan.leaveToProcessor()
      monitor.update { $0.machine.measured(plan, plan.shape, outcome) }
    }
  }

  /// - Parameter seconds: of frames on the processor. As `BackendTrial` counts, their median is what one takes.
  private func measure(
    _ plan: AutomaticPlan, _ seconds: [Double]
  ) -> BackendStateMachine<AutomaticPlan, PlanShape>.Outcome {
    do {
      let answer = try chooser.measure(
        plan.cpu.plan, use: .live, isCancelled: { self.monitor.read { $0.machine.isClosed } },
        processorSeconds: { OrderStatistics.median(seconds) })
      guard case .gpu(let gpu) = answer else { return .processor }
      try plan.use(GuardedGPU(gpu, else: cpu, chooser))
      return .gpu
    } catch is CancellationError {
      return .none
    } catch {
      chooser.fail(error)
      return .none
    }
  }

  /// Ends trials, and returns when none is at work, whoever else waits for that.
  func close() {
    let thread = monitor.update { state in
      state.machine.close()
      return state.thread
    }
    thread?.join()
  }
}
