import FilterGraph
import Filters
import FrameCore
import Rendering
import Testing

@testable import VulkanRendering

/// Recordings watched by Vulkan's synchronization validation, which takes all of a buffer as touched: so only frames
/// that write each buffer once between two barriers are sound in its eyes, those of no more than one tile.
@Suite("What the device does in one recording waits for what it needs", .serialized, .needsValidation)
struct HazardTests {
  @Test(
    "also where a frame is downsampled, comes in parts or is copied", arguments: [false, true])
  func frames(copiesAlways: Bool) throws {
    let instance = try VulkanInstance(validate: true, findsHazards: true)
    let device = try VulkanDevice.choose(from: VulkanDevice.all(of: instance))
    let source = try NoisePicture.make(240, 180, .rgba8)
    for limit in [nil, 150_000] {
      let renderer = try VulkanRenderer(
        on: device, memoryLimit: limit, cacheFolder: "/dev/null", copiesAlways: copiesAlways,
        onOpening: { _ in })
      let chains: [[any Filter]] = [
        [Exposure(stops: 0.3)], [Resize(longEdge: 50)], [NoiseReduction(luminance: 50)],
      ]
      for filters in chains {
        let plan = try renderer.plan(filters, for: source)
        let prepared = try renderer.prepare(plan)
        let outputs = try (0..<4).map { _ in try PixelBuffer(size: plan.outputSize, format: .rgba8) }
        for _ in 0..<2 {
          let frames = try outputs.map { try prepared.submit(source, into: $0) }
          for frame in frames { try frame.wait() }
        }
        _ = try renderer.render(source, through: plan)
      }
    }
    #expect(instance.complaints.count == 0, "\(instance.complaints.first)")
  }
}
