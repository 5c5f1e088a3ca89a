import FilterGraph
import Filters
import FrameCore
import TestSupport
import Testing

@testable import Rendering

@Suite("Colour that plans share")
struct CompiledColorTests {
  private static let size = PixelSize(width: 96, height: 64)

  private func picture(_ format: PixelFormat) throws -> PixelBuffer {
    let picture = try PixelBuffer(
      size: Self.size, format: format,
      tags: format.isRGBA
        ? .sRGB : ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .limited))
    var random = SeededRandom(seed: 4)
    for plane in picture.planes {
      for y in 0..<plane.rows {
        let row = plane.row(y).assumingMemoryBound(to: UInt8.self)
        for x in 0..<plane.rowBytes { row[x] = UInt8.random(in: 16...235, using: &random) }
      }
    }
    return picture
  }

  private func bytes(_ picture: PixelBuffer) -> [UInt8] {
    let plane = picture.planes[0]
    let count = picture.width * 4
    return withExtendedLifetime(picture) {
      (0..<picture.height).flatMap {
        Array(UnsafeRawBufferPointer(start: UnsafeRawPointer(plane.row($0)), count: count))
      }
    }
  }

  private func plan(
    _ filters: [any Filter], _ format: PixelFormat, turned degrees: Float, _ bakes: BakeCache,
    output: PlanOutput = PlanOutput()
  ) throws -> Plan {
    let input = try PlanInput(picture(format))
    // As a stream's: the size stays, however the picture is turned.
    var output = output
    output.size = input.size
    return try Plan(
      Recipe(filters: filters + [Straighten(degrees)]), input: input, output: output, bakes: bakes)
  }

  @Test(
    "Plans that only turn the picture differently share one, and give the pixels of a renderer that knows no other",
    arguments: [PixelFormat.i420, .rgba8])
  func geometry(format: PixelFormat) throws {
    let (renderer, bakes) = (CPURenderer(threads: 1), BakeCache())
    let source = try picture(format)
    var inUse: CPUPlan?
    for step in 0..<8 {
      let plan = try plan(
        [Exposure(stops: 0.5), Saturation(30)], format, turned: 1 + 0.05 * Float(step), bakes)
      // A plan is in use until the next one is prepared.
      let prepared = withExtendedLifetime(inUse) { renderer.prepare(plan) }
      let alone = CPURenderer(threads: 1)
      let (shared, own) = (
        try PixelBuffer(size: plan.outputSize, format: .rgba8),
        try PixelBuffer(size: plan.outputSize, format: .rgba8)
      )
      try prepared.render(source, into: shared)
      try alone.prepare(plan).render(source, into: own)
      #expect(bytes(shared) == bytes(own), "step \(step)")
      inUse = prepared
    }
    #expect(withExtendedLifetime(inUse) { renderer.colors.made } == 1)
  }

  @Test("Another colour, another kind of samples and another format of the output have their own")
  func colors() throws {
    let (renderer, bakes) = (CPURenderer(threads: 1), BakeCache())
    var plans: [CPUPlan] = []
    func prepare(_ plan: Plan) { plans.append(renderer.prepare(plan)) }
    let filters: [any Filter] = [Exposure(stops: 0.5), Saturation(30)]
    prepare(try plan(filters, .i420, turned: 1, bakes))
    prepare(try plan([Exposure(stops: 0.6), Saturation(30)], .i420, turned: 1, bakes))
    #expect(renderer.colors.made == 2)
    // Without a turn, samples keep their format until colour.
    prepare(try plan(filters, .rgba8, turned: 0, bakes))
    #expect(renderer.colors.made == 3)
    var deep = PlanOutput()
    deep.format = .rgba16
    prepare(try plan(filters, .rgba8, turned: 1, bakes, output: deep))
    #expect(renderer.colors.made == 4)
    prepare(try plan(filters, .i420, turned: 2, bakes))
    #expect(renderer.colors.made == 4, "the first one is still in use")
    withExtendedLifetime(plans) { #expect(plans.count == 5) }
  }

  @Test("A colour that no plan uses any more is not kept")
  func lifetime() throws {
    let colors = CompiledColors()
    let key = CompiledColor.Key(
      stages: [], sampledFormat: .rgba8, outputFormat: .rgba8, dithers: false, pixels: 1)
    weak var forgotten: CompiledColor?
    do {
      let first = colors.color(for: key)
      #expect(colors.color(for: key) === first)
      forgotten = first
    }
    #expect(forgotten == nil)
    _ = colors.color(for: key)
    #expect(colors.made == 2)
  }

  @Test("Plans of equal colour that are prepared on many threads at once share it")
  func threads() throws {
    let colors = CompiledColors()
    let key = CompiledColor.Key(
      stages: [], sampledFormat: .rgba8, outputFormat: .rgba8, dithers: false, pixels: 1)
    let first = colors.color(for: key)
    ThreadTeam(name: "colour", threads: 4).run(200) { _ in
      #expect(colors.color(for: key) === first)
    }
    #expect(colors.made == 1)
  }
}
