import ColorScience
import FilterGraph
import Filters
import FrameCore
import TestSupport
import Testing

@testable import Rendering

/// Plans on camera samples: the fast renderer against the reference, and both against the standard's formulas.
@Suite("Camera formats in plans")
struct CameraFormatTests {
  static let formats: [PixelFormat] = [
    .yuyv422, .uyvy422, .nv12, .nv21, .nv16, .i420, .i422, .i444, .gray8,
  ]
  static let encodings: [YCbCrEncoding] = [
    YCbCrEncoding(matrix: .bt601, range: .limited), YCbCrEncoding(matrix: .bt601, range: .full),
    YCbCrEncoding(matrix: .bt709, range: .limited, siting: .topLeft),
    YCbCrEncoding(matrix: .bt709, range: .full, siting: .left),
    YCbCrEncoding(matrix: .bt2020, range: .limited, siting: .center),
  ]

  private func compare(
    _ source: PixelBuffer, _ recipe: Recipe, encoding: YCbCrEncoding, orientation: Orientation = .up,
    output: PlanOutput = PlanOutput(), optimized: Bool
  ) throws -> (value: Double, plan: Plan) {
    let plan = try Plan(
      recipe,
      input: PlanInput(
        size: source.size, format: source.format, ycbcr: encoding, orientation: orientation), output: output,
      evaluator: KernelEvaluator(), optimized: optimized)
    let fast = try CPURenderer(threads: 2).render(source, through: plan)
    let exact = try ReferenceRenderer().render(source, through: plan)
    #expect(fast.size == exact.size)
    #expect(fast.alpha == exact.alpha)
    return (RandomPicture.largestDifference(fast, exact).value, plan)
  }

  @Test("Samples become RGB within one code of the reference", arguments: formats)
  func conversion(format: PixelFormat) throws {
    for (seed, size) in RendererEqualityTests.sizes.enumerated() {
      var random = SeededRandom(seed: UInt64(seed))
      let source = try CameraPictures.noise(size, format, using: &random)
      let encoding = Self.encodings[seed % Self.encodings.count]
      let result = try compare(source, Recipe(), encoding: encoding, optimized: false)
      #expect(result.value <= 1, "\(format), \(size), \(encoding)")
    }
  }

