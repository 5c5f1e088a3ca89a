import FilterGraph
import FrameCore
import Rendering
import Synchronization
import VulkanRendering

/// Decides whether the processor or the GPU renders a plan, based on measurements on this machine in this run or
/// an earlier one.
///
/// Vulkan is opened at most once, and only if the system has a GPU device file or a GPU was named.
package final class BackendChooser: Sendable {
  /// The answer to whether the GPU renders a plan.
  package enum Answer: Sendable {
    case cpu
    case gpu(OpenedGPU)
    /// Not measured yet.
    case unknown
  }

  private enum Device {
    case unopened
    case none
    case open(OpenedGPU)
  }

  private struct State {
    var device = Device.unopened
    var notes: [String] = []
    /// All notes so far.
    var told: [String] = []
    /// Decisions made in this run: whether the GPU renders.
    var answers: [PlanShape: Bool] = [:]
  }

  let selector: GPUSelector?
  private let host: GPUHost
  /// Whether a GPU was named or the system has a GPU device file.
  private let isWorthOpening: Bool
  private let cache: BackendCache
  private let trial: BackendTrial
  /// The number of threads of the CPU renderer.
  private let threads: Int
  /// The number of jobs sharing the GPU, each with an equal share.
  private let share: Int
  /// The processor, its cores, and the Safelight release; queried lazily.
  private let machine: @Sendable () -> String
  /// Held only briefly, since frame loops query it.
  private let state = Mutex(State())
  /// Held while the GPU is opened.
  private let opening = Mutex(())

  package init(
    selector: GPUSelector?, host: GPUHost = .system, cache: BackendCache = BackendCache(),
    trial: BackendTrial = .measured, threads: Int? = nil, share: Int = 1,
    machine: @escaping @Sendable () -> String = { BackendChooser.machineName }
  ) {
    (self.selector, self.host, self.cache, self.trial) = (selector, host, cache, trial)
    self.machine = machine
    self.threads = threads ?? ProcessorCount.usable
    self.share = max(1, share)
    isWorthOpening = selector != nil || host.mayHaveGPU()
  }

  package static var machineName: String {
    "\(HostMachine.processor), \(HostMachine.coreCount) cores, \(CPURenderer.instructionSet), "
      + SafelightVersion.current
  }

  /// Whether this machine may have a usable GPU.
  var mayUseGPU: Bool {
    let isRuledOut = state.withLock { if case .none = $0.device { true } else { false } }
    return !isRuledOut && isWorthOpening
  }

  /// Returns why the processor renders although a GPU was to, in words for users; each note is returned once.
  package func takeNotes() -> [String] {
    state.withLock { state in
      defer { state.notes = [] }
      return state.notes
    }
  }

  /// The first of those notes, for reports.
  var fallback: String? { state.withLock { $0.told.first } }

  /// Whether an earlier run, or a trial in this one, found the GPU faster for stored photos of any kind.
  var hasPreferredGPU: Bool {
    guard mayUseGPU, cache.isThere else { return false }
    let own = question("")
    return cache.entries().contains {
      var asked = $0.question
      let isStored = asked.shape.hasSuffix(PlanShape.Use.stored.rawValue)
      asked.shape = ""
      return isStored && asked == own && $0.prefersGPU
    }
  }

  private func question(_ shape: String) -> BackendCache.Question {
    BackendCache.Question(machine: machine(), threads: threads, share: share, shape: shape)
  }

  /// Returns the GPU if it is open and was found faster for plans of this shape in this run. Never blocks.
  func openGPU(for shape: PlanShape) -> OpenedGPU? {
    state.withLock { state in
      guard case .open(let gpu) = state.device, state.answers[shape] == true else { return nil }
      return gpu
    }
  }

  /// Returns what is known without measuring. Opens Vulkan if an earlier run found the GPU faster, which takes
  /// time: do not call it from frame loops.
  package func answer(for shape: PlanShape) -> Answer {
    guard mayUseGPU else { return .cpu }
    if let prefersGPU = state.withLock({ $0.answers[shape] }) {
      return prefersGPU ? openedGPU().map { .gpu($0) } ?? .cpu : .cpu
    }
    // Photos may be edited one per process, so do little if nothing is known.
    guard cache.isThere, let known = cache.entry(question(shape.description)) else { return .unknown }
    // The measured GPU may no longer be present.
    if !known.prefersGPU, selector == nil { return decide(false, shape) }
    guard let gpu = openedGPU() else { return .cpu }
    guard let own = cache.entry(question(shape.description), gpu: Self.name(of: gpu)) else { return .unknown }
    return decide(own.prefersGPU, shape)
  }

  /// Measures if nothing is known, and stores the answer. Do not call it from frame loops.
  ///
  /// - Parameter processorSeconds: returns the time per frame on the processor, as the same statistic as the
  ///   trial's.
  /// - Throws: `CancellationError` if `isCancelled` returns true.
  package func measure(
    _ plan: Plan, use: PlanShape.Use, isCancelled: @Sendable () -> Bool = { false },
    processorSeconds: () throws -> Double
  ) throws -> Answer {
    let shape = PlanShape(plan, use: use)
    let known = answer(for: shape)
    guard case .unknown = known else { return known }
    guard let gpu = openedGPU() else { return .cpu }
    // Processes that share the GPU must all fit into its memory.
    guard share == 1 || gpu.description.memoryBytes / share >= BackendRequest.memoryPerJob else {
      return decide(false, shape)
    }
    let gpuSeconds: Double
    do {
      gpuSeconds = try Double(share) * trial.seconds(plan, use, gpu.renderer, isCancelled)
    } catch let error as SafelightError {
      fail(error)
      return decide(false, shape)
    }
    let entry = BackendCache.Entry(
      question: question(shape.description), gpu: Self.name(of: gpu),
      cpuMilliseconds: Self.milliseconds(try processorSeconds()),
      gpuMilliseconds: Self.milliseconds(gpuSeconds),
      time: cache.now())
    cache.add(entry)
    return decide(entry.prefersGPU, shape)
  }

  /// Rounds to a microsecond, the precision of the measurement.
  private static func milliseconds(_ seconds: Double) -> Double {
    max(0.001, (1e6 * seconds).rounded() / 1000)
  }

  private func decide(_ prefersGPU: Bool, _ shape: PlanShape) -> Answer {
    state.withLock { $0.answers[shape] = prefersGPU }
    return prefersGPU ? openedGPU().map { .gpu($0) } ?? .cpu : .cpu
  }

  /// Records a failure of the GPU. If the GPU no longer works, the processor renders from now on; if only one plan
  /// was too much for it, other plans stay on the GPU.
  func fail(_ error: any Error) {
    let isOfPlan = (error as? SafelightError).map { !FallbackRenderer.isForGood($0) } ?? false
    state.withLock { state in
      if !isOfPlan { state.device = .none }
      Self.add(FallbackRenderer.note(error), to: &state)
    }
  }

  /// More notes would add nothing: looks that are too much for a GPU may come by the hundred.
  private static let mostNotes = 4

  private static func add(_ text: String, to state: inout State) {
    guard !state.told.contains(text), state.told.count < mostNotes else { return }
    state.told.append(text)
    state.notes.append(text)
  }

  /// Opens the GPU unless that was already tried; concurrent callers wait.
  private func openedGPU() -> OpenedGPU? {
    opening.withLock { _ in
      switch state.withLock({ $0.device }) {
      case .open(let gpu): return gpu
      case .none: return nil
      case .unopened: break
      }
      do {
        // Software devices are slower than the processor itself, so they are used only if named.
        let gpu = try host.open(selector, selector != nil, threads)
        state.withLock { $0.device = .open(gpu) }
        return gpu
      } catch {
        state.withLock { state in
          state.device = .none
          // If no GPU was named, its absence is not worth a note.
          if selector != nil { Self.add(FallbackRenderer.note(error), to: &state) }
        }
        return nil
      }
    }
  }

  private static func name(of gpu: OpenedGPU) -> String {
    "\(gpu.description.name), \(gpu.description.identifier), \(gpu.description.driver)"
  }
}
