import Capture
import ColorScience
import FilterGraph
import Filters
import FrameCore
import TestSupport
import Testing

@testable import Rendering

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The fast renderer against the reference, on random recipes, formats and sizes.
@Suite("CPU and reference renderers agree")
struct RendererEqualityTests {
  static let sizes = [(1, 1), (1, 7), (13, 1), (2, 3), (17, 31), (64, 64), (97, 61), (257, 67), (300, 40)].map
  {
    PixelSize(width: $0.0, height: $0.1)
  }

  /// Renders both ways; `optimized` false keeps exact stages.
  func compare(
    _ recipe: Recipe, _ source: PixelBuffer, output: PlanOutput, orientation: Orientation = .up,
    optimized: Bool
  ) throws -> (value: Double, plan: Plan) {
    let input = PlanInput(
      size: source.size, format: source.format, orientation: orientation, alpha: source.alpha)
    let plan = try Plan(
      recipe, input: input, output: output, evaluator: KernelEvaluator(), optimized: optimized)
    let fast = try CPURenderer().render(source, through: plan)
    let exact = try ReferenceRenderer().render(source, through: plan)
    #expect(fast.size == exact.size)
    #expect(fast.alpha == exact.alpha)
    return (RandomPicture.largestDifference(fast, exact).value, plan)
  }

  @Test("Exact colour stages differ by at most one code of 8 bits", arguments: 0..<40)
  func exactColor(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let size = Self.sizes[seed % Self.sizes.count]
    let source = try RandomPicture.noise(size, .rgba8, using: &random)
    let recipe = Recipe(filters: RandomRecipe.color(using: &random, count: 1 + seed % 6))
    let result = try compare(recipe, source, output: PlanOutput(), optimized: false)
    #expect(result.value <= 1, "seed \(seed), \(size), \(result.plan)")
  }

  @Test("Chains that act on each channel alone are exact tables", arguments: 0..<12)
  func channelTables(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let source = try RandomPicture.noise(PixelSize(width: 97, height: 61), .rgba8, using: &random)
    let steps = (0..<Int.random(in: 2...70, using: &random)).map { _ in
      SIMD3<Float>(
        Float.random(in: -0.2...1.2, using: &random), Float.random(in: 0...1, using: &random),
        Float.random(in: 0...1, using: &random))
    }
    let shaper = try LUT1D(samples: steps)
    let filters: [any Filter] = [
      Exposure(stops: Float.random(in: -3...3, using: &random)),
      LUT(ColorLUT(shaper: shaper), name: "random.cube", strength: Float.random(in: 1...100, using: &random)),
    ]
    let result = try compare(Recipe(filters: filters), source, output: PlanOutput(), optimized: true)
    #expect(result.value == 0, "seed \(seed), \(result.plan)")
  }

  /// A look behind other colour, which one table does not follow and two do.
  static func lookBehindColor() throws -> [any Filter] {
    [Exposure(stops: 0.4), WhiteBalance(temperature: 5800, tint: 4), Contrast(15), Saturation(12)]
      + (try PresetLibrary.preset("cool-film").recipe.filters)
  }

  @Test(
    "Plans of two tables agree, from pixels as stored, turned, with alpha and from cameras",
    arguments: [(PixelFormat.rgba8, AlphaMode.opaque), (.rgba8, .straight), (.yuyv422, .opaque)])
  func tablePairs(format: PixelFormat, alpha: AlphaMode) throws {
    var random = SeededRandom(seed: 6000)
    let size = PixelSize(width: 97, height: 61)
    let source =
      try format == .rgba8
      ? RandomPicture.noise(size, format, alpha: alpha, using: &random)
      : CameraPictures.noise(size, format, using: &random)
    for geometry in [[], [Flip(.horizontal)], [Straighten(3)], [Straighten(3, corners: .keep)]]
      as [[any Filter]]
    {
      let plan = try Plan(
        Recipe(filters: try Self.lookBehindColor() + geometry),
        input: PlanInput(size: size, format: format, alpha: alpha), output: PlanOutput(),
        evaluator: KernelEvaluator())
      let tables = plan.stages.filter { if case .baked = $0 { true } else { false } }
      try #require(tables.count == 2, "\(plan)")
      let fast = try CPURenderer(threads: 2).render(source, through: plan)
      // What the tables themselves may be off by is their own bound; see BakeBoundTests.
      let expected = try ReferenceRenderer(usesOptimizedStages: true).render(source, through: plan)
      #expect(fast.alpha == expected.alpha)
      let difference = RandomPicture.largestDifference(fast, expected)
      #expect(difference.value <= (geometry.isEmpty ? 1 : 2), "\(difference), \(plan)")
    }
  }

