import FilterGraph
import Filters
import FrameCore
import RendererTestSupport
import TestSupport
import Testing

@testable import Rendering

/// A picture of which a window of rows is in memory becomes what the whole picture does.
@Suite("Windows of rows")
struct RowWindowTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let size: PixelSize
    var format = PixelFormat.rgba8
    var alpha = AlphaMode.opaque
    var orientation = Orientation.up
    /// Rows that are decoded at a time, and rows of a band of the output.
    var step = 16
    var bandRows = 64
    let filters: [any Filter]

    init(
      _ description: String, _ width: Int, _ height: Int, format: PixelFormat = .rgba8,
      alpha: AlphaMode = .opaque, orientation: Orientation = .up, step: Int = 16, bandRows: Int = 64,
      _ filters: any Filter...
    ) {
      testDescription = description
      size = PixelSize(width: width, height: height)
      (self.format, self.alpha, self.orientation) = (format, alpha, orientation)
      (self.step, self.bandRows, self.filters) = (step, bandRows, filters)
    }
  }

  static let cases = [
    Case("colour only", 37, 801, Exposure(stops: 0.4)),
    Case("turned clockwise, odd bands", 300, 801, bandRows: 37, Straighten(2)),
    Case("turned the other way, with colours", 301, 800, Straighten(-3), Contrast(20)),
    Case("turned far", 90, 1100, step: 64, Straighten(25)),
    Case("empty corners above and below", 280, 777, Straighten(4, corners: .keep)),
    Case("mirrored", 61, 803, Flip(.horizontal)),
    Case("rows from the middle", 50, 900, Crop(.rectangle(x: 3, y: 500, width: 40, height: 390))),
    Case("16 bits with alpha", 270, 640, format: .rgba16, alpha: .straight, Straighten(1), Saturation(30)),
    Case("enlarged", 120, 700, Resize(longEdge: 900)),
    Case(
      "a group under a mask, turned", 400, 801, bandRows: 37, Straighten(2),
      Group(EqualityCases.masks[6], filters: [Exposure(stops: 0.7), Saturation(20)])),
    Case("by four rows", 40, 650, step: 4, bandRows: 16, Straighten(-1.5)),
    // Columns first: the kernel is sheared along the rows of the photo.
    Case(
      "on its left side, turned far", 700, 1000, orientation: .left, Straighten(14.9),
      Crop(.rectangle(x: 200, y: 10, width: 50, height: 400))),
    Case(
      "on its right side, turned far", 700, 1000, orientation: .right, Straighten(-14.9),
      Crop(.rectangle(x: 200, y: 10, width: 50, height: 400))),
    Case(
      "mirrored on its left side, turned far", 700, 1000, orientation: .leftMirrored, Straighten(14.9),
      Crop(.rectangle(x: 200, y: 10, width: 50, height: 400))),
    Case(
      "mirrored on its right side, turned far", 700, 1000, orientation: .rightMirrored, Straighten(-14.9),
      Crop(.rectangle(x: 200, y: 10, width: 50, height: 400))),
    Case(
      "mirrored, with empty corners far outside", 900, 2400, orientation: .upMirrored,
      Straighten(14, corners: .keep)),
  ]

  /// - Parameter ahead: rows that are decoded before the first ones are shown, where there is room.
  @Test("Every pixel is the same", arguments: cases, [0, 300, 2000])
  func equality(example: Case, ahead: Int) throws {
    var random = SeededRandom(seed: UInt64(example.size.width))
    let picture = try RandomPicture.noise(example.size, example.format, alpha: example.alpha, using: &random)
    let renderer = CPURenderer()
    let recipe = Recipe(filters: example.filters)
    let input = PlanInput(
      size: example.size, format: example.format, orientation: example.orientation, alpha: example.alpha)
    let output = PlanOutput(format: example.format)
    let prepared = try renderer.prepare(renderer.plan(recipe, input: input, output: output))
    let plan = prepared.plan
    // Rendered in the same bands: kernels may round places by where a tile begins.
    let whole = try prepared.picture(of: picture)

    // As it is used: the window is made before the colours are planned.
    let draft = try Plan(recipe, input: input, output: output, optimized: false)
    let shape = try #require(RowWindow.Shape(draft, bandRows: example.bandRows))
    #expect(shape.rowsInMemory < example.size.height)
    let rowBytes = example.format.rgbaBytes * example.size.width
    let window = try RowWindow(shape, for: draft, bytesAhead: rowBytes * ahead)
    var position = 0
    func decode() {
      let next = position..<min(position + example.step, example.size.height)
      let place = window.place(for: next)
      for y in next {
        place.planes[0].row(y - position).copyMemory(from: picture.planes[0].row(y), byteCount: rowBytes)
      }
      window.complete(next)
      position = next.upperBound
    }
    func mayDecode(needing first: Int) -> Bool {
      guard position < example.size.height else { return false }
      return window.begin(position..<min(position + example.step, example.size.height)) <= first
    }
    while position < ahead, mayDecode(needing: 0) { decode() }
    window.fixRowCount()
    #expect(window.rows >= position)
    let source = try prepared.prepare(window)
    let band = try PixelBuffer(
      size: PixelSize(width: plan.outputSize.width, height: example.bandRows), format: example.format,
      alpha: plan.outputAlpha)
    let expected = try PixelBuffer(size: band.size, format: example.format, alpha: plan.outputAlpha)
    let outputBytes = example.format.rgbaBytes * plan.outputSize.width
    for top in stride(from: 0, to: plan.outputSize.height, by: example.bandRows) {
      let rows = top..<min(top + example.bandRows, plan.outputSize.height)
      let needed = plan.sourceRows(for: rows, margin: .processor)
      // As far ahead as the window allows: nothing that is still needed may be lost.
      while mayDecode(needing: needed.lowerBound) { decode() }
      #expect(position >= needed.upperBound)
      try source.render(rows: rows, into: band)
      try whole.render(rows: rows, into: expected)
      for y in rows {
        let isSame = UnsafeRawBufferPointer(start: band.planes[0].row(y - top), count: outputBytes)
          .elementsEqual(UnsafeRawBufferPointer(start: expected.planes[0].row(y - top), count: outputBytes))
        #expect(isSame, "row \(y)")
        guard isSame else { return }
      }
    }
  }

  @Test(
    "What tiles copy lies in the rows and columns that a window and a part keep for them",
    arguments: Orientation.allCases, Interpolation.allCases)
  func reach(orientation: Orientation, interpolation: Interpolation) throws {
    var random = SeededRandom(seed: 11)
    let angles: [Float] = [-45, -30, -15, -14.9, -13.6, -7, -0.3, 0.3, 2, 13.6, 14.9, 15, 44]
    for angle in angles {
      for corners in [Straighten.Corners.crop, .keep] {
        let size = PixelSize(
          width: Int.random(in: 500...900, using: &random), height: Int.random(in: 500...900, using: &random))
        var filters: [any Filter] = [Straighten(angle, corners: corners)]
        // At an odd place, so that tiles lie anywhere among the samples.
        filters.append(
          Crop(
            .rectangle(
              x: Int.random(in: 0...100, using: &random), y: Int.random(in: 0...100, using: &random),
              width: Int.random(in: 20...150, using: &random),
              height: Int.random(in: 100...150, using: &random))))
        let plan = try Plan(
          Recipe(filters: filters), input: PlanInput(size: size, orientation: orientation),
          output: PlanOutput(interpolation: interpolation))
        let geometry = try #require(plan.geometry)
        let plane = SampledPlane(SampleGrid(geometry), width: size.width, height: size.height)
        for top in stride(from: 0, to: plan.outputSize.height, by: 37) {
          let rows = top..<min(top + TileScratch.height, plan.outputSize.height)
          for left in stride(from: 0, to: plan.outputSize.width, by: 41) {
            let columns = left..<min(left + TileScratch.width, plan.outputSize.width)
            let window = plane.window(columns: columns, rows: rows)
            let copied = plane.order == .columnsFirst ? window.turned : window
            func inside(_ first: Int, _ count: Int, of edge: Int) -> ClosedRange<Int> {
              min(max(first, 0), edge - 1)...min(max(first + count - 1, 0), edge - 1)
            }
            let (y, x) = (
              inside(copied.y, copied.height, of: size.height), inside(copied.x, copied.width, of: size.width)
            )
            let region = Region(columns: columns, rows: rows)
            let kept = plan.sourceRegion(for: region, margin: .processor).rows
            let remark: Comment =
              "\(angle)°, \(size), tile at \(left), \(top): rows \(y) of \(kept), columns \(x)"
            #expect(kept.contains(y.lowerBound) && kept.contains(y.upperBound), remark)
            #expect(kept.upperBound <= size.height, remark)
            let keptColumns = plan.sourceRegion(for: region, margin: .processor).columns
            #expect(keptColumns.contains(x.lowerBound) && keptColumns.contains(x.upperBound), remark)
            #expect(
              kept.count
                <= plan.mostSourceRows(
                  forTile: PixelSize(width: columns.count, height: rows.count), margin: .processor), remark)
          }
        }
      }
    }
  }

  @Test(
    "Rows that are not shown in their order, or nearly all at once, make no window",
    arguments: [
      [Flip(.vertical)], [Rotate(.clockwise)], [Straighten(40)], [Resize(longEdge: 100)],
    ] as [[any Filter]])
  func none(filters: [any Filter]) throws {
    let plan = try Plan(
      Recipe(filters: filters), input: PlanInput(size: PixelSize(width: 600, height: 800)),
      output: PlanOutput())
    #expect(RowWindow.Shape(plan, bandRows: 64) == nil)
  }

  @Test("Twelve megapixels turned by two degrees need a ninth of their rows")
  func size() throws {
    let plan = try Plan(
      Recipe(filters: [Straighten(2)]), input: PlanInput(size: PixelSize(width: 4000, height: 3000)),
      output: PlanOutput())
    let shape = try #require(RowWindow.Shape(plan, bandRows: 64))
    // 4000 · sin 2° are 140 rows; a band, the next one, what is being decoded, and what a tile shows.
    #expect(shape.rowsInMemory <= 140 + 3 * 64 + 64 + 90)
  }

  @Test("A window of another plan is refused, and a renderer that wants whole pictures takes none")
  func misfits() throws {
    let input = PlanInput(size: PixelSize(width: 60, height: 800))
    func plan(_ filters: [any Filter]) throws -> Plan {
      try Plan(Recipe(filters: filters), input: input, output: PlanOutput())
    }
    let straight = try plan([])
    let window = try RowWindow(try #require(RowWindow.Shape(straight, bandRows: 64)), for: straight)
    let renderer = CPURenderer(threads: 1)
    let turned = renderer.prepare(try plan([Straighten(1)]))
    let error = #expect(throws: SafelightError.self) { try turned.prepare(window) }
    #expect(error?.description == "The window of rows was made for another plan; make one for this plan.")
    let reference = ReferenceRenderer()
    #expect(!reference.takesRows && renderer.takesRows)
    #expect(reference.prepare(straight).rows == nil && turned.rows != nil)
  }
}

