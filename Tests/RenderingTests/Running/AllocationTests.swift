import AllocationCounter
import ColorScience
import FilterGraph
import Filters
import FrameCore
import RendererTestSupport
import Synchronization
import TestSupport
import Testing
import Libc

@testable import Rendering

/// A frame's way through a prepared plan asks for no memory, on any of the renderer's threads.
@Suite("Frames allocate nothing after the first ones", .serialized)
struct AllocationTests {
  /// One piece for each thread; nobody goes on until all have one, so that every thread of the pool gets one.
  private final class CountEveryThread: PoolWork, @unchecked Sendable {
    let counts: Bool
    let arrived = Atomic<Int>(0)
    init(counts: Bool, threads: Int) {
      self.counts = counts
      super.init()
      pieces = threads
    }
    override func perform(_ piece: Int, scratch: TileScratch) {
      arrived.add(1, ordering: .sequentiallyConsistent)
      while arrived.load(ordering: .sequentiallyConsistent) < pieces { sched_yield() }
      // What a thread grows with the first frame that is downsampled; on a busy machine that may come late.
      if counts {
        _ = scratch.slab(8 << 20)
        _ = scratch.neighbours(4 << 20)
      }
      allocation_counter_count_this_thread(counts ? 1 : 0)
    }
  }

  /// Allocations of `frames` calls on all threads of `renderer`.
  private func allocations(_ renderer: CPURenderer, frames: Int, _ render: () throws -> Void) rethrows -> Int
  {
    for _ in 0..<3 { try render() }
    renderer.pool.run(CountEveryThread(counts: true, threads: renderer.pool.threads))
    defer { renderer.pool.run(CountEveryThread(counts: false, threads: renderer.pool.threads)) }
    // A thread that gets its first piece late may ask for memory once; what frames ask for shows in every round.
    var least = Int.max
    for _ in 0..<3 where least > 0 {
      let before = allocation_counter_total()
      for _ in 0..<frames { try render() }
      least = min(least, allocation_counter_total() - before)
    }
    return least
  }

  @Test(
    "whatever the format and the chain",
    .enabled(if: AllocationTests.counterWorks, "only where the C library is glibc"),
    arguments: [PixelFormat.rgba8, .yuyv422, .nv12, .i420])
  func frames(format: PixelFormat) throws {
    let size = PixelSize(width: 640, height: 200)
    let renderer = CPURenderer(threads: 2)
    let source = try PixelBuffer(
      size: size, format: format,
      tags: ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .limited))
    for plane in source.planes { memset(plane.base, 99, plane.rowBytes * plane.rows) }
    let chains: [[any Filter]] = [
      [], [Exposure(stops: 0.3)], [WhiteBalance(temperature: 6900), Contrast(10), Saturation(12)],
      [Saturation(12), Straighten(2), Crop(.proportions(width: 4, height: 3))], [Resize(longEdge: 200)],
      [Straighten(3, corners: .keep)], [Exposure(stops: 0.3), Sharpen(40)],
      [Straighten(2)] + EqualityCases.masks.map { Group($0, filters: [Exposure(stops: 0.5), Contrast(10)]) },
      [Saturation(12), Straighten(3, corners: .keep), Sharpen(80, radius: 2, masking: 30, output: .screen)],
    ]
    for filters in chains {
      let plan = try renderer.plan(
        Recipe(filters: filters), input: PlanInput(size: size, format: format), output: PlanOutput())
      let prepared = renderer.prepare(plan)
      let output = try PixelBuffer(size: plan.outputSize, format: .rgba8, alpha: plan.outputAlpha)
      let count = try allocations(renderer, frames: 10) {
        try prepared.render(source, into: output)
      }
      #expect(count == 0, "\(count) allocations in 10 frames: \(plan)")
      let probe = RenderProbe(for: plan, on: renderer)
      let probed = try allocations(renderer, frames: 10) {
        try prepared.render(source, into: output, probe: probe)
      }
      #expect(probed == 0, "\(probed) allocations in 10 frames with a probe: \(plan)")
    }
  }

  @Test(
    "nor do those that end in camera formats",
    .enabled(if: AllocationTests.counterWorks, "only where the C library is glibc"),
    arguments: [PixelFormat.i420, .nv12, .yuyv422], [ColorTags.ChromaSiting.left, .center, .topLeft])
  func planes(format: PixelFormat, siting: ColorTags.ChromaSiting) throws {
    let size = PixelSize(width: 640, height: 200)
    let renderer = CPURenderer(threads: 2)
    let tags = YCbCrEncoding(matrix: .bt709, range: .limited, siting: siting).tags(.sRGB)
    let source = try PixelBuffer(size: size, format: .yuyv422, tags: tags)
    memset(source.planes[0].base, 99, source.planes[0].rowBytes * size.height)
    let chains: [[any Filter]] = [
      [], [Exposure(stops: 0.3)], [Saturation(12), Straighten(2)], [Resize(longEdge: 200)],
      [Saturation(12), Sharpen(40)],
    ]
    for filters in chains {
      let plan = try renderer.plan(
        Recipe(filters: filters), input: PlanInput(source),
        output: PlanOutput(format: format, videoTags: tags))
      #expect(plan.copiesSamples == filters.isEmpty)
      let prepared = renderer.prepare(plan)
      let output = try plan.makeOutput()
      let count = try allocations(renderer, frames: 10) { try prepared.render(source, into: output) }
      #expect(count == 0, "\(count) allocations in 10 frames: \(plan)")
    }
  }

  @Test(
    "and the counter counts", .enabled(if: AllocationTests.counterWorks, "only where the C library is glibc"))
  func counter() {
    let renderer = CPURenderer(threads: 2)
    let count = allocations(renderer, frames: 4) {
      // Kept for a moment: the compiler leaves out memory that nobody could see.
      Self.kept = malloc(100)
      renderer.pool.forEach(1) { _ in }
      free(Self.kept)
    }
    #expect(count >= 8)
  }

  private nonisolated(unsafe) static var kept: UnsafeMutableRawPointer?

  static var counterWorks: Bool {
    #if canImport(Glibc)
      true
    #else
      false
    #endif
  }
}
