import FilterGraph
import Filters
import FrameCore
import RendererTestSupport
import Rendering
import TestSupport
import Testing

/// A window on the screen gets the pixels that the whole picture would have there, and what is kept from one edit to the
/// next changes none of them.
@Suite("Regions of a plan's output")
struct RegionTests {
  struct Case: Sendable, CustomStringConvertible {
    let description: String
    var format = PixelFormat.rgba8
    var alpha = AlphaMode.opaque
    var size = PixelSize(width: 403, height: 301)
    var maximum: PixelSize?
    let filters: [any Filter]
  }

  static let cases = [
    Case(description: "as stored", filters: []),
    Case(description: "colours", filters: [Exposure(stops: 0.4), Contrast(30)]),
    Case(description: "turned", filters: [Rotate(.clockwise), Flip(.horizontal), Saturation(20)]),
    Case(description: "straightened", filters: [Straighten(2.5), Exposure(stops: 0.4)]),
    Case(
      description: "smaller", maximum: PixelSize(width: 150, height: 150), filters: [Exposure(stops: -0.4)]),
    Case(
      description: "smaller and straightened", maximum: PixelSize(width: 150, height: 150),
      filters: [Straighten(-3), Exposure(stops: 0.4), Saturation(-20)]),
    Case(
      description: "smaller, straightened and sharpened, with light and grain",
      maximum: PixelSize(width: 180, height: 180),
      filters: [
        Straighten(4), Tone(highlights: -50, shadows: 40), Vignette(amount: -40), Grain(50), Sharpen(80),
      ]),
    Case(
      description: "sharpened at full size", filters: [Exposure(stops: 0.2), Sharpen(60)]),
    Case(
      description: "without noise, smaller and straightened", maximum: PixelSize(width: 150, height: 150),
      filters: [NoiseReduction(luminance: 60, color: 60), Straighten(3), Exposure(stops: 0.3)]),
    Case(
      description: "without noise", filters: [NoiseReduction(luminance: 60, color: 60), Exposure(stops: 0.3)]),
    Case(
      description: "16 bits, smaller and straightened", format: .rgba16,
      maximum: PixelSize(width: 150, height: 150), filters: [Straighten(-3), Exposure(stops: 0.4)]),
    Case(
      description: "transparent corners", alpha: .straight, maximum: PixelSize(width: 150, height: 150),
      filters: [Straighten(10, corners: .keep), Exposure(stops: 0.4), Sharpen(50)]),
  ]

  @Test("have the pixels of the whole picture", arguments: cases, ["cpu", "reference"])
  func region(_ tested: Case, _ name: String) throws {
    let renderer: any Renderer = name == "cpu" ? CPURenderer() : ReferenceRenderer()
    var random = SeededRandom(seed: 91)
    let source = try RandomPicture.noise(
      tested.size, tested.format, alpha: tested.alpha, using: &random)
    let plan = try renderer.plan(
      Recipe(filters: tested.filters), input: PlanInput(source),
      output: PlanOutput(maximumSize: tested.maximum))
    let prepared = try renderer.prepare(plan)
    let whole = try renderer.render(source, through: plan)
    let picture = try prepared.picture(of: source)
    for region in regions(of: plan.outputSize) {
      let part = try PixelBuffer(
        size: PixelSize(width: region.columns.count, height: region.rows.count), format: plan.output.format,
        alpha: plan.outputAlpha)
      try picture.render(region, of: plan, into: part)
      #expect(differences(part, whole, at: region) == 0, "\(region)")
    }
  }

