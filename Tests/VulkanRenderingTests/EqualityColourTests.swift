import ColorScience
import FilterGraph
import Filters
import FrameCore
import Rendering
import RendererTestSupport
import TestSupport
import Testing

@testable import VulkanRendering
import Libc

/// Every kind of colour stage, at values that pictures of integers do not have.
@Suite("Shaders compute colours as the reference does", .enabled(if: TestDevice.isThere, TestDevice.absence))
struct EqualityColourTests {
  private let renderer: VulkanRenderer

  init() throws { renderer = try #require(EqualityRenderer.shared) }

  /// A recipe and the space of its input and output.
  struct Chain: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let filters: [any Filter]
    var space = ColorSpace.sRGB
  }

  static let chains: [Chain] = {
    var random = SeededRandom(seed: 77)
    func color() -> SIMD3<Float> {
      SIMD3(
        .random(in: -0.3...1.4, using: &random), .random(in: 0...1, using: &random),
        .random(in: 0...1, using: &random))
    }
    let shaper = try? LUT1D(
      samples: (0..<40).map { _ in color() }, domainMin: SIMD3(-0.5, 0, 0.1), domainMax: SIMD3(1, 2, 0.9))
    let cube = try? LUT3D(
      size: 5, nodes: (0..<125).map { _ in color() }, domainMin: SIMD3(-0.2, 0, 0),
      domainMax: SIMD3(1, 1.5, 0.8))
    func lut(_ shaper: LUT1D?, _ cube: LUT3D?, _ strength: Float) -> LUT {
      LUT(ColorLUT(shaper: shaper, cube: cube), name: "random.cube", strength: strength)
    }
    /// Small steps, so that fifteen of them do not enlarge what the first one was off by.
    func gentle(_ number: Int) -> LUT {
      let nodes = (0..<27).map { node -> SIMD3<Float> in
        let place = SIMD3(Float(node % 3), Float(node / 3 % 3), Float(node / 9))
        let change: SIMD3<Float> = color() - 0.5
        return 0.5 * place + 0.2 * change
      }
      let cube = try? LUT3D(size: 3, nodes: nodes)
      return lut(
        number % 2 == 0 ? try? LUT1D(samples: [SIMD3(0, 0.1, 0), SIMD3(1, 0.9, 1.1)]) : nil, cube, 80)
    }
    func measured(_ exponent: Double) -> TransferFunction {
      let samples = (0...256).map { pow(Double($0) / 256, exponent) }
      return (try? SampledCurve(samples: samples)).map(TransferFunction.sampled) ?? .linear
    }
    func space(_ functions: [TransferFunction]) -> ColorSpace {
      ColorSpace(name: "Test", primaries: .bt709, transfer: functions)
    }
    var hsl = HSL()
    hsl.bands.blue = HSL.Band(hue: 40, saturation: 30, lightness: -60)
    hsl.bands.orange = HSL.Band(hue: -30, saturation: -50, lightness: 20)
    let s = [SIMD2(0.0, 0.02), SIMD2(0.3, 0.2), SIMD2(0.7, 0.8), SIMD2(1.0, 1.0)]
    let mixed: [any Filter] = [Exposure(stops: 0.6), Contrast(20), Saturation(25)]
    return [
      Chain(testDescription: "exposure", filters: [Exposure(stops: 0.5)]),
      Chain(testDescription: "contrast", filters: [Contrast(-35)]),
      Chain(testDescription: "white balance", filters: [WhiteBalance(temperature: 4300, tint: 20)]),
      Chain(testDescription: "saturation", filters: [Saturation(45)]),
      Chain(testDescription: "grey", filters: [Saturation(-100)], space: .displayP3),
      Chain(
        testDescription: "tone",
        filters: [Tone(highlights: -80, shadows: 70, whites: 30, blacks: 50)]),
      Chain(
        testDescription: "tone, deeper",
        filters: [Tone(highlights: 60, shadows: -90, whites: -40, blacks: -80)]),
      Chain(testDescription: "curve", filters: [PointCurve(s)]),
      Chain(testDescription: "luminance curve", filters: [PointCurve(luminance: s)]),
      Chain(testDescription: "channel curves", filters: [PointCurve(red: s), Fade(50)]),
      Chain(testDescription: "hsl", filters: [hsl]),
      Chain(testDescription: "vibrance", filters: [Vibrance(80), Vibrance(-60)]),
      Chain(testDescription: "hue", filters: [Hue(70)]),
      Chain(
        testDescription: "grading",
        filters: [
          Grading(
            shadows: Grading.Wheel(hue: 195, saturation: 60),
            highlights: Grading.Wheel(hue: 55, saturation: 50)),
          CDL(slope: CDL.Slope(1.1, 1, 0.9), saturation: 0.9),
        ]),
      Chain(testDescription: "shaper", filters: [lut(shaper, nil, 70)]),
      Chain(testDescription: "cube", filters: [lut(nil, cube, 100)]),
      Chain(testDescription: "film", filters: [Film(strength: 80)]),
      Chain(testDescription: "gamut", filters: [Saturation(90), Exposure(stops: 0.7), Gamut(.keepHue)]),
      Chain(testDescription: "shaper and cube", filters: [lut(shaper, cube, 35)]),
      Chain(testDescription: "gamma", filters: mixed, space: space([.gamma(2.2)])),
      Chain(testDescription: "BT.709", filters: mixed, space: space([.bt709])),
      Chain(testDescription: "linear", filters: mixed, space: space([.linear])),
      Chain(testDescription: "measured", filters: mixed, space: space([measured(2.2)])),
      Chain(
        testDescription: "measured, each channel its own", filters: mixed,
        space: space([measured(1.8), measured(2.1), measured(2.4)])),
      // More than a kernel knows when it is compiled.
      Chain(testDescription: "fifteen tables", filters: (1...15).map { gentle($0) }),
      Chain(
        testDescription: "all at once",
        filters: mixed + [
          WhiteBalance(temperature: 7500), Tone(highlights: -30, shadows: 20), lut(shaper, cube, 50),
        ]),
    ]
  }()

