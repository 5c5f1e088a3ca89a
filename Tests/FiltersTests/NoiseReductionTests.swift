import FrameCore
import Testing

@testable import FilterGraph
@testable import Filters

@Suite("Noise reduction, as a filter")
struct NoiseReductionTests {
  private func plan(_ filters: [any Filter], _ input: PlanInput, size: PixelSize? = nil) throws -> Plan {
    try Plan(Recipe(filters: filters), input: input, output: PlanOutput(size: size))
  }

  private let size = PixelSize(width: 800, height: 600)

  @Test("is absent from the plan where it is neutral, whatever its details")
  func neutral() throws {
    let filter = NoiseReduction(luminance: 0, luminanceDetail: 0, color: 0, colorDetail: 100)
    #expect(try plan([filter], PlanInput(size: size)).stages.isEmpty)
  }

  @Test("comes first, wherever it stands in the recipe, and right behind the conversion of camera samples")
  func first() throws {
    let filters: [any Filter] = [Straighten(2), Exposure(stops: 0.5), NoiseReduction(luminance: 40)]
    for order in [Recipe.Order.canonical, .listed] {
      let recipe = Recipe(order: order, filters: filters)
      let output = PlanOutput(size: PixelSize(width: 200, height: 150))
      let still = try Plan(recipe, input: PlanInput(size: size), output: output)
      #expect(
        still.stages.prefix(3).map(\.kindName) == ["denoise", "downsample", "geometry"], "\(still)")
      let camera = try Plan(recipe, input: PlanInput(size: size, format: .nv12), output: output)
      #expect(camera.stages.prefix(3).map(\.kindName) == ["ycbcr", "denoise", "downsample"], "\(camera)")
    }
  }

  @Test("takes the picture's noise, or a typical one, and says so in the plan")
  func level() throws {
    var input = PlanInput(size: size)
    let filter = NoiseReduction(luminance: 40, color: 25, colorDetail: 70)
    #expect(try plan([filter], input).denoising?.noise == .typical)
    input.statistics.noise = NoiseLevel(deviation: 10.0 / 255)
    let plan = try plan([filter], input)
    #expect(
      plan.description.contains("luminance 40 colour 25 detail 70 · noise 10.0/255"), "\(plan)")
  }

  @Test("twice removes what once leaves")
  func twice() throws {
    let filters = [NoiseReduction(luminance: 50, color: 20), NoiseReduction(luminance: 50)]
    let denoising = try plan(filters, PlanInput(size: size)).denoising
    #expect(denoising?.luminance == 0.75 && abs((denoising?.color ?? 0) - 0.2) < 1e-9)
  }

  @Test("of half a strength removes half as much, and knows the same detail")
  func strength() {
    let filter = NoiseReduction(luminance: 60, luminanceDetail: 30, color: 80, colorDetail: 10)
    #expect(
      filter.scaled(by: 0.5)
        == NoiseReduction(luminance: 30, luminanceDetail: 30, color: 40, colorDetail: 10))
  }

  @Test("needs the pixels around one, and the source rows around a band")
  func footprint() throws {
    let plan = try plan([NoiseReduction(luminance: 100)], PlanInput(size: size))
    #expect(plan.stages.first?.footprint == .halo(x: 14, y: 14))
    let part = plan.sourceRegion(for: Region(columns: 100..<110, rows: 0..<50))
    #expect(part == Region(columns: 86..<124, rows: 0..<64))
  }
}
