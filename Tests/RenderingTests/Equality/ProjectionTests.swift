import FilterGraph
import Filters
import FrameCore
import RendererTestSupport
import TestSupport
import Testing

@testable import Rendering

@Suite("Projections")
struct ProjectionTests {
  @Test("agree with the reference, alone and with other geometry", arguments: 0..<84)
  func agree(seed: Int) throws {
    let example = try EqualityCases.projection(seed: seed)
    let difference = try example.difference(of: CPURenderer(threads: 2))
    #expect(difference.value <= example.bound, "seed \(seed): \(difference), \(example)")
  }

  @Test("leave fields and masks where they are", arguments: [PixelFormat.rgba8, .rgbaF32, .nv12])
  func places(format: PixelFormat) throws {
    for example in try EqualityCases.projectedFields(format) {
      let difference = try example.difference(of: CPURenderer(threads: 2))
      #expect(difference.value <= example.bound, "\(difference), \(example)")
    }
  }

  @Test("are the same in every tile and part, bit for bit")
  func parts() throws {
    var random = SeededRandom(seed: 8500)
    let source = try RandomPicture.noise(PixelSize(width: 700, height: 300), .rgba8, using: &random)
    let recipe = Recipe {
      Perspective(.places([SIMD2(0.1, 0.05), SIMD2(0.8, 0.1), SIMD2(0.95, 0.9), SIMD2(0, 0.8)]))
      Clarity(40)
    }
    try expectSameInBands(recipe, source)
  }

  @Test("show the corners of a page in the corners of the result")
  func page() throws {
    // A page of four colours, seen from the side by an exact camera.
    let page = try #require(
      Projection(width: 210, height: 297, onto: [(90, 40), (260, 70), (240, 280), (60, 230)]))
    let inverse = page.inverse
    let source = try PixelBuffer(size: PixelSize(width: 320, height: 300), format: .rgba8)
    for y in 0..<300 {
      let row = source.row(y, as: UInt8.self)
      for x in 0..<320 {
        let place = inverse.apply(Double(x) + 0.5, Double(y) + 0.5)
        let isPage = (0...210).contains(place.x) && (0...297).contains(place.y)
        let color: [UInt8] =
          isPage ? [place.x < 105 ? 255 : 0, place.y < 148.5 ? 255 : 0, 60, 255] : [128, 128, 128, 255]
        for channel in 0..<4 { row[4 * x + channel] = color[channel] }
      }
    }
    let corners = [(90.0, 40.0), (260, 70), (240, 280), (60, 230)].map { SIMD2($0.0 / 320, $0.1 / 300) }
    let recipe = Recipe { Perspective(.places(corners), proportions: .ratio(width: 210, height: 297)) }
    let plan = try Plan(recipe, input: PlanInput(size: source.size), output: PlanOutput())
    let made = try CPURenderer().render(source, through: plan)
    #expect(abs(Double(made.width) / Double(made.height) - 210.0 / 297) < 0.01)
    let (w, h) = (made.width, made.height)
    for (x, y) in [(w / 4, h / 4), (3 * w / 4, h / 4), (w / 4, 3 * h / 4), (3 * w / 4, 3 * h / 4)] {
      let row = made.row(y, as: UInt8.self)
      let expected = [x < w / 2 ? 255 : 0, y < h / 2 ? 255 : 0, 60]
      for channel in 0..<3 { #expect(abs(Int(row[4 * x + channel]) - expected[channel]) <= 2, "\(x), \(y)") }
    }
  }
}
