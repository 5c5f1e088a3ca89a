import FoundationEssentials
import Testing

@testable import Safelight

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
      #expect(kinds.contains("kernel") && !kinds.contains("reduce"))
      #expect(abs(report.stages.reduce(0) { $0 + $1.milliseconds } - device.aloneMilliseconds) < 1e-6)
      let kernel = try #require(report.stages.first { $0.kind == "kernel" })
      #expect(kernel.text == "geometry · ycbcr · baked")
      // YUYV is two bytes a pixel, RGBA four.
      let output = report.subject.outputWidth * report.subject.outputHeight
      #expect(kernel.bytes == 2 * 96 * 64 + 4 * output)
      #expect(abs(kernel.ofRoofline - kernel.gigabytesPerSecond / device.copy) < 1e-9)
    }
    #expect(report.scaling.isEmpty)
    #expect(report.notes.contains { $0.contains("scaling with them was not measured") })
    #expect(report.filters.count == 3 && report.capacities.count == 4)
    #expect(try ProfileReport(json: [UInt8](JSONEncoder().encode(report)), file: "a.json") == report)
  }

  @Test("shows a reduction as a step of its own", .vulkanHasADevice)
  func reduction() throws {
    let report = try profiler([Resize(longEdge: 20)], input: .rgba8).run()
    guard report.device?.residentMilliseconds != nil else { return }
    #expect(report.stages.contains { $0.kind == "reduce" })
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
