import LibraryTestSupport
import Safelight
import ColorScience
import FilterGraph
import FrameCore
import TestSupport
import Testing

@testable import LiveVideo

/// A video's tags and the order of its planes.
struct VideoKind: Sendable, CustomTestStringConvertible {
  var format: PixelFormat
  var tags: ColorTags

  var testDescription: String {
    "\(format.rawValue), transfer \(tags.transfer), matrix \(tags.matrix), \(tags.range)"
  }

  static let transfers: [ColorTags.Transfer] = [
    .bt709, .unspecified, .gamma22, .gamma28, .bt601, .linear, .sRGB, .bt2020TenBit, .pq, .hlg,
  ]

  static func all(_ formats: [PixelFormat], _ transfers: [ColorTags.Transfer]) -> [VideoKind] {
    var kinds: [VideoKind] = []
    for format in formats {
      for transfer in transfers {
        for range in [ColorTags.Range.limited, .full] {
          for matrix in [ColorTags.Matrix.bt601, .bt709, .bt2020NonConstant, .unspecified] {
            kinds.append(
              VideoKind(
                format: format,
                tags: ColorTags(primaries: .bt709, transfer: transfer, matrix: matrix, range: range)))
          }
        }
      }
    }
    return kinds
  }
}

@Suite("Video without an edit", .serialized)
struct VideoSamplesTests {
  /// Two greys, colours, and nearly white.
  static let colors: [[Double]] = [
    [40, 40, 40], [128, 128, 128], [200, 60, 60], [60, 200, 60], [60, 60, 200], [200, 180, 40],
    [235, 235, 235],
    [20, 120, 180],
  ]
  static let width = 256
  static let height = 12

  /// Patches of flat colour, wide enough that interpolated colour differences do not reach their middle.
  static func patches(_ kind: VideoKind) throws -> YCbCrPicture {
    let encoding =
      kind.format == .gray8
      ? YCbCrEncoding(grey: kind.tags)
      : try YCbCrEncoding(tags: kind.tags, size: PixelSize(width: width, height: height))
    let codes = colors.map { color in
      let code = encoding.encode(SIMD3(color[0], color[1], color[2]) / 255)
      return [code.x, code.y, code.z].map { UInt8(max(0, min(255, $0.rounded()))) }
    }
    return try YCbCrPicture(width, height, kind.format, kind.tags) { x, _ in codes[x / 32] }
  }

