import ColorScience
import FilterGraph
import Filters
import FrameCore
import Rendering
import RendererTestSupport
import TestSupport
import Testing

@testable import VulkanRendering

/// Shaders find the place of each pixel by itself, and so are closer to the reference than the bounds of `EqualityCases`,
/// which are for places that are rounded to phases of the kernel.
@Suite("Shaders see projections as the reference does", .enabled(if: TestDevice.isThere, TestDevice.absence))
struct EqualityProjectionTests {
  private let renderer: VulkanRenderer

  init() throws { renderer = try #require(EqualityRenderer.shared) }

  private func check(
    _ example: EqualityCase, bound: Double, on renderer: VulkanRenderer? = nil, _ name: String = ""
  ) throws {
    let difference = try example.difference(of: renderer ?? self.renderer)
    #expect(difference.value <= min(bound, example.bound), "\(name) \(difference), \(example)")
  }

  /// What rounding in single precision may do to noise.
  private func bound(_ example: EqualityCase) -> Double {
    switch example.plan.output.format {
    case .rgba16: 130
    case .rgbaF32: 2e-3
    default: 2
    }
  }

  @Test("alone and with other geometry, of every format and orientation", arguments: 0..<28)
  func agree(seed: Int) throws {
    let example = try EqualityCases.projection(seed: seed)
    try check(example, bound: bound(example), "seed \(seed):")
    try TestDevice.expectNoComplaints()
  }

  @Test("with fields and masks where they are in the picture", arguments: [PixelFormat.rgba8, .nv12])
  func places(format: PixelFormat) throws {
    // Of cameras, what is not the same as of RGBA: that a picture of another size is between.
    let examples = try EqualityCases.projectedFields(format)
    try #require(examples.allSatisfy { $0.plan.projected != nil })
    for (index, example) in examples.enumerated() where format == .rgba8 || index % 3 == 0 {
      try check(example, bound: 2 * bound(example), "edit \(index):")
    }
    try TestDevice.expectNoComplaints()
  }

  @Test("with open corners, alpha and the softer kernel, into every kind of output")
  func open() throws {
    for example in try EqualityCases.openProjections() {
      try #require(example.plan.geometry?.outside == .transparent)
      try check(example, bound: bound(example))
    }
    try TestDevice.expectNoComplaints()
  }

  @Test("and lens corrections, their lines and their light, alone and with other geometry", arguments: 0..<21)
  func lenses(seed: Int) throws {
    let example = try EqualityCases.lens(seed: seed)
    try check(example, bound: 2 * bound(example), "seed \(seed):")
    try TestDevice.expectNoComplaints()
  }

  @Test("and lens corrections with fields and masks where they are in the picture")
  func lensPlaces() throws {
    for (index, example) in try EqualityCases.lensFields(.rgba8).enumerated() {
      try check(example, bound: 2 * bound(example), "edit \(index):")
    }
    try TestDevice.expectNoComplaints()
  }

  @Test("in parts, where memory is short, as in whole")
  func parts() throws {
    let short = try TestDevice.renderer(memoryLimit: 200_000)
    var random = SeededRandom(seed: 8600)
    let source = try RandomPicture.noise(PixelSize(width: 330, height: 200), .rgba8, using: &random)
    let filters: [any Filter] = [
      Perspective(.places([SIMD2(0.3, 0.05), SIMD2(0.75, 0.1), SIMD2(1, 0.9), SIMD2(0, 0.85)])),
      Group(EqualityCases.masks[1], filters: [Exposure(stops: 0.5)]),
    ]
    let example = try EqualityCase(filters, source, throughTables: true, bound: 2)
    try #require(try short.prepare(example.plan).on(short.context).shares.lanes == 0)
    try check(example, bound: 2, on: short)
    // Places are rounded where a part begins.
    let parts = try short.render(source, through: example.plan)
    let whole = try renderer.render(source, through: example.plan)
    #expect(parts.largestDifference(from: whole) <= 1)
    #expect(short.context.device.mostAllocatedBytes <= 200_000)
    try TestDevice.expectNoComplaints()
  }

  @Test(
    "as luma and colour differences, which depend on pixels before a work group's",
    arguments: [PixelFormat.i420])
  func planes(format: PixelFormat) throws {
    var random = SeededRandom(seed: 8700)
    let source = try CameraPictures.noise(PixelSize(width: 131, height: 70), .yuyv422, using: &random)
    let encoding = YCbCrEncoding(matrix: .bt709, range: .limited, siting: .topLeft)
    let plan = try CPURenderer(threads: 1).plan(
      Recipe(filters: [
        Perspective(.places([SIMD2(0.1, 0), SIMD2(0.9, 0.1), SIMD2(1, 1), SIMD2(0, 0.9)])),
        Vignette(amount: -40),
      ]),
      input: PlanInput(size: source.size, format: source.format, ycbcr: CameraCases.encodings[0]),
      output: PlanOutput(format: format, videoTags: encoding.tags(.sRGB)))
    let exact = try ReferenceRenderer(.optimized).render(source, through: plan)
    let made = try renderer.render(source, through: plan)
    let worst = zip(made.tightBytes, exact.tightBytes).map { abs(Int($0) - Int($1)) }.max() ?? 255
    #expect(made.tightBytes.count == exact.tightBytes.count && worst <= 2, "\(worst): \(plan)")
    try TestDevice.expectNoComplaints()
  }
}
