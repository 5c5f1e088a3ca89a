import ColorScience
import FilterGraph
import Filters
import FrameCore
import Libc
import RendererTestSupport
import TestSupport
import Testing

@testable import Rendering

/// Plans that end in luma and colour differences, against the two steps that they replace: rendering to RGBA8, and
/// `PixelConverter`, which is checked against the formulas of H.273 in `PixelConverterTests`.
@Suite("Plans end in camera formats")
struct PlaneOutputTests {
  static let formats: [PixelFormat] = [
    .yuyv422, .uyvy422, .nv12, .nv21, .nv16, .i420, .i422, .i444, .gray8,
  ]

  /// The samples of every plane, without padding.
  static func samples(_ picture: PixelBuffer) -> [UInt8] {
    picture.format.planes.enumerated().flatMap { index, shape in
      (0..<shape.rows(height: picture.height)).flatMap { picture.row($0, of: index, as: UInt8.self) }
    }
  }

  private struct Source {
    let picture: PixelBuffer
    let input: PlanInput
  }

  private static func source(
    _ size: PixelSize, _ format: PixelFormat, _ encoding: YCbCrEncoding, _ orientation: Orientation,
    using random: inout SeededRandom
  ) throws -> Source {
    let picture =
      try format.isRGBA
      ? RandomPicture.noise(size, format, using: &random)
      : CameraPictures.noise(size, format, using: &random)
    return Source(
      picture: picture,
      input: PlanInput(size: size, format: format, ycbcr: encoding, orientation: orientation))
  }

  /// Renders to a format in one step and in two, and expects the same samples for each number of threads.
  private func check(
    _ filters: [any Filter], _ source: Source, to format: PixelFormat, _ encoding: YCbCrEncoding,
    _ name: String
  ) throws {
    let tags = encoding.tags(.sRGB)
    let recipe = Recipe(filters: filters)
    let single = CPURenderer(threads: 1)
    let plan = try single.plan(
      recipe, input: source.input, output: PlanOutput(format: format, videoTags: tags))
    // `CopiedSamplesTests` has those.
    guard !plan.copiesSamples else { return }
    let colours = try single.plan(recipe, input: source.input, output: PlanOutput())
    let expected = try PixelBuffer(size: plan.outputSize, format: format, tags: tags)
    try PixelConverter(threads: 1).convert(single.render(source.picture, through: colours), into: expected)
    for threads in [1, 2, 5] {
      let made = try CPURenderer(threads: threads).render(source.picture, through: plan)
      #expect(try made.tags == plan.outputTags)
      #expect(made.alpha == .opaque)
      let isEqual = Self.samples(made) == Self.samples(expected)
      #expect(isEqual, "\(name), \(threads) threads: \(plan)")
    }
  }

  /// Sizes of one tile and more, of odd columns and rows, and wider than the widest tile.
  private static let sizes = [
    (1, 1), (2, 1), (1, 7), (17, 5), (257, 65), (258, 66), (515, 131), (640, 200), (4099, 7),
  ].map { PixelSize(width: $0.0, height: $0.1) }

  @Test("with the samples that two steps make, whatever the edit", arguments: formats)
  func equality(format: PixelFormat) throws {
    let inputs: [PixelFormat] = [.rgba8, .yuyv422, .nv12, .rgba16, .i420, .rgbaF32, .gray8]
    for seed in 0..<36 {
      var random = SeededRandom(seed: UInt64(seed))
      let size = Self.sizes[seed % Self.sizes.count]
      let encoding = CameraCases.encodings[seed % CameraCases.encodings.count]
      let source = try Self.source(
        size, inputs[seed % inputs.count], CameraCases.encodings[(seed + 1) % CameraCases.encodings.count],
        Orientation.allCases[seed / 3 % 8], using: &random)
      let colour = RandomRecipe.color(using: &random, count: 1 + seed % 4)
      let filters =
        seed % 3 == 0 ? colour : seed % 3 == 1 ? [] : colour + RandomRecipe.geometry(using: &random)
      try check(filters, source, to: format, encoding, "seed \(seed)")
    }
  }

  @Test(
    "at every siting, range, matrix and orientation",
    arguments: [PixelFormat.i420, .nv12, .i422, .yuyv422, .i444], Orientation.allCases)
  func encodings(format: PixelFormat, orientation: Orientation) throws {
    for matrix in [YCbCrEncoding.Matrix.bt601, .bt709, .bt2020] {
      for range in [ColorTags.Range.limited, .full] {
        for siting in [ColorTags.ChromaSiting.left, .center, .topLeft] {
          let encoding = YCbCrEncoding(matrix: matrix, range: range, siting: siting)
          var random = SeededRandom(seed: 40)
          let source = try Self.source(
            PixelSize(width: 301, height: 139), .yuyv422, CameraCases.encodings[0], orientation,
            using: &random)
          try check([Exposure(stops: 0.3)], source, to: format, encoding, "\(encoding)")
        }
      }
    }
  }

