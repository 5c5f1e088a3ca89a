import FilterGraph
import FrameCore
import Rendering

/// Renders a plan's output in bands on a thread of its own, while the caller takes them one after the other.
final class BandPipeline: Sendable {
  /// The plan, what it runs on, and how far that is decoded.
  struct Source: Sendable {
    let buffer: PixelBuffer
    let plan: PreparedPlan
    let renderer: any Renderer
    let progress: RowProgress
  }

  private struct State {
    /// Buffers that may be rendered into.
    var free: [Int]
    /// Bands that are rendered and not yet taken, in order.
    var ready: [(buffer: Int, rows: Range<Int>)] = []
    var end: Result<Void, any Error>?
    var isStopped = false
    var seconds = 0.0
  }

  private let source: Source
  private let bands: [Range<Int>]
  private let buffers: [PixelBuffer]
  private let monitor: Monitor<State>

  /// Time spent rendering so far, without waiting for rows or for room.
  var seconds: Double { monitor.update { $0.seconds } }

  init(_ source: Source) throws {
    self.source = source
    let plan = source.plan.plan
    let (width, height) = (plan.outputSize.width, plan.outputSize.height)
    bands = Self.bands(of: plan.outputSize)
    let bandHeight = bands.first?.count ?? height
    buffers = try (0..<min(2, bands.count)).map { _ in
      try PixelBuffer(
        size: PixelSize(width: width, height: bandHeight), format: plan.output.format, alpha: plan.outputAlpha
      )
    }
    monitor = Monitor(State(free: Array(0..<buffers.count)))
  }

  /// Bands of about a megapixel: enough work for all cores, little memory.
  static func bands(of size: PixelSize) -> [Range<Int>] {
    let height = min(size.height, max(64, 1_048_576 / size.width / 64 * 64))
    return stride(from: 0, to: size.height, by: height).map { $0..<min($0 + height, size.height) }
  }

  /// Renders everything and gives each band to `take`, from top to bottom, on the caller's thread.
  ///
  /// - Throws: what decoding, rendering or `take` failed with; the thread has ended then.
  func run(_ take: (PixelBuffer, _ rows: Int) throws -> Void) throws {
    let thread = try WorkerThread(name: "render") { [self] in
      let end = Result { try renderAll() }
      monitor.update { $0.end = end }
    }
    defer {
      monitor.update { $0.isStopped = true }
      // The renderer may be waiting for rows that will never be asked for again.
      source.progress.finish(.failure(CancellationError()))
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
    // Sound to the last row, also those that no band shows.
    try source.progress.waitForEnd()
  }

  private func renderAll() throws {
    let plan = source.plan.plan
    // A reduction reads the whole source before the first row.
    try source.progress.wait(for: plan.reduces ? source.buffer.height : 1)
    let prepared = try timed { try source.renderer.prepare(source.buffer, for: source.plan) }
    for rows in bands {
      if !plan.reduces { try source.progress.wait(for: plan.sourceRows(for: rows).upperBound) }
      let room = monitor.wait { state -> Int?? in
        state.isStopped ? .some(nil) : state.free.popLast().map { .some($0) }
      }
      guard let buffer = room else { return }
      try timed {
        try source.renderer.render(prepared, through: source.plan, rows: rows, into: buffers[buffer])
      }
      monitor.update { $0.ready.append((buffer, rows)) }
    }
  }

  private func timed<Value>(_ body: () throws -> Value) rethrows -> Value {
    let watch = Stopwatch()
    defer { monitor.update { $0.seconds += watch.total } }
    return try body()
  }
}