  @Test("Geometry with exact colour differs by at most two codes of 8 bits", arguments: 0..<60)
  func geometry(seed: Int) throws {
    var random = SeededRandom(seed: 1000 + UInt64(seed))
    let size = Self.sizes[seed % Self.sizes.count]
    let source = try RandomPicture.noise(
      size, .rgba8, alpha: seed % 5 == 0 ? .straight : .opaque, using: &random)
    let orientation = Orientation.allCases[seed % 8]
    let recipe = Recipe(filters: RandomRecipe.geometry(using: &random))
    let result = try compare(recipe, source, output: PlanOutput(), orientation: orientation, optimized: true)
    #expect(result.value <= 2, "seed \(seed), \(size), \(orientation), \(result.plan)")
  }

  @Test("Two passes mean the same at every orientation", arguments: Orientation.allCases)
  func twoPasses(orientation: Orientation) throws {
    var random = SeededRandom(seed: 4000)
    let source = try RandomPicture.noise(PixelSize(width: 70, height: 52), .rgba8, using: &random)
    for filters in [[Straighten(3)], [Straighten(-14.9, corners: .keep)]] {
      let result = try compare(
        Recipe(filters: filters), source, output: PlanOutput(), orientation: orientation, optimized: true)
      #expect(result.plan.description.contains("two passes"))
      #expect(result.value <= 1, "\(orientation), \(result.plan)")
    }
  }

  @Test("Two passes are near the direct kernel on a photo", arguments: [1, 5, 10, 15] as [Float])
  func twoPassesAndDirect(degrees: Float) throws {
    let scene = SyntheticScene(
      size: PixelSize(width: 480, height: 320), horizonDegrees: 2, showsPatches: true)
    let source = try scene.render()
    func plan(_ alpha: AlphaMode) throws -> (Plan, order: SamplingOrder?) {
      let plan = try Plan(
        Recipe(filters: [Straighten(degrees)]), input: PlanInput(size: source.size, alpha: alpha),
        output: PlanOutput())
      return (plan, plan.geometry?.order)
    }
    // Samples with alpha are resampled directly.
    let (twoPasses, direct) = (try plan(.opaque), try plan(.straight))
    try #require(twoPasses.order == .rowsFirst && direct.order == .direct)
    let fast = try CPURenderer(threads: 2).render(source, through: twoPasses.0)
    let exact = try ReferenceRenderer().render(
      source.retagged(source.tags, alpha: .straight), through: direct.0)
    try #require(fast.size == exact.size)
    var counts = [Int](repeating: 0, count: 256)
    for y in 0..<fast.height {
      let (a, b) = (fast.row(y, as: UInt8.self), exact.row(y, as: UInt8.self))
      for i in a.indices where i % 4 < 3 { counts[abs(Int(a[i]) - Int(b[i]))] += 1 }
    }
    let samples = counts.reduce(0, +)
    let mean = Double(zip(0..., counts).reduce(0) { $0 + $1.0 * $1.1 }) / Double(samples)
    var (level, above) = (255, 0)
    while level > 0, above + counts[level] <= samples / 1000 {
      above += counts[level]
      level -= 1
    }
    // SamplingOrder states these numbers.
    #expect(mean <= 0.15 && level <= 3, "\(degrees)°: mean \(mean), 99.9 % within \(level), \(counts)")
  }

