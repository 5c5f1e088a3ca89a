import LibraryTestSupport
import Safelight
import Synchronization
import Testing

/// Renders as the CPU renderer does, whole pictures only.
private struct WrappingRenderer: Renderer {
  struct Prepared: PreparedPlan {
    let cpu: CPUPlan
    let frames: FrameCount
    var plan: Plan { cpu.plan }

    func render(_ source: PixelBuffer, into output: PixelBuffer) throws {
      frames.add()
      try cpu.render(source, into: output)
    }
  }

  let name = "wrapping"
  let takesRows: Bool
  let frames = FrameCount()
  private let cpu = CPURenderer(threads: 1)

  init(takesRows: Bool = false) { self.takesRows = takesRows }

  func prepare(_ plan: Plan) -> Prepared { Prepared(cpu: cpu.prepare(plan), frames: frames) }
}

private final class FrameCount: Sendable {
  private let state = Mutex(0)
  var value: Int { state.withLock { $0 } }
  func add() { state.withLock { $0 += 1 } }
}

/// Keeps the first picture.
private final class FirstPicture: FrameSink {
  let name = "first"
  private let state = Mutex<PixelBuffer?>(nil)
  var picture: PixelBuffer? { state.withLock { $0 } }

  func open(_ format: SinkFormat) {}
  func write(_ frame: RenderedFrame) { state.withLock { $0 = $0 ?? frame.picture } }
  func close() {}
}

/// The renderers here and in the article use nothing but `import Safelight`.
@Suite("A renderer from outside the package")
struct OutsideRendererTests {
  private let recipe = Recipe(filters: [Exposure(stops: 0.4), Saturation(30)])

  @Test("exports a photo of several bands as the reference renderer does", arguments: [false, true])
  func export(isSequential: Bool) throws {
    let scratch = try Scratch()
    let photo = try makePhoto(makePicture(4400, 66))
    try photo.write(to: scratch("in.png"))
    var export = PhotoExport()
    export.isSequential = isSequential
    let report = try export.run(
      scratch("in.png"), through: recipe, to: scratch("out.png"), renderer: ExactColorRenderer())
    #expect(report.backend == BackendReport(backend: "exact-color"))
    let expected = try ReferenceRenderer().render(photo, through: recipe)
    #expect(areEqual(try Photo(contentsOf: scratch("out.png")).buffer, expected.buffer))
    #expect(!areEqual(photo.buffer, expected.buffer))
  }

  @Test("renders photos in memory")
  func photos() throws {
    let photo = try makePhoto(makePicture(30, 20))
    let made = try ExactColorRenderer().render(photo, through: recipe)
    #expect(areEqual(made.buffer, try ReferenceRenderer().render(photo, through: recipe).buffer))
  }

  @Test("has whole photos to downsample, and may not claim that it takes rows")
  func wholePhotos() throws {
    let scratch = try Scratch()
    let photo = try makePhoto(makePicture(90, 70))
    try photo.write(to: scratch("in.png"))
    let small = Recipe(filters: [Resize(longEdge: 20), Exposure(stops: 0.4)])
    var export = PhotoExport()
    export.isSequential = true
    let renderer = WrappingRenderer()
    _ = try export.run(scratch("in.png"), through: small, to: scratch("out.png"), renderer: renderer)
    let expected = try CPURenderer(threads: 1).render(photo, through: small)
    #expect(areEqual(try Photo(contentsOf: scratch("out.png")).buffer, expected.buffer))
    #expect(renderer.frames.value == 1)

    let problem = message {
      _ = try export.run(
        scratch("in.png"), through: small, to: scratch("never.png"),
        renderer: WrappingRenderer(takesRows: true))
    }
    #expect(problem == "The renderer takes whole pictures only; decode the whole picture first.")
    #expect(try scratch.names == ["in.png", "out.png"])
  }

  @Test("refuses a plan, which a renderer behind it then renders")
  func fallback() throws {
    let photo = try makePhoto(makePicture(30, 20))
    let renderer = FallbackRenderer(ExactColorRenderer(), else: CPURenderer(threads: 1)) { _ in }
    let turned = Recipe(filters: [Rotate(.clockwise), Exposure(stops: 0.4)])
    #expect(throws: SafelightError.self) { try ExactColorRenderer().render(photo, through: turned) }
    let made = try renderer.render(photo, through: turned)
    #expect(areEqual(made.buffer, try CPURenderer(threads: 1).render(photo, through: turned).buffer))
    #expect(renderer.name == "cpu" && renderer.fallback?.code == .unsupported)

    let exact = try renderer.render(photo, through: recipe)
    #expect(areEqual(exact.buffer, try ReferenceRenderer().render(photo, through: recipe).buffer))
    #expect(renderer.name == "exact-color" && renderer.fallback == nil)
  }

  @Test("renders live frames")
  func live() async throws {
    let inputs = try (0..<2).map { _ in
      try SyntheticInput(
        size: PixelSize(width: 96, height: 64), encoding: .rgba8, paced: false, frameLimit: 3)
    }
    let (session, sink) = (CaptureSession(), FirstPicture())
    let output = VideoDataOutput(lateFrames: .keepAll(limit: 2))
    let pipeline = try LivePipeline(
      from: output, through: LiveLook(recipe), to: [sink], losesNothing: true, isLive: false,
      renderer: ExactColorRenderer())
    try await session.configure {
      try $0.add(inputs[0])
      try $0.add(output)
    }
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    try pipeline.start { ended.finish() }
    try await session.start()
    for await _ in ends {}
    await session.stop()
    #expect(pipeline.statistics.rendered == 3)

    let stream = try inputs[1].openStream(StreamRequest())
    defer { stream.close() }
    guard case .frame(let frame) = try stream.next(until: .now.advanced(bySeconds: 30)) else {
      Issue.record("no frame")
      return
    }
    let reference = ReferenceRenderer()
    let plan = try reference.plan(recipe, input: frame.planInput, output: PlanOutput())
    #expect(areEqual(try #require(sink.picture), try reference.render(frame.buffer, through: plan)))
  }
}
