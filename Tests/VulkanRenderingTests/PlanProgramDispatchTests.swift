import FilterGraph
import Filters
import FrameCore
import Rendering
import Testing

@testable import VulkanRendering

/// Dispatches of programs, without a device.
@Suite("The dispatches of a program")
struct PlanProgramDispatchTests {
  private func layout(
    _ size: PixelSize, _ format: PixelFormat = .rgba8, columns: Range<Int>? = nil, rows: Range<Int>? = nil
  ) -> DeviceLayout {
    let columns = columns ?? 0..<size.width
    let rows = rows ?? 0..<size.height
    var (planes, offset): ([DeviceLayout.Plane], Int) = ([], 256)
    for shape in format.planes {
      let rowBytes = (shape.rowBytes(width: columns.count) + 3) / 4 * 4
      planes.append(DeviceLayout.Plane(offset: offset, rowBytes: rowBytes))
      offset += rowBytes * shape.rows(height: rows.count)
    }
    return DeviceLayout(size: size, format: format, columns: columns, rows: rows, planes: planes)
  }

  private func program(
    _ filters: [any Filter], _ size: PixelSize, _ format: PixelFormat = .rgba8,
    output: PlanOutput = PlanOutput()
  ) throws -> PlanProgram {
    try PlanProgram(
      Plan(
        Recipe(filters: filters), input: PlanInput(size: size, format: format), output: output,
        optimized: false))
  }

