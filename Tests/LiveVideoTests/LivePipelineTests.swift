import LibraryTestSupport
import Safelight
import FrameCore
import Synchronization
import Testing

@testable import LiveVideo
import Libc

/// Keeps what it is given.
private final class CollectingSink: FrameSink {
  struct State {
    var frames: [(sequence: UInt64, size: PixelSize, pixel: [UInt8])] = []
    var format: SinkFormat?
    var isClosed = false
  }
  let name: String
  let state = Mutex(State())
  private let write: @Sendable (RenderedFrame) throws -> Void

  init(_ name: String = "collecting", _ write: @escaping @Sendable (RenderedFrame) throws -> Void = { _ in })
  {
    self.name = name
    self.write = write
  }

  func open(_ format: SinkFormat) throws { state.withLock { $0.format = format } }
  func write(_ frame: RenderedFrame) throws {
    try write(frame)
    let row = frame.picture.row(frame.picture.height / 2, as: UInt8.self)
    let pixel = (0..<4).map { row[4 * (frame.picture.width / 2) + $0] }
    state.withLock { $0.frames.append((frame.sequence, frame.picture.size, pixel)) }
  }
  func close() { state.withLock { $0.isClosed = true } }

  var sequences: [UInt64] { state.withLock { $0.frames.map(\.sequence) } }
}

/// A session on the synthetic scene and a pipeline behind it.
private struct Run {
  static let size = PixelSize(width: 96, height: 64)
  let session = CaptureSession()
  let output: VideoDataOutput
  let pipeline: LivePipeline

  init(
    frames: Int?, _ look: LiveLook = LiveLook(), to sinks: [any FrameSink],
    limit: LivePipeline.Limit = .init(),
    motion: SyntheticMotion = SyntheticMotion(), renderer: any Renderer = CPURenderer(),
    output: VideoDataOutput = VideoDataOutput(lateFrames: .keepAll(limit: 2)),
    level: (@Sendable (Frame) throws -> Double?)? = nil
  ) async throws {
    self.output = output
    let input = try SyntheticInput(size: Self.size, motion: motion, paced: false, frameLimit: frames)
    let session = session
    pipeline = try LivePipeline(
      from: output, through: look, to: sinks, losesNothing: true, isLive: false, level: level,
      format: { session.format }, limit: limit, renderer: renderer)
    try await session.configure {
      try $0.add(input)
      try $0.add(output)
    }
    try pipeline.start()
    try await session.start()
  }

  /// Returns why the run ended by itself.
  func end() async throws -> LivePipeline.End {
    for _ in 0..<6000 {
      if let end = pipeline.end { return end }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("the run does not end")
    return .stopped
  }
}

@Suite("A live pipeline", .serialized)
struct LivePipelineTests {
  @Test(
    "takes every frame of a source that waits through the look to every sink, in order, and the counts add up"
  )
  func everyFrame() async throws {
    let sinks = [CollectingSink("a"), CollectingSink("b")]
    let run = try await Run(frames: 40, to: sinks)
    guard case .sourceFinished = try await run.end() else {
      Issue.record("ended otherwise")
      return
    }
    for sink in sinks {
      #expect(sink.sequences == Array(0..<40))
      let format = try #require(sink.state.withLock { $0.format })
      #expect(format.size == Run.size && format.framesPerSecond == 30 && format.isUnedited)
      #expect(sink.state.withLock { $0.isClosed })
    }
    let statistics = run.pipeline.statistics
    #expect(statistics.frames.captured == 40 && statistics.frames.delivered == 40)
    #expect(statistics.rendered == 40 && statistics.unrendered == 0 && statistics.rendering.count == 40)
    for sink in statistics.sinks {
      #expect(sink.offered == 40 && sink.written == 40 && sink.dropped == 0 && !sink.isOpen)
    }
    await run.session.stop()
  }

