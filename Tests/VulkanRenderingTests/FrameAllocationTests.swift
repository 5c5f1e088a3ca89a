import AllocationCounter
import FilterGraph
import Filters
import FrameCore
import Rendering
import Testing
import VulkanCompute

@testable import VulkanRendering

private let counterWorks: Bool = {
  #if canImport(Glibc)
    true
  #else
    false
  #endif
}()

/// Drivers may ask for memory with every submission; what is counted is what comes on top of that.
@Suite(
  "Frames on a device allocate nothing after the first ones", .serialized,
  .enabled(if: TestDevice.isThere, TestDevice.absence),
  .enabled(if: counterWorks, "only where the C library is glibc"))
struct FrameAllocationTests {
  private let renderer: VulkanRenderer

  init() throws {
    // Not watched: the validation layer takes notes.
    renderer = try VulkanRenderer(
      on: VulkanDevice.choose(from: VulkanDevice.all()), memoryLimit: nil, cacheFolder: "/dev/null")
  }

  private func allocations(_ body: () throws -> Void) rethrows -> Int {
    for _ in 0..<8 { try body() }
    let before = allocation_counter_of_this_thread()
    for _ in 0..<10 { try body() }
    return allocation_counter_of_this_thread() - before
  }

  /// What the driver takes for the commands of ten frames: the same ones, with nothing about them.
  private func allocationsOfDriver(_ plan: VulkanPlan, _ source: PixelBuffer, _ output: PixelBuffer) throws
    -> Int
  {
    let loaded = try plan.on(renderer.context)
    let device = loaded.context.device
    let clocks = LaneClock.allCases.count
    let recording = try Recording(device, timestamps: clocks)
    func buffer(_ bytes: Int) throws -> DeviceBuffer {
      try DeviceBuffer(device, bytes: max(4, bytes), VC_MEMORY_DEVICE)
    }
    let (from, to) = (try buffer(loaded.sourceTransfer.bytes), try buffer(loaded.targetTransfer.bytes))
    let small = try loaded.downsampledTransfer.map { try buffer($0.bytes) }
    let work = loaded.dispatches(
      from: loaded.sourceTransfer.layout, to: loaded.targetTransfer.layout, fromInput: true)
    let clean = try loaded.denoisedTransfer.map { try buffer($0.bytes) }
    let (guide, narrow) = (try buffer(work.guideBytes), try buffer(work.horizontalBytes))
    let between = work.inBetweenBytes > 0 ? try buffer(work.inBetweenBytes) : nil
    // Loops over indices: without optimization an iterator over an array asks for memory.
    func record(_ dispatches: [Dispatch], _ from: DeviceBuffer, _ to: DeviceBuffer) {
      var index = 0
      while index < dispatches.count {
        recording.dispatch(
          dispatches[index], loaded.kernels[dispatches[index].variant], from: from, to: to,
          tables: loaded.tables, light: loaded.tables)
        index += 1
      }
    }
    return try allocations {
      try recording.begin()
      for clock in 0..<clocks { recording.timestamp(clock) }
      var band = 0
      while band < work.denoising.count {
        record(work.denoising[band].guide, from, guide)
        recording.barrier()
        record(work.denoising[band].result, from, clean ?? to)
        recording.barrier()
        band += 1
      }
      band = 0
      while band < work.downsampling.count {
        record(work.downsampling[band].horizontal, clean ?? from, narrow)
        recording.barrier()
        record(work.downsampling[band].vertical, narrow, small ?? to)
        recording.barrier()
        band += 1
      }
      record(work.frame, small ?? clean ?? from, between ?? to)
      if let between {
        recording.barrier()
        record(work.sharpening, between, to)
      }
      try recording.submit()
      try recording.wait()
    }
  }

  @Test("whatever the format and the chain", arguments: [PixelFormat.rgba8, .yuyv422, .i420])
  func frames(format: PixelFormat) throws {
    let chains: [[any Filter]] = [
      [], [Exposure(stops: 0.3)], [Resize(longEdge: 60)], [Sharpen(40)],
      [NoiseReduction(luminance: 60), Resize(longEdge: 60)],
    ]
    let source = try NoisePicture.make(320, 100, format)
    for filters in chains {
      let plan = try renderer.plan(filters, for: source)
      let prepared = try renderer.prepare(plan)
      let outputs = try (0..<3).map { _ in try PixelBuffer(size: plan.outputSize, format: .rgba8) }
      let driver = try allocationsOfDriver(prepared, source, outputs[0])
      let alone = try allocations {
        try prepared.render(source, into: outputs[0])
      }
      #expect(alone <= driver, "\(alone) allocations in 10 frames, \(driver) by the driver: \(plan)")
      var (first, second) = (PendingFrame.done, PendingFrame.done)
      var number = 0
      let together = try allocations {
        let next = try prepared.submit(source, into: outputs[number % 3])
        try first.wait()
        (first, second) = (second, next)
        number += 1
      }
      try first.wait()
      try second.wait()
      #expect(together <= driver, "\(together) allocations in 10 frames, \(driver) by the driver: \(plan)")
    }
  }

  @Test("and the counter counts what they copy")
  func counter() throws {
    let count = allocations { _ = [UInt8](repeating: 1, count: 1000 + Int.random(in: 0..<10)) }
    #expect(count >= 10)
  }
}
