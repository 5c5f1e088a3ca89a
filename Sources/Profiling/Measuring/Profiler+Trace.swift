import Capture
import FilterGraph
import FrameCore
import PhotoIO
import Rendering

/// Traces frames on their way from a source to a stream.
extension Profiler {
  /// Traces a short live run: one thread captures or decodes frames, one renders them with the renderer's workers,
  /// and one encodes the newest picture as streams do. No frame is dropped before rendering.
  ///
  /// - Returns: the bake first, then `count` frames, each with its wait between capture and rendering and, for the
  ///   CPU renderer, every tile on its thread.
  /// - Throws: errors of capturing or rendering; `SafelightError` if the system grants no more threads.
  public func trace(frames count: Int = 60) throws -> ProfileTrace {
    try progress("a trace", 0.99)
    let recorder = TraceRecorder()
    let began = Timestamp.now
    let plan = try Self.plan(settings.recipe, source.planInput, settings, renderer)
    let prepared: any PreparedPlan
    var probed: (plan: CPUPlan, probe: RenderProbe)?
    if case .cpu(let cpu) = chosen {
      let own = cpu.prepare(plan)
      let tiles = (plan.outputSize.width / 256 + 1) * (plan.outputSize.height / 64 + 1) * 2
      let probe = RenderProbe(for: plan, on: cpu, spansPerThread: min(count * tiles, 200_000))
      (prepared, probed) = (own, (own, probe))
    } else {
      prepared = try renderer.prepare(plan)
    }
    recorder.add("plan and bake", .bake, .render, from: began, to: .now)

    // One being rendered into, one waiting, one being encoded, and one spare.
    let pictures = try BufferRing(
      count: 4, size: plan.outputSize, format: plan.output.format, tags: plan.output.space.tags,
      alpha: plan.outputAlpha)
    let frames = TraceQueue()
    let rendered = TraceQueue()
    let capture = try captureThread(count, to: frames, recorder)
    defer {
      frames.close()
      capture.join()
    }
    var encoder = try plan.output.format == .rgba8 ? Self.encoderThread(from: rendered, recorder) : nil
    defer {
      rendered.close()
      encoder?.join()
    }
    while let frame = try frames.take() {
      guard let picture = pictures.take() else { continue }
      let start = Timestamp.now
      recorder.add("frame \(frame.number) waits", .queue, .queue, from: frame.time, to: start)
      if let (plan, probe) = probed {
        try plan.render(frame.buffer, into: picture, probe: probe)
      } else {
        let pending = try prepared.submit(frame.buffer, into: picture)
        try pending.wait()
        recorder.add(pending.times, ofFrame: frame.number, endingAt: .now)
      }
      recorder.add("frame \(frame.number)", .render, .render, from: start, to: .now)
      rendered.replace(TraceQueue.Entry(buffer: picture, number: frame.number, time: .now))
    }
    // The trace ends when the last picture is encoded.
    rendered.finish()
    encoder.take()?.join()
    try rendered.check()
    return recorder.trace(tiles: probed?.probe.spans ?? [], workers: probed == nil ? 0 : threads - 1)
  }

  /// Captures from the synthetic camera if it can deliver such frames; otherwise uses the profile's frames, which
  /// are decoded.
  private func captureThread(_ count: Int, to queue: TraceQueue, _ recorder: TraceRecorder) throws
    -> WorkerThread
  {
    let (edges, size, format) = (SyntheticInput.edges, settings.size, settings.input.format)
    let canPaint =
      settings.input != .mjpeg && SyntheticInput.encodings.contains(format) && edges.contains(size.width)
      && edges.contains(size.height)
    let camera = try canPaint ? SyntheticInput(size: size, encoding: format, paced: false) : nil
    let source = OneThreads(value: self.source)
    return try WorkerThread(name: "capture") {
      do {
        let stream = try camera?.openStream(StreamRequest())
        for number in 0..<count {
          let start = Timestamp.now
          var buffer: PixelBuffer?
          if let stream {
            if case .frame(let frame) = try stream.next(until: start.advanced(bySeconds: 10)) {
              buffer = frame.buffer
            }
          } else {
            buffer = try source.value.next()
          }
          guard let buffer else { continue }
          let isDecoded = source.value.input == .mjpeg
          let end = Timestamp.now
          recorder.add(
            (isDecoded ? "decode " : "capture ") + "\(number)", isDecoded ? .decode : .capture, .capture,
            from: start, to: end)
          guard queue.put(TraceQueue.Entry(buffer: buffer, number: number, time: end)) else { break }
        }
        queue.finish()
      } catch {
        queue.fail(error)
      }
    }
  }

  private static func encoderThread(from queue: TraceQueue, _ recorder: TraceRecorder) throws -> WorkerThread
  {
    try WorkerThread(name: "encode") {
      do {
        let encoder = try JPEGFrameEncoder()
        while let picture = try queue.take() {
          let start = Timestamp.now
          try encoder.encode(picture.buffer) { _ in }
          recorder.add("encode \(picture.number)", .encode, .encode, from: start, to: .now)
        }
      } catch {
        queue.fail(error)
      }
    }
  }

