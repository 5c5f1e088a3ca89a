import LibraryTestSupport
import Safelight
import Testing

@testable import Backends

@Suite("The shape of a plan")
struct PlanShapeTests {
  private func shape(
    _ filters: [any Filter], _ format: PixelFormat = .rgba8,
    _ size: PixelSize = PixelSize(width: 64, height: 64),
    use: PlanShape.Use = .live
  ) throws -> String {
    PlanShape(
      try Plan(
        Recipe(filters: filters), input: PlanInput(size: size, format: format), output: PlanOutput()),
      use: use
    ).description
  }

  @Test("names what decides its speed: formats, size, sampling, colour and use")
  func text() throws {
    #expect(try shape([]) == "rgba8 2^12 straight plain rgba8 2^12 live")
    #expect(try shape([Exposure(stops: 1)]) == "rgba8 2^12 straight tables rgba8 2^12 live")
    #expect(try shape([Exposure(stops: 1), Saturation(10)]) == "rgba8 2^12 straight baked rgba8 2^12 live")
    #expect(try shape([Straighten(2)], .yuyv422) == "yuyv422 2^12 sharp plain rgba8 2^12 live")
    #expect(try shape([Rotate(.clockwise)]) == "rgba8 2^12 moved plain rgba8 2^12 live")
    #expect(try shape([Resize(longEdge: 16)]) == "rgba8 2^12 reduced-straight plain rgba8 2^8 live")
    #expect(try shape([Exposure(stops: 1)], .rgbaF32).hasPrefix("rgbaF32 2^12 straight chain rgba8"))
  }

  @Test("is the same for sizes that differ little, and another for twice the pixels")
  func sizes() throws {
    let hd = try shape([], .rgba8, PixelSize(width: 1920, height: 1080))
    #expect(hd.contains("rgba8 2^21 straight plain rgba8 2^21"))
    #expect(try shape([], .rgba8, PixelSize(width: 1920, height: 1200)) == hd)
    #expect(try shape([], .rgba8, PixelSize(width: 2560, height: 1440)) != hd)
    #expect(try shape([], .rgba8, PixelSize(width: 1, height: 1)).contains("2^0"))
  }

  @Test("is another where the output is smaller, such as a crop of few of the frame's pixels")
  func outputSize() throws {
    let size = PixelSize(width: 640, height: 400)
    let crop = try shape([Crop(.rectangle(x: 9, y: 9, width: 64, height: 40))], .rgba8, size)
    #expect(crop != (try shape([], .rgba8, size)))
    #expect(crop.contains("2^18") && crop.contains("2^11"), "\(crop)")
  }

  @Test("is another where two tables in turn stand for the colours")
  func pair() throws {
    let input = PlanInput(size: PixelSize(width: 8, height: 8))
    let before: [any Filter] = [
      Exposure(stops: 0.4), WhiteBalance(temperature: 5800, tint: 4), Contrast(15), Saturation(12),
    ]
    let renderer = CPURenderer()
    let shape = try PresetLibrary.ids.first { id in
      let look = try PresetLibrary.preset(id).recipe
      let plan = try renderer.plan(
        Recipe(filters: before + look.filters), input: input, output: PlanOutput())
      return PlanShape(plan, use: .live).description == "rgba8 2^6 straight pair rgba8 2^6 live"
    }
    #expect(shape != nil)
  }

  @Test("of a stored photo is known before its tables are baked")
  func stored() throws {
    let recipe = Recipe(filters: [Exposure(stops: 1), Saturation(10)])
    let input = PlanInput(size: PixelSize(width: 64, height: 64))
    let draft = try Plan(recipe, input: input, output: PlanOutput(), optimized: false)
    let plan = try Plan(recipe, input: input, output: PlanOutput())
    #expect(PlanShape(draft, use: .stored) == PlanShape(plan, use: .stored))
    #expect(PlanShape(draft, use: .live) != PlanShape(plan, use: .live))
  }
}
