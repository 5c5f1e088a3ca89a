import ColorScience
import FilterGraph
import Filters
import FrameCore
import Rendering
import TestSupport
import Libc

/// Plans on RGBA pictures, with how far renderers may be from the reference.
package enum EqualityCases {
  package static let sizes = [
    (1, 1), (1, 7), (13, 1), (2, 3), (17, 31), (64, 64), (97, 61), (257, 67), (300, 40),
  ].map { PixelSize(width: $0.0, height: $0.1) }

  /// Random colour, exactly.
  package static func exactColor(seed: Int) throws -> EqualityCase {
    var random = SeededRandom(seed: UInt64(seed))
    let source = try RandomPicture.noise(sizes[seed % sizes.count], .rgba8, using: &random)
    return try EqualityCase(
      RandomRecipe.color(using: &random, count: 1 + seed % 6), source, optimized: false, bound: 1)
  }

  /// Random curves, changes by hue and grading: exactly and in tables, in a group, in 16 bits and in float.
  package static func tools(seed: Int) throws -> EqualityCase {
    var random = SeededRandom(seed: 3000 + UInt64(seed))
    let formats: [PixelFormat] = [.rgba8, .rgba8, .rgba16, .rgbaF32]
    let format = formats[seed % 4]
    let source = try RandomPicture.noise(sizes[seed % sizes.count], format, using: &random)
    var filters = RandomRecipe.tools(using: &random, count: 1 + seed % 4)
    if seed % 5 == 4 {
      filters = [Group(.radial(center: MaskPoint(0.5, 0.5), radiusX: 0.4, radiusY: 0.3), filters: filters)]
    }
    return try EqualityCase(
      filters, source, output: PlanOutput(format: format), optimized: seed % 4 == 1,
      throughTables: seed % 4 == 1,
      bound: format == .rgba8 ? 1 : format == .rgba16 ? 65.5 : 1e-3)
  }

  /// Log footage, tables for it and chains of steps: exactly and in tables, in 8 and 16 bits and in float.
  package static func logTables(seed: Int) throws -> EqualityCase {
    var random = SeededRandom(seed: 5000 + UInt64(seed))
    let formats: [PixelFormat] = [.rgba8, .rgba16, .rgbaF32]
    let format = formats[seed % 3]
    let source = try RandomPicture.noise(sizes[seed % sizes.count], format, using: &random)
    let log = LogEncoding.allCases[seed % LogEncoding.allCases.count]
    let nodes = (0..<27).map { node -> SIMD3<Float> in
      let place = SIMD3<Float>(Float(node % 3), Float(node / 3 % 3), Float(node / 9))
      return place * (Float.random(in: 0.7...1, using: &random) / 2)
    }
    let grade = ColorDecision(
      slope: SIMD3(1.1, 1, 0.9), offset: SIMD3(-0.02, 0, 0.03), power: SIMD3(1, 1.1, 0.9), saturation: 1.2)
    let chain = ColorLUT(
      steps: grade.steps() + [
        .affine(
          Matrix3x3.identity.blended(with: .diagonal(SIMD3(0.9, 1, 1.1)), by: 0.5),
          offset: SIMD3(0.01, 0, -0.01)),
        .table3D(try LUT3D(size: 3, nodes: nodes), isTrilinear: seed % 2 == 1),
      ])
    let filters: [any Filter] =
      seed % 3 == 0
      ? [LUT(chain, name: "c.clf", strength: seed % 2 == 0 ? 100 : 60)]
      : [InputEncoding(.log(log)), LUT(chain, name: "c.clf", encoding: .log(seed % 2 == 0 ? log : .vLog))]
    return try EqualityCase(
      filters, source, output: PlanOutput(format: format), optimized: seed % 4 == 1,
      throughTables: seed % 4 == 1,
      bound: format == .rgba8 ? 1 : format == .rgba16 ? 65.5 : 1e-3)
  }

  /// Chains that act on each channel alone.
  package static func channelTables(seed: Int) throws -> EqualityCase {
    var random = SeededRandom(seed: UInt64(seed))
    let source = try RandomPicture.noise(PixelSize(width: 97, height: 61), .rgba8, using: &random)
    let steps = (0..<Int.random(in: 2...70, using: &random)).map { _ in
      SIMD3<Float>(
        Float.random(in: -0.2...1.2, using: &random), Float.random(in: 0...1, using: &random),
        Float.random(in: 0...1, using: &random))
    }
    let shaper = try LUT1D(samples: steps)
    return try EqualityCase(
      [
        Exposure(stops: Float.random(in: -3...3, using: &random)),
        LUT(
          ColorLUT(shaper: shaper), name: "random.cube", strength: Float.random(in: 1...100, using: &random)),
      ], source, bound: 1)
  }

  /// A look behind other colour, which one table does not follow and two do.
  package static func lookBehindColor() throws -> [any Filter] {
    [Exposure(stops: 0.4), WhiteBalance(temperature: 5800, tint: 4), Contrast(15), Saturation(12)]
      + (try PresetLibrary.preset("cool-film").recipe.filters)
  }

  /// Two tables behind each other, from pixels as stored, turned, with alpha and from cameras.
  package static func tablePairs(_ format: PixelFormat, _ alpha: AlphaMode) throws -> [EqualityCase] {
    var random = SeededRandom(seed: 6000)
    let size = PixelSize(width: 97, height: 61)
    let source =
      try format == .rgba8
      ? RandomPicture.noise(size, format, alpha: alpha, using: &random)
      : CameraPictures.noise(size, format, using: &random)
    let geometry: [[any Filter]] = [
      [], [Flip(.horizontal)], [Straighten(3)], [Straighten(3, corners: .keep)],
    ]
    return try geometry.map {
      try EqualityCase(
        Recipe(filters: try lookBehindColor() + $0), source,
        input: PlanInput(size: size, format: format, alpha: alpha), throughTables: true,
        bound: $0.isEmpty ? 1 : 2)
    }
  }

  /// Fields behind other stages, from pixels as stored, turned, with alpha, deep and from cameras.
  package static func fields(_ format: PixelFormat, _ alpha: AlphaMode) throws -> [EqualityCase] {
    var random = SeededRandom(seed: 6500)
    let size = PixelSize(width: 297, height: 61)
    let source =
      try format.isRGBA
      ? RandomPicture.noise(size, format, alpha: alpha, using: &random)
      : CameraPictures.noise(size, format, using: &random)
    let edits: [[any Filter]] = [
      [Vignette(amount: -60)], [Vignette(amount: 35, midpoint: 20, feather: 90, roundness: 60)],
      [
        Vignette(amount: -80, midpoint: 70, feather: 0, roundness: -70), Exposure(stops: 0.7), Saturation(40),
      ],
      [Tone(highlights: -80, shadows: 90)], [Clarity(100)],
      // Joined with the vignette; after it, another field reads the light that the first one leaves.
      [Clarity(-70), Vignette(amount: -30), Tone(shadows: -60, whites: 20), Exposure(stops: 0.4)],
      [Grain(50)], [Grain(100, size: 60, roughness: 80, seed: 7), Clarity(40), Vignette(amount: -20)],
      [Tone(highlights: 50, shadows: 40), Tone(highlights: -90, blacks: -30), Saturation(20)],
      [Dehaze(-70), Saturation(20)], [Halation(80)], [Texture(100), Exposure(stops: 0.2)],
      [Dehaze(80), Texture(-60), Clarity(40), Halation(50), Vignette(amount: -30), Exposure(stops: 0.3)],
      [Vignette(amount: -40), Exposure(stops: -0.3)] + (try PresetLibrary.preset("cool-film").recipe.filters),
    ]
    // Of deep samples, positions alone are further off than colours.
    let turned: [[any Filter]] = format == .rgba16 || format == .rgbaF32 ? [] : [[Straighten(4)]]
    let geometry: [[any Filter]] = turned + [[], [Crop(.rectangle(x: 31, y: 7, width: 150, height: 50))]]
    return try edits.flatMap { edit in
      try geometry.map { geometry in
        try EqualityCase(
          Recipe(filters: geometry + edit), source,
          input: PlanInput(size: size, format: format, alpha: alpha),
          output: PlanOutput(format: format.isRGBA ? format : .rgba8), throughTables: true,
          bound: exactBound(format.isRGBA ? format : .rgba8) * (geometry.isEmpty ? 1 : 2))
      }
    }
  }

  /// Haze that is found and removed, wherever the picture is cropped and turned.
  package static func haze(_ format: PixelFormat) throws -> [EqualityCase] {
    let source = try HazyScene(size: PixelSize(width: 297, height: 181)).hazy(format)
    let edits: [[any Filter]] = [
      [Dehaze(40)], [Dehaze(100), WhiteBalance(temperature: 5200), Saturation(20)],
      [Dehaze(70), Clarity(40), Halation(60), Vignette(amount: -30), Tone(shadows: 50)],
    ]
    let geometry: [[any Filter]] = [[], [Crop(.rectangle(x: 31, y: 7, width: 150, height: 90))]]
    return try edits.flatMap { edit in
      try geometry.map { geometry in
        try EqualityCase(
          Recipe(filters: geometry + edit), source, input: PlanInput(size: source.size, format: format),
          output: PlanOutput(format: format), throughTables: true,
          bound: exactBound(format) * (geometry.isEmpty ? 1 : 2))
      }
    }
  }

  /// Random geometry, at every orientation.
  package static func geometry(seed: Int) throws -> EqualityCase {
    var random = SeededRandom(seed: 1000 + UInt64(seed))
    let source = try RandomPicture.noise(
      sizes[seed % sizes.count], .rgba8, alpha: seed % 5 == 0 ? .straight : .opaque, using: &random)
    return try EqualityCase(
      RandomRecipe.geometry(using: &random), source, orientation: Orientation.allCases[seed % 8], bound: 2)
  }

  /// Small turns, which are sampled in two passes.
  package static func twoPasses(_ orientation: Orientation) throws -> [EqualityCase] {
    var random = SeededRandom(seed: 4000)
    let source = try RandomPicture.noise(PixelSize(width: 70, height: 52), .rgba8, using: &random)
    return try [Straighten(3), Straighten(-14.9, corners: .keep)].map {
      try EqualityCase([$0], source, orientation: orientation, bound: 1)
    }
  }

  /// Bilinear sampling, directly and in two passes.
  package static func bilinear(_ format: PixelFormat, _ alpha: AlphaMode) throws -> [EqualityCase] {
    var random = SeededRandom(seed: 5000)
    let source = try RandomPicture.noise(
      PixelSize(width: 70, height: 41), format, alpha: alpha, using: &random)
    // The CPU's kernels round positions to 1/1024 pixel, each way.
    let bound: Double =
      switch format {
      case .rgba8: 1
      case .rgba16: 100
      default: alpha == .straight ? 0.03 : 2e-3
      }
    return try ([-2, 33] as [Float]).flatMap { degrees in
      try [Orientation.up, .right].map { orientation in
        try EqualityCase(
          [Straighten(degrees)], source, output: PlanOutput(format: format, interpolation: .bilinear),
          orientation: orientation, bound: bound)
      }
    }
  }

  /// Every pair of depths, to two spaces.
  package static func deep(seed: Int) throws -> EqualityCase {
    var random = SeededRandom(seed: 2000 + UInt64(seed))
    let formats: [PixelFormat] = [.rgba8, .rgba16, .rgbaF32]
    let source = try RandomPicture.noise(sizes[seed % sizes.count], formats[seed % 3], using: &random)
    let output = PlanOutput(format: formats[(seed / 3) % 3], space: seed % 2 == 0 ? .sRGB : .displayP3)
    return try EqualityCase(
      RandomRecipe.color(using: &random, count: 3), source, output: output, optimized: false,
      bound: exactBound(output.format))
  }

  /// What exact stages in single precision may be off by: 10⁻⁴ of full scale at 16 bit, twice as much in float.
  static func exactBound(_ format: PixelFormat) -> Double {
    switch format {
    case .rgba8: 1
    case .rgba16: 6
    default: 2e-4
    }
  }

  /// Float pictures with alpha, downsampled, and turned where `seed` is odd.
  package static func floatAlpha(seed: Int) throws -> EqualityCase {
    var random = SeededRandom(seed: 3000 + UInt64(seed))
    let source = try RandomPicture.noise(
      PixelSize(width: 64, height: 48), .rgbaF32, alpha: .straight, using: &random)
    let isTurned = seed % 2 == 1
    // Where little is covered, colour is divided by little.
    return try EqualityCase(
      [Resize(longEdge: [20, 31, 50][seed % 3])] + (isTurned ? [Straighten(9)] : []), source,
      output: PlanOutput(format: .rgbaF32), bound: isTurned ? 0.03 : 2e-3)
  }

  /// Profile curves, above 1 and at what is no number. Float pictures of one row.
  package static func beyondOne() throws -> EqualityCase {
    let curve = TransferFunction.sampled(
      try SampledCurve(samples: (0...1024).map { pow(Double($0) / 1024, 2.2) }))
    let space = ColorSpace(name: "Measured", primaries: .bt709, transfer: curve)
    let values: [Float] = [0, 0.001, 0.5, 1, 1.5, 4, 8, .nan]
    let source = try PixelBuffer(size: PixelSize(width: values.count, height: 1), format: .rgbaF32)
    for (x, value) in values.enumerated() {
      for channel in 0..<4 { source.row(0, as: Float.self)[4 * x + channel] = channel == 3 ? 1 : value }
    }
    return try EqualityCase(
      Recipe(filters: [Exposure(stops: 0.5), Saturation(20)]), source,
      input: PlanInput(size: source.size, format: .rgbaF32, space: space),
      output: PlanOutput(format: .rgbaF32, space: space), bound: 2e-4)
  }
}
