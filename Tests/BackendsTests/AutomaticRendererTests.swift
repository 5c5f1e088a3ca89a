import LibraryTestSupport
import Rendering
import Safelight
import Testing

@testable import Backends

@Suite("The automatic backend")
struct AutomaticRendererTests {
  static let recipe = Recipe(filters: [Exposure(stops: 0.5), Straighten(2)])

  func make(
    _ machine: TestMachine, _ scratch: Scratch, gpu: GPUSelector? = nil, jobs: Int? = nil
  ) throws -> any Renderer {
    try BackendRequest(.auto, gpu: gpu).makeRenderer(
      threads: 1, jobs: jobs, host: machine.host, cache: BackendCache(path: scratch("backends.json")),
      trial: machine.trial)
  }

  /// Renders frames until the backend is `name`, at most some seconds long.
  func render(_ renderer: any Renderer, until name: String?, atLeast frames: Int = 20) throws
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
  func render(_ renderer: any Renderer, until isSo: () -> Bool) throws {
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

  @Test("fails with the reason where the GPU is asked for by name")
  func asked() {
    let machine = TestMachine(
      gpuSeconds: 0, problem: SafelightError(.device, "There is none", remedy: "buy one"))
    #expect(
      message { _ = try BackendRequest(.vulkan).makeRenderer(host: machine.host) }
        == "There is none; buy one.")
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
