import FilterGraph
import FrameCore
import Rendering
import VulkanRendering

/// The requested backend and GPU.
public struct BackendRequest: Sendable, Hashable {
  public var backend: Backend
  /// Nil takes the best one.
  public var gpu: GPUSelector?

  /// - Parameter gpu: from the environment (`GPUSelector.fromEnvironment`) or from a flag, which takes precedence.
  public init(_ backend: Backend = .auto, gpu: GPUSelector? = nil) {
    (self.backend, self.gpu) = (backend, gpu)
  }

  /// Makes the renderer. `auto` opens no GPU until it is needed.
  ///
  /// - Parameters:
  ///   - threads: threads of the CPU renderer, and of the processor's share of the work for a GPU; nil uses every
  ///     core.
  ///   - jobs: the number of photos that a batch edits at a time with such renderers. Nil is for anything else:
  ///     `auto` then leaves stored photos to the processor, since a single one is finished before a GPU is open.
  /// - Throws: `SafelightError`, with the reason, if a GPU is requested by name and cannot be used.
  public func makeRenderer(threads: Int? = nil, jobs: Int? = nil) throws -> any Renderer {
    try makeRenderer(threads: threads, jobs: jobs, host: .system)
  }

  /// A renderer of known kind.
  package enum Chosen: Sendable {
    case cpu(CPURenderer)
    case gpu(OpenedGPU)
    case reference(ReferenceRenderer)

    package var renderer: any Renderer {
      switch self {
      case .cpu(let renderer): renderer
      case .gpu(let gpu): gpu.renderer
      case .reference(let renderer): renderer
      }
    }
  }

  /// Returns the renderer for frames of one plan; `auto` measures if nothing is known.
  ///
  /// - Parameters:
  ///   - processor: the renderer to use if the processor is requested or faster. A set number of threads counts as
  ///     requesting the processor.
  ///   - notes: receives why a named GPU is not used.
  package func renderer(
    forLive plan: Plan, processor: CPURenderer, notes: inout [String], host: GPUHost = .system,
    cache: BackendCache = BackendCache(), trial: BackendTrial = .measured
  ) throws -> Chosen {
    switch backend {
    case .cpu: return .cpu(processor)
    case .vulkan: return .gpu(try host.open(gpu, true, nil))
    case .reference: return .reference(ReferenceRenderer())
    case .auto: break
    }
    guard processor.threads == nil, gpu != nil || host.mayHaveGPU() else { return .cpu(processor) }
    let chooser = BackendChooser(selector: gpu, host: host, cache: cache, trial: trial)
    let answer = try chooser.measure(plan, use: .live) {
      try trial.seconds(plan, .live, processor) { false }
    }
    notes += chooser.takeNotes()
    return if case .gpu(let opened) = answer { .gpu(opened) } else { .cpu(processor) }
  }

  /// Whether a GPU may be opened: one was requested, or the system has a GPU device file.
  package var mayOpenGPU: Bool {
    backend == .vulkan || backend == .auto && (gpu != nil || GPUHost.system.mayHaveGPU())
  }

  /// Whether worker processes of a batch are likely to open a GPU: one was requested, or measured to be faster.
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

  /// Returns how many photos, of `wanted`, a batch may edit at a time: each process using a GPU takes part of its
  /// memory.
  ///
  /// - Parameter isolated: whether each photo is edited in its own process, which opens the GPU itself.
  /// - Throws: `SafelightError`, with the reason, if a GPU is requested by name and cannot be used.
  public func jobs(of wanted: Int, isolated: Bool) throws -> Int {
    try jobs(of: wanted, isolated: isolated, host: .system)
  }

  func jobs(of wanted: Int, isolated: Bool, host: GPUHost) throws -> Int {
    guard backend == .vulkan else { return wanted }
    let memory = try host.describe(gpu, true).memoryBytes
    return isolated ? min(wanted, max(1, memory / Self.memoryPerJob)) : wanted
  }

  /// The driver's own memory, and two 24-megapixel pictures with 8 bits per sample.
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
      // No GPU is named or present, so there is no choice.
      guard gpu != nil || host.mayHaveGPU() else { return CPURenderer(threads: threads) }
      return AutomaticRenderer(
        chooser(threads: threads, jobs: jobs, host: host, cache: cache, trial: trial), threads: threads,
        isOfBatch: jobs != nil)
    }
  }
}

/// The machine's GPUs, for `--gpu`.
public enum GPUList {
  /// - Throws: `SafelightError` with the reason if Vulkan lists none.
  public static func all() throws -> [GPUDescription] { try GPUHost.system.devices() }
}
