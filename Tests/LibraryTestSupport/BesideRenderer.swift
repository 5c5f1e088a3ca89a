import Safelight
import Dispatch
import Rendering
import Synchronization

/// Renders as the CPU renderer does, on a queue of its own beside its caller, as a GPU would.
package final class BesideRenderer: Renderer {
  package struct State {
    package var prepared = 0
    package var submitted = 0
    package var waitedFor = 0
    /// Rows that were rendered by themselves.
    package var bands: [Range<Int>] = []
    /// The most frames that were on their way at a time.
    package var most = 0

    package init() {}
  }

  package let name = "vulkan"
  package let framesInFlight = 3
  package let state = Mutex(State())
  private let cpu = CPURenderer(threads: 1)
  private let queue = DispatchQueue(label: "beside")
  /// What a frame fails with, by its number.
  private let failure: @Sendable (_ frame: Int) -> SafelightError?

  package init(failure: @escaping @Sendable (_ frame: Int) -> SafelightError? = { _ in nil }) {
    self.failure = failure
  }

  package var backendReport: BackendReport { BackendReport(backend: name, device: "Test GPU") }

  package func prepare(_ plan: Plan) -> some PreparedPlan {
    state.withLock { $0.prepared += 1 }
    return BesidePlan(renderer: self, cpu: cpu.prepare(plan))
  }

  fileprivate func submit(_ source: PixelBuffer, through plan: CPUPlan, into output: PixelBuffer)
    -> PendingFrame
  {
    let number = state.withLock { state in
      state.submitted += 1
      state.most = max(state.most, state.submitted - state.waitedFor)
      return state.submitted - 1
    }
    let frame = BesideFrame { [self] in state.withLock { $0.waitedFor += 1 } }
    queue.async { [self] in
      frame.end(
        with: Result {
          if let error = failure(number) { throw error }
          try plan.render(source, into: output)
        })
    }
    return PendingFrame(frame, ticket: UInt64(number))
  }
}

private struct BesidePlan: PreparedPlan, BandedPlan {
  let renderer: BesideRenderer
  let cpu: CPUPlan
  var plan: Plan { cpu.plan }
  var bands: (any BandedPlan)? { self }

  func render(_ source: PixelBuffer, into output: PixelBuffer) throws {
    try prepare(source).render(rows: 0..<plan.outputSize.height, into: output)
  }

  func submit(_ source: PixelBuffer, into output: PixelBuffer) -> PendingFrame {
    renderer.submit(source, through: cpu, into: output)
  }

  func prepare(_ source: PixelBuffer) throws -> any PreparedPicture {
    BesidePicture(renderer: renderer, cpu: try cpu.prepare(source))
  }
}

private struct BesidePicture: PreparedPicture {
  let renderer: BesideRenderer
  let cpu: any PreparedPicture

  func render(rows: Range<Int>, into output: PixelBuffer) throws {
    renderer.state.withLock { $0.bands.append(rows) }
    try cpu.render(rows: rows, into: output)
  }
}

private final class BesideFrame: FrameInFlight {
  private let result = Mutex<Result<Void, any Error>?>(nil)
  private let ended = DispatchSemaphore(value: 0)
  private let noteWait: @Sendable () -> Void

  init(_ noteWait: @escaping @Sendable () -> Void) { self.noteWait = noteWait }

  func end(with result: Result<Void, any Error>) {
    self.result.withLock { $0 = result }
    ended.signal()
  }

  func times(of ticket: UInt64) -> FrameTimes? { nil }

  func wait(for ticket: UInt64) throws {
    ended.wait()
    noteWait()
    try result.withLock { $0 }?.get()
  }
}
