import FilterGraph
import Filters
import FrameCore
import Rendering
import Testing

@testable import VulkanRendering

/// As on a card with memory of its own, whatever device there is.
@Suite(
  "Pictures that are copied to a device's memory and back",
  .enabled(if: TestDevice.isThere, TestDevice.absence))
struct CopiedPictureTests {
  @Test("are rendered as those that the device reaches in place", arguments: [PixelFormat.rgba8, .nv12])
  func frames(_ format: PixelFormat) throws {
    let renderer = try TestDevice.renderer(copiesAlways: true)
    let inPlace = try TestDevice.shared()
    let source = try NoisePicture.make(97, 61, format)
    for filters in [[Exposure(stops: 0.4)], [Resize(longEdge: 30)]] as [[any Filter]] {
      let plan = try renderer.plan(filters, for: source)
      let expected = try inPlace.frame(source, through: plan).tightBytes
      let prepared = try renderer.prepare(plan)
      // Copied by the processor at first, by the device where it imports memory.
      let outputs = try (0..<3).map { _ in try PixelBuffer(size: plan.outputSize, format: .rgba8) }
      for _ in 0..<3 {
        let frames = try outputs.map { try prepared.submit(source, into: $0) }
        for (frame, output) in zip(frames, outputs) {
          try frame.wait()
          #expect(output.tightBytes == expected)
          output.row(3, as: UInt8.self)[5] &+= 1
        }
      }
      #expect(try renderer.render(source, through: plan).tightBytes == expected)
    }
    try TestDevice.expectNoComplaints()
  }

  @Test("also in parts")
  func parts() throws {
    let limit = 400_000
    let renderer = try TestDevice.renderer(memoryLimit: limit, copiesAlways: true)
    let source = try NoisePicture.make(340, 260, .rgba8)
    for filters in [[Rotate(.clockwise)], [Resize(longEdge: 150)]] as [[any Filter]] {
      let plan = try renderer.plan(filters, for: source)
      let expected = try TestDevice.shared().frame(source, through: plan)
      #expect(try renderer.frame(source, through: plan).largestDifference(from: expected) <= 1)
    }
    #expect(renderer.context.device.mostAllocatedBytes <= limit)
    try TestDevice.expectNoComplaints()
  }

  @Test("take the time that the device's clock tells")
  func times() throws {
    let renderer = try TestDevice.renderer(copiesAlways: true)
    let source = try NoisePicture.make(200, 100, .rgba8)
    let plan = try renderer.plan([], for: source)
    let output = try PixelBuffer(size: plan.outputSize, format: .rgba8)
    let frame = try renderer.prepare(plan).submit(source, into: output)
    try frame.wait()
    let times = try #require(frame.times)
    #expect(times.upload > 0)
    #expect(times.download > 0)
  }
}
