import FilterGraph
import FrameCore
import Rendering
import RendererTestSupport
import Testing

@testable import VulkanRendering

/// Some of the plans of `EqualityTests` on a device that has room for a few rows of small pictures alone. One after
/// another: what one holds would be missing to the others.
@Suite(
  "Shaders and the reference renderer agree on pictures in parts, where memory is short", .serialized,
  .enabled(if: TestDevice.isThere, TestDevice.absence))
struct EqualityPartsTests {
  /// One for all, so that kernels are compiled once.
  private static let short = try? TestDevice.renderer(memoryLimit: 100_000)

  private func check(_ examples: some Sequence<EqualityCase>) throws {
    let short = try #require(Self.short)
    for example in examples {
      let difference = try example.difference(of: short)
      #expect(difference.value <= example.bound, "\(difference), \(example)")
    }
    try TestDevice.expectNoComplaints()
  }

  @Test("Geometry", arguments: 0..<5)
  func geometry(seed: Int) throws {
    // Sizes above the limit among those of `EqualityCases`, and orientations of both kinds.
    try check([
      try EqualityCases.geometry(seed: 6 + 9 * seed), try EqualityCases.geometry(seed: 7 + 9 * seed),
    ])
  }

  @Test("Sharpening")
  func sharpening() throws { try check(EqualityCases.sharpening(.rgba8, .opaque).prefix(6)) }

  @Test("Local light in groups")
  func litGroups() throws { try check(EqualityCases.litGroups(.rgba8, .opaque).suffix(4)) }
}
