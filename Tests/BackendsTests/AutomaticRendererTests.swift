import LibraryTestSupport
import Safelight
import Dispatch
import Libc
import Rendering
import Synchronization
import Testing

@testable import BatchEditing
@testable import Backends

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
  /// Called where the GPU is opened, and where it is tried.
  private let onOpening, onTrial: @Sendable () -> Void
  let kind: GPUDescription.Kind

  init(
    gpuSeconds: Double, hasNode: Bool = true, kind: GPUDescription.Kind = .discrete,
    problem: SafelightError? = nil, failure: @escaping @Sendable (Int) -> SafelightError? = { _ in nil },
    onOpening: @escaping @Sendable () -> Void = {}, onTrial: @escaping @Sendable () -> Void = {}
  ) {
    (seconds, self.problem, self.hasNode, self.kind) = (gpuSeconds, problem, hasNode, kind)
    (self.onOpening, self.onTrial) = (onOpening, onTrial)
    renderer = BesideRenderer(failure: failure)
  }

  var host: GPUHost {
    GPUHost(
      mayHaveGPU: { self.hasNode }, devices: { [self.description] },
      describe: { _, _ in
        if let problem = self.problem { throw problem }
        return self.description
      },
      open: { _, allowsSoftware, _ in
        self.counts.withLock { $0.opened += 1 }
        self.onOpening()
        if let problem = self.problem { throw problem }
        guard allowsSoftware || self.kind != .software else {
          throw SafelightError(.device, "The only GPU is a software device")
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
    BackendTrial { plan, use, renderer, isCancelled in
      if renderer is CPURenderer {
        return try BackendTrial.measured.seconds(plan, use, renderer, isCancelled)
      }
      if isCancelled() { throw CancellationError() }
      self.counts.withLock { $0.tried += 1 }
      self.onTrial()
      return self.seconds
    }
  }
}

@Suite("The automatic backend")
struct AutomaticRendererTests {
  private static let recipe = Recipe(filters: [Exposure(stops: 0.5), Straighten(2)])

  private func make(
    _ machine: TestMachine, _ scratch: Scratch, gpu: GPUSelector? = nil, jobs: Int? = nil
  ) throws -> any Renderer {
    try BackendRequest(.auto, gpu: gpu).makeRenderer(
      threads: 1, jobs: jobs, host: machine.host, cache: BackendCache(path: scratch("backends.json")),
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
      try prepared.render(source, into: output)
      if pictures.count < frames { pictures.append(output) } else { pictures[frames - 1] = output }
    }
    return pictures
  }

  /// Renders frames until something is so, at most some seconds long.
  private func render(_ renderer: any Renderer, until isSo: () -> Bool) throws {
    let end = Timestamp.now.advanced(bySeconds: 30)
    while !isSo() {
      guard Timestamp.now < end else {
        Issue.record("nothing comes of it")
        return
      }
      _ = try render(renderer, until: nil, atLeast: 1)
    }
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
    try render(renderer) { machine.counts.withLock { $0.tried } > 0 }
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
    try render(renderer) { machine.counts.withLock { $0.opened } > 0 }
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
    try render(renderer) { machine.counts.withLock { $0.opened } > 0 }
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

  /// A run of no photos, with `memory` for those at work.
  private func run(_ scratch: Scratch, memory: Int = 1 << 30) throws -> BatchRun {
    BatchRun(
      to: scratch("out"),
      BatchRun.Options(
        naming: BatchNaming(
          template: try NameTemplate("{stem}{ext}"), format: nil, preset: "", conflict: .fail),
        edit: { _ in "" }, jobs: 1, memory: memory)
    ) { LocalBatchEditor(LocalBatchEditor.Settings(export: PhotoExport()) { _ in Self.recipe }) }
  }

  @Test("of a batch is measured beside it, as the part of the GPU that each job has")
  func batch() throws {
    let scratch = try Scratch()
    try makePicture(64, 48).write(to: scratch("a.jpg"))
    let settings = LocalBatchEditor.Settings(export: PhotoExport()) { _ in Self.recipe }
    // Of 10 s each job would have a half; two gigabytes would be needed by four.
    for (jobs, seconds, backend) in [
      (2, 10.0, "cpu"), (1, 1e-9, "vulkan"), (2, 1e-9, "vulkan"), (4, 1e-9, "cpu"),
    ] {
      let machine = TestMachine(gpuSeconds: seconds)
      let name = "\(jobs)-\(backend)"
      let cache = BackendCache(path: scratch("\(name).json"))
      let opened = { machine.counts.withLock { $0.opened } > 0 }
      let request = BackendRequest()
      #expect(!request.prefersGPU(jobs: jobs, host: machine.host, cache: cache))
      let trials = try #require(
        BatchTrials(request, jobs: jobs, host: machine.host, cache: cache, trial: machine.trial))
      trials.start(
        [scratch("missing.jpg"), scratch("a.jpg"), scratch("a.jpg")], settings, beside: try run(scratch))
      let end = Timestamp.now.advanced(bySeconds: 30)
      while jobs == 4 ? !opened() : cache.entries().isEmpty, Timestamp.now < end { usleep(1000) }
      trials.finish()
      #expect(machine.counts.withLock { $0 } == .init(opened: 1, tried: jobs == 4 ? 0 : 1))
      let renderer = try request.makeRenderer(
        threads: 1, jobs: jobs, host: machine.host, cache: cache, trial: machine.trial)
      let report = try PhotoExport().run(
        scratch("a.jpg"), through: Self.recipe, to: scratch("\(name).png"), renderer: renderer)
      #expect(report.backend.backend == backend, "\(name)")
      // Workers may take the memory of a driver where they will open one, and not before.
      #expect(
        request.prefersGPU(jobs: jobs, host: machine.host, cache: cache) == (backend == "vulkan"), "\(name)")
      #expect(!request.prefersGPU(jobs: jobs + 1, host: machine.host, cache: cache))
    }
    #expect(try scratch.read("1-vulkan.png") == scratch.read("2-cpu.png"))
    let none = TestMachine(gpuSeconds: 0, hasNode: false)
    #expect(
      BatchTrials(
        BackendRequest(), jobs: 1, host: none.host, cache: BackendCache(path: nil), trial: none.trial) == nil)
    #expect(BatchTrials(BackendRequest(.vulkan), jobs: 1) == nil)
    #expect(BackendRequest(.vulkan).prefersGPU(jobs: 1) && !BackendRequest(.cpu).prefersGPU(jobs: 1))
  }

  @Test("of a batch is not measured where that takes more than half of the memory of photos at work")
  func batchMemory() throws {
    let scratch = try Scratch()
    try makePicture(64, 48).write(to: scratch("a.jpg"))
    let settings = LocalBatchEditor.Settings(export: PhotoExport()) { _ in Self.recipe }
    // Three times the photo's 12 KiB do not fit into the half of this.
    for (memory, tried) in [(64 << 10, 0), (1 << 30, 1)] {
      let machine = TestMachine(gpuSeconds: 1)
      let run = try run(scratch, memory: memory)
      let trials = try #require(
        BatchTrials(
          BackendRequest(), jobs: 1, host: machine.host, cache: BackendCache(path: nil), trial: machine.trial)
      )
      trials.start([scratch("a.jpg")], settings, beside: run)
      let end = Timestamp.now.advanced(bySeconds: tried == 0 ? 0.2 : 30)
      while machine.counts.withLock({ $0.tried }) == 0, Timestamp.now < end { usleep(1000) }
      trials.finish()
      #expect(machine.counts.withLock { $0.tried } == tried)
    }
    let run = try run(scratch, memory: 100)
    #expect(run.beside(taking: 50) { run.memory.inUse } == 50)
    #expect(run.beside(taking: 51) { 0 } == nil)
    #expect(run.memory.inUse == 0 && run.memory.running == 0)
  }

  @Test("leaves a batch as many jobs as the GPU has memory for, where it is asked for by name")
  func jobs() throws {
    // A gigabyte.
    let machine = TestMachine(gpuSeconds: 0)
    #expect(try BackendRequest(.vulkan).jobs(of: 16, isolated: true, host: machine.host) == 2)
    #expect(try BackendRequest(.vulkan).jobs(of: 1, isolated: true, host: machine.host) == 1)
    // Which one device serves.
    #expect(try BackendRequest(.vulkan).jobs(of: 16, isolated: false, host: machine.host) == 16)
    #expect(try BackendRequest(.auto).jobs(of: 16, isolated: true, host: machine.host) == 16)
    #expect(machine.counts.withLock { $0 } == .init())
    let broken = TestMachine(
      gpuSeconds: 0, problem: SafelightError(.device, "There is none", remedy: "buy one"))
    for isolated in [true, false] {
      #expect(
        message { _ = try BackendRequest(.vulkan).jobs(of: 2, isolated: isolated, host: broken.host) }
          == "There is none; buy one.")
    }
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
      forLive: plan, processor: CPURenderer(), notes: &notes, host: machine.host,
      cache: BackendCache(path: nil),
      trial: BackendTrial { _, _, renderer, _ in renderer is CPURenderer ? 1 : gpuSeconds })
    #expect(renderer.renderer.backendReport.backend == expected)
    #expect(notes.isEmpty)
  }

  @Test("of a profile that counts threads is the processor, and nothing is measured or kept")
  func profileOfThreads() throws {
    let (machine, scratch) = (TestMachine(gpuSeconds: 1e-9), try Scratch())
    let plan = try Plan(
      Self.recipe, input: PlanInput(size: PixelSize(width: 64, height: 48)), output: PlanOutput())
    var notes: [String] = []
    let renderer = try BackendRequest().renderer(
      forLive: plan, processor: CPURenderer(threads: 1), notes: &notes, host: machine.host,
      cache: BackendCache(path: scratch("backends.json")), trial: machine.trial)
    #expect(renderer.renderer is CPURenderer && notes.isEmpty)
    #expect(machine.counts.withLock { $0 } == .init())
    #expect(try scratch.names.isEmpty)
  }

  @Test("fails with the reason where the GPU is asked for by name")
  func asked() {
    let machine = TestMachine(
      gpuSeconds: 0, problem: SafelightError(.device, "There is none", remedy: "buy one"))
    #expect(
      message { _ = try BackendRequest(.vulkan).makeRenderer(host: machine.host) }
        == "There is none; buy one.")
  }

  @Test("of stored photos is the GPU in batches alone, and only where a run of as many jobs found it faster")
  func stored() throws {
    let (machine, scratch) = (TestMachine(gpuSeconds: 1e-9), try Scratch())
    let draft = try Plan(
      Self.recipe, input: PlanInput(size: PixelSize(width: 64, height: 48)), output: PlanOutput(),
      optimized: false)
    let renderer = try make(machine, scratch, jobs: 2)
    #expect(renderer.backendReport(for: draft).backend == "cpu")
    #expect(machine.counts.withLock { $0 } == .init())

    let chooser = BackendChooser(
      selector: nil, host: machine.host, cache: BackendCache(path: scratch("backends.json")),
      trial: machine.trial, threads: 1, share: 2)
    _ = try chooser.measure(draft, use: .stored) { 1 }
    let later = try make(machine, scratch, jobs: 2)
    #expect(later.backendReport(for: draft) == BackendReport(backend: "vulkan", device: "Test GPU"))
    let opened = machine.counts.withLock { $0.opened }
    for jobs in [nil, 1, 3] {
      #expect(try make(machine, scratch, jobs: jobs).backendReport(for: draft).backend == "cpu")
    }
    #expect(machine.counts.withLock { $0.opened } == opened)
  }

  @Test("takes over for looks that change while the first one is tried")
  func lookThatChanges() throws {
    let (isTried, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let machine = TestMachine(
      gpuSeconds: 1e-9,
      onTrial: {
        isTried.signal()
        _ = goesOn.wait(timeout: .now() + 30)
      })
    let renderer = try make(machine, Scratch())
    // The first look sees all frames that are needed, and then no more.
    _ = try render(renderer, until: nil)
    #expect(isTried.wait(timeout: .now() + 30) == .success)
    let source = try makePicture(64, 48)
    let plan = try renderer.plan(Self.recipe, input: PlanInput(source), output: PlanOutput())
    let prepared = try renderer.prepare(plan)
    let output = try PixelBuffer(size: plan.outputSize, format: .rgba8)
    func renderOne() throws { try prepared.render(source, into: output) }
    for _ in 0..<20 { try renderOne() }
    #expect(renderer.backendReport.backend == "cpu")
    goesOn.signal()
    let end = Timestamp.now.advanced(bySeconds: 30)
    while renderer.backendReport.backend == "cpu", Timestamp.now < end { try renderOne() }
    #expect(renderer.backendReport.backend == "vulkan")
    renderer.endTrials()
    #expect(machine.counts.withLock { $0 } == .init(opened: 1, tried: 1))
  }

  @Test("is found out for looks of which each lasts for few frames")
  func restlessLooks() throws {
    let machine = TestMachine(gpuSeconds: 1e-9)
    let renderer = try make(machine, Scratch())
    // Each time a plan of its own.
    try render(renderer) { renderer.backendReport.backend == "vulkan" }
    renderer.endTrials()
    #expect(machine.counts.withLock { $0 } == .init(opened: 1, tried: 1))
  }

  @Test("is named as what rendered last: the processor, where another plan went through it after the GPU's")
  func rendererOfTheLastFrame() throws {
    let renderer = try make(TestMachine(gpuSeconds: 1e-9), Scratch())
    _ = try render(renderer, until: "vulkan")
    renderer.endTrials()
    let source = try makePicture(200, 160)
    let plan = try renderer.plan(Recipe(), input: PlanInput(source), output: PlanOutput())
    let output = try PixelBuffer(size: plan.outputSize, format: .rgba8)
    try renderer.prepare(plan).render(source, into: output)
    #expect(renderer.backendReport == BackendReport(backend: "cpu"))
  }

  @Test("opens the GPU beside the frame loop, at its priority, even where an earlier run found it faster")
  func opening() throws {
    let scratch = try Scratch()
    _ = try render(make(TestMachine(gpuSeconds: 1e-9), scratch), until: "vulkan")

    let goesOn = DispatchSemaphore(value: 0)
    let isReleased = Mutex<Bool?>(nil)
    let nice = Mutex<Int32?>(nil)
    let machine = TestMachine(
      gpuSeconds: 1e-9,
      onOpening: {
        nice.withLock { $0 = Self.nice }
        let released = goesOn.wait(timeout: .now() + 20) == .success
        isReleased.withLock { $0 = released }
      })
    let renderer = try make(machine, scratch)
    try render(renderer) { machine.counts.withLock { $0.opened } > 0 }
    // Nobody waits for it: frames, new looks, reports and notes go on.
    _ = try render(renderer, until: nil, atLeast: 30)
    #expect(renderer.backendReport.backend == "cpu" && renderer.takeBackendNotes().isEmpty)
    #expect(isReleased.withLock { $0 } == nil)
    goesOn.signal()
    _ = try render(renderer, until: "vulkan")
    renderer.endTrials()
    #expect(isReleased.withLock { $0 } == true)
    #expect(nice.withLock { $0 } == max(0, Self.nice))
    #expect(machine.counts.withLock { $0 } == .init(opened: 1, tried: 0))
  }

  /// Of the calling thread.
  private static var nice: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

  @Test(
    "leaves one plan to the processor where it is too much for the GPU, and says so once; others go on there")
  func tooLarge() throws {
    let machine = TestMachine(gpuSeconds: 1e-9) {
      $0 == 0 ? SafelightError(.tooLarge, "The picture exceeds a limit", remedy: "look") : nil
    }
    let renderer = try make(machine, Scratch())
    // The first frame on the GPU fails; the plan of the next pictures is another one.
    try render(renderer) { renderer.backendReport.fallback != nil }
    try render(renderer) { renderer.backendReport.backend == "vulkan" }
    renderer.endTrials()
    #expect(renderer.takeBackendNotes() == ["The GPU is not used: the picture exceeds a limit"])
    #expect(machine.counts.withLock { $0 } == .init(opened: 1, tried: 1))
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
