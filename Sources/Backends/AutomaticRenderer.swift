import FilterGraph
import FrameCore
import Rendering
import Synchronization
import VulkanRendering

/// Renders on the processor, or on the GPU if that was measured to be faster for the plan.
///
/// Live frames begin on the processor. Meanwhile, the GPU is opened and tried on a separate thread, once for each
/// machine and plan shape, and takes over if it is faster. If it fails, the processor takes over for good. Stored
/// photos use the GPU only in batches, since a single photo is finished before a GPU is open. Row-by-row rendering
/// stays on the processor.
package final class AutomaticRenderer: Renderer, BackendChoice {
  private let cpu: CPURenderer
  private let chooser: BackendChooser
  private let trials: Trials
  /// Whether stored photos belong to a batch.
  private let isOfBatch: Bool
  private let current = CurrentGPU()

  /// - Parameter threads: the number of threads of the CPU renderer.
  init(_ chooser: BackendChooser, threads: Int? = nil, isOfBatch: Bool = false) {
    self.chooser = chooser
    self.isOfBatch = isOfBatch
    cpu = CPURenderer(threads: threads)
    trials = Trials(chooser, cpu)
  }

  deinit { trials.close() }

  /// Ends running trials and waits for them. Call it before the program exits, since a driver must not be working
  /// then.
  package func endTrials() { trials.close() }

  /// Returns why the processor renders although a GPU was to; each note is returned once.
  package func takeBackendNotes() -> [String] { chooser.takeNotes() }

  package var backendReport: BackendReport {
    let device = current.gpu?.device
    return BackendReport(
      backend: device == nil ? cpu.name : "vulkan", device: device?.name, fallback: chooser.fallback)
  }

  /// Returns the renderer for a plan from file to file: in a batch by earlier measurements, otherwise the
  /// processor.
  package func chosenRenderer(for plan: Plan) -> any Renderer {
    guard isOfBatch, case .gpu(let gpu) = chooser.answer(for: PlanShape(plan, use: .stored)) else {
      current.gpu = nil
      return cpu
    }
    let guarded = GuardedGPU(gpu, else: cpu, chooser)
    current.gpu = guarded
    return guarded.renderer
  }

  // MARK: Renderer

  package var choice: (any BackendChoice)? { self }
  package var name: String { backendReport.backend }
  package var framesInFlight: Int { chooser.mayUseGPU ? 3 : 1 }

  package func optimize(_ draft: Plan, options: PlanOptions) throws -> Plan {
    try cpu.optimize(draft, options: options)
  }

  package func prepare(_ plan: Plan) throws -> some PreparedPlan {
    let shape = PlanShape(plan, use: .live)
    let own = AutomaticPlan(cpu: cpu.prepare(plan), shape: shape, trials: trials, current: current)
    // A look that changes while the GPU renders stays on the GPU. The first look begins on the processor even if
    // the GPU is known to be faster, since opening it takes longer than many frames.
    if let gpu = chooser.openGPU(for: shape) {
      do {
        try own.use(GuardedGPU(gpu, else: cpu, chooser))
      } catch {
        chooser.fail(error)
      }
    }
    return own
  }
}

/// The GPU that rendered last, with the processor as its fallback; nil if the processor was chosen.
private final class CurrentGPU: Sendable {
  private let state = Mutex<GuardedGPU?>(nil)

  var gpu: GuardedGPU? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

/// A GPU with the processor as its fallback.
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

/// A plan prepared for the processor and, once chosen, for the GPU.
private final class AutomaticPlan: PreparedPlan, Equatable {
  struct GPU: Sendable {
    let gpu: GuardedGPU
    let plan: any PreparedPlan
  }

  private enum Choice {
    case undecided
    case processor
    case gpu(GPU)
  }

  let cpu: CPUPlan
  let shape: PlanShape
  private let trials: Trials
  private let current: CurrentGPU
  private let choice = Mutex(Choice.undecided)
  /// Of the live run whose frames are rendered.
  private let history: LightHistory?

  init(
    cpu: CPUPlan, shape: PlanShape, trials: Trials, current: CurrentGPU, history: LightHistory? = nil
  ) {
    (self.cpu, self.shape, self.trials, self.current) = (cpu, shape, trials, current)
    self.history = history
  }

  func following(_ history: LightHistory) -> any PreparedPlan {
    guard plan.hasLocalLight else { return self }
    let own = AutomaticPlan(
      cpu: cpu.cpuPlan(following: history), shape: shape, trials: trials, current: current, history: history)
    if let gpu {
      let following = GPU(gpu: gpu.gpu, plan: gpu.plan.following(history))
      own.choice.withLock { $0 = .gpu(following) }
    }
    return own
  }

  var plan: Plan { cpu.plan }

  func render(_ source: PixelBuffer, into output: PixelBuffer) throws {
    try submit(source, into: output).wait()
  }

  func submit(_ source: PixelBuffer, into output: PixelBuffer) throws -> PendingFrame {
    if let gpu {
      current.gpu = gpu.gpu
      return try gpu.plan.submit(source, into: output)
    }
    let began = Timestamp.now
    try cpu.render(source, into: output)
    current.gpu = nil
    if isUndecided { trials.rendered(self, seconds: Timestamp.now.seconds(since: began)) }
    return .done
  }

  /// Single photos stay on the processor.
  func lit(by proxy: LightProxy) throws -> any PreparedPlan { try cpu.lit(by: proxy) }

  /// Bands are rendered on the processor.
  var bands: (any BandedPlan)? { cpu }

  static func == (a: AutomaticPlan, b: AutomaticPlan) -> Bool { a === b }

  private var gpu: GPU? { choice.withLock { if case .gpu(let gpu) = $0 { gpu } else { nil } } }

  /// Whether the choice of renderer is still open; the processor renders meanwhile.
  private var isUndecided: Bool { choice.withLock { if case .undecided = $0 { true } else { false } } }

  /// Leaves the plan to the processor from now on, unless the GPU already renders it.
  func leaveToProcessor() {
    choice.withLock { if case .undecided = $0 { $0 = .processor } }
  }

  /// Prepares the plan for a GPU, which renders it from the next frame on.
  func use(_ gpu: GuardedGPU) throws {
    var prepared: any PreparedPlan = try gpu.renderer.prepare(cpu.plan)
    if let history { prepared = prepared.following(history) }
    let own = GPU(gpu: gpu, plan: prepared)
    choice.withLock { $0 = .gpu(own) }
  }
}

/// Determines alongside a frame loop what renders its plans, following `BackendStateMachine`: one at a time, on a
/// thread that is the only one to open the GPU.
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

  /// Records that the processor rendered a frame of an undecided plan.
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
    // The driver's threads would inherit a render thread's raised priority. It is not lowered below normal either,
    // since copying pictures for the GPU would then take longer than in actual use.
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

  /// - Parameter seconds: durations of frames on the processor. Their median is used, as in `BackendTrial`.
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

  /// Ends trials; returns when none is running, even if another thread is already waiting for that.
  func close() {
    let thread = monitor.update { state in
      state.machine.close()
      return state.thread
    }
    thread?.join()
  }
}
