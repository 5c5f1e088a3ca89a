import FilterGraph
import Filters
import FrameCore
import Rendering
import Synchronization
import Testing
import VulkanCompute

@testable import VulkanRendering

/// Sound devices do not fail, so failures are feigned.
@Suite("A device that fails", .enabled(if: TestDevice.isThere, TestDevice.absence))
struct DeviceFailureTests {
  private static let lost = [VC_FAILURE_SUBMIT_LOST.rawValue, VC_FAILURE_WAIT_LOST.rawValue]

  private func message(_ body: () throws -> Void) -> SafelightError? {
    do {
      try body()
      return nil
    } catch { return error as? SafelightError }
  }

  @Test("is opened again once, and frames under way are rendered again", arguments: lost)
  func lostOnce(_ what: UInt32) throws {
    let contexts = Mutex(0)
    let renderer = try TestDevice.renderer { _ in contexts.withLock { $0 += 1 } }
    let sources = try (0..<3).map { try NoisePicture.make(50, 40, .rgba8, seed: $0) }
    let plan = try renderer.plan([Exposure(stops: 0.3)], for: sources[0])
    let expected = try sources.map { try TestDevice.shared().frame($0, through: plan) }
    let prepared = try renderer.prepare(plan)
    let outputs = try sources.map { _ in try PixelBuffer(size: plan.outputSize, format: .rgba8) }
    try prepared.render(sources[0], into: outputs[0])
    // The second of three frames is the first to notice.
    vc_device_set_failure(renderer.context.device.pointer, vc_failure(rawValue: what), 1, .max)
    let frames = try zip(sources, outputs).map {
      try prepared.submit($0, into: $1)
    }
    for frame in frames { try frame.wait() }
    for (output, expected) in zip(outputs, expected) { #expect(output.tightBytes == expected.tightBytes) }
    #expect(contexts.withLock { $0 } == 2)
    try TestDevice.expectNoComplaints()
  }

  @Test("is opened again for pictures that were prepared before", arguments: lost)
  func lostReduction(_ what: UInt32) throws {
    let renderer = try TestDevice.renderer()
    let source = try NoisePicture.make(120, 80, .rgba8)
    let plan = try renderer.plan([Resize(longEdge: 30)], for: source)
    let expected = try TestDevice.shared().render(source, through: plan)
    let prepared = try renderer.prepare(plan)
    let picture = try prepared.picture(of: source)
    vc_device_set_failure(renderer.context.device.pointer, vc_failure(rawValue: what), 0, .max)
    let output = try PixelBuffer(size: plan.outputSize, format: .rgba8)
    try picture.render(rows: 0..<plan.outputSize.height, into: output)
    #expect(output.tightBytes == expected.tightBytes)
  }

  @Test("and fails again is given up, in a sentence", arguments: lost, [false, true])
  func lostForGood(_ what: UInt32, copiesAlways: Bool) throws {
    let renderer = try TestDevice.renderer(copiesAlways: copiesAlways) {
      // A card is brought the plan's tables ahead of the first frame.
      vc_device_set_failure($0.device.pointer, vc_failure(rawValue: what), $0.device.isUnified ? 1 : 2, .max)
    }
    let source = try NoisePicture.make(50, 40, .rgba8)
    let plan = try renderer.plan([Exposure(stops: 0.3)], for: source)
    let prepared = try renderer.prepare(plan)
    let output = try PixelBuffer(size: plan.outputSize, format: .rgba8)
    // Each device serves a frame; the frame for which the second is opened is its only one.
    try prepared.render(source, into: output)
    try prepared.render(source, into: output)
    let contextBefore = renderer.context
    vc_device_set_failure(contextBefore.device.pointer, vc_failure(rawValue: what), 0, .max)
    try prepared.render(source, into: output)
    #expect(renderer.context !== contextBefore)

    let hopeless = try TestDevice.renderer {
      vc_device_set_failure($0.device.pointer, vc_failure(rawValue: what), 0, .max)
    }
    let error = message {
      try hopeless.prepare(plan).render(source, into: output)
    }
    #expect(error?.code == .device)
    #expect(error?.problem.hasPrefix("The GPU stopped working and could not be restarted: vk") == true)
    #expect(error?.remedy.hasSuffix("or render on the CPU") == true)
  }

  @Test("again and again is given up, though each time it could be opened again")
  func lostTooOften() throws {
    let contexts = Mutex(0)
    let renderer = try TestDevice.renderer { _ in contexts.withLock { $0 += 1 } }
    let source = try NoisePicture.make(50, 40, .rgba8)
    let prepared = try renderer.prepare(renderer.plan([Exposure(stops: 0.3)], for: source))
    let output = try PixelBuffer(size: source.size, format: .rgba8)
    func loseOne() throws {
      vc_device_set_failure(renderer.context.device.pointer, VC_FAILURE_SUBMIT_LOST, 0, .max)
      try prepared.render(source, into: output)
    }
    for _ in 0..<3 { try loseOne() }
    #expect(contexts.withLock { $0 } == 4)
    let error = message { try loseOne() }
    #expect(
      error?.problem
        == "The GPU stopped working and could not be restarted: it was lost 4 times within a minute")
    #expect(contexts.withLock { $0 } == 4)
  }

