import FilterGraph
import Filters
import FrameCore
import RendererTestSupport
import TestSupport
import Testing

@testable import Rendering

/// A picture that is downsampled as its rows come is that which is downsampled as a whole.
@Suite("Downsampling row by row")
struct RowDownsamplingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var size: PixelSize
    var format = PixelFormat.rgba8
    var alpha = AlphaMode.opaque
    var filters: [any Filter]
    /// The number of rows passed at a time.
    var rows: Int

    var testDescription: String {
      "\(size) \(format.rawValue), \(alpha.rawValue), \(filters.count) filters, \(rows) rows at a time"
    }
  }

  static let cases = [
    Case(size: PixelSize(width: 90, height: 70), filters: [Resize(longEdge: 31)], rows: 16),
    Case(size: PixelSize(width: 90, height: 70), filters: [Resize(longEdge: 31)], rows: 1),
    Case(size: PixelSize(width: 61, height: 133), filters: [Straighten(3), Resize(longEdge: 50)], rows: 7),
    // Most of the rows are cut off, above and below.
    Case(
      size: PixelSize(width: 80, height: 200),
      filters: [Crop(.proportions(width: 2, height: 1)), Resize(longEdge: 20)], rows: 16),
    Case(
      size: PixelSize(width: 57, height: 66), format: .rgba16, alpha: .straight,
      filters: [Resize(longEdge: 40)], rows: 5),
    // More rows at a time than several threads take, of more than one output row's.
    Case(size: PixelSize(width: 40, height: 333), filters: [Resize(longEdge: 100)], rows: 150),
    Case(size: PixelSize(width: 300, height: 3), filters: [Resize(longEdge: 20)], rows: 2),
  ]

  @Test("Every pixel is the same, however many threads there are", arguments: cases, [1, 3])
  func equality(example: Case, threads: Int) throws {
    var random = SeededRandom(seed: UInt64(example.size.width))
    let picture = try RandomPicture.noise(
      example.size, example.format, alpha: example.alpha, using: &random)
    let renderer = CPURenderer(threads: threads)
    let prepared = try renderer.prepare(
      renderer.plan(
        Recipe(filters: example.filters),
        input: PlanInput(size: example.size, format: example.format, alpha: example.alpha),
        output: PlanOutput(format: example.format)))
    let downsampling = try #require(try prepared.makeDownsampling())
    let band = try PixelBuffer(
      size: PixelSize(width: example.size.width, height: example.rows), format: example.format,
      alpha: example.alpha)
    let rowBytes = example.format.rgbaBytes * example.size.width
    while downsampling.position < example.size.height {
      let count = min(example.rows, example.size.height - downsampling.position)
      for y in 0..<count {
        band.planes[0].row(y).copyMemory(
          from: picture.planes[0].row(downsampling.position + y), byteCount: rowBytes)
      }
      try downsampling.append(band, rows: count)
    }
    let streamed = try downsampling.finishedPicture()
    let whole = try prepared.downsampled(picture)
    #expect(streamed.size == whole.size && streamed.format == whole.format)
    for y in 0..<whole.height {
      #expect(Array(streamed.row(y, as: UInt16.self)) == Array(whole.row(y, as: UInt16.self)), "row \(y)")
    }
  }

  @Test("Rows that do not fit, and too few of them, are refused")
  func misfits() throws {
    let size = PixelSize(width: 40, height: 30)
    let renderer = CPURenderer(threads: 1)
    let plan = try renderer.plan(
      Recipe(filters: [Resize(longEdge: 10)]), input: PlanInput(size: size), output: PlanOutput())
    let downsampling = try #require(try renderer.prepare(plan).beginDownsampling())
    let narrow = try PixelBuffer(size: PixelSize(width: 39, height: 8), format: .rgba8)
    let error = #expect(throws: SafelightError.self) { try downsampling.append(narrow, rows: 8) }
    #expect(
      error?.description
        == "8 rows of 39×8 rgba8 do not follow row 0 of 40×30 rgba8; pass the rows of the picture that the plan is for."
    )
    let band = try PixelBuffer(size: PixelSize(width: 40, height: 16), format: .rgba8)
    try downsampling.append(band, rows: 16)
    #expect(throws: SafelightError.self) { try downsampling.append(band, rows: 16) }
    let missing = #expect(throws: SafelightError.self) { _ = try downsampling.finish() }
    #expect(missing?.description == "Only 16 of 30 rows were passed; pass all of them.")
    let same = try renderer.prepare(
      renderer.plan(Recipe(), input: PlanInput(size: size), output: PlanOutput()))
    #expect(try same.beginDownsampling() == nil)
  }
}
