import FilterGraph
import Filters
import FrameCore
import Rendering
import Testing

@testable import VulkanRendering

/// That samples find their way; that kernels do what they are to do, the equality tests tell.
@Suite("A Vulkan renderer", .enabled(if: TestDevice.isThere, TestDevice.absence))
struct VulkanRendererTests {
  @Test("renders pictures of every format and of odd sizes", arguments: PixelFormat.allCases)
  func formats(_ format: PixelFormat) throws {
    let renderer = try TestDevice.shared()
    let cpu = CPURenderer(threads: 1)
    for (width, height) in [(97, 61), (64, 40), (1, 1), (2, 3), (5, 1)] {
      let source = try NoisePicture.make(width, height, format)
      let plan = try cpu.plan([Exposure(stops: 0.4)], for: source)
      let difference = try renderer.frame(source, through: plan)
        .largestDifference(from: cpu.frame(source, through: plan))
      #expect(difference <= 1, "\(width)×\(height)\n\(plan)")
    }
    try TestDevice.expectNoComplaints()
  }

  @Test("downsamples pictures first where the plan does", arguments: [PixelFormat.rgba8, .rgbaF32, .nv12])
  func reductions(_ format: PixelFormat) throws {
    let renderer = try TestDevice.shared()
    let cpu = CPURenderer(threads: 1)
    let source = try NoisePicture.make(201, 143, format)
    let plan = try cpu.plan([Resize(longEdge: 40), Saturation(10)], for: source)
    #expect(plan.downsamples)
    let expected = try cpu.frame(source, through: plan)
    #expect(try renderer.frame(source, through: plan).largestDifference(from: expected) <= 1)
    // Prepared ahead, the rows one after the other.
    #expect(try renderer.render(source, through: plan).largestDifference(from: expected) <= 1)
    try TestDevice.expectNoComplaints()
  }

  @Test("renders to every format of output", arguments: [PixelFormat.rgba8, .rgba16, .rgbaF32])
  func outputs(_ format: PixelFormat) throws {
    let renderer = try TestDevice.shared()
    let cpu = CPURenderer(threads: 1)
    let source = try NoisePicture.make(33, 21, .rgba16, alpha: .straight)
    let plan = try cpu.plan([Contrast(20), Flip(.horizontal)], for: source, to: format)
    let difference = try renderer.frame(source, through: plan)
      .largestDifference(from: cpu.frame(source, through: plan))
    #expect(difference <= (format == .rgba16 ? 8 : format == .rgbaF32 ? 1e-3 : 1), "\(plan)")
  }

  @Test("renders rows in bands as it renders the whole picture")
  func bands() throws {
    let renderer = try TestDevice.shared()
    let source = try NoisePicture.make(90, 75, .rgba8)
    // Places between samples are rounded where a band begins.
    for (filters, tolerance) in [([Rotate(.clockwise)] as [any Filter], 0.0), ([Straighten(5)], 1)] {
      let plan = try renderer.plan(filters, for: source)
      let whole = try renderer.frame(source, through: plan)
      let prepared = try renderer.prepare(plan)
      let picture = try prepared.picture(of: source)
      let parts = try PixelBuffer(size: plan.outputSize, format: .rgba8)
      for first in stride(from: 0, to: plan.outputSize.height, by: 7) {
        let rows = first..<min(first + 7, plan.outputSize.height)
        try picture.render(rows: rows, into: parts.band(rows: rows))
      }
      #expect(parts.largestDifference(from: whole) <= tolerance)
    }
  }

  @Test("refuses pictures, buffers and rows that do not fit, as every renderer does")
  func misuse() throws {
    let renderer = try TestDevice.shared()
    let source = try NoisePicture.make(20, 10, .rgba8)
    let plan = try renderer.plan([], for: source)
    let prepared = try renderer.prepare(plan)
    let output = try PixelBuffer(size: plan.outputSize, format: .rgba8)
    func message(_ body: () throws -> Void) -> String {
      do {
        try body()
        return "no error"
      } catch { return "\(error)" }
    }
    let other = try NoisePicture.make(21, 10, .rgba8)
    #expect(
      message { try prepared.render(other, into: output) }
        == "The plan is for 20×10 rgba8, alpha opaque, the picture is 21×10 rgba8, alpha opaque; make a plan for "
        + "this picture.")
    let narrow = try PixelBuffer(size: PixelSize(width: 19, height: 10), format: .rgba8)
    #expect(
      message { try prepared.render(source, into: narrow) }
        == "A buffer of 19×10 rgba8 does not hold 10 rows of 20×10 rgba8; make one as wide, of the plan's format."
    )
    let picture = try prepared.picture(of: source)
    #expect(
      message { try picture.render(rows: 5..<11, into: output) }
        == "The rows 5..<11 are not all in the plan's output; ask for rows in 0..<10.")
  }

  @Test("tells what the steps of a frame took")
  func times() throws {
    let renderer = try TestDevice.shared()
    let source = try NoisePicture.make(200, 100, .rgba8)
    let plan = try renderer.plan([Exposure(stops: 0.4)], for: source)
    let output = try PixelBuffer(size: plan.outputSize, format: .rgba8)
    let prepared = try renderer.prepare(plan)
    // The times are gone once another test's frame is where this one was, so there are several tries.
    var measured: FrameTimes?
    for _ in 0..<100 where measured == nil {
      let frame = try prepared.submit(source, into: output)
      try frame.wait()
      measured = frame.times
    }
    let times = try #require(measured)
    #expect(times.kernel > 0)
    #expect(times.wall >= times.kernel)
    #expect(times.downsampling == 0)
  }
}
