import Dispatch
import LibraryTestSupport
import Libc
import Safelight
import Synchronization
import Testing

@testable import Backends

/// Opening and trying the GPU while frames are rendered.
extension AutomaticRendererTests {
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
}
