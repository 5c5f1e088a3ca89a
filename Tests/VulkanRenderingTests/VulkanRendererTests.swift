import FilterGraph
import Filters
import FrameCore
import Rendering
import Testing

@testable import VulkanRendering

@Suite("A Vulkan renderer", .enabled(if: TestDevice.isThere, TestDevice.absence))
struct VulkanRendererTests {
  static let chains: [[any Filter]] = [
    [], [Exposure(stops: 0.4)], [WhiteBalance(temperature: 5000), Contrast(15), Saturation(20)],
    [Saturation(12), Straighten(3), Crop(.proportions(width: 4, height: 3))], [Rotate(.clockwise)],
    [Resize(longEdge: 30)], [Straighten(4, corners: .keep)],
  ]

  @Test("renders what the CPU renders, whatever the format", arguments: PixelFormat.allCases)
  func formats(_ format: PixelFormat) throws {
    let renderer = try TestDevice.renderer()
    let cpu = CPURenderer(threads: 1)
    for (width, height) in [(97, 61), (64, 40)] {
      let source = try NoisePicture.make(width, height, format)
      for filters in Self.chains {
        let plan = try cpu.plan(filters, for: source)
        let difference = try renderer.frame(source, through: plan)
          .largestDifference(from: cpu.frame(source, through: plan))
        #expect(difference <= 2, "\(width)×\(height) \(filters.count)\n\(plan)")
      }
    }
    try TestDevice.expectNoComplaints()
  }
}
