import ColorScience
import FilterGraph
import Filters
import FrameCore
import Rendering
import RendererTestSupport
import TestSupport
import Testing

@testable import VulkanRendering

/// Luma and colour differences from shaders, against the reference renderer: as close as RGBA is.
@Suite("Shaders make the samples of camera formats", .enabled(if: TestDevice.isThere, TestDevice.absence))
struct EqualityPlanesTests {
  static let formats: [PixelFormat] = [
    .yuyv422, .uyvy422, .nv12, .nv21, .nv16, .i420, .i422, .i444, .gray8,
  ]
  private static let sizes = [(1, 1), (2, 1), (1, 7), (17, 5), (64, 33), (131, 70)]
    .map { PixelSize(width: $0.0, height: $0.1) }

  private let renderer: VulkanRenderer

  init() throws { renderer = try #require(EqualityRenderer.shared) }

  private func picture(_ size: PixelSize, _ format: PixelFormat, seed: Int) throws -> PixelBuffer {
    var random = SeededRandom(seed: UInt64(seed))
    return try format.isRGBA
      ? RandomPicture.noise(size, format, using: &random) : CameraPictures.noise(size, format, using: &random)
  }

  private func plan(
    _ filters: [any Filter], _ source: PixelBuffer, to format: PixelFormat, _ encoding: YCbCrEncoding,
    orientation: Orientation = .up, optimized: Bool = false
  ) throws -> Plan {
    let input = PlanInput(
      size: source.size, format: source.format, ycbcr: CameraCases.encodings[0], orientation: orientation)
    return try CPURenderer(threads: 1).plan(
      Recipe(filters: filters), input: input,
      output: PlanOutput(format: format, videoTags: encoding.tags(.sRGB)),
      options: PlanOptions(isOptimized: optimized))
  }

  /// The largest difference of samples.
  private func difference(_ a: PixelBuffer, _ b: PixelBuffer) -> Int {
    guard a.size == b.size, a.format == b.format else { return 256 }
    return zip(a.tightBytes, b.tightBytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }

  private func check(_ source: PixelBuffer, _ plan: Plan, bound: Int, on renderer: VulkanRenderer? = nil)
    throws
  {
    let exact = try ReferenceRenderer(.optimized).render(source, through: plan)
    let made = try (renderer ?? self.renderer).render(source, through: plan)
    let worst = difference(made, exact)
    #expect(worst <= bound, "\(worst) codes from the reference: \(plan)")
    try TestDevice.expectNoComplaints()
  }

  @Test("in every format, from every kind of sample", arguments: formats)
  func colour(format: PixelFormat) throws {
    let inputs: [PixelFormat] = [.rgba8, .yuyv422, .nv12, .rgba16]
    for (index, size) in Self.sizes.enumerated() {
      let source = try picture(size, inputs[index % inputs.count], seed: index)
      let encoding = CameraCases.encodings[(index + 1) % CameraCases.encodings.count]
      try check(source, plan([Exposure(stops: 0.3)], source, to: format, encoding), bound: 1)
    }
  }

  @Test(
    "at every siting", arguments: [PixelFormat.i420, .nv21, .yuyv422, .i444],
    [ColorTags.ChromaSiting.left, .center, .topLeft])
  func sitings(format: PixelFormat, siting: ColorTags.ChromaSiting) throws {
    let source = try picture(PixelSize(width: 99, height: 43), .yuyv422, seed: 4)
    let encoding = YCbCrEncoding(matrix: .bt709, range: .limited, siting: siting)
    let chains: [[any Filter]] = [
      [Saturation(20)], [Straighten(3)], [Flip(.horizontal)],
      [Exposure(stops: 0.2), Sharpen(120, radius: 2, detail: 60)],
    ]
    // Where colour differences are stored in other places alone, one chain shows it: each is a kernel to compile.
    let number = siting == .left ? 1 : siting == .center ? 0 : 3
    for (index, filters) in chains.enumerated()
    where format == .i420 || format == .yuyv422 || index == number {
      try check(source, plan(filters, source, to: format, encoding), bound: index == 1 ? 2 : 1)
    }
  }

  @Test("turned, cropped, downsampled and with open corners", arguments: Orientation.allCases)
  func geometry(orientation: Orientation) throws {
    let chains: [[any Filter]] = [
      [Straighten(-4)], [Straighten(33)], [Straighten(3, corners: .keep)],
      [Crop(.rectangle(x: 3, y: 5, width: 41, height: 37))], [Resize(longEdge: 40), Straighten(5)],
    ]
    for (index, filters) in chains.enumerated() {
      let source = try picture(PixelSize(width: 88, height: 90), index % 2 == 0 ? .i420 : .rgba8, seed: index)
      let encoding = CameraCases.encodings[[2, 0, 4][index % 3]]
      try check(source, plan(filters, source, to: .i420, encoding, orientation: orientation), bound: 2)
    }
  }

  @Test("through tables", arguments: [PixelFormat.i420, .nv12])
  func tables(format: PixelFormat) throws {
    let source = try CameraPictures.gradient(PixelSize(width: 130, height: 40), .yuyv422)
    let plan = try plan(
      EqualityCases.lookBehindColor(), source, to: format, CameraCases.encodings[3], optimized: true)
    try check(source, plan, bound: 1)
  }

  @Test("in parts, where memory is short")
  func parts() throws {
    // Of this test alone: what others hold would be missing.
    let short = try TestDevice.renderer(memoryLimit: 100_000)
    let source = try picture(PixelSize(width: 211, height: 167), .rgba8, seed: 2)
    for format in [PixelFormat.i420, .nv12, .yuyv422] {
      for siting in [ColorTags.ChromaSiting.left, .topLeft] {
        let encoding = YCbCrEncoding(matrix: .bt601, range: .full, siting: siting)
        for filters in [[Exposure(stops: 0.4)], [Straighten(2)], [Sharpen(100, radius: 3)]] as [[any Filter]]
        {
          let plan = try plan(filters, source, to: format, encoding)
          let prepared = try short.prepare(plan)
          #expect(try prepared.on(short.context).shares.lanes == 0)
          try check(source, plan, bound: 2, on: short)
        }
      }
    }
  }

  @Test("in place, in memory that is used again, and nothing beyond rows", arguments: formats)
  func memory(format: PixelFormat) throws {
    let source = try picture(PixelSize(width: 107, height: 35), .rgba8, seed: 6)
    let plan = try plan([Exposure(stops: 0.3)], source, to: format, CameraCases.encodings[2])
    let expected = try ReferenceRenderer().render(source, through: plan)
    let prepared = try renderer.prepare(plan)
    let output = try plan.makeOutput()
    for _ in 0..<3 {
      try prepared.render(source, into: output)
      #expect(difference(output, expected) <= 1)
    }
    // Rows of a larger picture: what is between them is others'.
    let canvas = try PixelBuffer(size: PixelSize(width: 256, height: 64), format: format)
    for plane in canvas.planes {
      plane.base.initializeMemory(as: UInt8.self, repeating: 0xA5, count: plane.rowBytes * plane.rows)
    }
    let part = try PixelBuffer(
      wrapping: canvas.planes.map { (base: $0.base, rowBytes: $0.rowBytes) }, size: plan.outputSize,
      format: format, tags: plan.outputTags
    ) {}
    for _ in 0..<3 { try prepared.render(source, into: part) }
    #expect(difference(part, expected) <= 1)
    for (index, shape) in format.planes.enumerated() {
      let used = shape.rowBytes(width: plan.outputSize.width)
      for y in 0..<canvas.planes[index].rows {
        let first = y < shape.rows(height: plan.outputSize.height) ? used : 0
        let isUntouched = canvas.row(y, of: index, as: UInt8.self)[first...].allSatisfy { $0 == 0xA5 }
        #expect(isUntouched, "row \(y) of plane \(index)")
      }
    }
  }

  @Test("and unedited frames keep their own samples")
  func copies() throws {
    let source = try picture(PixelSize(width: 98, height: 31), .yuyv422, seed: 9)
    for format in [PixelFormat.yuyv422, .i420, .nv16] {
      let plan = try plan([], source, to: format, CameraCases.encodings[0])
      #expect(plan.copiesSamples)
      let exact = try ReferenceRenderer().render(source, through: plan)
      let output = try plan.makeOutput()
      try renderer.prepare(plan).submit(source, into: output).wait()
      #expect(output.tightBytes == exact.tightBytes, "\(format)")
    }
  }
}
