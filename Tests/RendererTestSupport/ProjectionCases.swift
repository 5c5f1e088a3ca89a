import FilterGraph
import Filters
import FrameCore
import Rendering
import TestSupport

extension EqualityCases {
  /// Four places of a quadrilateral, each anywhere near a corner of the picture, and so also outside of it.
  private static func places(using random: inout SeededRandom) -> [SIMD2<Double>] {
    let corners: [SIMD2<Double>] = [SIMD2(0, 0), SIMD2(1, 0), SIMD2(1, 1), SIMD2(0, 1)]
    return corners.map { corner in
      let inwards: SIMD2<Double> = SIMD2(repeating: 1) - 2 * corner
      let moved = SIMD2(
        Double.random(in: -0.05...0.3, using: &random), Double.random(in: -0.05...0.3, using: &random))
      return corner + inwards * moved
    }
  }

  /// Projections alone and with other geometry, at every orientation, from RGB of each depth and from cameras.
  package static func projection(seed: Int) throws -> EqualityCase {
    var random = SeededRandom(seed: 8100 + UInt64(seed))
    let (source, input) = try placedPicture(seed: seed, using: &random)
    let first: any Filter =
      seed % 3 == 2
      ? Keystone(
        vertical: Float.random(in: -20...20, using: &random),
        horizontal: Float.random(in: -15...15, using: &random),
        focalLength: Float.random(in: 20...90, using: &random))
      : Perspective(
        .places(places(using: &random)),
        proportions: seed % 2 == 0
          ? .automatic : .ratio(width: Double.random(in: 0.5...2, using: &random), height: 1))
    let more: [[any Filter]] = [
      [], [Straighten(5)], [Crop(.square)], [Resize(.longEdge(40))], [Rotate(.clockwise), Flip(.horizontal)],
      [Perspective(.places(places(using: &random)))],
    ]
    return try EqualityCase(
      Recipe(filters: [first] + more[seed % more.count]), source, input: input,
      output: PlanOutput(format: input.format.isRGBA ? input.format : .rgba8),
      bound: placedBound(input.format))
  }

  /// Noise of each depth and from cameras, of many sizes and at every orientation, for geometry that is not affine.
  static func placedPicture(
    seed: Int, using random: inout SeededRandom
  ) throws -> (source: PixelBuffer, input: PlanInput) {
    let formats: [(PixelFormat, AlphaMode)] = [
      (.rgba8, .opaque), (.rgba8, .straight), (.rgba16, .opaque), (.rgbaF32, .opaque), (.nv12, .opaque),
      (.yuyv422, .opaque), (.gray8, .opaque),
    ]
    let (format, alpha) = formats[seed % formats.count]
    let size = sizes[(seed / 2) % sizes.count]
    let source =
      try format.isRGBA
      ? RandomPicture.noise(size, format, alpha: alpha, using: &random)
      : CameraPictures.noise(size, format, using: &random)
    let orientation = Orientation.allCases[seed % 8]
    return (source, PlanInput(size: size, format: format, orientation: orientation, alpha: alpha))
  }

  /// What places and weights that are rounded, in two passes, may do to noise.
  static func placedBound(_ format: PixelFormat) -> Double {
    switch format {
    case .rgba16: 1400
    case .rgbaF32: 0.06
    default: 5
    }
  }

  /// Fields and masks behind a projection: what depends on places stays where it is in the picture.
  package static func projectedFields(_ format: PixelFormat) throws -> [EqualityCase] {
    var random = SeededRandom(seed: 8300)
    let size = PixelSize(width: 231, height: 149)
    let source =
      try format.isRGBA
      ? RandomPicture.noise(size, format, using: &random) : CameraPictures.noise(size, format, using: &random)
    var edits: [[any Filter]] = [
      [Vignette(amount: -60)], [Tone(highlights: -80, shadows: 90), Clarity(60)],
      [Dehaze(-70), Halation(40)],
      [Clarity(-70), Vignette(amount: -30), Tone(shadows: -60, whites: 20), Exposure(stops: 0.4), Grain(30)],
      [Texture(80), Saturation(30)],
      [Vignette(amount: -40), Clarity(40), Group(masks[1], filters: [Clarity(50)])],
      [
        Group(
          .feather(masks[5], radius: 0.1, edges: true), filters: [Exposure(stops: 0.6), Tone(shadows: 30)])
      ],
    ]
    edits += masks.map { [Group($0, filters: [Exposure(stops: 0.8), Saturation(-30)])] }
    edits += masks.map { [Group($0, filters: [Exposure(stops: -0.9)])] }
    return try edits.enumerated().map { index, edit in
      let geometry: [any Filter] =
        [Perspective(.places(places(using: &random)))] + (index % 2 == 0 ? [] : [Resize(.longEdge(90))])
      return try EqualityCase(
        Recipe(filters: geometry + edit), source, input: PlanInput(size: size, format: format),
        output: PlanOutput(format: format.isRGBA ? format : .rgba8), throughTables: true,
        bound: 2 * placedBound(format))
    }
  }

  /// Projections that look beyond the picture, where it has open corners: of each depth, with alpha and without, through
  /// both kernels.
  package static func openProjections() throws -> [EqualityCase] {
    var random = SeededRandom(seed: 8400)
    let formats: [(PixelFormat, AlphaMode, Interpolation)] = [
      (.rgba8, .opaque, .sharp), (.rgba8, .straight, .bilinear), (.rgba16, .straight, .sharp),
      (.rgbaF32, .opaque, .bilinear),
    ]
    return try formats.map { format, alpha, interpolation in
      let source = try RandomPicture.noise(
        PixelSize(width: 97, height: 61), format, alpha: alpha, using: &random)
      let outside: [SIMD2<Double>] = [SIMD2(-0.2, -0.1), SIMD2(1.1, 0.1), SIMD2(0.9, 1.2), SIMD2(0.1, 0.9)]
      return try EqualityCase(
        Recipe(order: .listed, filters: [Straighten(8, corners: .keep), Perspective(.places(outside))]),
        source,
        input: PlanInput(size: source.size, format: format, alpha: alpha),
        output: PlanOutput(format: format, interpolation: interpolation), bound: placedBound(format))
    }
  }
}
