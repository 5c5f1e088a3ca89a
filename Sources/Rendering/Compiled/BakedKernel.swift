import FilterGraph
import PixelKernels
import Libc

/// A baked table in the kernels' format, with the memory that they read.
final class BakedKernel: @unchecked Sendable {
  /// How the kernels read a table.
  enum Layout {
    /// Node by node.
    case nodes
    /// The six tetrahedra of each cell: the same colours as from nodes in half the time; 6.3 MB for 33³.
    case tetrahedra
    /// The corners of each cell as bytes, for 8-bit pixels only: 1 MB for 33³. Differs from the nodes' result by
    /// at most a tenth of a level before rounding.
    case compact
  }

  let layout: Layout
  private let lut: BakedLUT
  /// The table laid out for speed; nil if it is read node by node.
  private let memory: UnsafeMutableRawPointer?

  /// - Parameters:
  ///   - pixels: the number of pixels in a frame. Below `fewestPixels`, laying out the table takes longer than it
  ///     saves.
  ///   - samples: the kernels' input samples: interleaved 8-bit or others.
  init(_ lut: BakedLUT, pixels: Int, samples: sl_sample) {
    self.lut = lut
    let laidOut = pixels < Self.fewestPixels(lut) ? nil : Self.layOut(lut, for: samples)
    (layout, memory) = (laidOut?.layout ?? .nodes, laidOut?.memory)
  }

  deinit { memory?.deallocate() }

  /// The frame size from which a layout pays: laying out a cell takes as long as it saves on about 16 pixels.
  static func fewestPixels(_ lut: BakedLUT) -> Int {
    let cells = lut.size - 1
    return 16 * cells * cells * cells
  }

  private typealias LaidOut = (layout: Layout, memory: UnsafeMutableRawPointer)

  /// Returns nil if the table is too large for a layout to pay.
  private static func layOut(_ lut: BakedLUT, for samples: sl_sample) -> LaidOut? {
    if samples == SL_U8, let memory = compactCells(of: lut) { return (.compact, memory) }
    let byteCount = sl_prepared_lut_bytes(Int32(lut.size))
    guard byteCount > 0 else { return nil }
    let memory = allocate(byteCount)
    lut.withKernel { sl_prepare_lut($0, memory) }
    return (.tetrahedra, memory)
  }

  /// What a tenth of a level can add to a table's ΔE2000: 0.04 per channel near black, where it adds most.
  private static let compactError = 0.07

  /// Returns nil if the table's size, spacing or steepness rules out compact cells, or if they would break its
  /// error bound.
  private static func compactCells(of lut: BakedLUT) -> UnsafeMutableRawPointer? {
    let byteCount = sl_compact_lut_bytes(Int32(lut.size))
    guard byteCount > 0, lut.spacing.isUniform,
      lut.error.maximum <= BakeError.maximumBound - compactError
    else { return nil }
    let memory = allocate(byteCount)
    var fits = false
    lut.withKernel { fits = sl_compact_lut($0, memory) != 0 }
    if fits { return memory }
    memory.deallocate()
    return nil
  }

  /// Passes the table in the kernels' format.
  func withKernel(_ body: (UnsafePointer<sl_baked_lut>) -> Void) {
    let memory = UnsafeRawPointer(memory)
    lut.withKernel(
      prepared: layout == .tetrahedra ? memory : nil, compact: layout == .compact ? memory : nil, body)
  }

  /// Allocates memory that the system may map in pages of 2 MB: faulting in thousands of small pages would take
  /// longer than laying out the table.
  private static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    let page = 2 << 20
    let isLarge = byteCount > page / 2
    let rounded = isLarge ? (byteCount + page - 1) / page * page : byteCount
    let memory = UnsafeMutableRawPointer.allocate(byteCount: rounded, alignment: isLarge ? page : 64)
    #if canImport(Glibc)
      // Only a hint: if it is refused, small pages serve.
      if isLarge { _ = madvise(memory, rounded, MADV_HUGEPAGE) }
    #endif
    return memory
  }
}
