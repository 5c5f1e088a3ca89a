import AnalysisTestSupport
import ColorScience
import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

/// The fast merge against the plain one.
@Suite("Merging, beside its reference")
struct MergeReferenceTests {
  private static let pool = MergeScratchPool()

  /// The largest and the mean difference of a merge from its reference, in codes of 65,535.
  private func compare(
    _ frames: [PixelBuffer], reference: Int = 0, motions: [FrameMotion]
  ) throws -> (most: Double, mean: Double, weight: Double) {
    let input = try MergeInput(frames, reference: reference)
    let blocks = MergeBlocks(
      input: input, motions: motions, team: ThreadTeam(name: "test", threads: 2), pool: Self.pool)
    let noise = try blocks.noise(WorkCancellation())
    let output = try PixelBuffer(size: input.size, format: .rgba16, tags: input.tags)
    let weights = try blocks.merge(noise, into: output, WorkCancellation())
    let expected = MergeReference(
      try frames.map { try MergeReference.Picture($0) }, reference: reference,
      fields: motions.map(\.displacements), noise: noise, space: try ColorSpace(tags: input.tags)
    )
    let merged = expected.merged
    var (most, sum, isOpaque) = (0.0, 0.0, true)
    for y in 0..<input.size.height {
      let row = output.row(y, as: UInt16.self)
      for x in 0..<input.size.width {
        let pixel = merged[y * input.size.width + x]
        for channel in 0..<3 {
          let difference = abs(Double(row[4 * x + channel]) - pixel[channel] * 65_535)
          most = max(most, difference)
          sum += difference
        }
        isOpaque = isOpaque && row[4 * x + 3] == 65_535
      }
    }
    #expect(isOpaque)
    for (frame, weight) in weights.enumerated() where frame != reference {
      let own = expected.weights(frame, limits: MergeBlocks.limits(noise, frame)).reduce(0, +)
      #expect(abs(own - weight) < 1e-3 * Double(input.size.pixelCount))
    }
    return (most, sum / Double(3 * input.size.pixelCount), weights.reduce(0, +))
  }

  private func still(_ frames: [PixelBuffer]) -> [FrameMotion] {
    frames.map { FrameMotion(size: $0.size) }
  }

  @Test(
    "Odd sizes, down to one pixel",
    arguments: [(1, 1), (2, 3), (17, 3), (31, 33), (33, 64), (65, 40), (257, 66), (300, 20)])
  func sizes(width: Int, height: Int) throws {
    let scene = MergeScene.textures(size: PixelSize(width: width, height: height), seed: width)
    let clean = scene.clean()
    let frames = try (0..<3).map { try scene.noisy(clean, seed: $0) }
    let found = try compare(frames, reference: 1, motions: still(frames))
    #expect(found.most <= 2, "\(found)")
    // Noise is estimated from tiles of 16 × 16.
    #expect((found.weight > 0) == (min(width, height) >= 16))
    let merged = try FrameMerge().merge(frames)
    #expect(merged.buffer.size == PixelSize(width: width, height: height))
    #expect((merged.statistics.noise == nil) == (min(width, height) < 16))
  }

  @Test("Random displacements of each frame, in fractions of pixels and beyond the picture")
  func displaced() throws {
    var random = SeededRandom(seed: 3)
    let scene = MergeScene.textures(size: PixelSize(width: 150, height: 95), seed: 4)
    let frames = try (0..<4).map { try scene.frame(seed: $0) }
    var motions = still(frames)
    for index in 1..<4 {
      let reach = [0, 0.4, 5, 60][index]
      motions[index].shift = SIMD2(
        Double.random(in: -reach...reach, using: &random), Double.random(in: -reach...reach, using: &random))
    }
    let found = try compare(frames, motions: motions)
    #expect(found.most <= 3, "\(found)")
  }