  /// Every code there is, also those beyond black and white and outside of all colours.
  static func noise(_ kind: VideoKind) throws -> YCbCrPicture {
    var random = SeededRandom(seed: 3)
    let values = (0..<width * height).map { _ in
      (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    return try YCbCrPicture(width, height, kind.format, kind.tags) { x, y in values[y * width + x] }
  }

  /// R, G, B in the middle of a patch.
  static func middle(_ bytes: [UInt8], _ patch: Int) -> [Int] {
    let start = 3 * (height / 2 * width + 32 * patch + 16)
    return bytes[start..<start + 3].map(Int.init)
  }

  @Test(
    "is the same samples in every sink, whatever its tags",
    arguments: VideoKind.all([.i420], VideoKind.transfers)
      + VideoKind.all(
        [.gray8, .yuyv422, .uyvy422, .nv12, .nv21, .nv16, .i422, .i444], [.bt709]))
  func everyKind(_ kind: VideoKind) async throws {
    let (patches, noise) = try (Self.patches(kind), Self.noise(kind))
    let run = try await VideoRun([patches.buffer, noise.buffer])
    #expect(run.samples == patches.planes + noise.planes)
    #expect(run.header.hasSuffix("XCOLORRANGE=\(kind.tags.range == .full ? "FULL" : "LIMITED")"))
    try #require(run.rgb.count == 2 * 3 * Self.width * Self.height && run.screen.count == 2)
    #expect(run.screen.allSatisfy { $0.tags == .sRGB })

    let encoding =
      kind.format == .gray8
      ? YCbCrEncoding(grey: kind.tags) : try YCbCrEncoding(tags: kind.tags, size: patches.buffer.size)
    for (index, color) in Self.colors.enumerated() {
      // What the rounded codes stand for.
      let neutral = encoding.codes.neutral
      var code = encoding.encode(SIMD3(color[0], color[1], color[2]) / 255)
      code.round(.toNearestOrAwayFromZero)
      if kind.format == .gray8 { code = SIMD3(code.x, neutral, neutral) }
      let wanted = encoding.decode(code).clamped(lowerBound: .zero, upperBound: .one)
      // Light as samples is the one thing that no screen shows as it is; in 8 bits its dark codes are far apart.
      let isLight = kind.tags.transfer == .linear
      let shown = isLight ? ColorSpace.sRGB.encode(wanted) : wanted
      for channel in 0..<3 {
        #expect(abs(Double(Self.middle(run.rgb, index)[channel]) - 255 * wanted[channel]) <= 1, "\(color)")
        #expect(
          abs(Double(Self.middle(run.screen[0].bytes, index)[channel]) - 255 * shown[channel])
            <= (isLight ? 4 : 1),
          "\(color) on a screen")
      }
    }
  }

  // Chromium 156 with GPU compositing shows H.264 of these samples so, read from its screenshots; without it, it converts
  // no primaries.
  @Test(
    "shows other primaries on a screen as browsers do, and leaves them to pipes as they are",
    arguments: [
      (
        ColorTags(primaries: .bt2020, transfer: .bt2020TenBit, matrix: .bt2020NonConstant, range: .limited),
        [
          [40, 40, 40], [128, 128, 128], [246, 0, 53], [0, 211, 0], [20, 58, 209], [217, 178, 0],
          [235, 235, 235], [0, 126, 188],
        ]
      ),
      (
        ColorTags(primaries: .bt601NTSC, transfer: .bt601, matrix: .bt601, range: .limited),
        [
          [40, 40, 40], [128, 128, 128], [194, 66, 58], [76, 197, 58], [63, 66, 199], [198, 179, 38],
          [235, 235, 235], [39, 120, 180],
        ]
      ),
    ] as [(ColorTags, [[Int]])])
  func screens(tags: ColorTags, shown: [[Int]]) async throws {
    let frame = try Self.patches(VideoKind(format: .i420, tags: tags)).buffer
    let both = try await VideoRun([frame])
    let alone = try await VideoRun([frame], to: [.screen])
    for (index, wanted) in shown.enumerated() {
      for run in [both, alone] {
        let found = Self.middle(run.screen[0].bytes, index)
        // A baked table may be some levels off in a channel that is nearly black beside a bright one.
        let isNear = zip(found, wanted).allSatisfy { abs($0 - $1) <= ($1 < 30 ? 7 : 4) }
        #expect(isNear, "\(found), not \(wanted)")
      }
      let kept = zip(Self.middle(both.rgb, index), Self.colors[index])
      #expect(kept.allSatisfy { abs(Double($0) - $1) <= 2 })
    }
    #expect(alone.screen[0].tags == .sRGB && both.screen[0].tags == .sRGB)
  }

  @Test("of HDR is handed on in silence, and edited or shown with one sentence")
  func highDynamicRange() async throws {
    for (transfer, name) in [(ColorTags.Transfer.pq, "PQ"), (.hlg, "HLG")] {
      let kind = VideoKind(
        format: .i420,
        tags: ColorTags(
          primaries: .bt2020, transfer: transfer, matrix: .bt2020NonConstant, range: .limited))
      let frame = try Self.patches(kind)
      let plain = try await VideoRun([frame.buffer, frame.buffer], to: [.y4m, .rgb])
      #expect(plain.notes.isEmpty && plain.samples == frame.planes + frame.planes)
      let sentence =
        "The video is HDR (\(name)), which is not supported: it is treated as SDR and looks flat; convert it to SDR first"
      let look = Recipe(filters: [Exposure(stops: 1)])
      #expect(
        try await VideoRun([frame.buffer, frame.buffer], through: look, to: [.y4m]).notes == [sentence])
      #expect(try await VideoRun([frame.buffer, frame.buffer], to: [.screen]).notes == [sentence])
    }
  }
}

