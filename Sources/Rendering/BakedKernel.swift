import FilterGraph
import PixelKernels
import Libc

/// A baked table in the kernels' terms, with the memory that they read.
final class BakedKernel: @unchecked Sendable {
  /// How the kernels read a table.
  enum Layout {
    /// Node by node.
    case nodes
    /// The six tetrahedra of each cell: the same colours as of nodes in half the time, 6.3 MB for 33³.
    case tetrahedra
    /// The corners of each cell as bytes, for pixels of 8 bit alone: 1 MB for 33³, and at most a tenth of a level
    /// from what nodes give before they are rounded.
    case compact
  }

  let layout: Layout
  private let lut: BakedLUT
  /// The table laid out for speed; nil where it is read node by node.
  private let memory: UnsafeMutableRawPointer?

  /// - Parameters:
  ///   - pixels: what a frame has of them: with fewer than `fewestPixels`, laying the table out takes longer than it
  ///     saves.
  ///   - samples: what the kernels are given: interleaved ones of 8 bit, or others.
  init(_ lut: BakedLUT, pixels: Int, samples: sl_sample) {
    self.lut = lut
    let laidOut = pixels < Self.fewestPixels(lut) ? nil : Self.layOut(lut, for: samples)
    (layout, memory) = (laidOut?.layout ?? .nodes, laidOut?.memory)
  }

  deinit { memory?.deallocate() }

  /// Laying a cell out takes as long as it saves on about 16 pixels.
  static func fewestPixels(_ lut: BakedLUT) -> Int {
    let cells = lut.size - 1
    return 16 * cells * cells * cells
  }

  private typealias LaidOut = (layout: Layout, memory: UnsafeMutableRawPointer)

  /// Nil where a table is too large to gain by it.
  private static func layOut(_ lut: BakedLUT, for samples: sl_sample) -> LaidOut? {
    if samples == SL_U8, let memory = compactCells(of: lut) { return (.compact, memory) }
    let byteCount = sl_prepared_lut_bytes(Int32(lut.size))
    guard byteCount > 0 else { return nil }
    let memory = allocate(byteCount)
    lut.withKernel { sl_prepare_lut($0, memory) }
    return (.tetrahedra, memory)
  }

  /// What a tenth of a level may add to a table's ΔE2000: 0.04 for each channel near black, where it is most.
  private static let compactError = 0.07

  /// Nil where the table's size, spacing or steepness do not allow them, or its bound would not hold with them.
  private static func compactCells(of lut: BakedLUT) -> UnsafeMutableRawPointer? {
    let byteCount = sl_compact_lut_bytes(Int32(lut.size))
    guard byteCount > 0, lut.spacing.isUniform,
      lut.proof.maximum <= BakeProof.maximumBound - compactError
    else { return nil }
    let memory = allocate(byteCount)
    var fits = false
    lut.withKernel { fits = sl_compact_lut($0, memory) != 0 }
    if fits { return memory }
    memory.deallocate()
    return nil
  }

  /// The table in the kernels' terms.
  func withKernel(_ body: (UnsafePointer<sl_baked_lut>) -> Void) {
    let memory = UnsafeRawPointer(memory)
    lut.withKernel(
      prepared: layout == .tetrahedra ? memory : nil, compact: layout == .compact ? memory : nil, body)
  }

  /// Memory that the system may map in pages of 2 MB: faulting in thousands of small ones would take longer than
  /// laying out the table.
  private static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    let page = 2 << 20
    let isLarge = byteCount > page / 2
    let rounded = isLarge ? (byteCount + page - 1) / page * page : byteCount
    let memory = UnsafeMutableRawPointer.allocate(byteCount: rounded, alignment: isLarge ? page : 64)
    #if canImport(Glibc)
      // Advice: where it is refused, small pages serve.
      if isLarge { _ = madvise(memory, rounded, MADV_HUGEPAGE) }
    #endif
    return memory
  }
}
