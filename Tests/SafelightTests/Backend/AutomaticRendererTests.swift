import Rendering
import Synchronization
import Testing

@testable import Safelight

/// A machine with a GPU that takes so many seconds for a frame, and counts what is asked of it.
private final class TestMachine: Sendable {
  struct Counts: Equatable {
    var opened = 0
    var tried = 0
  }
  let counts = Mutex(Counts())
  let renderer: BesideRenderer
  private let seconds: Double
  private let problem: SafelightError?
  private let hasNode: Bool
  let kind: GPUDescription.Kind

  init(
    gpuSeconds: Double, hasNode: Bool = true, kind: GPUDescription.Kind = .discrete,
    problem: SafelightError? = nil, failure: @escaping @Sendable (Int) -> SafelightError? = { _ in nil }
  ) {
    (seconds, self.problem, self.hasNode, self.kind) = (gpuSeconds, problem, hasNode, kind)
    renderer = BesideRenderer(failure: failure)
  }

  var host: GPUHost {
    GPUHost(
      mayHaveGPU: { self.hasNode }, devices: { [self.description] },
      open: { _, allowsSoftware in
        self.counts.withLock { $0.opened += 1 }
        if let problem = self.problem { throw problem }
        guard allowsSoftware || self.kind != .software else {
          throw SafelightError(.device, "There is no GPU but a software device")
        }
        return OpenedGPU(description: self.description, renderer: self.renderer)
      })
  }

  var description: GPUDescription {
    GPUDescription(
      number: 0, name: "Test GPU", driver: "test 1", kind: kind, memoryBytes: 1 << 30, vulkanVersion: "1.3.0",
      identifier: "00")
  }

  var trial: BackendTrial {
    BackendTrial { _, _, isCancelled in
      if isCancelled() { throw CancellationError() }
      self.counts.withLock { $0.tried += 1 }
      return self.seconds
    }
  }
}

@Suite("The automatic backend")
struct AutomaticRendererTests {
  private static let recipe = Recipe(filters: [Exposure(stops: 0.5), Straighten(2)])

  private func make(_ machine: TestMachine, _ scratch: Scratch, gpu: GPUSelector? = nil) throws
    -> any Renderer
  {
    try BackendRequest(.auto, gpu: gpu).makeRenderer(
      threads: 1, host: machine.host, cache: BackendCache(path: scratch("backends.json")),
      trial: machine.trial)
  }

  /// Renders frames until the backend is `name`, at most some seconds long.
  private func render(_ renderer: any Renderer, until name: String?, atLeast frames: Int = 20) throws
    -> [PixelBuffer]
  {
    let source = try makePicture(64, 48)
    let plan = try renderer.plan(Self.recipe, input: PlanInput(source), output: PlanOutput())
    let prepared = try renderer.prepare(plan)
    var pictures: [PixelBuffer] = []
    let end = Timestamp.now.advanced(bySeconds: 30)
    while pictures.count < frames || (name != nil && renderer.backendReport.backend != name) {
      guard Timestamp.now < end else {
        Issue.record("the backend stays \(renderer.backendReport.backend)")
        break
      }
      let output = try PixelBuffer(size: plan.outputSize, format: .rgba8)
      try renderer.renderFrame(source, through: prepared, into: output)
      if pictures.count < frames { pictures.append(output) } else { pictures[frames - 1] = output }
    }
    return pictures
  }

  @Test("is the CPU renderer where the system has no GPU's device, and opens nothing")
  func withoutGPU() throws {
    let machine = TestMachine(gpuSeconds: 0, hasNode: false)
    let renderer = try make(machine, Scratch())
    #expect(renderer is CPURenderer)
    #expect(machine.counts.withLock { $0 } == .init())
    #expect(renderer.backendReport == BackendReport(backend: "cpu"))
  }

  @Test("goes over to a GPU that is faster, with the same pictures, and remembers it")
  func faster() throws {
    let (machine, scratch) = (TestMachine(gpuSeconds: 1e-9), try Scratch())
    let renderer = try make(machine, scratch)
    #expect(renderer.backendReport == BackendReport(backend: "cpu") && renderer.framesInFlight == 3)
    let pictures = try render(renderer, until: "vulkan")
    renderer.endTrials()
    #expect(renderer.backendReport == BackendReport(backend: "vulkan", device: "Test GPU"))
    #expect(pictures.allSatisfy { areEqual($0, pictures[0]) })
    #expect(machine.counts.withLock { $0 } == .init(opened: 1, tried: 1))
    #expect(renderer.takeBackendNotes().isEmpty)

    // Another run need not try it.
    let again = try make(machine, scratch)
    _ = try render(again, until: "vulkan")
    // Nor need the next look.
    _ = try render(again, until: nil, atLeast: 1)
    #expect(again.backendReport.backend == "vulkan")
    again.endTrials()
    #expect(machine.counts.withLock { $0 } == .init(opened: 2, tried: 1))
  }

