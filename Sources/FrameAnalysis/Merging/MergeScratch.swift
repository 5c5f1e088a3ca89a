import AnalysisKernels
import FrameCore
import Synchronization

/// Memory for one thread that aligns or merges.
final class MergeScratch {
  let reference = SampleWindow()
  let deviations = SampleWindow()
  let source = SampleWindow()
  let warped = SampleWindow()
  let inside = SampleWindow()
  let weights = SampleWindow()
  let sums = SampleWindow()
  private let memory = SampleWindow()

  /// Memory for kernels, with room for `count` samples.
  func samples(_ count: Int) -> UnsafeMutablePointer<Float> {
    memory.resize(1, width: count, height: 1)
    return memory.window.samples
  }

  /// Warps `source`, whose pixels are in the window of that name, to `block`, into the window `warped`.
  func warp(
    _ block: MergeBlock, from pixels: MergeBlock, _ field: Displacements, _ size: PixelSize, channels: Int
  ) {
    warped.resize(channels, width: block.columns.count, height: block.rows.count)
    inside.resize(1, width: block.columns.count, height: block.rows.count)
    let room = sla_warp_window_scratch(Int32(pixels.columns.count), Int32(field.columns), Int32(channels))
    let memory = samples(room)
    var (source, warped, inside) = (source.window, warped.window, inside.window)
    field.withKernelField { field in
      sla_warp_window(
        &source, Int32(pixels.columns.lowerBound), Int32(pixels.rows.lowerBound), Int32(channels), &field,
        Int32(size.width), Int32(size.height), Int32(block.columns.lowerBound),
        Int32(block.rows.lowerBound), &warped, &inside, memory)
    }
  }
}

/// Memory of threads that are done with it.
final class MergeScratchPool: Sendable {
  private struct Idle: @unchecked Sendable {
    var scratches: [MergeScratch] = []
  }
  private let idle = Mutex(Idle())

  /// Calls `body` with memory that no other thread has.
  func use<Result>(_ body: (MergeScratch) -> Result) -> Result {
    let scratch = idle.withLock { $0.scratches.popLast() } ?? MergeScratch()
    let result = body(scratch)
    idle.withLock { $0.scratches.append(scratch) }
    return result
  }
}
