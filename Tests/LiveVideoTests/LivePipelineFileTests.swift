import LibraryTestSupport
import Safelight
import FrameCore
import Synchronization
import Testing

@testable import LiveVideo

/// Keeps what it was told of its pictures, and counts them.
private class CountingSink: FrameSink, @unchecked Sendable {
  private struct State {
    var framesPerSecond: Double?
    var written = 0
  }
  let name = "counting"
  private let state = Mutex(State())

  var framesPerSecond: Double? { state.withLock { $0.framesPerSecond } }
  var written: Int { state.withLock { $0.written } }

  func open(_ format: SinkFormat) throws { state.withLock { $0.framesPerSecond = format.framesPerSecond } }
  func write(_ frame: RenderedFrame) throws { state.withLock { $0.written += 1 } }
  func close() {}
}

private final class SteadySink: CountingSink, ConstantRateSink, @unchecked Sendable {}

@Suite("A pipeline on frames that wait", .serialized)
struct LivePipelineFileTests {
  /// Runs all frames to the sinks, without an edit of their own, and returns what there is to tell.
  @discardableResult
  private func run(
    _ frames: [PixelBuffer], fields: FieldOrder = .progressive, through look: LiveLook = LiveLook(),
    to sinks: [any FrameSink], level: (@Sendable (Frame) throws -> Double?)? = nil,
    constantRate: Double? = nil
  ) async throws -> [String] {
    let session = CaptureSession()
    let output = VideoDataOutput(lateFrames: .keepAll(limit: 2))
    let pipeline = try LivePipeline(
      from: output, through: look, to: sinks, losesNothing: true, isLive: false, level: level,
      format: { session.format }, constantRate: constantRate, renderer: CPURenderer(threads: 1))
    try await session.configure {
      try $0.add(FrameListInput(frames, fields: fields))
      try $0.add(output)
    }
    try pipeline.start()
    try await session.start()
    for _ in 0..<30_000 where pipeline.end == nil { try await Task.sleep(for: .milliseconds(2)) }
    await session.stop()
    if case .failed(let error)? = pipeline.end { throw error }
    #expect(pipeline.statistics.rendered == frames.count)
    return pipeline.takeNotes()
  }

  @Test("renders each frame at its own level, and the same pictures in every run")
  func levels() async throws {
    let picture = try makePicture(96, 64)
    let levels = (0..<24).map { Double($0 * 5 % 7) - 3 }
    var runs: [[[UInt8]]] = []
    for _ in 0..<2 {
      let sink = ScreenSink()
      try await run(levels.map { _ in picture }, to: [sink], level: { levels[Int($0.sequence)] })
      runs.append(sink.pictures.withLock { $0.map(\.bytes) })
    }
    #expect(runs[0] == runs[1])
    try #require(runs[0].count == levels.count)

    let renderer = CPURenderer(threads: 1)
    var size: PixelSize?
    for (index, level) in levels.enumerated() {
      let recipe = level == 0 ? Recipe() : Recipe(filters: [Straighten(Float(level))])
      let plan = try renderer.plan(
        recipe, input: PlanInput(picture), output: PlanOutput(format: .rgba8, space: .sRGB, size: size))
      // All pictures have the size of the first.
      size = plan.outputSize
      let expected = try PixelBuffer(size: plan.outputSize, format: .rgba8, tags: .sRGB)
      try renderer.prepare(plan).render(picture, into: expected)
      let isSame = runs[0][index] == expected.packedRGB
      #expect(isSame, "frame \(index), which is to be turned by \(level)°")
    }
  }

  @Test("says from the first frame on that a level which follows the horizon mixes fields")
  func mixedFields() async throws {
    let frames = [try makePicture(32, 16)]
    let notes = [
      "The video is interlaced, and the edit mixes rows of two moments; deinterlace it first "
        + "(FFmpeg: -vf bwdif)"
    ]
    let still = try await run(frames, fields: .topFirst, to: [NullSink()])
    #expect(still.isEmpty)
    // The first frame is level.
    let waiting = try await run(frames, fields: .topFirst, to: [NullSink()], level: { _ in 0 })
    #expect(waiting == notes)
    let following = try await run(
      frames, fields: .topFirst, through: LiveLook(followsHorizon: true), to: [NullSink()])
    #expect(following == notes)
  }

  @Test("gives a rate that is asked for to sinks of one rate alone")
  func constantRate() async throws {
    let picture = try makePicture(32, 16)
    let (steady, other) = (SteadySink(), CountingSink())
    try await run(Array(repeating: picture, count: 12), to: [steady, other], constantRate: 50)
    #expect(steady.framesPerSecond == 50 && other.framesPerSecond == 25)
    // One between every two.
    #expect(steady.written == 23 && other.written == 12)
  }
}
