import LibraryTestSupport
import Safelight
import Rendering
import Testing

@testable import Backends

@Suite("Trying a renderer")
struct BackendTrialTests {
  @Test("renders frames of every format and waits for each", arguments: PixelFormat.allCases)
  func formats(format: PixelFormat) throws {
    let plan = try Plan(
      Recipe(filters: [Exposure(stops: 1)]),
      input: PlanInput(size: PixelSize(width: 34, height: 40), format: format),
      output: PlanOutput())
    let renderer = BesideRenderer()
    let seconds = try BackendTrial.measured.seconds(plan, .live, renderer) { false }
    #expect(seconds > 0 && seconds < 10)
    #expect(renderer.state.withLock { $0.submitted == $0.waitedFor && $0.submitted >= 7 && $0.most <= 3 })
  }

  @Test("of a stored photo renders whole photos band by band, as exports do, and submits no frame")
  func stored() throws {
    // Two bands of 524 288 pixels and a rest.
    let plan = try Plan(
      Recipe(filters: [Exposure(stops: 1)]), input: PlanInput(size: PixelSize(width: 4096, height: 270)),
      output: PlanOutput())
    let renderer = BesideRenderer()
    let seconds = try BackendTrial.measured.seconds(plan, .stored, renderer) { false }
    #expect(seconds > 0 && seconds < 10)
    let bands = renderer.state.withLock { $0.bands }
    #expect(bands.count >= 12 && bands.prefix(3) == [0..<128, 128..<256, 256..<270])
    #expect(renderer.state.withLock { $0.submitted } == 0)
    // Three times four bytes a pixel, and two bands.
    #expect(BackendTrial.storedMemory(plan) == 12 * 4096 * 270 + 8 * 4096 * 128)
  }

  @Test("tells the median of warm frames, whether they go one by one or several at a time")
  func median() throws {
    let plan = try Plan(
      Recipe(), input: PlanInput(size: PixelSize(width: 34, height: 40)), output: PlanOutput())
    let renderer = BesideRenderer()
    _ = try BackendTrial.measured.seconds(plan, .live, renderer) { false }
    #expect(
      renderer.state.withLock { $0.submitted } == BackendTrial.warmUpFrames + 2 + BackendTrial.frames)
  }

  @Test("ends where it is cancelled, with nothing on its way")
  func cancelled() throws {
    let plan = try Plan(
      Recipe(), input: PlanInput(size: PixelSize(width: 34, height: 40)), output: PlanOutput())
    let renderer = BesideRenderer()
    #expect(throws: CancellationError.self) {
      try BackendTrial.measured.seconds(plan, .live, renderer) {
        renderer.state.withLock { $0.submitted >= 2 }
      }
    }
    #expect(renderer.state.withLock { $0.submitted == 2 && $0.waitedFor == 2 })
  }
}