  /// Values within 0…1 and beyond, and the ends of every curve's parts.
  private static func values(_ count: Int, _ range: ClosedRange<Float>) throws -> PixelBuffer {
    var random = SeededRandom(seed: 5)
    let special: [Float] = [
      0, -0.0, 1, 0.04045, 0.0031308, 0.08, 0.018, 1e-5, 1e-12, 1e-30, .leastNonzeroMagnitude, 0.18, 0.5,
      -0.5,
    ]
    let source = try PixelBuffer(size: PixelSize(width: count, height: 3), format: .rgbaF32)
    for y in 0..<3 {
      let row = source.row(y, as: Float.self)
      for i in row.indices {
        row[i] =
          i % 4 == 3
          ? 1 : random.next() % 3 == 0 ? special[Int(random.next() % 14)] : .random(in: range, using: &random)
      }
    }
    return source
  }

  @Test("in float, to a thousandth", arguments: chains)
  func float(chain: Chain) throws {
    let source = try Self.values(120, -1...3)
    let example = try EqualityCase(
      Recipe(filters: chain.filters), source,
      input: PlanInput(size: source.size, format: .rgbaF32, space: chain.space),
      output: PlanOutput(format: .rgbaF32, space: chain.space), bound: 1e-3)
    let (made, expected) = (try renderer.render(source, through: example.plan), try example.expected())
    var worst = (ratio: 0.0, text: "")
    for y in 0..<made.height {
      for x in 0..<made.width {
        for channel in 0..<4 {
          let (a, b) = (RandomPicture.get(made, x, y, channel), RandomPicture.get(expected, x, y, channel))
          let input = (0..<3).map { RandomPicture.get(source, x, y, $0) }
          // Of a colour, not of each channel: a matrix takes the difference of large ones.
          let scale = max(0.1, (0..<3).map { abs(RandomPicture.get(expected, x, y, $0)) }.max() ?? 0)
          let ratio = abs(a - b) / scale
          if !(ratio <= worst.ratio) { worst = (ratio, "channel \(channel) of \(input): \(a), not \(b)") }
        }
      }
    }
    #expect(worst.ratio <= 1e-3, "\(worst), \(example)")
  }

  @Test("in 16 bit", arguments: chains)
  func sixteenBit(chain: Chain) throws {
    var random = SeededRandom(seed: 8)
    let source = try RandomPicture.noise(PixelSize(width: 61, height: 5), .rgba16, using: &random)
    let example = try EqualityCase(
      Recipe(filters: chain.filters), source,
      input: PlanInput(size: source.size, format: .rgba16, space: chain.space),
      output: PlanOutput(format: .rgba16, space: chain.space), bound: 65.5)
    let difference = try example.difference(of: renderer)
    #expect(difference.value <= example.bound, "\(difference), \(example)")
  }

  @Test("in 8 bit, exactly", arguments: chains)
  func eightBit(chain: Chain) throws { try checkEightBit(chain, optimized: false) }

