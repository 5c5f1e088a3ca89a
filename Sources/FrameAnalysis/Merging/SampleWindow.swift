import AnalysisKernels
import FrameCore

/// Planes of float samples for kernels, in memory that is kept from block to block and grows only for larger
/// ones.
final class SampleWindow {
  private(set) var window = sla_window()
  private var base: UnsafeMutablePointer<Float>
  private var capacity: Int

  init() {
    capacity = 1
    base = .allocate(capacity: 1)
  }

  deinit { base.deallocate() }

  /// Sets the size; samples are undefined. They begin as 0, since kernels compute whole vectors beyond the
  /// width and should find numbers there.
  func resize(_ channels: Int, width: Int, height: Int) {
    let row = sla_window_row(Int32(width))
    let needed = channels * row * height
    if needed > capacity {
      base.deallocate()
      capacity = needed
      base = .allocate(capacity: needed)
      base.initialize(repeating: 0, count: needed)
    }
    window = sla_window(
      samples: base, width: Int32(width), height: Int32(height), row: row, plane: row * height)
  }

  /// Makes room for `block` and lets `body` write it.
  func fill(_ channels: Int, _ block: MergeBlock, _ body: (inout sla_window) -> Void) {
    resize(channels, width: block.columns.count, height: block.rows.count)
    var window = window
    body(&window)
  }

  /// The window without `rim` samples on each side; shares this one's memory.
  func inner(_ rim: Int) -> sla_window {
    var inner = window
    inner.samples = window.samples + rim * window.row + rim
    inner.width -= Int32(2 * rim)
    inner.height -= Int32(2 * rim)
    return inner
  }

  /// Sets all samples of `channels` to 0.
  func clear(_ channels: Int) { base.update(repeating: 0, count: channels * window.plane) }
}
