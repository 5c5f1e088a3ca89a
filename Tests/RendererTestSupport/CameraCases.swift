import ColorScience
import FilterGraph
import Filters
import FrameCore
import Rendering
import TestSupport

/// Plans on camera samples, with how far renderers may be from the reference.
package enum CameraCases {
  package static let formats: [PixelFormat] = [
    .yuyv422, .uyvy422, .nv12, .nv21, .nv16, .i420, .i422, .i444, .gray8,
  ]
  package static let encodings: [YCbCrEncoding] = [
    YCbCrEncoding(matrix: .bt601, range: .limited), YCbCrEncoding(matrix: .bt601, range: .full),
    YCbCrEncoding(matrix: .bt709, range: .limited, siting: .topLeft),
    YCbCrEncoding(matrix: .bt709, range: .full, siting: .left),
    YCbCrEncoding(matrix: .bt2020, range: .limited, siting: .center),
  ]

  private static func make(
    _ source: PixelBuffer, _ filters: [any Filter], _ encoding: YCbCrEncoding,
    _ orientation: Orientation = .up,
    output: PlanOutput = PlanOutput(), optimized: Bool = false, throughTables: Bool = false, bound: Double
  ) throws -> EqualityCase {
    try EqualityCase(
      Recipe(filters: filters), source,
      input: PlanInput(
        size: source.size, format: source.format, ycbcr: encoding, orientation: orientation), output: output,
      optimized: optimized, throughTables: throughTables, bound: bound)
  }

  /// Samples in their place.
  package static func conversion(_ format: PixelFormat) throws -> [EqualityCase] {
    try EqualityCases.sizes.enumerated().map { seed, size in
      var random = SeededRandom(seed: UInt64(seed))
      let source = try CameraPictures.noise(size, format, using: &random)
      return try make(source, [], encodings[seed % encodings.count], bound: 1)
    }
  }

  /// Random geometry on stored samples.
  package static func geometry(_ format: PixelFormat) throws -> [EqualityCase] {
    try (0..<6).map { seed in
      var random = SeededRandom(seed: 100 + UInt64(seed))
      let size = EqualityCases.sizes[seed % EqualityCases.sizes.count]
      let source = try CameraPictures.noise(size, format, using: &random)
      return try make(
        source, RandomRecipe.geometry(using: &random), encodings[seed % encodings.count],
        Orientation.allCases[seed % 8], bound: 2)
    }
  }

  /// Small turns, as of a camera that is not level.
  package static func straighten(_ format: PixelFormat) throws -> [EqualityCase] {
    var random = SeededRandom(seed: 7)
    let source = try CameraPictures.noise(PixelSize(width: 280, height: 70), format, using: &random)
    return try ([-2, 0.3, 11] as [Float]).map {
      try make(source, [Straighten($0)], encodings[0], bound: 1)
    }
  }

  /// Small turns of turned cameras.
  package static func turnedCamera(_ format: PixelFormat, _ interpolation: Interpolation) throws
    -> [EqualityCase]
  {
    var random = SeededRandom(seed: 8)
    let source = try CameraPictures.noise(PixelSize(width: 44, height: 38), format, using: &random)
    let output = PlanOutput(interpolation: interpolation)
    return try [Orientation.up, .right, .downMirrored].flatMap { orientation in
      try ([[], [Straighten(4)]] as [[any Filter]]).map {
        try make(source, $0, encodings[2], orientation, output: output, bound: 1)
      }
    }
  }

  /// Frames mirrored, turned by quarters and cropped at odd places.
  package static func movedPixels(_ format: PixelFormat, _ orientation: Orientation) throws -> [EqualityCase]
  {
    var random = SeededRandom(seed: 9)
    let source = try CameraPictures.noise(PixelSize(width: 91, height: 67), format, using: &random)
    let crops: [[any Filter]] = [
      [], [Crop(.rectangle(x: 3, y: 5, width: 41, height: 57))],
      [Flip(.vertical), Crop(.rectangle(x: 0, y: 1, width: 64, height: 7))],
    ]
    return try crops.flatMap { crop in
      try [(encodings[2], Interpolation.sharp), (encodings[4], .bilinear)].map { encoding, interpolation in
        try make(
          source, crop, encoding, orientation, output: PlanOutput(interpolation: interpolation), bound: 1)
      }
    }
  }

  /// Baked tables and channel tables.
  package static func colour(_ format: PixelFormat) throws -> [EqualityCase] {
    let source = try CameraPictures.gradient(PixelSize(width: 270, height: 40), format)
    let chains: [[any Filter]] = [
      [Exposure(stops: 0.4)], [WhiteBalance(temperature: 6900), Exposure(stops: 0.3), Saturation(15)],
      [
        WhiteBalance(temperature: 6900), Contrast(12), Straighten(2), Crop(.proportions(width: 4, height: 3)),
      ],
      [Saturation(15), Straighten(3, corners: .keep)],
    ]
    return try chains.map {
      try make(source, $0, encodings[0], optimized: true, throughTables: true, bound: 2)
    }
  }

  /// Deep and float output, and downsampling in linear light.
  package static func downsampling(_ format: PixelFormat) throws -> [EqualityCase] {
    var random = SeededRandom(seed: 21)
    let source = try CameraPictures.noise(PixelSize(width: 130, height: 40), format, using: &random)
    let cases: [([any Filter], PlanOutput)] = [
      ([Resize(longEdge: 60)], PlanOutput()), ([Resize(longEdge: 50), Straighten(4)], PlanOutput()),
      ([Exposure(stops: 0.2)], PlanOutput(format: .rgba16)), ([], PlanOutput(format: .rgbaF32)),
    ]
    return try cases.map { filters, output in
      let bound: Double =
        switch output.format {
        case .rgba8: 2
        case .rgba16: 80
        default: 2e-3
        }
      return try make(source, filters, encodings[2], output: output, optimized: true, bound: bound)
    }
  }
}
