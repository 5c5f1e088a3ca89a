import LibraryTestSupport
import Safelight
import FrameCore
import Testing

@testable import Rendering
@testable import Profiling

/// Small frames and little time: what is measured is not looked at, but what belongs together has to agree.
@Suite("Profiling a chain of filters")
struct ProfilerTests {
  private func settings(
    _ filters: [any Filter], input: ProfileInput = .yuyv, size: PixelSize = PixelSize(width: 96, height: 64)
  ) -> ProfileSettings {
    var settings = ProfileSettings(
      recipe: Recipe(filters: filters), input: input, size: size, backend: .cpu, threads: 2, seconds: 0.05)
    settings.arrayBytes = 1 << 20
    return settings
  }

  @Test("The parts of a profile agree with each other and with the plan")
  func wholeProfile() throws {
    let filters: [any Filter] = [Straighten(2), Exposure(stops: 0.5), Saturation(10)]
    var steps: [Double] = []
    let profiler = try Profiler(settings(filters)) { steps.append($0.part) }
    let report = try profiler.run()

    #expect(report.frames.milliseconds.count >= 3)
    let sorted = report.frames.milliseconds.sorted()
    #expect(report.frames.minimum == sorted.first && report.frames.maximum == sorted.last)
    #expect(report.frames.p50 <= report.frames.p90 && report.frames.p90 <= report.frames.p99)

    #expect(report.stages.map(\.kind) == ["load", "geometry", "baked", "wait"])
    #expect(abs(report.stages.reduce(0) { $0 + $1.share } - 1) < 1e-9)
    #expect(abs(report.stages.reduce(0) { $0 + $1.milliseconds } - report.frames.p50) < 1e-9)
    for stage in report.stages where stage.milliseconds > 0 && stage.bytes > 0 {
      #expect(abs(stage.gigabytesPerSecond * stage.milliseconds * 1e6 / Double(stage.bytes) - 1) < 1e-9)
    }
    let plan = profiler.workload.plan
    #expect(report.subject.plan == plan.description)
    #expect(report.passes.map(\.name) == plan.records.map(\.pass))
    #expect(report.bake?.samples.map(\.count) ?? 0 >= 3)
    #expect(report.filters.map(\.text) == ["straighten 2 °", "exposure 0.5 EV", "saturation 10 %"])
    #expect(report.subject.name == "straighten + exposure + saturation")
    #expect(report.scaling.map(\.threads).contains(2) && report.scaling.first?.efficiency == 1)
    #expect(report.roofline.points.allSatisfy { $0.copy > 0 && $0.read > 0 && $0.write > 0 && $0.triad > 0 })
    #expect(report.capacities.map(\.framesPerSecond) == [30, 60, 120, 240])
    for capacity in report.capacities {
      if let p99 = capacity.p99Milliseconds { #expect(p99 <= 1000 / capacity.framesPerSecond) }
    }
    #expect(steps == steps.sorted() && steps.last == 1)
  }

  @Test("A step that is cancelled ends the run")
  func cancelling() throws {
    struct Cancelled: Error {}
    let profiler = try Profiler(settings([Exposure(stops: 1)])) { if $0.part > 0.1 { throw Cancelled() } }
    #expect(throws: Cancelled.self) { try profiler.run() }
  }

  @Test("Frames of every kind show the scene", arguments: ProfileInput.allCases)
  func inputs(input: ProfileInput) throws {
    let size = PixelSize(width: 128, height: 96)
    let renderer = CPURenderer(threads: 1)
    let scene = try ProfileScene(size: size, moments: 2, renderer: renderer)
    let source = try ProfileSource(scene, input: input, size: size, count: 2)
    let plan = try renderer.plan(Recipe(), input: source.planInput, output: PlanOutput())
    // The second picture comes first: sources count from 1.
    let shown = try renderer.render(try source.next(), through: plan)
    let original = try scene.picture(1, size: size)
    var sum = 0.0
    for y in 0..<size.height {
      let (a, b) = (shown.row(y, as: UInt8.self), original.row(y, as: UInt8.self))
      for x in 0..<size.width {
        for channel in 0..<3 {
          let difference = Double(a[4 * x + channel]) - Double(b[4 * x + channel])
          sum += difference * difference
        }
      }
    }
    // Noise in colour differences that are halved, and a JPEG of quality 85, leave a few levels.
    let rms = (sum / Double(3 * size.pixelCount)).squareRoot()
    #expect(rms < (input.format.isRGBA ? 0.5 : 8), "\(rms) levels")
  }

  @Test("Frames larger than the scene repeat it")
  func largeFrames() throws {
    let renderer = CPURenderer(threads: 1)
    let scene = try ProfileScene(size: PixelSize(width: 64, height: 32), moments: 1, renderer: renderer)
    let picture = try scene.picture(0, size: PixelSize(width: 100, height: 40))
    for (x, y) in [(64, 0), (99, 31), (10, 39)] {
      let (own, first) = (picture.row(y, as: UInt8.self), picture.row(y % 32, as: UInt8.self))
      #expect(own[4 * x] == first[4 * (x % 64)])
    }
  }

  @Test("A trace has every frame's capture, wait and tiles", arguments: [ProfileInput.yuyv, .mjpeg, .rgba16])
  func trace(input: ProfileInput) throws {
    let profiler = try Profiler(
      settings([Exposure(stops: 0.5)], input: input, size: PixelSize(width: 300, height: 100)))
    let trace = try profiler.trace(frames: 5)
    func count(_ category: String) -> Int { trace.events.count { $0.category == category } }
    #expect(count(input == .mjpeg ? "decode" : "capture") == 5)
    #expect(count("queue") == 5 && count("render") == 5 && count("bake") == 1)
    // 300 × 100 pixels: in tiles of 256 × 64, or of 300 × 54 where rows are read as they lie in memory.
    #expect(count("tile") == 5 * (input == .rgba16 ? 2 : 4))
    #expect((count("encode") > 0) == (input != .rgba16))
    // The last picture is encoded before the trace is made.
    #expect(trace.events.contains { $0.name == "encode 4" } == (input != .rgba16))
    #expect(trace.events.allSatisfy { $0.start >= -1_000_000 && $0.duration >= 0 })
  }

  @Test("Values out of range are refused with the range")
  func ranges() {
    func error(_ change: (inout ProfileSettings) -> Void) -> String {
      var settings = settings([])
      change(&settings)
      do {
        _ = try Profiler(settings)
        return ""
      } catch { return "\(error)" }
    }
    #expect(error { $0.seconds = 0 }.hasSuffix("give 0.05 to 600 seconds."))
    #expect(error { $0.threads = 0 }.hasSuffix("give 1 to 256."))
    #expect(error { $0.size = PixelSize(width: 0, height: 9) }.contains("empty"))
    #expect(error { $0.backend = .reference }.contains("every core"))
  }

  @Test("Threads are the processor's: with them, no GPU is measured beside it nor asked for")
  func threadsOfProcessor() {
    func settings(_ backend: Backend, threads: Int?) -> ProfileSettings {
      ProfileSettings(recipe: Recipe(), backend: backend, threads: threads)
    }
    #expect(settings(.auto, threads: 1).request.backend == .cpu)
    #expect(settings(.auto, threads: nil).request.backend == .auto)
    #expect(settings(.vulkan, threads: nil).request.backend == .vulkan)
  }

  @Test("Every workload has as many frames on their way as the renderer, however few pictures are asked for")
  func framesInFlight() throws {
    let size = PixelSize(width: 64, height: 32)
    let scene = try ProfileScene(size: size, moments: 1, renderer: CPURenderer(threads: 1))
    let source = try ProfileSource(scene, input: .rgba8, size: size, count: 3)
    let renderer = BesideRenderer()
    let plan = try renderer.plan(
      Recipe(filters: [Exposure(stops: 1)]), input: source.planInput, output: PlanOutput())
    for pictures in [1, 2, 4] {
      let workload = try ProfileWorkload(
        renderer.prepare(plan), framesInFlight: renderer.framesInFlight, from: source,
        sharing: ProfileOutputs(), pictures: pictures)
      renderer.state.withLock { $0 = .init() }
      #expect(workload.depth == renderer.framesInFlight)
      _ = try workload.median(of: 8)
      #expect(renderer.state.withLock { $0.most } == renderer.framesInFlight)
      #expect(renderer.state.withLock { $0.submitted == 8 && $0.waitedFor == 8 })
    }
  }

  @Test("Frames on their way are all waited for, also where one fails")
  func failureInFlight() throws {
    let renderer = BesideRenderer { $0 == 0 ? SafelightError(.device, "The GPU was lost") : nil }
    let picture = try PixelBuffer(size: PixelSize(width: 8, height: 8), format: .rgba8)
    let plan = renderer.prepare(
      try renderer.plan(Recipe(), input: PlanInput(picture), output: PlanOutput()))
    var flight = PendingFrames(limit: 9)
    for _ in 0..<3 {
      let output = try PixelBuffer(size: picture.size, format: .rgba8)
      try flight.add(try plan.submit(picture, into: output))
    }
    #expect(throws: SafelightError.self) { try flight.finish() }
    #expect(renderer.state.withLock { $0.waitedFor } == 3 && flight.count == 0)
  }

  @Test("Rounding leaves five digits of every number")
  func rounding() {
    var report = makeReport(frames: [1.234567, 0.000123456, 98765.4321, 0])
    report.roofline.points[0].copy = 12.3456789
    report.device = makeDevice()
    report.device?.residentMilliseconds = 1.23456789
    #expect(report.rounded.device?.residentMilliseconds == 1.2346)
    #expect(report.rounded.frames.milliseconds == [1.2346, 0.00012346, 98765, 0])
    #expect(report.rounded.roofline.points[0].copy == 12.346)
  }
}