/// A picture of which a rectangle is in memory becomes what the whole picture does, in the rows that show no more.
@Suite("Parts of pictures")
struct PicturePartTests {
  static let cases: [[any Filter]] = [
    [Rotate(.clockwise)], [Rotate(.halfTurn), Exposure(stops: 0.5)], [Flip(.vertical), Straighten(3)],
    [Rotate(.counterclockwise), Straighten(-2)], [Straighten(38)], [Straighten(30, corners: .keep)],
  ]

  @Test("Every pixel is the same", arguments: cases.indices, [PixelFormat.rgba8, .rgba16])
  func equality(index: Int, format: PixelFormat) throws {
    var random = SeededRandom(seed: 7)
    let size = PixelSize(width: 331, height: 257)
    let picture = try RandomPicture.noise(size, format, using: &random)
    let renderer = CPURenderer()
    let prepared = try renderer.prepare(
      renderer.plan(
        Recipe(filters: Self.cases[index]), input: PlanInput(size: size, format: format),
        output: PlanOutput(format: format)))
    let plan = prepared.plan
    let whole = try prepared.picture(of: picture)
    func makeOutput() throws -> PixelBuffer {
      try PixelBuffer(size: plan.outputSize, format: format, alpha: plan.outputAlpha)
    }
    let (output, expected) = (try makeOutput(), try makeOutput())
    var smallest = Int.max
    for top in stride(from: 0, to: plan.outputSize.height, by: 50) {
      let rows = top..<min(top + 50, plan.outputSize.height)
      let part = try PicturePart(for: plan, showing: rows)
      smallest = min(smallest, part.rows.count * part.columns.count)
      // As decoders bring it: some rows at a time, also those of which nothing is needed.
      for first in stride(from: 0, to: size.height, by: 16) {
        let count = min(16, size.height - first)
        part.take(picture.band(rows: first..<first + count), rows: count, from: first)
      }
      let band = output.band(rows: rows)
      try prepared.picture(of: part.picture).render(rows: rows, into: band)
      try whole.render(rows: rows, into: expected.band(rows: rows))
    }
    #expect(smallest < size.pixelCount * 3 / 4)
    let rowBytes = format.rgbaBytes * plan.outputSize.width
    for y in 0..<plan.outputSize.height {
      let isSame = UnsafeRawBufferPointer(start: output.planes[0].row(y), count: rowBytes)
        .elementsEqual(UnsafeRawBufferPointer(start: expected.planes[0].row(y), count: rowBytes))
      #expect(isSame, "row \(y)")
    }
  }
}
