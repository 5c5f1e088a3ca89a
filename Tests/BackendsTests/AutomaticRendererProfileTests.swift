import LibraryTestSupport
import Safelight
import Testing

@testable import Backends

/// The renderer that `safelight profile` measures.
extension AutomaticRendererTests {
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
}