  // The fast path resamples down columns before it does along rows, where the displacement is that of the
  // column only to first order.
  @Test("A turn of a degree and tiles that deviate")
  func turned() throws {
    let scene = MergeScene.textures(size: PixelSize(width: 220, height: 140), seed: 5)
    let view = MergeScene.View(shift: SIMD2(2.3, -1.6), degrees: 1)
    let frames = try [MergeScene.View(), view].enumerated().map { try scene.frame($1, seed: $0) }
    var motions = still(frames)
    motions[1].shift = view.shift
    motions[1].right = SIMD2(-0.00015, 0.01745)
    motions[1].down = SIMD2(-0.01745, -0.00015)
    var random = SeededRandom(seed: 6)
    motions[1].residual = TileGrid(columns: 7, rows: 5, spacing: 32) { _ in
      SIMD2(Double.random(in: -0.2...0.2, using: &random), Double.random(in: -0.2...0.2, using: &random))
    }
    let found = try compare(frames, motions: motions)
    #expect(found.weight > 0.2 * 220 * 140)
    #expect(found.most < 700 && found.mean < 20, "\(found)")
  }

  @Test("Samples at the ends of the range and jumps between them, in 8 and 16 bits")
  func extremes() throws {
    for format in [PixelFormat.rgba8, .rgba16] {
      var random = SeededRandom(seed: 7)
      let frames = try (0..<3).map { index in
        let frame = try PixelBuffer(size: PixelSize(width: 90, height: 70), format: format)
        for y in 0..<70 {
          for x in 0..<360 {
            let high = (x / 4 + y / 5) % 7 < 3
            let code = (high ? 65_535 : 0) + (high ? -1 : 1) * Int.random(in: 0...900, using: &random)
            if format == .rgba8 {
              frame.row(y, as: UInt8.self)[x] = x % 4 == 3 ? 255 : UInt8(code >> 8)
            } else {
              frame.row(y, as: UInt16.self)[x] = x % 4 == 3 ? 65_535 : UInt16(code)
            }
          }
        }
        return frame
      }
      var motions = still(frames)
      motions[2].shift = SIMD2(0.5, 0.25)
      let found = try compare(frames, motions: motions)
      #expect(found.most <= 3, "\(format): \(found)")
    }
  }

  static let tags: [ColorTags] = [
    ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .limited),
    ColorTags(primaries: .bt601NTSC, transfer: .bt601, matrix: .bt601, range: .full, chromaSiting: .center),
    ColorTags(
      primaries: .bt2020, transfer: .bt2020TenBit, matrix: .bt2020NonConstant, range: .limited,
      chromaSiting: .topLeft),
  ]

  @Test(
    "Frames of cameras, in memory without a byte to spare",
    arguments: PixelFormat.allCases.filter { $0.isYCbCr || $0 == .gray8 }, tags)
  func cameras(format: PixelFormat, tags: ColorTags) throws {
    for size in [PixelSize(width: 61, height: 45), PixelSize(width: 18, height: 7)] {
      let scene = MergeScene.textures(size: size, seed: 9).clean()
      let encoding = try YCbCrEncoding(tags: tags, size: size)
      var random = SeededRandom(seed: 8)
      let frames = try (0..<3).map { _ in
        let codes = scene.rgb.map { encoding.encode($0) }
        return try Pictures.tight(format, size, tags: tags) { plane, column, row in
          let noise = Double.random(in: -4...4, using: &random)
          let isChroma =
            plane > 0 || (format == .yuyv422 && column % 2 == 1) || (format == .uyvy422 && column % 2 == 0)
          let place = min(row, size.height - 1) * size.width + min(column, size.width - 1)
          let code = isChroma ? codes[place].y : codes[place].x
          return UInt8(min(max(code + noise, 0), 255))
        }
      }
      var motions = still(frames)
      motions[2].shift = SIMD2(0.3, -0.6)
      let found = try compare(frames, motions: motions)
      #expect(found.most <= 3, "\(format) \(tags.chromaSiting): \(found)")
    }
  }
}