  @Test(
    "Bilinear pictures agree at every depth, directly and in two passes",
    arguments: [PixelFormat.rgba8, .rgba16, .rgbaF32], [AlphaMode.opaque, .straight])
  func bilinear(format: PixelFormat, alpha: AlphaMode) throws {
    var random = SeededRandom(seed: 5000)
    let source = try RandomPicture.noise(
      PixelSize(width: 70, height: 41), format, alpha: alpha, using: &random)
    for degrees: Float in [-2, 33] {
      for orientation in [Orientation.up, .right] {
        let result = try compare(
          Recipe(filters: [Straighten(degrees)]), source,
          output: PlanOutput(format: format, interpolation: .bilinear), orientation: orientation,
          optimized: true)
        // Positions are rounded to 1/1024 pixel, each way.
        let bound: Double =
          switch format {
          case .rgba8: 1
          case .rgba16: 100
          default: alpha == .straight ? 0.03 : 2e-3
          }
        #expect(result.value <= bound, "\(degrees)°, \(orientation), \(result.plan)")
      }
    }
  }

  @Test("16 bit and float keep their depth", arguments: 0..<24)
  func deep(seed: Int) throws {
    var random = SeededRandom(seed: 2000 + UInt64(seed))
    let size = Self.sizes[seed % Self.sizes.count]
    let formats: [PixelFormat] = [.rgba8, .rgba16, .rgbaF32]
    let source = try RandomPicture.noise(size, formats[seed % 3], using: &random)
    let output = PlanOutput(format: formats[(seed / 3) % 3], space: seed % 2 == 0 ? .sRGB : .displayP3)
    let recipe = Recipe(filters: RandomRecipe.color(using: &random, count: 3))
    let result = try compare(recipe, source, output: output, optimized: false)
    let bound: Double =
      switch output.format {
      case .rgba8: 1
      case .rgba16: 6  // 1e-4 of full scale
      default: 2e-4
      }
    #expect(result.value <= bound, "seed \(seed), \(size), \(result.plan)")
  }

  @Test("Float pictures with alpha, reduced and turned, agree", arguments: 0..<12)
  func floatAlpha(seed: Int) throws {
    var random = SeededRandom(seed: 3000 + UInt64(seed))
    let source = try RandomPicture.noise(
      PixelSize(width: 64, height: 48), .rgbaF32, alpha: .straight, using: &random)
    var filters: [any Filter] = [Resize(longEdge: [20, 31, 50][seed % 3])]
    if seed % 2 == 1 { filters.append(Straighten(9)) }
    let result = try compare(
      Recipe(filters: filters), source, output: PlanOutput(format: .rgbaF32), optimized: true)
    // Turns round positions to 1/1024 pixel; where little is covered, colour is divided by little.
    #expect(result.value <= (seed % 2 == 1 ? 0.03 : 2e-3), "seed \(seed), \(result.plan)")
  }

  @Test("Curves of profiles go on above 1, and what is no number stays none")
  func beyondOne() throws {
    let curve = TransferFunction.sampled(
      try SampledCurve(samples: (0...1024).map { pow(Double($0) / 1024, 2.2) }))
    let space = ColorSpace(name: "Measured", primaries: .bt709, transfer: curve)
    let values: [Float] = [0, 0.001, 0.5, 1, 1.5, 4, 8, .nan]
    let source = try PixelBuffer(size: PixelSize(width: values.count, height: 1), format: .rgbaF32)
    for (x, value) in values.enumerated() {
      for channel in 0..<4 { source.row(0, as: Float.self)[4 * x + channel] = channel == 3 ? 1 : value }
    }
    let plan = try Plan(
      Recipe(filters: [Exposure(stops: 0.5), Saturation(20)]),
      input: PlanInput(size: source.size, format: .rgbaF32, space: space),
      output: PlanOutput(format: .rgbaF32, space: space), evaluator: KernelEvaluator())
    let fast = try CPURenderer().render(source, through: plan)
    let exact = try ReferenceRenderer().render(source, through: plan)
    for x in values.indices {
      for channel in 0..<3 {
        let (a, b) = (RandomPicture.get(fast, x, 0, channel), RandomPicture.get(exact, x, 0, channel))
        #expect(a.isNaN && b.isNaN || abs(a - b) <= 2e-4 * max(1, b), "\(values[x]): \(a), not \(b)")
      }
    }
  }
}
