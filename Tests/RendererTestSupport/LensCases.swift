import FilterGraph
import Filters
import FrameCore
import TestSupport

extension EqualityCases {
  private static func profile(using random: inout SeededRandom, darkens: Bool) -> LensProfile {
    let (a, b, c) = (
      Double.random(in: -0.02...0.02, using: &random), Double.random(in: -0.1...0.08, using: &random),
      Double.random(in: -0.03...0.03, using: &random)
    )
    return LensProfile(
      distortion: [1 - a - b - c, c, b, a],
      center: SIMD2(
        Double.random(in: -0.05...0.05, using: &random), Double.random(in: -0.05...0.05, using: &random)),
      vignetting: darkens
        ? SIMD3(
          Double.random(in: -0.5...0, using: &random), Double.random(in: -0.2...0.1, using: &random), 0.02)
        : .zero)
  }

  /// Lens corrections alone and with other geometry, at every orientation, from RGB of each depth and from cameras.
  package static func lens(seed: Int) throws -> EqualityCase {
    var random = SeededRandom(seed: 8600 + UInt64(seed))
    let (source, input) = try placedPicture(seed: seed, using: &random)
    let more: [[any Filter]] = [
      [], [Straighten(5)], [Crop(.square)], [Resize(.longEdge(40))], [Rotate(.clockwise), Flip(.horizontal)],
      [Keystone(vertical: 10, horizontal: -6)], [Straighten(8, corners: .keep)],
    ]
    return try EqualityCase(
      Recipe(
        filters: [Lens(profile(using: &random, darkens: seed % 3 == 0))] + more[(seed / 3) % more.count]),
      source, input: input, output: PlanOutput(format: input.format.isRGBA ? input.format : .rgba8),
      throughTables: true, bound: 2 * placedBound(input.format))
  }

  /// Fields and masks behind a lens correction, and its light ahead of them.
  package static func lensFields(_ format: PixelFormat) throws -> [EqualityCase] {
    var random = SeededRandom(seed: 8700)
    let size = PixelSize(width: 231, height: 149)
    let source =
      try format.isRGBA
      ? RandomPicture.noise(size, format, using: &random) : CameraPictures.noise(size, format, using: &random)
    var edits: [[any Filter]] = [
      [Vignette(amount: -60)], [Tone(highlights: -80, shadows: 90), Clarity(60)],
      [Dehaze(-70), Halation(40)],
      [Texture(80), Saturation(30), Grain(20)], [Exposure(stops: 0.4), Saturation(20), Contrast(20)],
      [Vignette(amount: -40), Clarity(40), Group(masks[1], filters: [Clarity(50)])],
    ]
    edits += masks.map { [Group($0, filters: [Exposure(stops: 0.8), Saturation(-30)])] }
    return try edits.enumerated().map { index, edit in
      let lens = Lens(profile(using: &random, darkens: index % 2 == 0))
      let geometry: [any Filter] = [lens] + (index % 3 == 0 ? [Straighten(3)] : [])
      return try EqualityCase(
        Recipe(filters: geometry + edit), source, input: PlanInput(size: size, format: format),
        output: PlanOutput(format: format.isRGBA ? format : .rgba8), throughTables: true,
        bound: 2 * placedBound(format))
    }
  }
}