  /// A few: what takes long is baking.
  @Test(
    "in 8 bit, through a table",
    arguments: chains.filter { ["saturation", "BT.709"].contains($0.testDescription) })
  func tables(chain: Chain) throws { try checkEightBit(chain, optimized: true) }

  private func checkEightBit(_ chain: Chain, optimized: Bool) throws {
    var random = SeededRandom(seed: 9)
    let source = try RandomPicture.noise(PixelSize(width: 61, height: 5), .rgba8, using: &random)
    let example = try EqualityCase(
      Recipe(filters: chain.filters), source,
      input: PlanInput(size: source.size, format: .rgba8, space: chain.space),
      output: PlanOutput(space: chain.space), optimized: optimized, throughTables: true, bound: 1)
    let difference = try example.difference(of: renderer)
    #expect(difference.value <= 1, "\(difference), \(example)")
  }

  @Test("What is no number stays none in float, and is black in integers", arguments: chains)
  func notANumber(chain: Chain) throws {
    let source = try PixelBuffer(size: PixelSize(width: 3, height: 1), format: .rgbaF32)
    let row = source.row(0, as: Float.self)
    for i in row.indices { row[i] = i < 4 ? .nan : i % 4 == 3 ? 1 : 0.25 }
    row[3] = 1
    // Two chains in 16 bits: storing follows every stage, and each format of the output is a kernel to compile.
    let isDeep = ["all at once", "fifteen tables"].contains(chain.testDescription)
    for format in [PixelFormat.rgbaF32, .rgba8] + (isDeep ? [.rgba16] : []) {
      let plan = try Plan(
        Recipe(filters: chain.filters),
        input: PlanInput(size: source.size, format: .rgbaF32, space: chain.space),
        output: PlanOutput(format: format, space: chain.space))
      let (made, cpu) = (
        try renderer.render(source, through: plan), try CPURenderer(threads: 1).render(source, through: plan)
      )
      for channel in 0..<3 {
        let value = RandomPicture.get(made, 0, 0, channel)
        #expect(format == .rgbaF32 ? value.isNaN : value == 0, "\(format), channel \(channel): \(value)")
        // The pixel beside it has nothing of it.
        let beside = abs(RandomPicture.get(made, 1, 0, channel) - RandomPicture.get(cpu, 1, 0, channel))
        #expect(beside <= (format == .rgbaF32 ? 1e-3 : format == .rgba16 ? 66 : 1), "\(format)")
      }
      #expect(RandomPicture.get(made, 0, 0, 3) == RandomPicture.get(cpu, 0, 0, 3))
    }
  }

  @Test("What is infinite becomes the code that the CPU gives it", arguments: chains)
  func infinite(chain: Chain) throws {
    let source = try PixelBuffer(size: PixelSize(width: 4, height: 1), format: .rgbaF32)
    let row = source.row(0, as: Float.self)
    let values: [[Float]] = [
      [.infinity, .infinity, .infinity], [-.infinity, -.infinity, -.infinity], [3e38, 3e38, 3e38],
      [-.leastNonzeroMagnitude, .leastNonzeroMagnitude, 0],
    ]
    for (x, value) in values.enumerated() {
      for channel in 0..<4 { row[4 * x + channel] = channel < 3 ? value[channel] : 1 }
    }
    let plan = try Plan(
      Recipe(filters: chain.filters),
      input: PlanInput(size: source.size, format: .rgbaF32, space: chain.space),
      output: PlanOutput(format: .rgba8, space: chain.space))
    let (made, cpu) = (
      try renderer.render(source, through: plan), try CPURenderer(threads: 1).render(source, through: plan)
    )
    #expect(RandomPicture.largestDifference(made, cpu).value <= 1, "\(plan)")
  }

  @Test("Dithering adds the same pattern, also far to the right")
  func dithering() throws {
    // A level's 257 codes of 16 bit, along a row as long as rows may be.
    let source = try PixelBuffer(size: PixelSize(width: PixelBuffer.maximumEdge, height: 1), format: .rgba16)
    let row = source.row(0, as: UInt16.self)
    for i in row.indices { row[i] = i % 4 == 3 ? 65_535 : UInt16(20_000 + i % 257) }
    let example = try EqualityCase([], source, bound: 1)
    try #require(example.plan.dithers)
    let (made, expected) = (try renderer.render(source, through: example.plan), try example.expected())
    let (a, b) = (made.row(0, as: UInt8.self), expected.row(0, as: UInt8.self))
    let unequal = a.indices.count { a[$0] != b[$0] }
    #expect(unequal <= a.count / 1000, "\(unequal) of \(a.count)")
    #expect(Set(b).count > 3, "the pattern has no effect")
  }
}