  @Test("to give memory is asked for less")
  func shortOfMemory() throws {
    let renderer = try TestDevice.renderer(memoryLimit: 64 << 20)
    let device = renderer.context.device.pointer
    let source = try NoisePicture.make(400, 300, .rgba8)
    for filters in [[Exposure(stops: 0.3)], [Resize(longEdge: 100)]] as [[any Filter]] {
      let plan = try renderer.plan(filters, for: source)
      let expected = try renderer.frame(source, through: plan)
      for after in 0..<UInt32(6) {
        let prepared = try renderer.prepare(plan)
        renderer.context.lanes.releaseMemory()
        vc_device_set_failure(device, VC_FAILURE_ALLOCATION, after, 3)
        let output = try PixelBuffer(size: plan.outputSize, format: .rgba8)
        for _ in 0..<3 {
          try prepared.render(source, into: output)
          #expect(output.tightBytes == expected.tightBytes)
        }
        vc_device_set_failure(device, VC_FAILURE_ALLOCATION, 0, 0)
      }
    }
    try TestDevice.expectNoComplaints()
  }

  @Test("to give any memory says what is needed and what there is")
  func noMemory() throws {
    let renderer = try TestDevice.renderer(memoryLimit: 64 << 20)
    let source = try NoisePicture.make(400, 300, .rgba8)
    let plan = try renderer.plan([Exposure(stops: 0.3)], for: source)
    let prepared = try renderer.prepare(plan)
    vc_device_set_failure(renderer.context.device.pointer, VC_FAILURE_ALLOCATION, 0, .max)
    let output = try PixelBuffer(size: plan.outputSize, format: .rgba8)
    let error = message { try prepared.render(source, into: output) }
    #expect(error?.code == .noMemory)
    #expect(
      error?.problem.hasPrefix(
        "The picture needs 1 MiB of the GPU's memory, 64 MiB is free, and parts of it do not")
        == true, "\(error?.problem ?? "no error")")
    #expect(error?.remedy == "close programs that use the GPU, or render on the CPU")
    // And it goes on when there is some again.
    vc_device_set_failure(renderer.context.device.pointer, VC_FAILURE_ALLOCATION, 0, 0)
    try prepared.render(source, into: output)
  }

  @Test("to compile a kernel says so when the plan is prepared")
  func kernel() throws {
    let renderer = try TestDevice.renderer {
      vc_device_set_failure($0.device.pointer, VC_FAILURE_KERNEL, 0, 1)
    }
    let plan = try renderer.plan([], for: NoisePicture.make(5, 4, .rgba8))
    let error = message { _ = try renderer.prepare(plan) }
    #expect(error?.code == .device)
    #expect(error?.problem.hasPrefix("The GPU failed: vkCreateComputePipelines") == true)
    _ = try renderer.prepare(plan)
  }
}
