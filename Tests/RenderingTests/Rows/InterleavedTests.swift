import FilterGraph
import Filters
import FrameCore
import Libc
import RendererTestSupport
import TestSupport
import Testing

@testable import Rendering

/// Pictures in somebody's memory, against copies of them in the engine's.
@Suite("Pictures in other memory")
struct InterleavedTests {
  /// Memory between pages that may not be touched, with gaps between its rows that may not be written.
  final class Memory {
    let picture: InterleavedPicture
    private let mapping: UnsafeMutableRawPointer
    private let first: UnsafeMutableRawPointer
    private let length, rowBytes, gap: Int
    private let isUpsideDown: Bool
    static let mark: UInt8 = 0xa5

    /// - Parameter isAtEnd: whether it ends where memory ends; else it begins where memory begins.
    init(
      _ size: PixelSize, _ format: PixelFormat, channels: Int, gap: Int = 0, isUpsideDown: Bool = false,
      isAtEnd: Bool = true
    ) throws {
      let page = Int(sysconf(Int32(_SC_PAGESIZE)))
      rowBytes = size.width * channels * format.bitsPerSample / 8
      (self.gap, self.isUpsideDown) = (gap, isUpsideDown)
      let bytes = (rowBytes + gap) * size.height - gap
      length = (bytes + page - 1) / page * page + 2 * page
      mapping = try #require(
        mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
      memset(mapping, Int32(Self.mark), length)
      mprotect(mapping, page, PROT_NONE)
      mprotect(mapping + length - page, page, PROT_NONE)
      first = isAtEnd ? mapping + length - page - bytes : mapping + page
      picture = InterleavedPicture(
        isUpsideDown ? first + (size.height - 1) * (rowBytes + gap) : first,
        rowBytes: isUpsideDown ? -(rowBytes + gap) : rowBytes + gap, size: size, format: format,
        channels: channels)
    }

    deinit { munmap(mapping, length) }

    var hasGaps: Bool {
      (0..<picture.size.height - 1).allSatisfy { y in
        UnsafeRawBufferPointer(start: first + y * (rowBytes + gap) + rowBytes, count: gap)
          .allSatisfy { $0 == Self.mark }
      }
    }

    private func row(_ y: Int) -> UnsafeMutableRawPointer {
      first + (isUpsideDown ? picture.size.height - 1 - y : y) * (rowBytes + gap)
    }

    /// All samples, from the picture's first row on.
    var samples: [UInt8] {
      (0..<picture.size.height).flatMap { Array(UnsafeRawBufferPointer(start: row($0), count: rowBytes)) }
    }

    /// Takes the first channels of a picture, one sample after another.
    func fill(_ source: PixelBuffer) {
      let sample = source.format.bitsPerSample / 8
      let (bytes, pixel) = (picture.channels * sample, 4 * sample)
      for y in 0..<source.height {
        for x in 0..<source.width { memcpy(row(y) + x * bytes, source.planes[0].row(y) + x * pixel, bytes) }
      }
    }
  }

  static let recipes: [[any Filter]] = [
    [], [Exposure(stops: 0.5)], [Rotate(.clockwise)], [Flip(.vertical), Straighten(3)],
    [Straighten(-20, corners: .keep), Contrast(30)], [Resize(.percent(30))], [Resize(.percent(170))],
    [Resize(.percent(45)), Tone(highlights: -40, shadows: 50)], [Clarity(60)], [Texture(50)],
    [Sharpen(80)],
    [Perspective(.places([SIMD2(0.1, 0.05), SIMD2(0.8, 0.1), SIMD2(0.95, 0.9), SIMD2(0, 0.8)]))],
    [
      Group(.linear(from: MaskPoint(0.5, 0.9), to: MaskPoint(0.3, 0.2))) { Exposure(stops: -2) },
      Exposure(stops: 0.3),
    ], [NoiseReduction(luminance: 40)], [Grain(40)],
    [Vignette(amount: -50), Crop(.proportions(width: 0.6, height: 0.7))],
  ]

