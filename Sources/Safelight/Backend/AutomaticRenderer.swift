import ColorScience
import FilterGraph
import FrameCore
import Rendering
import Synchronization
import VulkanRendering

/// Renders on the processor, and on the GPU where that was measured to be faster for the plan.
///
/// Live frames begin on the processor; while it renders, the GPU is opened and tried on a thread beside it, once for each
/// machine and shape of plan, and takes over where it is faster. Where it fails, the processor takes over for good.
public final class AutomaticRenderer: Renderer {
  private let cpu: CPURenderer
  private let chooser: BackendChooser
  private let trials: Trials
  /// Who rendered last, where that was a GPU, or the processor in its place.
  private let current = Mutex<GuardedGPU?>(nil)

  /// - Parameter threads: of the CPU renderer.
  init(_ chooser: BackendChooser, threads: Int? = nil) {
    self.chooser = chooser
    cpu = CPURenderer(threads: threads)
    trials = Trials(chooser, cpu)
  }

  deinit { trials.close() }

  /// Ends trials that are at work, and returns when they have: to be called before the program ends, since a driver must
  /// not be at work then.
  public func finish() { trials.close() }

  /// Why the processor renders though a GPU was to; each is told once.
  public func takeNotes() -> [String] { chooser.takeNotes() }

  var backendReport: BackendReport {
    let device = current.withLock { $0 }?.device
    return BackendReport(
      backend: device == nil ? cpu.name : "vulkan", device: device?.name, fallback: chooser.fallback)
  }

  /// What renders a plan from file to file, by what was measured before.
  func settled(for plan: Plan) -> any Renderer {
    guard case .gpu(let gpu) = chooser.answer(for: PlanShape(plan, use: .stored)) else { return cpu }
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
    let own = AutomaticPlan(cpu: cpu.prepare(plan))
    // A look that changes while the GPU renders goes on there. One that is the first begins on the processor even where
    // the GPU is known to be faster: opening it takes longer than many frames.
    if chooser.mayUseGPU, let gpu = chooser.openGPU(for: PlanShape(plan, use: .live)) {
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
    // Where another plan is tried, it is asked again with the next frame.
    if own.add(seconds: Timestamp.now.seconds(since: began)), !chooser.mayUseGPU || trials.begin(own) {
      own.endTrial()
    }
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
private final class AutomaticPlan: Sendable {
  struct GPU: Sendable {
    let gpu: GuardedGPU
    let plan: PreparedPlan
  }

  private struct State {
    var gpu: GPU?
    /// What the first frames took on the processor.
    var seconds: [Double] = []
    /// Whether no trial is to begin any more.
    var isTried = false
  }

  /// So many frames tell what one takes.
  private static let enoughFrames = 8

  let cpu: PreparedPlan
  private let state: Mutex<State>

  init(cpu: PreparedPlan) {
    self.cpu = cpu
    var state = State()
    state.seconds.reserveCapacity(Self.enoughFrames)
    self.state = Mutex(state)
  }

  var gpu: GPU? { state.withLock { $0.gpu } }

  /// Counts a frame of the processor's; true where enough are counted for a trial.
  func add(seconds: Double) -> Bool {
    state.withLock { state in
      if state.seconds.count < Self.enoughFrames { state.seconds.append(seconds) }
      return state.seconds.count == Self.enoughFrames && !state.isTried
    }
  }

  /// The trial has begun, or there is to be none.
  func endTrial() { state.withLock { $0.isTried = true } }

  /// The median of the processor's frames.
  var processorSeconds: Double { ProfileStatistics.median(state.withLock { $0.seconds }) }

  /// Prepares the plan for a GPU, which has it from the next frame on.
  func use(_ gpu: GuardedGPU) throws {
    let own = GPU(gpu: gpu, plan: try gpu.renderer.prepare(cpu.plan))
    state.withLock { $0.gpu = own }
  }
}

/// Measurements beside a frame loop, one at a time.
private final class Trials: Sendable {
  private struct State {
    var thread: WorkerThread?
    var isRunning = false
    var isClosed = false
  }

  private let chooser: BackendChooser
  private let cpu: CPURenderer
  private let state = Mutex(State())

  init(_ chooser: BackendChooser, _ cpu: CPURenderer) { (self.chooser, self.cpu) = (chooser, cpu) }

  /// Begins to try a plan unless another one is tried.
  ///
  /// - Returns: false where it is to be asked again.
  func begin(_ plan: AutomaticPlan) -> Bool {
    let last = state.withLock { state -> WorkerThread?? in
      guard !state.isRunning, !state.isClosed else { return nil }
      state.isRunning = true
      return .some(state.thread.take())
    }
    guard let last else { return false }
    last?.join()
    // Without a thread there is no trial, and the processor goes on.
    let thread = try? WorkerThread(name: "sl-trial") { [self] in
      WorkerThread.lowerCurrentPriority()
      run(plan)
      state.withLock { $0.isRunning = false }
    }
    state.withLock { state in
      state.thread = thread
      if thread == nil { state.isRunning = false }
    }
    return true
  }

  private func run(_ plan: AutomaticPlan) {
    do {
      let answer = try chooser.measure(
        plan.cpu.plan, use: .live, isCancelled: { self.state.withLock { $0.isClosed } },
        processorSeconds: { plan.processorSeconds })
      guard case .gpu(let gpu) = answer else { return }
      try plan.use(GuardedGPU(gpu, else: cpu, chooser))
    } catch is CancellationError {
      return
    } catch {
      chooser.fail(error)
    }
  }

  func close() {
    let thread = state.withLock { state in
      state.isClosed = true
      return state.thread.take()
    }
    thread?.join()
  }
}
