import FilterGraph
import Filters
import FrameCore
import Rendering
import TestSupport
import Testing

@testable import VulkanRendering

@Suite("Pictures that exceed the device's memory")
struct TilingTests {
  private func makePlan(
    _ filters: [any Filter], _ width: Int, _ height: Int, _ format: PixelFormat = .rgba8
  ) throws -> Plan {
    try Plan(
      Recipe(filters: filters),
      input: PlanInput(size: PixelSize(width: width, height: height), format: format), output: PlanOutput())
  }

  @Test(
    "fall into tiles that cover each pixel once and keep to the budget",
    arguments: [
      [], [Straighten(10)], [Straighten(44)], [Rotate(.clockwise)], [Straighten(-30, corners: .keep)],
    ] as [[any Filter]])
  func cover(_ filters: [any Filter]) throws {
    let plan = try makePlan(filters, 700, 500)
    let tiling = Tiling(try PlanProgram(plan))
    for budget in [50_000, 300_000, 5_000_000] {
      let tiles = try #require(
        tiling.tiles(rows: 3..<plan.outputSize.height, budget: budget, bufferBytes: .max))
      var seen = Set<Int>()
      for tile in tiles {
        let bytes = tiling.bytes(of: tile)
        #expect(bytes.source + bytes.target <= budget)
        for y in tile.rows {
          for x in tile.columns {
            let isNew = seen.insert(y * plan.outputSize.width + x).inserted
            if !isNew { Issue.record("pixel (\(x), \(y)) is in two tiles") }
          }
        }
      }
      #expect(seen.count == plan.outputSize.width * (plan.outputSize.height - 3))
    }
  }

  @Test("show in a tile what a kernel of six samples about its places reads")
  func sources() throws {
    var random = SeededRandom(seed: 5)
    for _ in 0..<50 {
      let angle = Float.random(in: -45...45, using: &random)
      let plan = try makePlan(
        [Straighten(angle, corners: random.next() % 2 == 0 ? .keep : .crop)], 300, 200,
        random.next() % 2 == 0 ? .rgba8 : .nv12)
      let tiling = Tiling(try PlanProgram(plan))
      let geometry = try #require(plan.geometry)
      // Colour differences stand for two pixels each way. They lie at the left ones, halfway between the rows.
      let grids: [(step: Double, offset: (x: Double, y: Double))] =
        plan.input.format == .nv12 ? [(1, (0, 0)), (2, (0, 0.5))] : [(1, (0, 0))]
      for tile in try #require(
        tiling.tiles(rows: 0..<plan.outputSize.height, budget: 60_000, bufferBytes: .max))
      {
        for (x, y) in [
          (tile.columns.lowerBound, tile.rows.lowerBound),
          (tile.columns.upperBound - 1, tile.rows.lowerBound),
          (tile.columns.lowerBound, tile.rows.upperBound - 1),
          (tile.columns.upperBound - 1, tile.rows.upperBound - 1),
        ] {
          let place = geometry.map.apply(Double(x) + 0.5, Double(y) + 0.5)
          for (grid, tap) in grids.flatMap({ grid in (-2...3).map { (grid, $0) } }) {
            func pixel(_ place: Double, _ offset: Double, _ size: Int) -> Int {
              let sample = Int(((place - 0.5 - offset) / grid.step).rounded(.down)) + tap
              return min(max(sample, 0), (size - 1) / Int(grid.step)) * Int(grid.step)
            }
            #expect(tile.sourceColumns.contains(pixel(place.x, grid.offset.x, 300)))
            #expect(tile.sourceRows.contains(pixel(place.y, grid.offset.y, 200)))
          }
        }
      }
    }
  }

  @Test(
    "hold the part of the source that their pixels are made of, of every format",
    arguments: PixelFormat.allCases)
  func parts(format: PixelFormat) throws {
    var random = SeededRandom(seed: 8)
    for _ in 0..<20 {
      let size = PixelSize(
        width: Int.random(in: 20...300, using: &random), height: Int.random(in: 20...200, using: &random))
      let filters: [any Filter] = [
        Straighten(.random(in: -45...45, using: &random)),
        Resize(.percent(.random(in: 30...150, using: &random))),
      ]
      let plan = try Plan(
        Recipe(filters: random.next() % 4 == 0 ? [] : filters),
        input: PlanInput(
          size: size, format: format, orientation: Orientation.allCases.randomElement(using: &random) ?? .up),
        output: PlanOutput())
      let program = try PlanProgram(plan)
      for tile in try #require(
        Tiling(program).tiles(rows: 0..<plan.outputSize.height, budget: 60_000, bufferBytes: .max))
      {
        let shown = Region(columns: tile.columns, rows: tile.rows)
        let needed = plan.region(in: .downsampled, for: shown, of: .result, margin: .none)
        #expect(tile.sourceColumns.union(needed.columns) == tile.sourceColumns)
        #expect(tile.sourceRows.union(needed.rows) == tile.sourceRows)
      }
      guard let downsampled = program.downsampling?.downsampledSize else { continue }
      for row in 0..<downsampled.height {
        let shown = Region(columns: 0..<downsampled.width, rows: row..<row + 1)
        let (averaged, made) = (
          program.sourceRows(forDownsampled: row..<row + 1),
          plan.region(in: .fullSize, for: shown, of: .downsampled, margin: .none).rows
        )
        #expect(averaged.union(made) == averaged)
        let narrowed = program.sourceRows(forHorizontal: made)
        let needed = plan.region(in: .source, for: shown, of: .downsampled, margin: .none).rows
        #expect(averaged.union(needed) == averaged && narrowed.union(needed) == narrowed)
      }
    }
  }

  @Test("of 400 megapixels fit into 64 MB, even turned, and give up only where no tile fits")
  func huge() throws {
    for filters in [[], [Straighten(44)], [Rotate(.clockwise)]] as [[any Filter]] {
      let plan = try makePlan(filters, 20_000, 20_000, .rgba16)
      let tiling = Tiling(try PlanProgram(plan))
      let tiles = try #require(
        tiling.tiles(rows: 0..<plan.outputSize.height, budget: 32 << 20, bufferBytes: 128 << 20))
      let read = tiles.reduce(0) { $0 + tiling.bytes(of: $1).source }
      // Tiles overlap, and those of turned pictures show a turned square.
      #expect(read < 4 * 8 * 20_000 * 20_000)
      #expect(tiling.tiles(rows: 0..<16, budget: 1000, bufferBytes: .max) == nil)
    }
  }

  @Test(
    "have a limit also where memory is plenty: a device that is at one for seconds is reset",
    .enabled(if: TestDevice.isThere, TestDevice.absence))
  func mostPixels() throws {
    let renderer = try TestDevice.shared()
    let context = renderer.context
    func lanes(_ width: Int, _ height: Int, _ filters: [any Filter]) throws -> Int {
      let program = try PlanProgram(makePlan(filters, width, height, .gray8))
      return try LoadedPlan(program, on: context, of: renderer).shares.lanes
    }
    #expect(try lanes(4000, 3000, []) > 0)
    #expect(try lanes(9000, 8000, []) == 0)
    // What is read counts where all of it is: in a downsampling.
    #expect(try lanes(9000, 8000, [Resize(longEdge: 100)]) == 0)
    #expect(try lanes(9000, 8000, [Crop(.rectangle(x: 0, y: 0, width: 500, height: 400))]) > 0)
  }

  @Test(
    "are rendered in parts as they are in whole",
    .enabled(if: TestDevice.isThere, TestDevice.absence),
    arguments: [PixelFormat.rgba8, .i420], [false, true])
  func parts(_ format: PixelFormat, copiesAlways: Bool) throws {
    let source = try NoisePicture.make(340, 260, format)
    let limit = 400_000
    let whole = try TestDevice.shared()
    let small = try TestDevice.renderer(memoryLimit: limit, copiesAlways: copiesAlways)
    // Places between samples are rounded where a part begins.
    let chains: [([any Filter], Double)] = [
      ([Exposure(stops: 0.3)], 0), ([Rotate(.clockwise)], format == .rgba8 ? 0 : 1), ([Straighten(20)], 1),
      ([Resize(longEdge: 150)], 1),
    ]
    for (filters, tolerance) in chains {
      let plan = try whole.plan(filters, for: source)
      let expected = try whole.frame(source, through: plan)
      #expect(
        try small.frame(source, through: plan).largestDifference(from: expected) <= tolerance, "\(plan)")
      #expect(try small.render(source, through: plan).largestDifference(from: expected) <= tolerance)
    }
    #expect(small.context.device.mostAllocatedBytes <= limit)
    #expect(small.context.device.mostAllocatedBytes > 0)
    try TestDevice.expectNoComplaints()
  }
}

extension Range<Int> {
  /// From the first of both to the last.
  fileprivate func union(_ other: Range<Int>) -> Range<Int> {
    Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}
