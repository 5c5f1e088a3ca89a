import FilterGraph
import Filters
import FrameCore
import Rendering
import RendererTestSupport
import TestSupport
import Testing

@testable import VulkanRendering

@Suite("Shaders sample as the reference does", .enabled(if: TestDevice.isThere, TestDevice.absence))
struct EqualityGeometryTests {
  private let renderer: VulkanRenderer

  init() throws { renderer = try #require(EqualityRenderer.shared) }

  @Test("The sharp kernel's polynomials are its weights")
  func weights() throws {
    var random = SeededRandom(seed: 31)
    let source = try RandomPicture.noise(PixelSize(width: 9, height: 7), .rgbaF32, using: &random)
    // Every pixel lies elsewhere between samples.
    let example = try EqualityCase(
      [], source, output: PlanOutput(format: .rgbaF32, size: PixelSize(width: 83, height: 71)), bound: 3e-5)
    let difference = try example.difference(of: renderer)
    #expect(difference.value <= example.bound, "\(difference), \(example)")
  }

  @Test(
    "Downsamplings, in linear light and out of it, and what follows them",
    arguments: [PixelFormat.rgba8, .rgba16, .rgbaF32], [AlphaMode.opaque, .straight])
  func reductions(format: PixelFormat, alpha: AlphaMode) throws {
    var random = SeededRandom(seed: 32)
    let source = try RandomPicture.noise(
      PixelSize(width: 131, height: 90), format, alpha: alpha, using: &random)
    let chains: [[any Filter]] = [
      [Resize(longEdge: 100)], [Resize(longEdge: 60)], [Resize(longEdge: 9)], [Resize(longEdge: 1)],
      [Resize(longEdge: 70), Straighten(20, corners: .keep)], [Resize(longEdge: 40), Rotate(.clockwise)],
      [Resize(longEdge: 50), Straighten(3), Saturation(-40)],
    ]
    // In 8 bit a level; where little is covered, colour is divided by little.
    let bound: Double =
      switch format {
      case .rgba8: 1
      case .rgba16: 65.5
      default: alpha == .straight ? 5e-3 : 1e-3
      }
    for filters in chains {
      let example = try EqualityCase(
        filters, source, output: PlanOutput(format: format), throughTables: true, bound: bound)
      try #require(example.plan.downsamples)
      let difference = try example.difference(of: renderer)
      #expect(difference.value <= bound, "\(difference), \(example)")
    }
    try TestDevice.expectNoComplaints()
  }

  @Test("A downsampling by more than a work group's chunk of samples")
  func wideReduction() throws {
    var random = SeededRandom(seed: 33)
    let source = try RandomPicture.noise(PixelSize(width: 3001, height: 7), .rgba8, using: &random)
    for edge in [2, 7, 300] {
      let example = try EqualityCase([Resize(longEdge: edge)], source, bound: 1)
      let difference = try example.difference(of: renderer)
      #expect(difference.value <= 1, "\(difference), \(example)")
    }
  }

  @Test("A picture wider than a tile, turned")
  func wide() throws {
    var random = SeededRandom(seed: 34)
    let source = try RandomPicture.noise(PixelSize(width: 4200, height: 6), .rgbaF32, using: &random)
    let example = try EqualityCase(
      [Straighten(0.07, corners: .keep)], source,
      output: PlanOutput(format: .rgbaF32, interpolation: .bilinear), bound: 1e-3)
    try #require(PlanProgram(example.plan).geometry != nil && example.plan.outputSize.width > 4096)
    let difference = try example.difference(of: renderer)
    #expect(difference.value <= example.bound, "\(difference), \(example)")
  }
}
