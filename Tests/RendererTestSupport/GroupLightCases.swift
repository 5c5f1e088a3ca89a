import FilterGraph
import Filters
import FrameCore
import Rendering
import TestSupport

extension EqualityCases {
  /// Local tone, texture and dehazing in groups, alone and between filters of all other kinds.
  package static let litGroups: [[any Filter]] = [
    [Group(nil, filters: [Tone(highlights: -80, shadows: 90)])],
    [Group(masks[0], filters: [Clarity(100), Exposure(stops: 0.5)])],
    [Group(masks[4], opacity: 70, filters: [Texture(80), Saturation(30)])],
    [Group(masks[2], filters: [Dehaze(80), WhiteBalance(temperature: 5000)])],
    [
      Exposure(stops: 0.3), Group(masks[1], filters: [Exposure(stops: -1), Contrast(20)]),
      Group(masks[6], filters: [Dehaze(90), Clarity(-40)]),
      // Not where lightness says so: in the dark it rises steeply, and haze in black shows each digit of a mask.
      Group(masks[0], opacity: 60, filters: [Dehaze(-60), Texture(-70), Tone(shadows: -60, whites: 20)]),
      Saturation(15),
    ],
    [
      Clarity(30), Vignette(amount: -30), Grain(30), Group(masks[5], filters: [Tone(highlights: -70)]),
      Group(masks[3], filters: [Clarity(60), Tone(shadows: 40)]),
    ],
  ]

  package static func litGroups(_ format: PixelFormat, _ alpha: AlphaMode) throws -> [EqualityCase] {
    try cases(of: litGroups, on: PixelSize(width: 297, height: 61), format, alpha, seed: 7100)
  }

  package static func smallLitGroups() throws -> [EqualityCase] { try small(litGroups, seed: 7150) }

  /// Masks that follow edges, alone and in trees, with local light and without.
  package static let guided: [[any Filter]] = [
    [Group(.feather(masks[0], radius: 0.03, edges: true), filters: [Exposure(stops: -1)])],
    [
      Group(
        .subtract(.feather(masks[4], radius: 0.02, edges: true), [masks[2]]), opacity: 70,
        filters: [Exposure(stops: 1), Saturation(30)])
    ],
    [
      Contrast(10), Group(masks[1], filters: [Exposure(stops: -0.5)]),
      Group(
        .add([
          .feather(masks[1], radius: 0.01, edges: true),
          .invert(.feather(masks[4], radius: 0.05, edges: true)),
        ]), opacity: 60, filters: [Clarity(60), Texture(-50), Exposure(stops: 0.5)]),
      Group(.feather(masks[5], radius: 1, edges: true), filters: [Saturation(-60)]), Saturation(15),
    ],
    [Clarity(30), Group(.feather(masks[1], radius: 0.08, edges: true), filters: [Tone(shadows: 50)])],
  ]

  package static func guided(_ format: PixelFormat, _ alpha: AlphaMode) throws -> [EqualityCase] {
    try cases(of: guided, on: PixelSize(width: 263, height: 71), format, alpha, seed: 7200)
  }

  package static func smallGuided() throws -> [EqualityCase] { try small(guided, seed: 7250) }

  /// Edits of a picture as stored, cropped and, unless its samples are deep, turned: positions alone would be further off
  /// than its colours.
  private static func cases(
    of edits: [[any Filter]], on size: PixelSize, _ format: PixelFormat, _ alpha: AlphaMode, seed: UInt64
  ) throws -> [EqualityCase] {
    var random = SeededRandom(seed: seed)
    let source =
      try !format.isRGBA
      ? CameraPictures.noise(size, format, using: &random)
      // Noise has no haze.
      : alpha == .opaque
        ? HazyScene(size: size).hazy(format) : RandomPicture.noise(size, format, alpha: alpha, using: &random)
    let turned: [[any Filter]] = format == .rgba16 || format == .rgbaF32 ? [] : [[Straighten(4)]]
    let geometry: [[any Filter]] = turned + [[], [Crop(.rectangle(x: 31, y: 7, width: 150, height: 50))]]
    let output: PixelFormat = format.isRGBA ? format : .rgba8
    return try edits.flatMap { edit in
      try geometry.map { geometry in
        try EqualityCase(
          Recipe(filters: geometry + edit), source,
          input: PlanInput(size: size, format: format, alpha: alpha), output: PlanOutput(format: output),
          throughTables: true, bound: exactBound(output) * (geometry.isEmpty ? 1 : 2))
      }
    }
  }

  /// Edits of pictures of few pixels.
  private static func small(_ edits: [[any Filter]], seed: UInt64) throws -> [EqualityCase] {
    var random = SeededRandom(seed: seed)
    return try [(1, 1), (1, 40), (17, 33), (300, 3)].flatMap { width, height in
      let source = try RandomPicture.noise(PixelSize(width: width, height: height), .rgba8, using: &random)
      return try edits.map { try EqualityCase($0, source, throughTables: true, bound: 1) }
    }
  }
}