  @Test("renders frames as the renderer alone would")
  func samePixels() async throws {
    let sink = CollectingSink()
    let recipe = Recipe(filters: [Exposure(stops: 0.5), Saturation(20), Straighten(2)])
    let run = try await Run(frames: 1, LiveLook(recipe), to: [sink])
    _ = try await run.end()
    await run.session.stop()
    let stream = try SyntheticInput(size: Run.size, paced: false).openStream(StreamRequest())
    defer { stream.close() }
    guard case .frame(let frame) = try stream.next(until: Timestamp.now.advanced(bySeconds: 30)) else {
      Issue.record("no frame")
      return
    }
    let renderer = CPURenderer()
    let plan = try renderer.plan(
      recipe, input: frame.planInput, output: PlanOutput(format: .rgba8, space: .sRGB))
    let picture = try renderer.render(frame.buffer, through: plan)
    let row = picture.row(picture.height / 2, as: UInt8.self)
    let expected = (0..<4).map { row[4 * (picture.width / 2) + $0] }
    #expect(sink.state.withLock { $0.frames.first?.pixel } == expected)
    #expect(sink.state.withLock { $0.frames.first?.size } == picture.size)
  }

  @Test("changes the look while it runs, and keeps the size of its pictures")
  func changes() async throws {
    let seen = Mutex<[[UInt8]]>([])
    let sink = CollectingSink("a") { frame in
      let row = frame.picture.row(8, as: UInt8.self)
      seen.withLock { $0.append([row[0], row[1], row[2]]) }
    }
    let run = try await Run(frames: nil, to: [sink])
    func brightness() -> Int { seen.withLock { $0.last.map { $0.reduce(0) { $0 + Int($1) } } ?? 0 } }
    func wait(until condition: () -> Bool) async throws -> Bool {
      for _ in 0..<3000 {
        if condition() { return true }
        try await Task.sleep(for: .milliseconds(10))
      }
      return false
    }
    #expect(try await wait { brightness() > 0 })
    let before = brightness()
    run.pipeline.look.recipe = Recipe(filters: [Exposure(stops: -4)])
    #expect(try await wait { brightness() < before / 2 })
    run.pipeline.look.showsOriginal = true
    #expect(try await wait { brightness() > before * 3 / 4 })
    run.pipeline.look.showsOriginal = false
    run.pipeline.look.strength = 0
    run.pipeline.look.level = 5
    #expect(try await wait { brightness() > before * 3 / 4 })
    #expect(run.pipeline.lookProblem == nil)
    run.pipeline.stop()
    await run.session.stop()
    #expect(Set(sink.state.withLock { $0.frames.map(\.size) }) == [Run.size])
  }

  @Test("goes on with the look before where one cannot be, and says why")
  func impossibleLook() async throws {
    let sink = CollectingSink()
    let run = try await Run(frames: nil, to: [sink])
    while run.pipeline.statistics.rendered == 0 { try await Task.sleep(for: .milliseconds(5)) }
    run.pipeline.look.recipe = Recipe(filters: [Exposure(stops: 99)])
    for _ in 0..<3000 where run.pipeline.lookProblem == nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect("\(try #require(run.pipeline.lookProblem))".contains("exposure is 99, outside its range"))
    let rendered = run.pipeline.statistics.rendered
    while run.pipeline.statistics.rendered < rendered + 3 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(run.pipeline.end == nil)
    run.pipeline.stop()
    await run.session.stop()
  }

  @Test("ends after so many pictures, all of them written")
  func limit() async throws {
    let sink = CollectingSink()
    let run = try await Run(frames: nil, to: [sink], limit: .init(frames: 7))
    guard case .limitReached = try await run.end() else {
      Issue.record("ended otherwise")
      return
    }
    #expect(sink.sequences == Array(0..<7))
    await run.session.stop()
  }

  @Test("ends quietly once every reader has gone, not before")
  func readersGone() async throws {
    let sinks = [
      CollectingSink("a") { if $0.sequence == 3 { throw SinkClosed() } },
      CollectingSink("b") { if $0.sequence == 9 { throw SinkClosed() } },
    ]
    let run = try await Run(frames: nil, to: sinks)
    guard case .readersGone = try await run.end() else {
      Issue.record("ended otherwise")
      return
    }
    #expect(sinks[0].sequences == [0, 1, 2])
    #expect(sinks[1].sequences == Array(0..<9))
    await run.session.stop()
  }