  @Test(
    "The result is that of a copy, whatever lies where", arguments: recipes.indices,
    [PixelFormat.rgba8, .rgba16, .rgbaF32])
  func equality(index: Int, format: PixelFormat) throws {
    var random = SeededRandom(seed: UInt64(index))
    let size = PixelSize(
      width: Int.random(in: 300...900, using: &random), height: Int.random(in: 200...700, using: &random))
    let noise = try RandomPicture.noise(size, format, using: &random)
    for (channels, resultChannels, threads) in [
      (1, 3, 1), (3, 3, 1), (3, 3, 3), (3, 4, 2), (4, 3, 2), (4, 4, 1),
    ] {
      let alpha = channels == 4 ? AlphaMode.straight : .opaque
      let renderer = CPURenderer(threads: threads)
      let plan = try renderer.plan(
        Recipe(filters: Self.recipes[index]), input: PlanInput(size: size, format: format, alpha: alpha),
        output: PlanOutput(format: format))
      let prepared = try InterleavedPlan(renderer.prepare(plan))
      let source = try Memory(
        size, format, channels: channels, gap: Int.random(in: 0...5, using: &random) * 4,
        isUpsideDown: random.next() % 3 == 0, isAtEnd: random.next() % 3 > 0)
      source.fill(noise)
      let result = try Memory(
        plan.outputSize, format, channels: resultChannels, gap: Int.random(in: 0...5, using: &random) * 4,
        isUpsideDown: random.next() % 3 == 0, isAtEnd: random.next() % 3 > 0)
      let expected = try plan.makeOutput()
      let copy = try Self.picture(noise, channels: channels, alpha: alpha)
      try renderer.prepare(plan).render(copy, into: expected)
      try prepared.render(source.picture, into: result.picture)
      let remark: Comment = "\(channels) → \(resultChannels) channels, \(threads) threads, \(size)"
      #expect(result.hasGaps && source.hasGaps, remark)
      let wanted = try Memory(plan.outputSize, format, channels: resultChannels)
      wanted.fill(expected)
      #expect(result.samples == wanted.samples, remark)
    }
  }

  /// The picture that the first channels of another one stand for.
  static func picture(_ source: PixelBuffer, channels: Int, alpha: AlphaMode) throws -> PixelBuffer {
    let picture = try PixelBuffer(size: source.size, format: source.format, alpha: alpha)
    let sample = source.format.bitsPerSample / 8
    for y in 0..<source.height {
      for x in 0..<source.width {
        for channel in 0..<4 {
          let from = source.planes[0].row(y) + (4 * x + (channels == 1 ? 0 : channel)) * sample
          memcpy(picture.planes[0].row(y) + (4 * x + channel) * sample, from, sample)
        }
        if channels < 4 { RandomPicture.set(1, picture, x, y, 3) }
      }
    }
    return picture
  }

  @Test("A result that lies in the memory of its picture is right", arguments: [3, 4], [0, 1])
  func inPlace(channels: Int, index: Int) throws {
    var random = SeededRandom(seed: 3)
    let size = PixelSize(width: 400, height: 300)
    let noise = try RandomPicture.noise(size, .rgba8, using: &random)
    let renderer = CPURenderer(threads: 2)
    let alpha = channels == 4 ? AlphaMode.straight : .opaque
    let plan = try renderer.plan(
      Recipe(filters: index == 0 ? [Rotate(.halfTurn)] : [Sharpen(90)]),
      input: PlanInput(size: size, format: .rgba8, alpha: alpha), output: PlanOutput(format: .rgba8))
    let (own, other) = (
      try Memory(size, .rgba8, channels: channels), try Memory(size, .rgba8, channels: channels)
    )
    own.fill(noise)
    let prepared = try InterleavedPlan(renderer.prepare(plan))
    try prepared.render(own.picture, into: other.picture)
    try prepared.render(own.picture, into: own.picture)
    #expect(own.samples == other.samples)
  }

  @Test("Little is held for a large picture, however it is turned")
  func memory() throws {
    let size = PixelSize(width: 6000, height: 4000)
    let recipes: [[any Filter]] = [[Exposure(stops: 1)], [Rotate(.clockwise)], [Straighten(12)]]
    for (index, filters) in (recipes + recipes).enumerated() {
      let (format, bytes) = index < recipes.count ? (PixelFormat.rgba8, 4) : (.rgbaF32, 16)
      let plan = try CPURenderer(threads: 1).plan(
        Recipe(filters: filters), input: PlanInput(size: size, format: format),
        output: PlanOutput(format: format))
      let blocks = RenderedBlocks(plan)
      let pixels = blocks.sourceSize.pixelCount + blocks.resultSize.pixelCount
      #expect(pixels * bytes < 3 << 20, "\(filters): \(blocks.sourceSize), \(blocks.resultSize)")
      let covered = blocks.blocks.reduce(0) { $0 + $1.result.columns.count * $1.result.rows.count }
      #expect(covered == plan.outputSize.pixelCount)
    }
  }

