import FilterGraph
import FrameCore
import Rendering
import Synchronization
import VulkanRendering

/// Decides for plans whether the processor or the GPU renders them: by what was measured on this machine, now or in an
/// earlier run.
///
/// Vulkan is opened at most once, and only where the system has a GPU's device file or one was named.
package final class BackendChooser: Sendable {
  /// What a question came to.
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
    /// All that were told.
    var told: [String] = []
    /// What was decided in this run.
    var answers: [PlanShape: Bool] = [:]
  }

  let selector: GPUSelector?
  private let host: GPUHost
  /// Whether one was named, or the system has a device file of one.
  private let isWorthOpening: Bool
  private let cache: BackendCache
  private let trial: BackendTrial
  /// Of the processor's renderer.
  private let threads: Int
  /// How many work on the GPU at a time, each of which has that part of it.
  private let share: Int
  /// The processor, its cores, and the release; asked for when it is needed.
  private let machine: @Sendable () -> String
  /// Held for moments only: frame loops ask.
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

  /// Whether a GPU could render here at all.
  var mayUseGPU: Bool {
    let isRuledOut = state.withLock { if case .none = $0.device { true } else { false } }
    return !isRuledOut && isWorthOpening
  }

  /// Why the processor renders though a GPU was to, once; for people.
  package func takeNotes() -> [String] {
    state.withLock { state in
      defer { state.notes = [] }
      return state.notes
    }
  }

  /// The first of those notes, for reports.
  var fallback: String? { state.withLock { $0.told.first } }

  /// Whether an earlier run, or a trial of this one, found the GPU faster for stored photos of any kind.
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

  /// The GPU, where it is open and was found faster for plans of this shape in this run. Waits for nothing.
  func openGPU(for shape: PlanShape) -> OpenedGPU? {
    state.withLock { state in
      guard case .open(let gpu) = state.device, state.answers[shape] == true else { return nil }
      return gpu
    }
  }

  /// What is known without measuring. Opens Vulkan where an earlier run found the GPU faster, which takes its time: not to be
  /// asked by frame loops.
  package func answer(for shape: PlanShape) -> Answer {
    guard mayUseGPU else { return .cpu }
    if let prefersGPU = state.withLock({ $0.answers[shape] }) {
      return prefersGPU ? openedGPU().map { .gpu($0) } ?? .cpu : .cpu
    }
    // Photos are edited one a process: little is to be done where nothing is known.
    guard cache.isThere, let known = cache.entry(question(shape.description)) else { return .unknown }
    // Of a GPU that may not be there any more.
    if !known.prefersGPU, selector == nil { return decide(false, shape) }
    guard let gpu = openedGPU() else { return .cpu }
    guard let own = cache.entry(question(shape.description), gpu: Self.name(of: gpu)) else { return .unknown }
    return decide(own.prefersGPU, shape)
  }

  /// Measures where nothing is known, and keeps the answer. Not to be asked by frame loops.
  ///
  /// - Parameter processorSeconds: what a frame takes on the processor: the same statistic as the trial's.
  /// - Throws: `CancellationError` where `isCancelled` said so.
  package func measure(
    _ plan: Plan, use: PlanShape.Use, isCancelled: @Sendable () -> Bool = { false },
    processorSeconds: () throws -> Double
  ) throws -> Answer {
    let shape = PlanShape(plan, use: use)
    let known = answer(for: shape)
    guard case .unknown = known else { return known }
    guard let gpu = openedGPU() else { return .cpu }
    // Processes that share it have to find room in it together.
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

  /// To a microsecond: more was not measured.
  private static func milliseconds(_ seconds: Double) -> Double {
    max(0.001, (1e6 * seconds).rounded() / 1000)
  }

  private func decide(_ prefersGPU: Bool, _ shape: PlanShape) -> Answer {
    state.withLock { $0.answers[shape] = prefersGPU }
    return prefersGPU ? openedGPU().map { .gpu($0) } ?? .cpu : .cpu
  }

  /// The GPU has failed. Where it does not work any more, the processor renders from now on; where a plan was too much for
  /// it, others go on there.
  func fail(_ error: any Error) {
    let isOfPlan = (error as? SafelightError).map { !FallbackRenderer.isForGood($0) } ?? false
    state.withLock { state in
      if !isOfPlan { state.device = .none }
      Self.add(FallbackRenderer.note(error), to: &state)
    }
  }

  /// More would tell nothing new: looks that are too much for a GPU may come by the hundred.
  private static let mostNotes = 4

  private static func add(_ text: String, to state: inout State) {
    guard !state.told.contains(text), state.told.count < mostNotes else { return }
    state.told.append(text)
    state.notes.append(text)
  }

  /// Opens the GPU where that was not tried before; others who want it wait.
  private func openedGPU() -> OpenedGPU? {
    opening.withLock { _ in
      switch state.withLock({ $0.device }) {
      case .open(let gpu): return gpu
      case .none: return nil
      case .unopened: break
      }
      do {
        // Software devices are slower than the processor itself, unless somebody asks for one.
        let gpu = try host.open(selector, selector != nil, threads)
        state.withLock { $0.device = .open(gpu) }
        return gpu
      } catch {
        state.withLock { state in
          state.device = .none
          // Nobody asked for a GPU where none was named: that there is none is no news.
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
