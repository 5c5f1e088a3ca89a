import Filters
import FrameCore
import RendererTestSupport
import TestSupport
import Testing

@testable import FilterGraph
@testable import Rendering

/// Which part of the source a part of the result is made of, tried by changing all the rest of the source.
@Suite("Parts of the source")
struct SourceRegionTests {
  static let formats: [PixelFormat] = [
    .rgbaF32, .rgbaF32, .rgba8, .gray8, .yuyv422, .uyvy422, .nv12, .nv21, .nv16, .i420, .i422, .i444,
  ]

  /// The largest difference in some pixels of two pictures; what is NaN in one alone differs.
  static func difference(_ a: PixelBuffer, _ b: PixelBuffer, columns: Range<Int>, rows: Range<Int>) -> Double
  {
    var worst = 0.0
    for y in rows {
      for x in columns {
        for channel in 0..<4 {
          let (first, second) = (RandomPicture.get(a, x, y, channel), RandomPicture.get(b, x, y, channel))
          if first.isNaN != second.isNaN { return .infinity }
          worst = max(worst, first.isNaN ? 0 : abs(first - second))
        }
      }
    }
    return worst
  }

  private func rendered(_ source: PixelBuffer, _ plan: Plan, rows: Range<Int>, _ renderer: some Renderer)
    throws
    -> PixelBuffer
  {
    let prepared = try renderer.prepare(plan)
    let output = try PixelBuffer(
      size: PixelSize(width: plan.outputSize.width, height: rows.count), format: plan.output.format,
      alpha: plan.outputAlpha)
    try prepared.picture(of: source).render(rows: rows, into: output)
    return output
  }

  @Test("The reference needs nothing outside of the part, and all of it but a few pixels", arguments: 0..<24)
  func reference(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    var (tried, tight) = (0, 0)
    while tried < 6 {
      guard let example = try RandomPlan(Self.formats, edges: 2...22, using: &random) else { continue }
      tried += 1
      let (plan, source) = (example.plan, example.source)
      let region = example.region(using: &random)
      let needed = plan.sourceRegion(for: region)
      let renderer = ReferenceRenderer()
      let expected = try rendered(source, plan, rows: region.rows, renderer)
      func change(keeping kept: Region) throws -> Double {
        Self.difference(
          try rendered(source.poisoned(outside: kept), plan, rows: region.rows, renderer), expected,
          columns: region.columns, rows: 0..<region.rows.count)
      }
      // Of whole pixels of a camera, taps beside their own sample weigh 1e-17.
      let remark: Comment = "\(example)\(region) of \(needed)"
      #expect(try change(keeping: needed) <= (plan.input.ycbcr == nil ? 0 : 1e-5), remark)

      // Places outside of the picture show nothing of it, and noise of 8 bits may be the same by chance.
      guard !example.opensCorners, plan.input.format == .rgbaF32 else { continue }
      let slack = plan.downsamples ? 3 * plan.downsamplingFactor : 3
      for less in needed.smaller(by: slack, in: plan.input.size) {
        #expect(try change(keeping: less) > 0, "\(remark.rawValue), not \(less)")
        tight += 1
      }
    }
  }