  @Test("Geometry on stored samples differs by at most two codes", arguments: formats)
  func geometry(format: PixelFormat) throws {
    for seed in 0..<6 {
      var random = SeededRandom(seed: 100 + UInt64(seed))
      let size = RendererEqualityTests.sizes[seed % RendererEqualityTests.sizes.count]
      let source = try CameraPictures.noise(size, format, using: &random)
      let orientation = Orientation.allCases[seed % 8]
      let encoding = Self.encodings[seed % Self.encodings.count]
      let recipe = Recipe(filters: RandomRecipe.geometry(using: &random))
      let result = try compare(
        source, recipe, encoding: encoding, orientation: orientation, optimized: false)
      #expect(
        result.value <= 2, "seed \(seed), \(format), \(size), \(orientation), \(encoding), \(result.plan)")
    }
  }

  @Test("Small turns, as of a camera that is not level, at every format", arguments: formats)
  func straighten(format: PixelFormat) throws {
    var random = SeededRandom(seed: 7)
    let source = try CameraPictures.noise(PixelSize(width: 280, height: 70), format, using: &random)
    for degrees: Float in [-2, 0.3, 11] {
      let result = try compare(
        source, Recipe(filters: [Straighten(degrees)]), encoding: Self.encodings[0], optimized: false)
      #expect(result.value <= 1, "\(format), \(degrees)°")
    }
  }

  @Test("Small turns of turned cameras, sharp and bilinear", arguments: formats, Interpolation.allCases)
  func turnedCamera(format: PixelFormat, interpolation: Interpolation) throws {
    var random = SeededRandom(seed: 8)
    let source = try CameraPictures.noise(PixelSize(width: 44, height: 38), format, using: &random)
    let output = PlanOutput(interpolation: interpolation)
    for orientation in [Orientation.up, .right, .downMirrored] {
      for filters in [[], [Straighten(4)]] as [[any Filter]] {
        let result = try compare(
          source, Recipe(filters: filters), encoding: Self.encodings[2], orientation: orientation,
          output: output, optimized: false)
        #expect(result.value <= 1, "\(format), \(orientation), \(result.plan)")
      }
    }
  }

  @Test(
    "Frames mirrored, turned by quarters and cropped at odd places",
    arguments: [PixelFormat.yuyv422, .nv12, .i420], Orientation.allCases)
  func movedPixels(format: PixelFormat, orientation: Orientation) throws {
    var random = SeededRandom(seed: 9)
    let source = try CameraPictures.noise(PixelSize(width: 91, height: 67), format, using: &random)
    let crops: [[any Filter]] = [
      [], [Crop(.rectangle(x: 3, y: 5, width: 41, height: 57))],
      [Flip(.vertical), Crop(.rectangle(x: 0, y: 1, width: 64, height: 7))],
    ]
    for crop in crops {
      for (encoding, interpolation) in [
        (Self.encodings[2], Interpolation.sharp), (Self.encodings[4], .bilinear),
      ] {
        let result = try compare(
          source, Recipe(filters: crop), encoding: encoding, orientation: orientation,
          output: PlanOutput(interpolation: interpolation), optimized: false)
        if let geometry = result.plan.geometry {
          #expect(geometry.pixelMove != nil && geometry.order != .direct, "\(result.plan)")
        } else {
          #expect(orientation == .up && crop.isEmpty)
        }
        #expect(result.value <= 1, "\(format), \(orientation), \(encoding), \(result.plan)")
      }
    }
  }

  @Test(
    "Baked tables and channel tables take camera samples", arguments: [PixelFormat.yuyv422, .i420, .gray8])
  func colour(format: PixelFormat) throws {
    let source = try CameraPictures.gradient(PixelSize(width: 270, height: 40), format)
    let chains: [[any Filter]] = [
      [Exposure(stops: 0.4)], [WhiteBalance(temperature: 6900), Exposure(stops: 0.3), Saturation(15)],
      [
        WhiteBalance(temperature: 6900), Contrast(12), Straighten(2), Crop(.proportions(width: 4, height: 3)),
      ],
      [Saturation(15), Straighten(3, corners: .keep)],
    ]
    for filters in chains {
      let result = try compare(
        source, Recipe(filters: filters), encoding: Self.encodings[0], optimized: true)
      // What the tables themselves may be off by is their own bound; see BakeBoundTests.
      let expected = try optimizedReference(source, result.plan)
      let fast = try CPURenderer().render(source, through: result.plan)
      #expect(RandomPicture.largestDifference(fast, expected).value <= 2, "\(result.plan)")
    }
  }

  private func optimizedReference(_ source: PixelBuffer, _ plan: Plan) throws -> PixelBuffer {
    try ReferenceRenderer(usesOptimizedStages: true).render(source, through: plan)
  }

  @Test("Deep and float output, and reduction in linear light", arguments: formats)
  func reduction(format: PixelFormat) throws {
    var random = SeededRandom(seed: 21)
    let source = try CameraPictures.noise(PixelSize(width: 130, height: 40), format, using: &random)
    let cases: [([any Filter], PlanOutput)] = [
      ([Resize(longEdge: 60)], PlanOutput()), ([Resize(longEdge: 50), Straighten(4)], PlanOutput()),
      ([Exposure(stops: 0.2)], PlanOutput(format: .rgba16)), ([], PlanOutput(format: .rgbaF32)),
    ]
    for (filters, output) in cases {
      let result = try compare(
        source, Recipe(filters: filters), encoding: Self.encodings[2], output: output, optimized: true)
      let bound: Double =
        switch output.format {
        case .rgba8: 2.0
        case .rgba16: 80
        default: 2e-3
        }
      #expect(result.value <= bound, "\(format), \(result.plan)")
    }
  }

  @Test("The sampled colour is the formula's, wherever the samples lie", arguments: formats)
  func flat(format: PixelFormat) throws {
    for encoding in Self.encodings {
      for code in [SIMD3<UInt8>(16, 128, 128), SIMD3(235, 128, 128), SIMD3(120, 90, 170), SIMD3(60, 200, 40)]
      {
        let source = try CameraPictures.flat(PixelSize(width: 37, height: 19), format, code)
        let plan = try Plan(
          Recipe(filters: [Straighten(2)]),
          input: PlanInput(size: source.size, format: format, ycbcr: encoding), output: PlanOutput())
        let neutral = format == .gray8
        let rgb = encoding.decode(
          SIMD3(Double(code.x), neutral ? 128 : Double(code.y), neutral ? 128 : Double(code.z)))
        let expected = rgb.clamped(lowerBound: .zero, upperBound: .one) * 255
        for renderer in [CPURenderer(), ReferenceRenderer()] as [any Renderer] {
          let picture = try renderer.render(source, through: plan)
          for channel in 0..<3 {
            let value = RandomPicture.get(picture, 5, 7, channel)
            #expect(abs(value - expected[channel]) <= 0.51, "\(renderer.name), \(encoding), \(code)")
          }
        }
      }
    }
  }

  @Test("A driver's buffer is read nowhere past its samples", arguments: formats)
  func tightBuffers(format: PixelFormat) throws {
    var random = SeededRandom(seed: 5)
    let size = PixelSize(width: 67, height: 35)
    let source = try CameraPictures.noise(size, format, using: &random)
    // The same samples, without padding, at the end of a page that nothing follows.
    let tight = try CameraPictures.atEndOfMapping(source)
    for filters in [[], [Straighten(5)], [Resize(longEdge: 30)]] as [[any Filter]] {
      let plan = try Plan(
        Recipe(filters: filters), input: PlanInput(size: size, format: format), output: PlanOutput())
      let a = try CPURenderer(threads: 1).render(source, through: plan)
      let b = try CPURenderer(threads: 1).render(tight, through: plan)
      #expect(RandomPicture.largestDifference(a, b).value == 0)
    }
  }

  @Test("A plan says how camera samples are read")
  func text() throws {
    let input = try PlanInput(
      size: PixelSize(width: 1920, height: 1080), format: .yuyv422,
      tags: ColorTags(
        primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .limited))
    let plan = try Plan(Recipe(filters: [Straighten(2)]), input: input, output: PlanOutput())
    #expect(
      plan.description == """
        plan  1920×1080 yuyv422 sRGB  →  1808×1017 rgba8 sRGB
          1  geometry  turn 2.00° · window 1808×1017  kaiser-sinc, two passes
          2  ycbcr     yuyv422 BT.601 limited, chroma left → RGB
          3  store     rgba8

        """)
  }

  @Test("A reduction comes after the conversion")
  func reductionText() throws {
    let plan = try Plan(
      Recipe(filters: [Resize(longEdge: 640)]),
      input: PlanInput(size: PixelSize(width: 1920, height: 1080), format: .nv12), output: PlanOutput())
    #expect(
      plan.stages.map { $0.description.split(separator: " ").first } == ["ycbcr", "shrink"], "\(plan)")
  }
}
