import FilterGraph
import FrameCore
import Rendering
import RendererTestSupport
import Testing

@testable import VulkanRendering

/// Some of the plans of `EqualityTests` as a card with memory of its own renders them, whatever device there is.
@Suite(
  "Shaders and the reference renderer agree where pictures are copied to the device",
  .enabled(if: TestDevice.isThere, TestDevice.absence))
struct EqualityCopiedTests {
  private func check(_ example: EqualityCase, _ renderer: VulkanRenderer) throws {
    let difference = try example.difference(of: renderer)
    #expect(difference.value <= example.bound, "\(difference), \(example)")
    try TestDevice.expectNoComplaints()
  }

  @Test("Colour and geometry at every depth", arguments: 0..<3)
  func pictures(seed: Int) throws {
    let renderer = try TestDevice.shared(copiesAlways: true)
    for example in [
      try EqualityCases.exactColor(seed: seed), try EqualityCases.geometry(seed: 6 + 9 * seed),
      try EqualityCases.deep(seed: seed), try EqualityCases.floatAlpha(seed: seed),
    ] { try check(example, renderer) }
  }

  @Test("Cameras, turned and downsampled", arguments: [PixelFormat.yuyv422, .nv12, .i420])
  func cameras(format: PixelFormat) throws {
    let renderer = try TestDevice.shared(copiesAlways: true)
    for example in try CameraCases.straighten(format) + CameraCases.downsampling(format) {
      try check(example, renderer)
    }
  }

  @Test("Pictures in parts, where memory is short", arguments: 0..<3)
  func parts(seed: Int) throws {
    let short = try TestDevice.renderer(memoryLimit: 100_000, copiesAlways: true)
    try check(try EqualityCases.geometry(seed: 7 + 9 * seed), short)
  }
}
