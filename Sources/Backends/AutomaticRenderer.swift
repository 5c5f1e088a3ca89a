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
  public func settled(for plan: Plan) -> any Renderer {
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
    let own = AutomaticPlan(cpu: cpu.prepare(plan), frames: trials.frames(of: shape))
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
    if own.isOpen {
      own.frames.add(seconds: Timestamp.now.seconds(since: began))
      if own.frames.areEnough { trials.ask(own) }
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

/// What frames of one shape of plans take on the processor, whichever plans they went through: looks may change before one of
/// them has seen enough frames.
private final class ProcessorFrames: Sendable {
  private struct State {
    var warmUp = BackendTrial.warmUpFrames
    var seconds: [Double] = []
  }

  private let state: Mutex<State>

  init() {
    var state = State()
    state.seconds.reserveCapacity(BackendTrial.frames)
    self.state = Mutex(state)
  }

  func add(seconds: Double) {
    state.withLock { state in
      if state.warmUp > 0 {
        state.warmUp -= 1
      } else if state.seconds.count < BackendTrial.frames {
        state.seconds.append(seconds)
      }
    }
  }

  /// Whether they tell what one takes.
  var areEnough: Bool { state.withLock { $0.seconds.count == BackendTrial.frames } }

  /// As `BackendTrial` counts, the median of as many warm frames.
  var median: Double { OrderStatistics.median(state.withLock { $0.seconds }) }
}

/// A plan as the processor renders it and, once it is to, the GPU.
private final class AutomaticPlan: Sendable {
  struct GPU: Sendable {
    let gpu: GuardedGPU
    let plan: PreparedPlan
  }

  private struct State {
    var gpu: GPU?
    var isSettled = false
  }

  let cpu: PreparedPlan
  /// Of the plan's shape.
  let frames: ProcessorFrames
  private let state = Mutex(State())

  init(cpu: PreparedPlan, frames: ProcessorFrames) { (self.cpu, self.frames) = (cpu, frames) }

  var gpu: GPU? { state.withLock { $0.gpu } }

  /// Whether it is still to be found out who renders it.
  var isOpen: Bool { state.withLock { !$0.isSettled } }

  /// Who renders it now does so from now on.
  func settle() { state.withLock { $0.isSettled = true } }

  /// Prepares the plan for a GPU, which has it from the next frame on.
  func use(_ gpu: GuardedGPU) throws {
    let own = GPU(gpu: gpu, plan: try gpu.renderer.prepare(cpu.plan))
    state.withLock { $0 = State(gpu: own, isSettled: true) }
  }
}

/// Finds out beside a frame loop who renders its plans, one at a time, on a thread of its own that alone opens the GPU.
private final class Trials: Sendable {
  private struct State {
    var thread: WorkerThread?
    /// The plan whose frames come at present, where it is to be found out who renders it.
    var wanted: AutomaticPlan?
    var frames: [PlanShape: ProcessorFrames] = [:]
    var isClosed = false
  }

  private let chooser: BackendChooser
  private let cpu: CPURenderer
  private let monitor = Monitor(State())

  init(_ chooser: BackendChooser, _ cpu: CPURenderer) { (self.chooser, self.cpu) = (chooser, cpu) }

  /// The frames of all plans of a shape.
  func frames(of shape: PlanShape) -> ProcessorFrames {
    monitor.update { state in
      let known = state.frames[shape] ?? ProcessorFrames()
      state.frames[shape] = known
      return known
    }
  }

  /// Asks who renders a plan. While another one is tried it waits, and gives way to one that asks later: frame loops ask with
  /// every frame until they know.
  func ask(_ plan: AutomaticPlan) {
    guard chooser.mayUseGPU else { return plan.settle() }
    monitor.update { state in
      guard !state.isClosed, state.wanted !== plan else { return }
      // Without a thread there is no trial, and the processor goes on.
      if state.thread == nil { state.thread = try? WorkerThread(name: "sl-trial") { [self] in serve() } }
      if state.thread == nil { plan.settle() } else { state.wanted = plan }
    }
  }

  private func serve() {
    // A render thread's own priority would go on to the driver's threads. Nor is it lowered: what copies pictures for the GPU
    // would wait longer than it does in use.
    WorkerThread.dropRaisedPriority()
    while let plan = monitor.wait(for: { state -> AutomaticPlan?? in
      if state.isClosed { return .some(nil) }
      return state.wanted.take().map { .some($0) }
    }) {
      if plan.isOpen { settle(plan) }
    }
  }

  private func settle(_ plan: AutomaticPlan) {
    defer { plan.settle() }
    do {
      let answer = try chooser.measure(
        plan.cpu.plan, use: .live, isCancelled: { self.monitor.read { $0.isClosed } },
        processorSeconds: { plan.frames.median })
      guard case .gpu(let gpu) = answer else { return }
      try plan.use(GuardedGPU(gpu, else: cpu, chooser))
    } catch is CancellationError {
      return
    } catch {
      chooser.fail(error)
    }
  }

  func close() {
    let thread = monitor.update { state in
      state.isClosed = true
      return state.thread.take()
    }
    thread?.join()
  }
}
