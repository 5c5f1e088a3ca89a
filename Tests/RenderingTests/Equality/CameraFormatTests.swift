import ColorScience
import FilterGraph
import Filters
import FrameCore
import RendererTestSupport
import TestSupport
import Testing

@testable import Rendering

/// Plans on camera samples: the fast renderer against the reference, and both against the standard's formulas.
@Suite("Camera formats in plans")
struct CameraFormatTests {
  @Test("Samples become RGB within one code of the reference", arguments: CameraCases.formats)
  func conversion(format: PixelFormat) throws { try checkOnCPU(CameraCases.conversion(format), "\(format)") }

  @Test("Geometry on stored samples differs by at most two codes", arguments: CameraCases.formats)
  func geometry(format: PixelFormat) throws { try checkOnCPU(CameraCases.geometry(format), "\(format)") }

  @Test("Small turns, as of a camera that is not level, at every format", arguments: CameraCases.formats)
  func straighten(format: PixelFormat) throws { try checkOnCPU(CameraCases.straighten(format), "\(format)") }

  @Test(
    "Small turns of turned cameras, sharp and bilinear", arguments: CameraCases.formats,
    Interpolation.allCases)
  func turnedCamera(format: PixelFormat, interpolation: Interpolation) throws {
    try checkOnCPU(CameraCases.turnedCamera(format, interpolation), "\(format)")
  }

  @Test(
    "Frames mirrored, turned by quarters and cropped at odd places",
    arguments: [PixelFormat.yuyv422, .nv12, .i420], Orientation.allCases)
  func movedPixels(format: PixelFormat, orientation: Orientation) throws {
    for example in try CameraCases.movedPixels(format, orientation) {
      if let geometry = example.plan.geometry {
        #expect(geometry.pixelMove != nil && geometry.order != .direct, "\(example)")
      } else {
        #expect(orientation == .up && example.plan.outputSize == example.source.size)
      }
      try checkOnCPU([example], "\(format), \(orientation)")
    }
  }

  @Test(
    "Baked tables and channel tables take camera samples", arguments: [PixelFormat.yuyv422, .i420, .gray8])
  func colour(format: PixelFormat) throws { try checkOnCPU(CameraCases.colour(format), "\(format)") }

  @Test("Deep and float output, and downsampling in linear light", arguments: CameraCases.formats)
  func reduction(format: PixelFormat) throws { try checkOnCPU(CameraCases.downsampling(format), "\(format)") }

  @Test("The sampled colour is the formula's, wherever the samples lie", arguments: CameraCases.formats)
  func flat(format: PixelFormat) throws {
    for encoding in CameraCases.encodings {
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

  @Test("A driver's buffer is read nowhere past its samples", arguments: CameraCases.formats)
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

  @Test("A downsampling comes after the conversion")
  func reductionText() throws {
    let plan = try Plan(
      Recipe(filters: [Resize(longEdge: 640)]),
      input: PlanInput(size: PixelSize(width: 1920, height: 1080), format: .nv12), output: PlanOutput())
    #expect(
      plan.stages.map { $0.description.split(separator: " ").first } == ["ycbcr", "downsample"], "\(plan)")
  }
}