  @Test("Pictures of one row, of one column and of one pixel are pictures", arguments: [1, 3, 4])
  func thin(channels: Int) throws {
    var random = SeededRandom(seed: 5)
    for size in [(1, 1), (1, 700), (700, 1), (2, 3)].map({ PixelSize(width: $0.0, height: $0.1) }) {
      for filters in [[Exposure(stops: 0.5)], [Rotate(.clockwise)], [Sharpen(80)]] as [[any Filter]] {
        let noise = try RandomPicture.noise(size, .rgba8, using: &random)
        let renderer = CPURenderer(threads: 2)
        let plan = try renderer.plan(
          Recipe(filters: filters), input: PlanInput(size: size), output: PlanOutput())
        let source = try Memory(size, .rgba8, channels: channels)
        source.fill(noise)
        let result = try Memory(plan.outputSize, .rgba8, channels: 3)
        // The plan's pictures are opaque.
        try InterleavedPlan(renderer.prepare(plan)).render(source.picture, into: result.picture)
        let expected = try plan.makeOutput()
        try renderer.prepare(plan).render(
          Self.picture(noise, channels: channels, alpha: .opaque), into: expected)
        let wanted = try Memory(plan.outputSize, .rgba8, channels: 3)
        wanted.fill(expected)
        #expect(result.samples == wanted.samples, "\(size), \(filters)")
      }
    }
  }

  @Test("Frames of cameras become RGB in other memory", arguments: [PixelFormat.yuyv422, .nv12, .i420])
  func frames(format: PixelFormat) throws {
    var random = SeededRandom(seed: 6)
    let size = PixelSize(width: 641, height: 373)
    for filters in [[], [Straighten(4)], [Resize(.percent(40)), Clarity(40)]] as [[any Filter]] {
      let frame = try CameraPictures.noise(size, format, using: &random)
      let renderer = CPURenderer(threads: 2)
      let input = PlanInput(size: size, format: format)
      let plan = try renderer.plan(Recipe(filters: filters), input: input, output: PlanOutput())
      let expected = try plan.makeOutput()
      try renderer.prepare(plan).render(frame, into: expected)
      let result = try Memory(plan.outputSize, .rgba8, channels: 3)
      try InterleavedPlan(renderer.prepare(plan)).render(frame, into: result.picture)
      let wanted = try Memory(plan.outputSize, .rgba8, channels: 3)
      wanted.fill(expected)
      #expect(result.samples == wanted.samples, "\(format), \(filters)")
    }
  }

  @Test("Several threads render through one plan at once", arguments: [0, 1, 2])
  func atOnce(index: Int) throws {
    var random = SeededRandom(seed: 8)
    let size = PixelSize(width: 700, height: 500)
    let filters: [any Filter] =
      [[Clarity(60)], [Resize(.percent(40)), Clarity(40)], [NoiseReduction(luminance: 40)]][index]
    let renderer = CPURenderer(threads: 2)
    let plan = try renderer.plan(Recipe(filters: filters), input: PlanInput(size: size), output: PlanOutput())
    let prepared = try InterleavedPlan(renderer.prepare(plan))
    // Pictures that differ, so that what belongs to one is seen in another.
    let jobs = try (0..<4).map { _ in
      let source = try Memory(size, .rgba8, channels: 3)
      source.fill(try RandomPicture.noise(size, .rgba8, using: &random))
      return (source: source, result: try Memory(plan.outputSize, .rgba8, channels: 3))
    }
    let expected = try jobs.map { job in
      try prepared.render(job.source.picture, into: job.result.picture)
      return job.result.samples
    }
    let pictures = jobs.map { ($0.source.picture, $0.result.picture) }
    for _ in 0..<5 {
      let threads = try pictures.map { picture in
        try WorkerThread(name: "test") { try? prepared.render(picture.0, into: picture.1) }
      }
      for thread in threads { thread.join() }
      #expect(jobs.map(\.result.samples) == expected)
    }
  }
}
