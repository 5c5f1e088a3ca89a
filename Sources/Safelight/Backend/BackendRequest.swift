import FilterGraph
import FrameCore
import Rendering
import VulkanRendering

/// Which backend is asked for, and which GPU.
public struct BackendRequest: Sendable, Hashable {
  public var backend: Backend
  /// nil takes the best one.
  public var gpu: GPUSelector?

  /// - Parameter gpu: as the environment asks (`GPUSelector.fromEnvironment`), or a flag, which wins.
  public init(_ backend: Backend = .auto, gpu: GPUSelector? = nil) {
    (self.backend, self.gpu) = (backend, gpu)
  }

  /// Makes the renderer. `auto` opens no GPU before it matters.
  ///
  /// - Parameters:
  ///   - threads: of the CPU renderer, and of what the processor does for a GPU; nil uses every core.
  ///   - jobs: photos that a batch edits at a time with such renderers. nil is for all else: `auto` then leaves stored photos
  ///     to the processor, since a single one is edited before a GPU is open.
  /// - Throws: `SafelightError` where a GPU is asked for by name and cannot be used, with the reason.
  public func makeRenderer(threads: Int? = nil, jobs: Int? = nil) throws -> any Renderer {
    try makeRenderer(threads: threads, jobs: jobs, host: .system)
  }

  /// The renderer for frames of one plan: `auto` measures where nothing is known.
  ///
  /// - Parameters:
  ///   - processor: the renderer where the processor is asked for, or faster. Where its threads are counted, the processor is
  ///     asked for.
  ///   - notes: gets why a GPU that was named is not used.
  func renderer(
    forLive plan: Plan, processor: CPURenderer, notes: inout [String], host: GPUHost = .system,
    cache: BackendCache = BackendCache(), trial: BackendTrial = .measured
  ) throws -> any Renderer {
    switch backend {
    case .cpu: return processor
    case .vulkan, .reference: return try makeRenderer(host: host)
    case .auto: break
    }
    guard processor.threads == nil, gpu != nil || host.mayHaveGPU() else { return processor }
    let chooser = BackendChooser(selector: gpu, host: host, cache: cache, trial: trial)
    let answer = try chooser.measure(plan, use: .live) {
      try trial.seconds(plan, .live, processor) { false }
    }
    notes += chooser.takeNotes()
    return if case .gpu(let opened) = answer { opened.renderer } else { processor }
  }

  /// Whether a GPU may be opened: one was asked for, or the system has one's device file.
  public var mayOpenGPU: Bool {
    backend == .vulkan || backend == .auto && (gpu != nil || GPUHost.system.mayHaveGPU())
  }

  /// Whether worker processes of a batch may be about to open a GPU: one was asked for, or measured to be faster.
  public func prefersGPU(jobs: Int) -> Bool {
    prefersGPU(jobs: jobs, host: .system, cache: BackendCache())
  }

  func prefersGPU(jobs: Int, host: GPUHost, cache: BackendCache) -> Bool {
    switch backend {
    case .vulkan: true
    case .cpu, .reference: false
    case .auto: chooser(threads: 1, jobs: jobs, host: host, cache: cache, trial: .measured).hasPreferredGPU
    }
  }

  /// Photos that a batch may edit at a time, of `wanted`: each process that works on a GPU takes a part of its memory.
  ///
  /// - Parameter isolated: whether each is edited in a process of its own, which opens the GPU for itself.
  /// - Throws: `SafelightError` where a GPU is asked for by name and cannot be used, with the reason.
  public func jobs(of wanted: Int, isolated: Bool) throws -> Int {
    try jobs(of: wanted, isolated: isolated, host: .system)
  }

  func jobs(of wanted: Int, isolated: Bool, host: GPUHost) throws -> Int {
    guard backend == .vulkan else { return wanted }
    let memory = try host.describe(gpu, true).memoryBytes
    return isolated ? min(wanted, max(1, memory / Self.memoryPerJob)) : wanted
  }

  /// A driver's own memory, and two pictures of 24 megapixels in 8 bit.
  static let memoryPerJob = 512 << 20

  private func chooser(
    threads: Int?, jobs: Int?, host: GPUHost, cache: BackendCache, trial: BackendTrial
  ) -> BackendChooser {
    BackendChooser(
      selector: gpu, host: host, cache: cache, trial: trial, threads: threads, share: jobs ?? 1)
  }

  func makeRenderer(
    threads: Int? = nil, jobs: Int? = nil, host: GPUHost, cache: BackendCache = BackendCache(),
    trial: BackendTrial = .measured
  ) throws -> any Renderer {
    switch backend {
    case .cpu: return CPURenderer(threads: threads)
    case .reference: return ReferenceRenderer()
    case .vulkan: return try host.open(gpu, true, threads).renderer
    case .auto:
      // Neither named nor there: nothing to choose from.
      guard gpu != nil || host.mayHaveGPU() else { return CPURenderer(threads: threads) }
      return AutomaticRenderer(
        chooser(threads: threads, jobs: jobs, host: host, cache: cache, trial: trial), threads: threads,
        isOfBatch: jobs != nil)
    }
  }
}

/// The machine's GPUs, for `--gpu`.
public enum GPUList {
  /// - Throws: `SafelightError` that says why Vulkan names none.
  public static func all() throws -> [GPUDescription] { try GPUHost.system.devices() }
}

extension Renderer {
  /// What rendered last, as reports tell it.
  public var backendReport: BackendReport {
    switch self {
    case let automatic as AutomaticRenderer: automatic.backendReport
    case let guarded as FallbackRenderer:
      BackendReport(
        backend: guarded.current.backendReport.backend, device: guarded.current.backendReport.device,
        fallback: guarded.fallback.map(BackendChooser.note))
    case let gpu as any GPURenderer: BackendReport(backend: gpu.name, device: gpu.deviceName)
    default: BackendReport(backend: name)
    }
  }

  /// What a plan of a stored photo would be rendered by.
  public func backendReport(for plan: Plan) -> BackendReport {
    var report = chosenRenderer(for: plan).backendReport
    report.fallback = self.backendReport.fallback
    return report
  }

  /// What people should know of a backend that was not used, each thing once.
  public func takeBackendNotes() -> [String] { (self as? AutomaticRenderer)?.takeNotes() ?? [] }

  /// Ends what is measured beside rendering; to be called before the program ends.
  public func endTrials() { (self as? AutomaticRenderer)?.finish() }

  /// What renders a plan from file to file: this renderer, or the one that an automatic one chooses.
  func chosenRenderer(for plan: Plan) -> any Renderer {
    (self as? AutomaticRenderer)?.chosenRenderer(for: plan) ?? self
  }
}
