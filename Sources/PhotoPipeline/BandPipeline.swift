import FilterGraph
import FrameCore
import Rendering

/// Renders a plan's output in bands on its own thread while the caller takes them one by one.
final class BandPipeline: Sendable {
  private struct State {
    /// Buffers that may be rendered into.
    var free: [Int]
    /// Bands that are rendered but not yet taken, in order.
    var ready: [(buffer: Int, rows: Range<Int>)] = []
    var end: Result<Void, any Error>?
    var isStopped = false
    var seconds = 0.0
  }

  private let source: BandRendering
  private let bands: [Range<Int>]
  private let buffers: [PixelBuffer]
  private let monitor: Monitor<State>

  /// Time spent rendering, excluding waits for rows or free buffers; final once `run` has returned.
  var seconds: Double { monitor.update { $0.seconds } }

  init(_ source: BandRendering) throws {
    self.source = source
    let plan = source.plan.plan
    let (width, height) = (plan.outputSize.width, plan.outputSize.height)
    bands = Bands.of(plan.outputSize)
    let bandHeight = bands.first?.count ?? height
    buffers = try (0..<min(3, bands.count)).map { _ in
      try PixelBuffer(
        size: PixelSize(width: width, height: bandHeight), format: plan.output.format, alpha: plan.outputAlpha
      )
    }
    monitor = Monitor(State(free: Array(0..<buffers.count)))
  }

  /// Renders everything and passes each band to `take`, from top to bottom, on the caller's thread.
  ///
  /// - Throws: the error of decoding, rendering or `take`; the render thread has ended by then.
  func run(_ take: (PixelBuffer, _ rows: Int) throws -> Void) throws {
    let thread = try WorkerThread(name: "render") { [self] in
      let end = Result { try renderAll() }
      monitor.update { $0.end = end }
    }
    defer {
      monitor.update { $0.isStopped = true }
      // The renderer may be waiting for rows that are no longer wanted.
      source.rows.cancel()
      thread.join()
    }
    for _ in bands {
      let band = try monitor.wait { state -> (buffer: Int, rows: Range<Int>)? in
        if case .failure(let error)? = state.end { throw error }
        return state.ready.isEmpty ? nil : state.ready.removeFirst()
      }
      try take(buffers[band.buffer], band.rows.count)
      monitor.update { $0.free.append(band.buffer) }
    }
    // Checks that the photo is intact to its last row, including rows that no band shows.
    try source.rows.needAll()
  }

  private func renderAll() throws {
    var rendering = source
    defer { monitor.update { $0.seconds = rendering.seconds } }
    for rows in bands {
      try rendering.need(rows)
      let room = monitor.wait { state -> Int?? in
        state.isStopped ? .some(nil) : state.free.popLast().map { .some($0) }
      }
      guard let buffer = room else { return }
      try rendering.render(rows, into: buffers[buffer])
      monitor.update { $0.ready.append((buffer, rows)) }
    }
  }
}