  @Test(
    "write each pixel once, and groups cover each tile",
    arguments: [(1, 1), (2047, 3), (2048, 2049), (4097, 5), (20_001, 2), (3, 9000)])
  func tiles(width: Int, height: Int) throws {
    let size = PixelSize(width: width, height: height)
    for filters in [[], [Flip(.horizontal)], [Straighten(2, corners: .keep)]] as [[any Filter]] {
      let program = try program(filters, size)
      let output = program.plan.outputSize
      // A rectangle of the output, as tests of memory use it.
      let columns = output.width / 3..<output.width
      let rows = 0..<max(1, output.height * 2 / 3)
      let dispatches = program.frameDispatches(
        from: layout(size), to: layout(output, columns: columns, rows: rows))
      var count = 0
      var origins: Set<[UInt32]> = []
      for dispatch in dispatches {
        let p = dispatch.parameters
        #expect(p.count * 4 <= 128)
        #expect(dispatch.variant == 0)
        let (w, h, x, y) = (Int(p[0]), Int(p[1]), Int(p[2]), Int(p[3]))
        count += w * h
        #expect(origins.insert([p[2], p[3]]).inserted)
        #expect(
          columns.contains(x) && x + w <= columns.upperBound && rows.contains(y) && y + h <= rows.upperBound)
        // A small turn is sampled in two passes.
        let group = filters.contains { $0 is Straighten } ? (x: 16, y: 32) : (x: 32, y: 8)
        #expect((dispatch.groups.x - 1) * group.x < w && dispatch.groups.x * group.x >= w)
        #expect((dispatch.groups.y - 1) * group.y < h && dispatch.groups.y * group.y >= h)
        #expect(dispatch.groups.x <= 65_535 && dispatch.groups.y <= 65_535)
        // Where the tile's first pixel is stored.
        #expect(
          Int(p[4]) * 4 == 256 + (x - columns.lowerBound) * 4 + (y - rows.lowerBound) * columns.count * 4)
        #expect(Int(p[5]) == columns.count)
      }
      // No two begin alike and none reaches beyond, so as many pixels as there are means each once: tiles are a grid.
      #expect(count == columns.count * rows.count, "\(program.plan)")
    }
  }

  /// What `placeOf` in `shaders/sampling.glsl` computes, in the same precision.
  private func place(_ p: [UInt32], _ x: Int, _ y: Int) -> (x: Double, y: Double) {
    func int(_ word: Int) -> Int { Int(Int32(bitPattern: p[word])) }
    func float(_ word: Int) -> Float { Float(bitPattern: p[word]) }
    func axis(_ axis: Int) -> Double {
      let whole = int(14 + axis) + x * int(18 + axis) + y * int(20 + axis)
      let part = float(16 + axis) + Float(x) * float(22 + axis) + Float(y) * float(24 + axis)
      let carry = part.rounded(.down)
      return Double(whole + Int(carry)) + Double(part - carry)
    }
    return (axis(0), axis(1))
  }

  @Test(
    "place pixels to within 1/2000, however wide the picture",
    arguments: [0.01, 1.7, 14.9, 33, 44.9] as [Float], [Orientation.up, .left, .rightMirrored])
  func places(degrees: Float, orientation: Orientation) throws {
    // As large as pictures may be when they are turned.
    let size = degrees < 5 ? PixelSize(width: 60_000, height: 17_000) : PixelSize(width: 30_000, height: 9000)
    let plan = try Plan(
      Recipe(filters: [Straighten(degrees, corners: .keep)]),
      input: PlanInput(size: size, orientation: orientation),
      output: PlanOutput(), optimized: false)
    let program = try PlanProgram(plan)
    let map = try #require(program.geometry).map
    var worst = 0.0
    for dispatch in program.frameDispatches(from: layout(size), to: layout(plan.outputSize)) {
      let p = dispatch.parameters
      for (x, y) in [
        (0, 0), (Int(p[0]) - 1, 0), (Int(p[0]) - 1, Int(p[1]) - 1), (Int(p[0]) / 2, Int(p[1]) / 3),
      ] {
        let exact = map.apply(Double(Int(p[2]) + x) + 0.5, Double(Int(p[3]) + y) + 0.5)
        let found = place(p, x, y)
        worst = max(worst, abs(found.x - (exact.x - 0.5)), abs(found.y - (exact.y - 0.5)))
      }
    }
    #expect(worst < 1 / 2000.0)
  }

  @Test(
    "place pixels behind a projection to within 1/1000 of what they cover, however large the picture",
    arguments: [[0.3, 0.7, 1, 0], [0.05, 0.95, 1, 0], [0, 1, 0.6, 0.45]])
  func projectedPlaces(columns: [Double]) throws {
    let size = PixelSize(width: 12_000, height: 9000)
    let corners = zip(columns, [0.05, 0, 1, 0.95]).map { SIMD2($0, $1) }
    let plan = try Plan(
      Recipe(filters: [Perspective(.places(corners))]), input: PlanInput(size: size), output: PlanOutput(),
      optimized: false)
    let program = try PlanProgram(plan)
    let geometry = try #require(program.geometry)
    var worst = 0.0
    for dispatch in program.frameDispatches(from: layout(geometry.inputSize), to: layout(plan.outputSize)) {
      let p = dispatch.parameters
      for (x, y) in [
        (0, 0), (Int(p[0]) - 1, 0), (Int(p[0]) - 1, Int(p[1]) - 1), (Int(p[0]) / 2, Int(p[1]) / 3),
      ] {
        let centre = (x: Double(Int(p[2]) + x) + 0.5, y: Double(Int(p[3]) + y) + 0.5)
        let exact = geometry.place(centre.x, centre.y)
        let covered = geometry.tangent(atX: centre.x, y: centre.y).coverage
        let found = projectedPlace(p, x, y)
        let part = (
          x: abs(found.place.x - (exact.x - 0.5)) / max(1, covered.x),
          y: abs(found.place.y - (exact.y - 0.5)) / max(1, covered.y)
        )
        worst = max(worst, part.x, part.y)
        #expect(abs(found.cover.x / covered.x - 1) < 1e-3 && abs(found.cover.y / covered.y - 1) < 1e-3)
      }
    }
    #expect(worst < 1 / 1000.0)
  }

  /// What `projectedPlace` in `shaders/projected.glsl` computes, in the same precision.
  private func projectedPlace(
    _ p: [UInt32], _ x: Int, _ y: Int
  ) -> (place: (x: Double, y: Double), cover: (x: Double, y: Double)) {
    func float(_ word: Int) -> Float { Float(bitPattern: p[word]) }
    let (fallX, fallY) = (float(18), float(19))
    let w: Float = 1 + Float(x) * fallX + Float(y) * fallY
    func axis(_ axis: Int) -> (place: Double, cover: Double) {
      let moved: Float = (Float(x) * float(22 + axis) + Float(y) * float(24 + axis)) / w
      let right: Float = (float(22 + axis) - fallX * moved) / w
      let down: Float = (float(24 + axis) - fallY * moved) / w
      let part = float(16 + axis) + moved
      let whole = Int(Int32(bitPattern: p[14 + axis])) + Int(part.rounded(.down))
      let cover = (right * right + down * down).squareRoot()
      return (Double(whole) + Double(part - part.rounded(.down)), Double(cover))
    }
    let (first, second) = (axis(0), axis(1))
    return ((first.place, second.place), (first.cover, second.cover))
  }

  @Test("move whole pixels in one tile, exactly", arguments: Orientation.allCases)
  func moves(orientation: Orientation) throws {
    let size = PixelSize(width: 9001, height: 4003)
    let plan = try Plan(
      Recipe(filters: [Crop(.rectangle(x: 7, y: 5, width: 3001, height: 2999))]),
      input: PlanInput(size: size, orientation: orientation), output: PlanOutput())
    let dispatches = try PlanProgram(plan).frameDispatches(from: layout(size), to: layout(plan.outputSize))
    try #require(dispatches.count == 1)
    let map = try #require(plan.geometry).map
    for (x, y) in [(0, 0), (3000, 0), (3000, 2998), (17, 2000)] {
      let exact = map.apply(Double(x) + 0.5, Double(y) + 0.5)
      let found = place(dispatches[0].parameters, x, y)
      #expect((found.x, found.y) == ((exact.x - 0.5).rounded(), (exact.y - 0.5).rounded()))
    }
  }

  @Test(
    "address samples by their place in the whole picture, where a part of it is there",
    arguments: PixelFormat.allCases)
  func addresses(format: PixelFormat) throws {
    let size = PixelSize(width: 1000, height: 600)
    let part = layout(size, format, columns: 300..<420, rows: 200..<251)
    let program = try program([], size, format)
    let output = layout(size, columns: 310..<400, rows: 210..<230)
    let parameters = program.frameDispatches(from: part, to: output)[0].parameters
    // A pixel within, and those of the part's corners, before which nothing is.
    for (column, row) in [(304, 206), (300, 200), (419, 200), (300, 250), (419, 250)] {
      for (index, shape) in format.planes.enumerated() {
        let (x, y) = (column / shape.columnsPerGroup, row / shape.rowsPerGroup)
        let found = address(parameters, index, x, y, shape.bytesPerGroup)
        let plane = part.planes[index]
        let expected =
          plane.offset + (y - 200 / shape.rowsPerGroup) * plane.rowBytes
          + (x - 300 / shape.columnsPerGroup) * shape.bytesPerGroup
        #expect(found == expected, "pixel (\(column), \(row)), plane \(index)")
      }
    }
    // Else the test would show nothing of sums that begin below 0.
    #expect(parameters[8] &+ 200 &* parameters[11] > UInt32(Int32.max))
  }

  /// The byte that `shaders/formats.glsl` reads for a group of samples, by way of the index of its word.
  private func address(_ p: [UInt32], _ plane: Int, _ x: Int, _ y: Int, _ bytes: Int) -> Int {
    let row = p[8 + plane] &+ UInt32(y) &* p[11 + plane]
    let address = row &+ UInt32(bytes) &* UInt32(x)
    return Int(address >> 2) * 4 + Int(address & 3)
  }

  @Test("narrow the rows asked for, and average them")
  func reduction() throws {
    let size = PixelSize(width: 997, height: 601)
    let program = try program([Resize(longEdge: 300)], size)
    let downsampling = try #require(program.downsampling)
    let rows = program.sourceRows(forDownsampled: 40..<61)
    let narrowed = layout(downsampling.horizontalSize, .rgbaF32, rows: rows)
    let narrow = program.horizontalDispatches(from: layout(size, rows: rows), to: narrowed)
    #expect(narrow.map(\.variant) == [1])
    #expect(narrow[0].groups == ((downsampling.horizontalSize.width + 127) / 128, rows.count))
    #expect(
      narrow[0].parameters[0...3] == [
        UInt32(downsampling.horizontalSize.width), UInt32(rows.count), 0, UInt32(rows.lowerBound),
      ])
    let blend = program.verticalDispatches(
      from: narrowed, to: layout(downsampling.downsampledSize, .rgba16, rows: 40..<61))
    #expect(blend.map(\.variant) == [2])
    #expect(blend[0].parameters[0...3] == [UInt32(downsampling.downsampledSize.width), 21, 0, 40])
    #expect((narrow + blend).allSatisfy { $0.parameters.count * 4 <= 128 })
    #expect(
      program.horizontalDispatches(
        from: layout(size), to: layout(downsampling.horizontalSize, .rgbaF32, rows: 5..<5)
      )
      .isEmpty)
  }

  @Test("are none where nothing is downsampled")
  func withoutReduction() throws {
    let size = PixelSize(width: 20, height: 10)
    let program = try program([], size)
    #expect(program.horizontalDispatches(from: layout(size), to: layout(size, .rgbaF32)).isEmpty)
    #expect(program.verticalDispatches(from: layout(size, .rgbaF32), to: layout(size)).isEmpty)
    #expect(program.sourceRows(forDownsampled: 2..<5) == 2..<5)
  }
}
