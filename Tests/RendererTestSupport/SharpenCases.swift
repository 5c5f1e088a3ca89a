import ColorScience
import FilterGraph
import Filters
import FrameCore
import Rendering
import TestSupport

extension EqualityCases {
  /// Sharpening with a narrow and a wide window, masked, for the output, and both at once; the last beyond what a
  /// person would ask for.
  static let sharpenings: [Sharpen] = [
    Sharpen(40), Sharpen(150, radius: 3, detail: 100), Sharpen(80, radius: 0.5, detail: 0, masking: 60),
    Sharpen(0, output: .screen), Sharpen(100, radius: 1.7, detail: 60, masking: 30, output: .print),
  ]

  /// Sharpening of pixels as stored, of tables, fields and exact stages ahead of it, turned and scaled.
  package static func sharpening(_ format: PixelFormat, _ alpha: AlphaMode) throws -> [EqualityCase] {
    var random = SeededRandom(seed: 6600)
    let size = PixelSize(width: 271, height: 67)
    let source =
      try format.isRGBA
      ? RandomPicture.noise(size, format, alpha: alpha, using: &random)
      : CameraPictures.noise(size, format, using: &random)
    let ahead: [[any Filter]] = [
      [], [Exposure(stops: 0.4)], [Exposure(stops: -0.3), Saturation(30)],
      [Vignette(amount: -50), Contrast(20)],
      try lookBehindColor(),
    ]
    let output: PixelFormat = format.isRGBA ? format : .rgba8
    let isDeep = output != .rgba8
    // Of deep samples, positions alone are further off than colours.
    let geometry: [[any Filter]] =
      isDeep ? [[]] : [[], [Straighten(3, corners: .keep)], [Resize(longEdge: 120)]]
    let input = PlanInput(size: size, format: format, alpha: alpha)
    var examples: [EqualityCase] = []
    for (index, colors) in ahead.enumerated() {
      for (turn, geometry) in geometry.enumerated() {
        let sharpen: any Filter = sharpenings[(index + turn) % sharpenings.count]
        let bound = sharpenedBound(output) * (geometry.isEmpty ? 1 : 2)
        examples.append(
          try EqualityCase(
            Recipe(filters: geometry + colors + [sharpen]), source, input: input,
            output: PlanOutput(format: output), throughTables: true, bound: bound))
      }
    }
    return examples
  }

  /// Small and narrow pictures, where windows end at every border, in each kind of sharpening.
  package static func smallSharpening() throws -> [EqualityCase] {
    var random = SeededRandom(seed: 6700)
    let sizes: [(Int, Int)] = [(1, 1), (3, 2), (1, 40), (17, 33), (300, 3), (257, 131)]
    var examples: [EqualityCase] = []
    for (width, height) in sizes {
      let source = try RandomPicture.noise(
        PixelSize(width: width, height: height), .rgba8, alpha: width == 17 ? .straight : .opaque,
        using: &random)
      for sharpen in sharpenings {
        let filters: [any Filter] = [Exposure(stops: 0.2), sharpen]
        examples.append(try EqualityCase(filters, source, throughTables: true, bound: 1))
      }
    }
    return examples
  }

  /// Float pictures with values far outside of 0…1 and NaN, which stay where they are.
  package static func extremeSharpening() throws -> EqualityCase {
    var random = SeededRandom(seed: 6800)
    let source = try RandomPicture.noise(PixelSize(width: 40, height: 30), .rgbaF32, using: &random)
    let values: [Float] = [.nan, .infinity, -.infinity, 1e30, -40, 8]
    for (index, value) in values.enumerated() {
      source.row(5 * (index / 2) + 3, as: Float.self)[4 * (9 * index % 37) + index % 3] = value
    }
    return try EqualityCase(
      [Sharpen(100, detail: 60, masking: 40)], source, output: PlanOutput(format: .rgbaF32), bound: 1e-4)
  }

  /// As `exactBound`, with the rounding of the picture in between to 16 bits.
  private static func sharpenedBound(_ format: PixelFormat) -> Double {
    exactBound(format) * (format == .rgba8 ? 1 : 2.5)
  }
}
