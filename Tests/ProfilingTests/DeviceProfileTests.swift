import LibraryTestSupport
import Safelight
import FoundationEssentials
import FrameCore
import Testing

@testable import Profiling

@Suite("Profiling a GPU")
struct DeviceProfileTests {
  private func profiler(_ filters: [any Filter], input: ProfileInput = .yuyv) throws -> Profiler {
    var settings = ProfileSettings(
      recipe: Recipe(filters: filters), input: input, size: PixelSize(width: 96, height: 64),
      backend: .vulkan,
      seconds: 0.05)
    settings.arrayBytes = 1 << 20
    return try Profiler(settings)
  }

  @Test(
    "tells its steps by its own clock, its copies, and what a frame takes without transfers",
    .vulkanHasADevice)
  func steps() throws {
    let report = try profiler([Straighten(2), Exposure(stops: 0.5), Saturation(10)]).run()
    let device = try #require(report.device)
    #expect(report.subject.backend == "vulkan")
    #expect(!device.name.isEmpty && !device.driver.isEmpty && device.vulkanVersion.hasPrefix("1."))
    #expect(device.copy > 0 && device.framesInFlight >= 2)
    #expect(device.aloneMilliseconds > 0)
    let kinds = report.stages.map(\.kind)
    if let resident = device.residentMilliseconds {
      #expect(resident > 0 && resident <= device.aloneMilliseconds)
      #expect(kinds.contains("kernel") && !kinds.contains("downsample"))
      let kernel = try #require(report.stages.first { $0.kind == "kernel" })
      #expect(kernel.text == "geometry · ycbcr · baked")
      // YUYV is two bytes a pixel, RGBA four; a turned picture shows as many pixels as it has.
      let output = report.subject.outputWidth * report.subject.outputHeight
      #expect(abs(kernel.bytes - 6 * output) <= 2)
      // The figure of the whole is the row's own.
      #expect(abs(kernel.milliseconds - resident) < 1e-9)
      #expect(abs(kernel.ofRoofline - (device.residentOfCopy ?? 0)) < 1e-9)
    }
    #expect(report.scaling.isEmpty)
    #expect(report.notes.contains { $0.contains("scaling with them was not measured") })
    #expect(report.filters.count == 3 && report.capacities.count == 4)
    #expect(try ProfileReport(json: [UInt8](JSONEncoder().encode(report)), file: "a.json") == report)
  }

  /// A frame whose steps took so many milliseconds.
  private func frame(
    _ all: Double, staging: Double = 0, _ upload: Double, _ kernel: Double, _ download: Double
  )
    -> ProfileDeviceStages.Frame
  {
    var times = FrameTimes()
    (times.staging, times.upload) = (staging / 1000, upload / 1000)
    (times.kernel, times.download) = (kernel / 1000, download / 1000)
    return ProfileDeviceStages.Frame(seconds: all / 1000, times: times)
  }

  @Test("Steps are as the clock told them, what is transferred counts once, and waiting is what is left")
  func rows() throws {
    let plan = try CPURenderer(threads: 1).plan(
      Recipe(filters: [Exposure(stops: 1)]),
      input: PlanInput(size: PixelSize(width: 1000, height: 500), format: .yuyv422), output: PlanOutput())
    // The device reached the output in place in half of the frames.
    let stages = ProfileDeviceStages(plan, copies: .init(sources: 1, outputs: 0.5), copyRate: 12)
    let costs = stages.costs([
      frame(10, staging: 2, 1, 0.5, 4), frame(12, staging: 2, 1, 0.5, 4), frame(30, staging: 2, 1, 0.5, 9),
    ])
    #expect(costs.map(\.kind) == ["staging", "upload", "kernel", "download", "wait"])
    for (cost, milliseconds) in zip(costs, [2, 1, 0.5, 4, 4.5]) {
      #expect(abs(cost.milliseconds - milliseconds) < 1e-9, "\(cost.kind)")
      #expect(abs(cost.share - milliseconds / 12) < 1e-9, "\(cost.kind)")
    }
    // 10⁶ bytes come, 2 · 10⁶ go. Staging reads and writes the source and every other output.
    #expect(costs.map(\.bytes) == [4_000_000, 1_000_000, 3_000_000, 2_000_000, 0])
    #expect(abs(costs[1].gigabytesPerSecond - 1) < 1e-9 && abs(costs[3].gigabytesPerSecond - 0.5) < 1e-9)
    // 3 · 10⁶ bytes in half a millisecond are 6 · 10⁹ a second.
    #expect(costs.map { ($0.ofRoofline * 1e6).rounded() / 1e6 } == [0, 0, 0.5, 0, 0])
    #expect(costs[4].samples.map { ($0 * 1e6).rounded() / 1e6 } == [2.5, 4.5, 17.5])
  }