  @Test("The processor's kernels need nothing outside of the part with their margin", arguments: 0..<24)
  func processor(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(100 + seed))
    let renderer = CPURenderer(threads: 1)
    var tried = 0
    while tried < 12 {
      let formats = Self.formats + [.rgba16, .rgba8]
      guard let example = try RandomPlan(formats, edges: 2...70, output: .rgba8, using: &random),
        example.plan.input.format != .rgbaF32
      else { continue }
      tried += 1
      let (plan, source) = (example.plan, example.source)
      var region = example.region(using: &random)
      region.columns = 0..<plan.outputSize.width
      let kept = plan.sourceRegion(for: region, margin: .processor)
      let expected = try rendered(source, plan, rows: region.rows, renderer)
      let made = try rendered(source.poisoned(outside: kept), plan, rows: region.rows, renderer)
      let difference = Self.difference(
        made, expected, columns: region.columns, rows: 0..<region.rows.count)
      #expect(difference == 0, "\(example)\(region) of \(kept)")
    }
  }

  @Test("Whoever keeps a part of the source keeps all that is needed, and little more", arguments: 0..<24)
  func consumers(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(200 + seed))
    var tried = 0
    while tried < 20 {
      guard let example = try RandomPlan([.rgba8, .rgba16, .rgbaF32], edges: 30...400, using: &random) else {
        continue
      }
      tried += 1
      let plan = example.plan
      let region = example.region(using: &random)
      let needed = plan.sourceRegion(for: region)
      let remark: Comment = "\(example)\(region) of \(needed)"

      let kept = plan.sourceRegion(for: region, margin: .processor)
      #expect(
        kept.contains(needed) && plan.sourceRegion(for: region, margin: .shaders).contains(needed), remark)
      if let geometry = plan.geometry, !plan.downsamples {
        let (map, shear) = (geometry.map, abs(geometry.shear))
        let ahead = (x: 15 * abs(map.a), y: 15 * abs(map.d))
        // Bilinear interpolation needs two samples of the kernels' six.
        let taps = 4 + shear * (5 + 16 * max(abs(map.a), abs(map.d)))
        #expect(Double(kept.columns.count - needed.columns.count) <= ahead.x + 2 * taps + 4, remark)
        #expect(Double(kept.rows.count - needed.rows.count) <= ahead.y + 2 * taps + 4, remark)
      }

      let rows = Region(columns: 0..<plan.outputSize.width, rows: region.rows)
      let part = try PicturePart(for: plan, showing: region.rows)
      #expect(Region(columns: part.columns, rows: part.rows).contains(plan.sourceRegion(for: rows)), remark)

      guard !plan.downsamples else { continue }
      let most = plan.mostSourceRows(
        forTile: PixelSize(width: region.columns.count, height: region.rows.count), margin: .processor)
      // What is sampled for the region: sharpening reads pixels around it, as far as the result goes.
      let (halo, size) = (plan.sharpening?.halo ?? 0, plan.outputSize)
      let around = region.grown(x: halo, y: halo)
      let sampled = around.clamped(size.width, size.height)
      #expect(
        most >= kept.rows.count
          && (most <= kept.rows.count + 2 || kept.touchesEdge(of: plan.input.size) || sampled != around),
        remark)
      guard let geometry = plan.geometry, geometry.pixelMove == nil else { continue }
      let plane = SampledPlane(
        SampleGrid(geometry), width: plan.input.size.width, height: plan.input.size.height)
      let window = plane.window(columns: sampled.columns, rows: sampled.rows)
      let copied = plane.order == .columnsFirst ? window.turned : window
      let columns = copied.x..<copied.x + copied.width, lines = copied.y..<copied.y + copied.height
      let source = plan.input.size
      #expect(
        Region(
          columns: min(
            max(columns.lowerBound, 0), source.width - 1)..<max(1, min(columns.upperBound, source.width)),
          rows: min(
            max(lines.lowerBound, 0), source.height - 1)..<max(1, min(lines.upperBound, source.height))
        ).contains(needed), remark)
    }
  }

  @Test("A window of rows keeps what each band and tile needs", arguments: 0..<12)
  func windows(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(300 + seed))
    var tried = 0
    while tried < 12 {
      let size = PixelSize(
        width: Int.random(in: 20...300, using: &random), height: Int.random(in: 600...1500, using: &random))
      let plan = try Plan(
        Recipe(filters: [Straighten(.random(in: -14...14, using: &random))]), input: PlanInput(size: size),
        output: PlanOutput())
      let bandRows = Int.random(in: 1...80, using: &random)
      guard let shape = RowWindow.Shape(plan, bandRows: bandRows) else { continue }
      tried += 1
      for top in stride(from: 0, to: plan.outputSize.height, by: bandRows) {
        let rows = top..<min(top + bandRows, plan.outputSize.height)
        let needed = plan.sourceRegion(for: Region(columns: 0..<plan.outputSize.width, rows: rows)).rows
        // A band, what the next one adds, and what is being decoded.
        #expect(shape.rowsInMemory >= needed.count + RowWindow.step, "\(plan)\(rows)")
      }
    }
  }
}

extension Region {
  func contains(_ other: Region) -> Bool {
    columns.contains(other.columns.lowerBound) && columns.contains(other.columns.upperBound - 1)
      && rows.contains(other.rows.lowerBound) && rows.contains(other.rows.upperBound - 1)
  }

  func touchesEdge(of size: PixelSize) -> Bool {
    columns.lowerBound == 0 || rows.lowerBound == 0 || columns.upperBound == size.width
      || rows.upperBound == size.height
  }

  /// This region without `count` columns or rows at each side in turn; sides at the picture's edge are left out,
  /// where more may lie outside.
  func smaller(by count: Int, in size: PixelSize) -> [Region] {
    var smaller: [Region] = []
    func add(_ columns: (Int, Int), _ rows: (Int, Int)) {
      guard columns.0 < columns.1, rows.0 < rows.1 else { return }
      smaller.append(Region(columns: columns.0..<columns.1, rows: rows.0..<rows.1))
    }
    let (left, right, top, bottom) = (
      columns.lowerBound, columns.upperBound, rows.lowerBound, rows.upperBound
    )
    if left > 0 { add((left + count, right), (top, bottom)) }
    if right < size.width { add((left, right - count), (top, bottom)) }
    if top > 0 { add((left, right), (top + count, bottom)) }
    if bottom < size.height { add((left, right), (top, bottom - count)) }
    return smaller
  }
}

extension Plan {
  /// Pixels that one of the downsampled picture stands for, rounded up.
  fileprivate var downsamplingFactor: Int {
    for case .downsample(let downsample) in stages {
      return Int(max(downsample.factors.x, downsample.factors.y, 1).rounded(.up))
    }
    return 1
  }
}
