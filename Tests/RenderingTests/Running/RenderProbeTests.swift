import FilterGraph
import Filters
import FrameCore
import TestSupport
import Testing

@testable import Rendering

@Suite("A probe tells where frames' time goes")
struct RenderProbeTests {
  private static let size = PixelSize(width: 600, height: 150)

  private struct Setup {
    let renderer: CPURenderer
    let plan: Plan
    let prepared: CPUPlan
    let source: PixelBuffer
    let output: PixelBuffer

    init(
      _ format: PixelFormat, _ filters: [any Filter], to stored: PixelFormat = .rgba8, threads: Int = 2
    ) throws {
      renderer = CPURenderer(threads: threads)
      plan = try renderer.plan(
        Recipe(filters: filters), input: PlanInput(size: RenderProbeTests.size, format: format),
        output: PlanOutput(format: stored))
      prepared = renderer.prepare(plan)
      source = try PixelBuffer(
        size: RenderProbeTests.size, format: format,
        tags: ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .limited))
      var random = SeededRandom(seed: 6)
      for plane in source.planes where format != .rgbaF32 {
        for i in 0..<plane.rowBytes * plane.rows {
          plane.base.storeBytes(
            of: UInt8.random(in: 0...255, using: &random), toByteOffset: i, as: UInt8.self)
        }
      }
      if format == .rgbaF32 {
        for y in 0..<source.height {
          for i in 0..<4 * source.width {
            source.row(y, as: Float.self)[i] = .random(in: 0...1, using: &random)
          }
        }
      }
      output = try PixelBuffer(size: plan.outputSize, format: stored, alpha: plan.outputAlpha)
    }

    func render(_ probe: RenderProbe?) throws {
      try prepared.render(source, into: output, probe: probe)
    }

    var bytes: [UInt8] {
      (0..<output.height).flatMap { Array(output.row($0, as: UInt8.self)) }
    }
  }

  /// Each way through the renderer, with the steps that it consists of.
  private static var ways: [(PixelFormat, [any Filter], PixelFormat, [RenderProbe.Step])] {
    let look: [any Filter] = [WhiteBalance(temperature: 6900), Saturation(20)]
    return [
      (.rgba8, [], .rgba8, [.store]),
      (.rgba8, look, .rgba8, [.color(0)]),
      (.rgba8, [Straighten(2)] + look, .rgba8, [.load, .geometry, .color(0)]),
      // Tables take luma and colour differences themselves.
      (.yuyv422, look, .rgba8, [.load, .geometry, .color(0)]),
      (.nv12, [Straighten(2)] + look, .rgba8, [.load, .geometry, .color(0)]),
      (.nv12, [], .rgba8, [.load, .geometry, .ycbcr, .store]),
      (.rgba8, [Resize(longEdge: 200)] + look, .rgba8, [.horizontal, .vertical, .color(0)]),
    ]
  }

  @Test("every step that a plan has, and no other, in their order", arguments: ways.indices)
  func steps(way: Int) throws {
    let (format, filters, stored, expected) = Self.ways[way]
    let setup = try Setup(format, filters, to: stored)
    let probe = RenderProbe(for: setup.plan, on: setup.renderer)
    try setup.render(probe)
    #expect(probe.steps.map(\.step) == expected, "\(setup.plan)")
  }

  @Test("a deep picture's stages of colour one by one")
  func exactStages() throws {
    let setup = try Setup(.rgba16, [Exposure(stops: 0.4), Saturation(20)])
    let stages = setup.plan.stages.count { $0.isPointwise }
    #expect(stages > 2)
    let probe = RenderProbe(for: setup.plan, on: setup.renderer)
    try setup.render(probe)
    #expect(
      probe.steps.map(\.step)
        == [.load] + (0..<stages).map { .color($0) } + [.dither, .store])
  }

  @Test("and changes no sample", arguments: ways.indices)
  func samples(way: Int) throws {
    let (format, filters, stored, _) = Self.ways[way]
    let setup = try Setup(format, filters, to: stored)
    try setup.render(nil)
    let unmeasured = setup.bytes
    for y in 0..<setup.output.height { setup.output.row(y, as: UInt8.self).update(repeating: 7) }
    try setup.render(RenderProbe(for: setup.plan, on: setup.renderer))
    #expect(setup.bytes == unmeasured)
  }

  @Test("stages run one by one give what they give together")
  func separateStages() throws {
    let setup = try Setup(.rgbaF32, [Exposure(stops: 0.4), Saturation(20)], to: .rgbaF32)
    try setup.render(nil)
    let unmeasured = setup.bytes
    try setup.render(RenderProbe(for: setup.plan, on: setup.renderer))
    #expect(setup.bytes == unmeasured)
  }

  @Test("steps take no longer than the tiles that they are part of")
  func sums() throws {
    let setup = try Setup(.yuyv422, [Straighten(2), Saturation(20)])
    let probe = RenderProbe(for: setup.plan, on: setup.renderer)
    for _ in 0..<3 { try setup.render(probe) }
    let steps = probe.steps.reduce(0) { $0 + $1.seconds }
    #expect(steps > 0)
    #expect(steps <= probe.busySeconds.reduce(0, +) * 1.0001)
    #expect(probe.frames == 3)
    probe.reset()
    #expect(probe.steps.isEmpty && probe.spans.isEmpty && probe.frames == 0)
  }

  @Test("every tile of every frame once, and a thread has one at a time")
  func spans() throws {
    let setup = try Setup(.rgba8, [Straighten(2), Saturation(20)])
    let probe = RenderProbe(for: setup.plan, on: setup.renderer)
    let before = Timestamp.now
    for _ in 0..<3 { try setup.render(probe) }
    let spans = probe.spans
    let tiles =
      ((setup.plan.outputSize.width + 255) / 256) * ((setup.plan.outputSize.height + 63) / 64)
    for frame in 0..<3 {
      #expect(spans.filter { $0.frame == frame }.map(\.tile).sorted() == Array(0..<tiles))
    }
    for thread in 0..<2 {
      let own = spans.filter { $0.thread == thread }
      for (earlier, later) in zip(own, own.dropFirst()) { #expect(earlier.end <= later.begin) }
    }
    // The clocks were read one after the other.
    #expect(spans.allSatisfy { $0.begin <= $0.end && $0.begin.nanoseconds > before.nanoseconds - 1_000_000 })
  }

  @Test("the newest tiles where there is no room for all")
  func ring() throws {
    // One thread: a second may have no tile in the last frame, and keeps those of the first then.
    let setup = try Setup(.rgba8, [Saturation(20)], threads: 1)
    let probe = RenderProbe(for: setup.plan, on: setup.renderer, spansPerThread: 5)
    for _ in 0..<4 { try setup.render(probe) }
    let spans = probe.spans
    #expect(spans.count == 5)
    #expect(spans.contains { $0.frame == 3 } && !spans.contains { $0.frame == 0 })
  }

  @Test("a probe for a plan with fewer stages counts the others with its last")
  func otherPlan() throws {
    let simple = try Setup(.rgba8, [Exposure(stops: 1)])
    let setup = try Setup(.rgba16, [Exposure(stops: 0.4), Saturation(20)])
    let probe = RenderProbe(for: simple.plan, on: setup.renderer)
    try setup.render(probe)
    #expect(probe.steps.map(\.step) == [.load, .color(0), .dither, .store])
  }
}