  @Test("stays on the processor where the GPU is slower, and does not open it again for that")
  func slower() throws {
    let (machine, scratch) = (TestMachine(gpuSeconds: 1e3), try Scratch())
    let renderer = try make(machine, scratch)
    _ = try render(renderer, until: nil)
    while machine.counts.withLock({ $0.tried }) == 0 { _ = try render(renderer, until: nil, atLeast: 1) }
    renderer.endTrials()
    let again = try make(machine, scratch)
    _ = try render(again, until: nil)
    again.endTrials()
    #expect(renderer.backendReport.backend == "cpu" && again.backendReport.backend == "cpu")
    #expect(machine.counts.withLock { $0 } == .init(opened: 1, tried: 1))
    #expect(renderer.takeBackendNotes().isEmpty)
  }

  @Test("never takes a software device by itself, and says nothing of it")
  func software() throws {
    let machine = TestMachine(gpuSeconds: 1e-9, kind: .software)
    let renderer = try make(machine, Scratch())
    _ = try render(renderer, until: nil)
    while machine.counts.withLock({ $0.opened }) == 0 { _ = try render(renderer, until: nil, atLeast: 1) }
    renderer.endTrials()
    #expect(renderer.backendReport == BackendReport(backend: "cpu"))
    #expect(renderer.takeBackendNotes().isEmpty)
    #expect(machine.counts.withLock { $0.tried } == 0)
  }

  @Test("says once why a GPU that was named is not used")
  func named() throws {
    let machine = TestMachine(
      gpuSeconds: 0, hasNode: false,
      problem: SafelightError(.device, "The GPU 7 is not there", remedy: "look"))
    let renderer = try make(machine, Scratch(), gpu: .number(7))
    _ = try render(renderer, until: nil)
    while machine.counts.withLock({ $0.opened }) == 0 { _ = try render(renderer, until: nil, atLeast: 1) }
    renderer.endTrials()
    #expect(renderer.takeBackendNotes() == ["The GPU is not used: the GPU 7 is not there"])
    #expect(renderer.takeBackendNotes().isEmpty)
    #expect(renderer.backendReport.fallback == "The GPU is not used: the GPU 7 is not there")
  }