  @Test("ends with the error of a sink that fails, others closed with what they were given")
  func failingSink() async throws {
    struct DiskFull: Error {}
    let sinks = [CollectingSink("a"), CollectingSink("b") { if $0.sequence == 2 { throw DiskFull() } }]
    let run = try await Run(frames: nil, to: sinks)
    guard case .failed(let error) = try await run.end() else {
      Issue.record("ended otherwise")
      return
    }
    #expect(error is DiskFull)
    #expect(sinks[0].state.withLock { $0.isClosed } && sinks[1].sequences == [0, 1])
    await run.session.stop()
  }

  @Test("keeps frames in order, and the same, where a renderer has several on their way")
  func framesInFlight() async throws {
    let recipe = Recipe(filters: [Exposure(stops: 0.5)])
    let (sink, expected) = (CollectingSink(), CollectingSink())
    let (output, taken) = (VideoDataOutput(lateFrames: .keepAll(limit: 2)), Monitor(0))
    // The first frame is not done before the second was taken, which is there by then; nobody waits for ever.
    let deadline = Timestamp.now.advanced(bySeconds: 60)
    let renderer = BesideRenderer { number in
      guard number == 0 else { return nil }
      let isOverlapped = taken.wait(until: deadline) { $0 >= 2 ? true : nil } ?? false
      return isOverlapped
        ? nil : SafelightError(.device, "No other frame came while the first was on its way")
    }
    let run = try await Run(
      frames: 40, LiveLook(recipe), to: [sink], renderer: renderer, output: output,
      level: { frame in
        while frame.sequence == 0, output.statistics.captured < 2, Timestamp.now < deadline {
          usleep(1000)
        }
        taken.update { $0 += 1 }
        return nil
      })
    guard case .sourceFinished = try await run.end() else {
      Issue.record("ended otherwise")
      return
    }
    await run.session.stop()
    let plain = try await Run(frames: 40, LiveLook(recipe), to: [expected])
    _ = try await plain.end()
    await plain.session.stop()
    #expect(sink.sequences == Array(0..<40))
    #expect(
      sink.state.withLock { $0.frames.map(\.pixel) } == expected.state.withLock { $0.frames.map(\.pixel) })
    let statistics = run.pipeline.statistics
    #expect(statistics.frames.delivered == 40 && statistics.rendered == 40 && statistics.unrendered == 0)
    let state = renderer.state.withLock { $0 }
    #expect(state.submitted == 40 && state.waitedFor == 40)
    #expect((2...3).contains(state.most))
  }

  @Test("begins no more frames than it is to render where several are on their way")
  func limitInFlight() async throws {
    let (sink, renderer) = (CollectingSink(), BesideRenderer())
    let run = try await Run(frames: nil, to: [sink], limit: .init(frames: 7), renderer: renderer)
    guard case .limitReached = try await run.end() else {
      Issue.record("ended otherwise")
      return
    }
    #expect(sink.sequences == Array(0..<7))
    #expect(renderer.state.withLock { $0.submitted } == 7)
    await run.session.stop()
  }

  @Test("ends with what a frame on its way failed with, those before it written and none left on their way")
  func failureInFlight() async throws {
    let sink = CollectingSink()
    let renderer = BesideRenderer { $0 == 5 ? SafelightError(.device, "The GPU was lost") : nil }
    let run = try await Run(frames: nil, to: [sink], renderer: renderer)
    guard case .failed(let error) = try await run.end() else {
      Issue.record("ended otherwise")
      return
    }
    #expect("\(error)" == "The GPU was lost.")
    #expect(sink.sequences == Array(0..<5))
    #expect(renderer.state.withLock { $0.submitted == $0.waitedFor })
    await run.session.stop()
  }

  @Test("refuses a look that no frame can go through, before any sink is opened")
  func refusedLook() async throws {
    let sink = CollectingSink()
    let run = try await Run(frames: nil, LiveLook(Recipe(filters: [Exposure(stops: 99)])), to: [sink])
    guard case .failed(let error) = try await run.end() else {
      Issue.record("ended otherwise")
      return
    }
    #expect("\(error)".contains("exposure is 99, outside its range"))
    #expect(sink.state.withLock { $0.format } == nil)
    await run.session.stop()
  }
}
