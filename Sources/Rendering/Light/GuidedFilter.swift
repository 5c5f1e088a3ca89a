import FilterGraph
import FrameCore
import PixelKernels

/// The guided filter of planes of nodes, and the memory that it works in.
final class GuidedFilter: @unchecked Sendable {
  /// The planes of the first step, then room for each band.
  private let memory: UnsafeMutablePointer<Float>
  private let bandFloats: Int

  /// - Parameters:
  ///   - size: the nodes of a plane.
  ///   - filters: all that will be used.
  ///   - bands: how many bands of rows may be worked on at once.
  init(_ size: PixelSize, _ filters: [LightGrid.Filter], bands: Int) {
    bandFloats = filters.map { sl_guided_scratch(Int32(size.width), $0.kernel(on: size)) }.max() ?? 0
    let count = 2 * size.pixelCount + bands * bandFloats
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
  }

  deinit { memory.deallocate() }

  /// Makes some rows of the first step of the filter of `input`.
  func begin(
    _ input: UnsafePointer<Float>, guidedBy guide: UnsafePointer<Float>, _ size: PixelSize,
    _ filter: LightGrid.Filter, rows: Range<Int>, band: Int
  ) {
    sl_guided_lines(guide, input, size.rows(rows), filter.kernel(on: size), room(size, band), memory)
  }

  /// Makes some rows of the lines of the filter once all of the first step are there.
  func end(
    _ size: PixelSize, _ filter: LightGrid.Filter, rows: Range<Int>, band: Int,
    to lines: UnsafeMutablePointer<Float>
  ) {
    sl_mean_lines(memory, size.rows(rows), filter.kernel(on: size), room(size, band), lines)
  }

  /// Makes the planes a and b of the filter of `input`.
  func filter(
    _ input: UnsafePointer<Float>, guidedBy guide: UnsafePointer<Float>, _ size: PixelSize,
    _ filter: LightGrid.Filter, to lines: UnsafeMutablePointer<Float>
  ) {
    begin(input, guidedBy: guide, size, filter, rows: 0..<size.height, band: 0)
    end(size, filter, rows: 0..<size.height, band: 0, to: lines)
  }

  private func room(_ size: PixelSize, _ band: Int) -> UnsafeMutablePointer<Float> {
    memory + 2 * size.pixelCount + band * bandFloats
  }
}

extension PixelSize {
  fileprivate func rows(_ rows: Range<Int>) -> sl_node_rows {
    sl_node_rows(
      width: Int32(width), height: Int32(height), first: Int32(rows.lowerBound), end: Int32(rows.upperBound))
  }
}

extension LightGrid.Filter {
  fileprivate func kernel(on size: PixelSize) -> sl_guided_filter {
    sl_guided_filter(radius: Int32(nodes(on: size)), epsilon: Float(epsilon))
  }
}