  @Test("goes back to the processor for good where the GPU fails, with the same pictures, and says so once")
  func failing() throws {
    let machine = TestMachine(gpuSeconds: 1e-9) {
      $0 >= 3 ? SafelightError(.device, "The GPU stopped working", remedy: "look") : nil
    }
    let renderer = try make(machine, Scratch())
    var pictures = try render(renderer, until: "vulkan")
    pictures += try render(renderer, until: "cpu")
    pictures += try render(renderer, until: nil)
    renderer.endTrials()
    #expect(pictures.allSatisfy { areEqual($0, pictures[0]) })
    #expect(renderer.takeBackendNotes() == ["The GPU is not used: the GPU stopped working"])
    #expect(renderer.takeBackendNotes().isEmpty)
    #expect(
      renderer.backendReport
        == BackendReport(backend: "cpu", fallback: "The GPU is not used: the GPU stopped working"))
  }

  @Test("of a batch is measured beside it, as the part of the GPU that each job has")
  func batch() throws {
    let scratch = try Scratch()
    try makePicture(64, 48).write(to: scratch("a.jpg"))
    let settings = LocalBatchEditor.Settings(export: PhotoExport()) { _ in Self.recipe }
    for (jobs, backend) in [(1000, "cpu"), (1, "vulkan")] {
      // Shared by a thousand jobs it takes ten seconds.
      let machine = TestMachine(gpuSeconds: jobs == 1 ? 1e-9 : 0.01)
      let cache = BackendCache(path: scratch("\(jobs).json"))
      let trials = try #require(
        BatchTrials(BackendRequest(), jobs: jobs, host: machine.host, cache: cache, trial: machine.trial))
      trials.start([scratch("missing.jpg"), scratch("a.jpg"), scratch("a.jpg")], settings)
      let end = Timestamp.now.advanced(bySeconds: 30)
      while cache.entries().isEmpty, Timestamp.now < end {}
      trials.finish()
      #expect(machine.counts.withLock { $0 } == .init(opened: 1, tried: 1))
      let renderer = try BackendRequest().makeRenderer(
        threads: 1, host: machine.host, cache: cache, trial: machine.trial)
      let report = try PhotoExport().run(
        scratch("a.jpg"), through: Self.recipe, to: scratch("\(jobs).png"), renderer: renderer)
      #expect(report.backend.backend == backend)
    }
    #expect(try scratch.read("1.png") == scratch.read("1000.png"))
    let none = TestMachine(gpuSeconds: 0, hasNode: false)
    #expect(
      BatchTrials(
        BackendRequest(), jobs: 1, host: none.host, cache: BackendCache(path: nil), trial: none.trial) == nil)
    #expect(BatchTrials(BackendRequest(.vulkan), jobs: 1) == nil)
  }

  @Test("leaves a batch as many jobs as the GPU has memory for, where it is asked for by name")
  func jobs() throws {
    // A gigabyte.
    let machine = TestMachine(gpuSeconds: 0)
    #expect(try BackendRequest(.vulkan).jobs(of: 16, host: machine.host) == 2)
    #expect(try BackendRequest(.vulkan).jobs(of: 1, host: machine.host) == 1)
    #expect(try BackendRequest(.auto).jobs(of: 16, host: machine.host) == 16)
    let broken = TestMachine(
      gpuSeconds: 0, problem: SafelightError(.device, "There is none", remedy: "buy one"))
    #expect(
      message { _ = try BackendRequest(.vulkan).jobs(of: 2, host: broken.host) } == "There is none; buy one.")
  }

  @Test(
    "of a profile is measured before it, and named in the report",
    arguments: [(1e-9, "vulkan"), (1e3, "cpu")])
  func profile(gpuSeconds: Double, expected: String) throws {
    let machine = TestMachine(gpuSeconds: gpuSeconds)
    let plan = try Plan(
      Self.recipe, input: PlanInput(size: PixelSize(width: 64, height: 48)), output: PlanOutput())
    var notes: [String] = []
    let renderer = try BackendRequest().renderer(
      forLive: plan, processor: CPURenderer(threads: 1), notes: &notes, host: machine.host,
      cache: BackendCache(path: nil),
      trial: BackendTrial { _, renderer, _ in renderer is CPURenderer ? 1 : gpuSeconds })
    #expect(renderer.backendReport.backend == expected)
    #expect(notes.isEmpty)
  }

  @Test("fails with the reason where the GPU is asked for by name")
  func asked() {
    let machine = TestMachine(
      gpuSeconds: 0, problem: SafelightError(.device, "There is none", remedy: "buy one"))
    #expect(
      message { _ = try BackendRequest(.vulkan).makeRenderer(host: machine.host) }
        == "There is none; buy one.")
  }

  @Test("of a stored photo is the GPU only where an earlier run found it faster")
  func stored() throws {
    let (machine, scratch) = (TestMachine(gpuSeconds: 1e-9), try Scratch())
    let draft = try Plan(
      Self.recipe, input: PlanInput(size: PixelSize(width: 64, height: 48)), output: PlanOutput(),
      optimized: false)
    let renderer = try make(machine, scratch)
    #expect(renderer.backendReport(for: draft).backend == "cpu")
    #expect(machine.counts.withLock { $0 } == .init())

    let chooser = BackendChooser(
      selector: nil, host: machine.host, cache: BackendCache(path: scratch("backends.json")),
      trial: machine.trial)
    _ = try chooser.measure(draft, use: .stored) { 1 }
    let later = try make(machine, scratch)
    #expect(later.backendReport(for: draft) == BackendReport(backend: "vulkan", device: "Test GPU"))
  }
}

@Suite("The name of a GPU")
struct GPUSelectorTests {
  @Test("is a number or a part of its name")
  func parsing() throws {
    #expect(try GPUSelector("0") == .number(0))
    #expect(try GPUSelector("12") == .number(12))
    #expect(try GPUSelector("RTX 4090") == .name("RTX 4090"))
    #expect(try GPUSelector("780m") == .name("780m"))
    for text in ["", " ", "-1", "--json", "99999999999999999999"] {
      #expect(
        message { _ = try GPUSelector(text) }
          == "“\(text)” names no GPU; give its number or a part of its name, as --gpu list shows them.")
    }
  }
}