  /// A value passed to the one thread that uses it from then on.
  private struct OneThreads<Value>: @unchecked Sendable { let value: Value }
}

/// A queue for one frame between two threads.
private final class TraceQueue: Sendable {
  struct Entry: Sendable {
    let buffer: PixelBuffer
    let number: Int
    /// When it was enqueued.
    let time: Timestamp
  }
  private struct State {
    var entry: Entry?
    var isFinished = false
    var error: (any Error)?
  }
  private let state = Monitor(State())

  /// Waits until there is room; false if no more frames are taken.
  func put(_ entry: Entry) -> Bool {
    let isOpen = state.wait { state -> Bool? in
      if state.isFinished { return false }
      guard state.entry == nil else { return nil }
      state.entry = entry
      return true
    }
    state.update { _ in }
    return isOpen
  }

  /// Replaces the waiting frame, if any.
  func replace(_ entry: Entry) { state.update { $0.entry = entry } }

  /// Waits for a frame; nil at the end.
  func take() throws -> Entry? {
    let taken = state.wait { state -> Result<Entry?, any Error>? in
      if let error = state.error { return .failure(error) }
      if let entry = state.entry.take() { return .success(entry) }
      return state.isFinished ? .success(nil) : nil
    }
    state.update { _ in }
    return try taken.get()
  }

  /// No more frames will come.
  func finish() { state.update { $0.isFinished = true } }

  /// Ends the queue: no more frames are put or taken.
  func close() {
    state.update {
      $0.isFinished = true
      $0.entry = nil
    }
  }

  func fail(_ error: any Error) { state.update { $0.error = error } }

  /// - Throws: the error of a thread that failed.
  func check() throws {
    if let error = state.read({ $0.error }) { throw error }
  }
}

/// Records events of several threads.
private final class TraceRecorder: Sendable {
  /// The rows of the trace; the workers' rows follow.
  enum Row: Int, CaseIterable {
    case capture, queue, render, encode, gpu
  }
  enum Category: String {
    case bake, capture, decode, encode, gpu, queue, render, tile
  }
  private static let firstWorker = Row.allCases.count

  private let start = Timestamp.now
  private let events = Monitor<[ProfileTrace.Event]>([])

  func add(_ name: String, _ category: Category, _ row: Row, from begin: Timestamp, to end: Timestamp) {
    let event = event(name, category, thread: row.rawValue, begin, end)
    events.update { $0.append(event) }
  }

  /// Adds the steps of a frame on a GPU.
  func add(_ times: FrameTimes?, ofFrame number: Int, endingAt end: Timestamp) {
    for step in times?.spans(endingAt: end) ?? [] {
      add("\(step.name) \(number)", .gpu, .gpu, from: step.begin, to: step.end)
    }
  }

  private func event(
    _ name: String, _ category: Category, thread: Int, _ begin: Timestamp, _ end: Timestamp,
    _ arguments: [ProfileTrace.Argument] = []
  ) -> ProfileTrace.Event {
    ProfileTrace.Event(
      name, category: category.rawValue, thread: thread, start: Int(begin.nanoseconds - start.nanoseconds),
      duration: Int(max(0, end.nanoseconds - begin.nanoseconds)), arguments: arguments)
  }

  func trace(tiles: [RenderProbe.TileSpan], workers: Int) -> ProfileTrace {
    let tileEvents = tiles.map { tile in
      event(
        (tile.isDownsampling ? "band " : "tile ") + "\(tile.tile)", .tile,
        thread: tile.thread == 0 ? Row.render.rawValue : Self.firstWorker + tile.thread - 1, tile.begin,
        tile.end, [ProfileTrace.Argument("frame", .integer(tile.frame))])
    }
    let events = events.read { $0 }
    let hasGPU = events.contains { $0.category == Category.gpu.rawValue }
    let threads =
      Row.allCases.filter { $0 != .gpu || hasGPU }.map { ProfileTrace.Thread(id: $0.rawValue, name: "\($0)") }
      + (0..<max(0, workers)).map {
        ProfileTrace.Thread(id: Self.firstWorker + $0, name: "render \($0 + 1)")
      }
    return ProfileTrace(threads: threads, events: events + tileEvents)
  }
}

extension FrameTimes {
  /// Returns when the device executed each step of a frame that was complete at `end`. Its clock gives the
  /// durations of the steps but not their start times: they are placed one after the other, ending when the
  /// processor began to copy the output.
  func spans(endingAt end: Timestamp) -> [(name: String, begin: Timestamp, end: Timestamp)] {
    let steps = [
      ("upload", upload), ("downsample", downsampling), ("kernel", kernel), ("download", download),
    ]
    .filter { $0.1 > 0 }
    var begin = end.advanced(bySeconds: -steps.reduce(stagingOut) { $0 + $1.1 })
    return steps.map { name, seconds in
      let span = (name: name, begin: begin, end: begin.advanced(bySeconds: seconds))
      begin = span.end
      return span
    }
  }
}