  @Test("Steps of a frame end where the processor begins to copy its output")
  func spans() {
    var times = FrameTimes()
    (times.upload, times.kernel, times.download) = (0.001, 0.002, 0.004)
    (times.staging, times.stagingOut) = (0.007, 0.003)
    let end = Timestamp(nanoseconds: 1_000_000_000)
    let spans = times.spans(endingAt: end)
    #expect(spans.map(\.name) == ["upload", "kernel", "download"])
    let moments = spans.flatMap { [$0.begin, $0.end] }.map { (1000 * end.seconds(since: $0)).rounded() }
    #expect(moments == [10, 9, 9, 7, 7, 3])
  }

  @Test("Kernels above their yardstick are explained by the GPU's caches, not by the processor's")
  func notes() {
    let stage = makeStage("kernel", 0.001)
    #expect(stage.ofRoofline > 1)
    let note = Profiler.note(ofStages: [stage], onDevice: true)
    #expect(note?.contains("the GPU's caches") == true && note?.contains("memcpy") == false)
    #expect(Profiler.note(ofStages: [stage], onDevice: false)?.contains("memcpy of a whole frame") == true)
    #expect(Profiler.note(ofStages: [makeStage("kernel", 1e6)], onDevice: true) == nil)
  }

  @Test("shows a downsampling as a step of its own", .vulkanHasADevice)
  func reduction() throws {
    let report = try profiler([Resize(longEdge: 20)], input: .rgba8).run()
    guard report.device?.residentMilliseconds != nil else { return }
    #expect(report.stages.contains { $0.kind == "downsample" })
  }

  @Test("has its steps in the trace, those of a frame one after the other", .vulkanHasADevice)
  func trace() throws {
    let trace = try profiler([Exposure(stops: 0.5)]).trace(frames: 4)
    #expect(trace.events.count { $0.category == "render" } == 4)
    #expect(trace.events.allSatisfy { $0.category != "tile" })
    let steps = trace.events.filter { $0.category == "gpu" && $0.name.hasSuffix(" 2") }
    guard !steps.isEmpty else { return }
    #expect(steps.contains { $0.name == "kernel 2" })
    #expect(trace.threads.map(\.name).contains("gpu"))
    for (step, next) in zip(steps, steps.dropFirst()) {
      #expect(abs(step.start + step.duration - next.start) <= 2)
    }
  }

  @Test("refuses a number of threads, which a GPU does not have")
  func threads() {
    let settings = ProfileSettings(recipe: Recipe(), backend: .vulkan, threads: 2)
    #expect(message { _ = try Profiler(settings) }?.contains("A GPU has no threads of the processor") == true)
  }

  @Test("of the reference renderer has no sections that nothing was measured for")
  func reference() throws {
    var settings = ProfileSettings(
      recipe: Recipe(filters: [Exposure(stops: 1)]), input: .rgba8, size: PixelSize(width: 48, height: 32),
      backend: .reference, seconds: 0.05)
    settings.arrayBytes = 1 << 20
    let report = try Profiler(settings).run()
    #expect(report.capacities.isEmpty && report.scaling.isEmpty && report.device == nil)
    let html = ProfilePage(report).html
    #expect(!html.contains("Largest frames") && !html.contains("holds any of the rates"))
    #expect(report.notes.contains { $0.contains("largest frames") })
  }
}