  @Test("are the same from what is kept of an earlier edit", arguments: cases)
  func kept(_ tested: Case) throws {
    let renderer = CPURenderer()
    var random = SeededRandom(seed: 92)
    let source = try RandomPicture.noise(
      tested.size, tested.format, alpha: tested.alpha, using: &random)
    let kept = SampledPictures()
    for extra in [0, 0.3, -0.2] as [Float] {
      let filters = tested.filters + (extra == 0 ? [] : [Exposure(stops: extra)])
      let plan = try renderer.plan(
        Recipe(filters: filters), input: PlanInput(source), output: PlanOutput(maximumSize: tested.maximum))
      let whole = try renderer.render(source, through: plan)
      let bands = try #require(renderer.prepare(plan).bands)
      let again = try plan.makeOutput()
      let region = Region(columns: 0..<plan.outputSize.width, rows: 0..<plan.outputSize.height)
      try bands.prepare(source, keeping: kept).render(region, of: plan, into: again)
      #expect(differences(again, whole, at: region) == 0, "\(extra)")
      #expect((kept.bytes > 0) == plan.readsWholeSource)
    }
  }

  @Test("have no noise where they are looked at, one after another")
  func denoised() throws {
    let renderer = CPURenderer()
    var random = SeededRandom(seed: 93)
    let source = try RandomPicture.noise(PixelSize(width: 1300, height: 700), .rgba8, using: &random)
    let kept = SampledPictures()
    for filters in [
      [NoiseReduction(luminance: 60, color: 60), Exposure(stops: 0.3)],
      [NoiseReduction(luminance: 60, color: 60), Straighten(4), Sharpen(50)],
      [NoiseReduction(luminance: 60, color: 60), Rotate(.clockwise)],
    ] as [[any Filter]] {
      let plan = try renderer.plan(
        Recipe(filters: filters), input: PlanInput(source), output: PlanOutput())
      let whole = try renderer.render(source, through: plan)
      let bands = try #require(renderer.prepare(plan).bands)
      let picture = try bands.prepare(source, keeping: kept)
      for region in regions(of: plan.outputSize).reversed() {
        let part = try PixelBuffer(
          size: PixelSize(width: region.columns.count, height: region.rows.count), format: .rgba8)
        try picture.render(region, of: plan, into: part)
        #expect(differences(part, whole, at: region) == 0, "\(region)")
      }
    }
  }

  @Test("that do not fit are refused")
  func misfits() throws {
    let renderer = CPURenderer()
    let plan = try Plan(
      Recipe(), input: PlanInput(size: PixelSize(width: 40, height: 30)), output: PlanOutput())
    let source = try PixelBuffer(size: plan.input.size, format: .rgba8)
    let picture = try renderer.prepare(plan).picture(of: source)
    let region = Region(columns: 30..<41, rows: 0..<10)
    let buffer = try PixelBuffer(size: PixelSize(width: 11, height: 10), format: .rgba8)
    #expect(
      message { try picture.render(region, of: plan, into: buffer) }
        == "columns 30..<41, rows 0..<10 are not all in the plan's output; ask for columns in 0..<40 and rows in 0..<30."
    )
    let inside = Region(columns: 29..<40, rows: 0..<9)
    #expect(
      message { try picture.render(inside, of: plan, into: buffer) }
        == "A buffer of 11×10 rgba8 does not hold 11×9 rgba8; make one of this size, of the plan's format.")
  }

  private func regions(of size: PixelSize) -> [Region] {
    let (w, h) = (size.width, size.height)
    return [
      Region(columns: 0..<w, rows: 0..<h), Region(columns: 0..<1, rows: 0..<1),
      Region(columns: w - 1..<w, rows: h - 1..<h),
      Region(columns: w / 3..<w / 3 + 37, rows: h / 4..<h / 4 + 29),
      Region(columns: 5..<w, rows: h / 2..<h / 2 + 1),
    ]
  }

  /// Returns the number of bytes in which a part differs from its place in the whole.
  private func differences(_ part: PixelBuffer, _ whole: PixelBuffer, at region: Region) -> Int {
    let bytes = part.format.planes[0].rowBytes(width: part.width)
    let pixel = bytes / part.width
    var count = 0
    for y in 0..<part.height {
      let own = part.planes[0].row(y).assumingMemoryBound(to: UInt8.self)
      let other =
        (whole.planes[0].row(region.rows.lowerBound + y) + region.columns.lowerBound * pixel)
        .assumingMemoryBound(to: UInt8.self)
      for x in 0..<bytes where own[x] != other[x] { count += 1 }
    }
    return count
  }
}
