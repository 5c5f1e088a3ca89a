import Rendering
import Testing

@testable import Safelight

@Suite("Trying a renderer")
struct BackendTrialTests {
  @Test("renders frames of every format and waits for each", arguments: PixelFormat.allCases)
  func formats(format: PixelFormat) throws {
    let plan = try Plan(
      Recipe(filters: [Exposure(stops: 1)]),
      input: PlanInput(size: PixelSize(width: 34, height: 40), format: format),
      output: PlanOutput())
    let renderer = BesideRenderer()
    let seconds = try BackendTrial.measured.seconds(plan, renderer) { false }
    #expect(seconds > 0 && seconds < 10)
    #expect(renderer.state.withLock { $0.submitted == $0.waitedFor && $0.submitted >= 7 && $0.most <= 3 })
  }

  @Test("ends where it is cancelled, with nothing on its way")
  func cancelled() throws {
    let plan = try Plan(
      Recipe(), input: PlanInput(size: PixelSize(width: 34, height: 40)), output: PlanOutput())
    let renderer = BesideRenderer()
    #expect(throws: CancellationError.self) {
      try BackendTrial.measured.seconds(plan, renderer) { renderer.state.withLock { $0.submitted >= 2 } }
    }
    #expect(renderer.state.withLock { $0.submitted == 2 && $0.waitedFor == 2 })
  }
}