  @Test(
    "of looks, small turns, crops, downsamplings and open corners",
    arguments: [PixelFormat.i420, .nv12, .uyvy422]
  )
  func edits(format: PixelFormat) throws {
    let chains: [[any Filter]] = try [
      EqualityCases.lookBehindColor(), [Straighten(2), Crop(.proportions(width: 4, height: 3))],
      [Saturation(20), Straighten(-3, corners: .keep)],
      [Crop(.rectangle(x: 3, y: 5, width: 411, height: 157))],
      [Resize(longEdge: 301)], [Resize(longEdge: 150), Straighten(4), Contrast(10)],
    ]
    for (index, filters) in chains.enumerated() {
      for input in [PixelFormat.rgba8, .yuyv422, .i420, .rgba16] {
        for siting in [ColorTags.ChromaSiting.left, .center, .topLeft] {
          var random = SeededRandom(seed: UInt64(index))
          let source = try Self.source(
            PixelSize(width: 540, height: 210), input, CameraCases.encodings[0], .up, using: &random)
          let encoding = YCbCrEncoding(matrix: .bt709, range: .limited, siting: siting)
          try check(filters, source, to: format, encoding, "chain \(index), \(input)")
        }
      }
    }
  }

  @Test("as the reference renderer makes them, within the bounds of RGBA", arguments: formats)
  func reference(format: PixelFormat) throws {
    for seed in 0..<14 {
      var random = SeededRandom(seed: 500 + UInt64(seed))
      let encoding = CameraCases.encodings[seed % CameraCases.encodings.count]
      let source = try Self.source(
        EqualityCases.sizes[seed % EqualityCases.sizes.count], seed % 2 == 0 ? .yuyv422 : .rgba8,
        CameraCases.encodings[(seed + 2) % CameraCases.encodings.count], Orientation.allCases[seed % 8],
        using: &random)
      let filters =
        seed % 3 == 0
        ? RandomRecipe.geometry(using: &random) : RandomRecipe.color(using: &random, count: 1 + seed % 3)
      let plan = try Plan(
        Recipe(filters: filters), input: source.input,
        output: PlanOutput(format: format, videoTags: encoding.tags(.sRGB)), optimized: false)
      let exact = Self.samples(try ReferenceRenderer().render(source.picture, through: plan))
      let made = Self.samples(try CPURenderer(threads: 2).render(source.picture, through: plan))
      let worst = zip(exact, made).map { abs(Int($0) - Int($1)) }.max() ?? 0
      // As for RGBA8: one code, and two with geometry.
      #expect(worst <= (seed % 3 == 0 ? 2 : 1), "seed \(seed): \(plan)")
    }
  }

  @Test("into memory of others, of which nothing else is written", arguments: formats)
  func tightMemory(format: PixelFormat) throws {
    let size = PixelSize(width: 271, height: 67)
    var random = SeededRandom(seed: 3)
    let source = try Self.source(size, .rgba8, CameraCases.encodings[0], .up, using: &random)
    let renderer = CPURenderer(threads: 2)
    let tags = CameraCases.encodings[2].tags(.sRGB)
    let plan = try renderer.plan(
      Recipe(filters: [Exposure(stops: 0.5)]), input: source.input,
      output: PlanOutput(format: format, videoTags: tags))
    let gap = 16
    let counts = format.planes.map { ($0.rowBytes(width: size.width) + gap) * $0.rows(height: size.height) }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: counts.reduce(0, +), alignment: 64)
    memset(memory, 0xA5, counts.reduce(0, +))
    defer { memory.deallocate() }
    var offset = 0
    let planes = zip(format.planes, counts).map { shape, count in
      defer { offset += count }
      return (base: memory + offset, rowBytes: shape.rowBytes(width: size.width) + gap)
    }
    let output = try PixelBuffer(wrapping: planes, size: size, format: format, tags: tags) {}
    try renderer.prepare(plan).render(source.picture, into: output)
    #expect(Self.samples(output) == Self.samples(try renderer.render(source.picture, through: plan)))
    for (index, shape) in format.planes.enumerated() {
      for y in 0..<shape.rows(height: size.height) {
        let end = output.planes[index].row(y) + shape.rowBytes(width: size.width)
        let isUntouched = (0..<gap).allSatisfy { end.load(fromByteOffset: $0, as: UInt8.self) == 0xA5 }
        #expect(isUntouched, "row \(y) of plane \(index)")
      }
    }
  }

  @Test("whole only, since rows depend on the rows around them")
  func rows() throws {
    let size = PixelSize(width: 8, height: 8)
    let plan = try Plan(Recipe(), input: PlanInput(size: size), output: PlanOutput(format: .i420))
    let source = try PixelBuffer(size: size, format: .rgba8)
    for prepared in [CPURenderer(threads: 1).prepare(plan)] as [CPUPlan] {
      #expect(prepared.bands == nil && prepared.rows == nil)
      #expect(throws: SafelightError.self) { try prepared.prepare(source) }
    }
    // What needs rows all the same renders the picture first.
    let whole = try CPURenderer(threads: 1).prepare(plan).picture(of: source)
    let band = try PixelBuffer(size: size, format: .i420)
    try whole.render(rows: 0..<8, into: band)
    #expect(Self.samples(band) == Self.samples(try CPURenderer(threads: 1).render(source, through: plan)))
  }

  @Test("unless the tags say RGB")
  func tags() {
    let size = PixelSize(width: 8, height: 8)
    let output = PlanOutput(format: .nv12, videoTags: .sRGB)
    #expect(throws: SafelightError.self) { try Plan(Recipe(), input: PlanInput(size: size), output: output) }
  }
}