@Suite("Tables on video", .serialized)
struct VideoTableTests {
  private static let kind = VideoKind(
    format: .i444, tags: ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .limited))

  private static func table(_ size: Int, _ color: (Double, Double, Double) -> [Double]) throws -> ColorLUT {
    var text = "LUT_3D_SIZE \(size)\n"
    for b in 0..<size {
      for g in 0..<size {
        for r in 0..<size {
          let last = Double(size - 1)
          text += color(Double(r) / last, Double(g) / last, Double(b) / last).map { "\($0)" }.joined(
            separator: " ")
          text += "\n"
        }
      }
    }
    return try ColorLUT(cube: Array(text.utf8), name: "test.cube")
  }

  // FFmpeg 5.1.9: scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd+full_chroma_int,format=rgb24,
  // lut3d=five.cube:interp=tetrahedral of the same patches as yuv444p.
  private static let fromFFmpeg = [
    [34, 46, 39], [83, 116, 121], [152, 58, 55], [42, 185, 70], [41, 64, 183], [155, 150, 38],
    [223, 184, 213],
    [38, 118, 172],
  ]

  @Test(
    "for Rec. 709 give what FFmpeg's lut3d gives", arguments: [LUT.Encoding.sRGB, .rec709],
    [PixelFormat.i444, .i420])
  func lut3d(encoding: LUT.Encoding, format: PixelFormat) async throws {
    let table = try Self.table(5) { r, g, b in
      [0.1 + 0.8 * r * r + 0.1 * g * b, 0.05 + 0.9 * g * (1 - 0.2 * r), 0.9 * b + 0.1 * (1 - r) * g]
    }
    let look = Recipe(filters: [LUT(table, name: "five.cube", encoding: encoding)])
    let kind = VideoKind(format: format, tags: Self.kind.tags)
    let run = try await VideoRun([VideoSamplesTests.patches(kind).buffer], through: look)
    let encoded = try YCbCrEncoding(
      tags: kind.tags, size: PixelSize(width: VideoSamplesTests.width, height: VideoSamplesTests.height))
    for (index, wanted) in Self.fromFFmpeg.enumerated() {
      for bytes in [run.rgb, run.screen[0].bytes] {
        let found = VideoSamplesTests.middle(bytes, index)
        #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 2 }, "\(found), not \(wanted)")
      }
      // Luma, from the same matrix and range as the source's.
      let place = VideoSamplesTests.height / 2 * VideoSamplesTests.width + 32 * index + 16
      let luma = encoded.encode(SIMD3(Double(wanted[0]), Double(wanted[1]), Double(wanted[2])) / 255).x
      #expect(abs(Double(run.samples[place]) - luma) <= 2)
    }
  }

  @Test(
    "that change nothing change no sample by more than its rounding",
    arguments: VideoKind.all([.i444, .i420, .yuyv422], [.bt709]))
  func identity(_ kind: VideoKind) async throws {
    let table = try Self.table(2) { [$0, $1, $2] }
    let look = Recipe(filters: [LUT(table, name: "identity.cube", encoding: .rec709)])
    let patches = try VideoSamplesTests.patches(kind)
    let run = try await VideoRun([patches.buffer], through: look, to: [.y4m])
    try #require(run.samples.count == patches.planes.count)
    // Where two patches meet, colour differences that are interpolated ring.
    let (width, height) = (VideoSamplesTests.width, VideoSamplesTests.height)
    let step = kind.format == .i444 ? 1 : 2
    for (index, (found, wanted)) in zip(run.samples, patches.planes).enumerated() {
      let isLuma = index < width * height
      let column = isLuma ? index % width : (index - width * height) % (width / step) * step
      guard (10...22).contains(column % 32) else { continue }
      #expect(abs(Int(found) - Int(wanted)) <= 1, "column \(column) of \(isLuma ? "Y" : "C")")
    }
  }

  @Test("are given a photo's samples as sRGB has them, by the name of Rec. 709 too")
  func photo() throws {
    let table = try Self.table(2) { r, g, b in [g, b, r] }
    func stages(_ encoding: LUT.Encoding) throws -> [Stage] {
      try Plan(
        Recipe(filters: [Exposure(stops: 0.5), LUT(table, name: "a.cube", encoding: encoding)]),
        input: PlanInput(size: PixelSize(width: 8, height: 8)), output: PlanOutput(), optimized: false
      ).exactStages
    }
    #expect(try stages(.rec709) == stages(.sRGB))
    #expect(try stages(.rec709) != stages(.rec2020))
  }
}
