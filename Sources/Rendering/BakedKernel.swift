import FilterGraph
import PixelKernels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A baked table in the kernels' terms, with the memory that they read.
final class BakedKernel: @unchecked Sendable {
  /// How the kernels read a table.
  enum Layout {
    /// Node by node.
    case nodes
    /// The six tetrahedra of each cell: the same colours as of nodes in half the time, from 6.3 MB for 33³.
    case tetrahedra
    /// The corners of each cell as bytes, for pixels of 8 bit alone: from 1 MB for 33³, and at most a tenth of a level
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
    let laidOut: (Layout, UnsafeMutableRawPointer)? =
      pixels < Self.fewestPixels(lut)
      ? nil : (samples == SL_U8 ? Self.compact(lut) : nil) ?? Self.tetrahedra(lut)
    (layout, memory) = (laidOut?.0 ?? .nodes, laidOut?.1)
  }

  deinit { memory?.deallocate() }

  /// Laying a cell out takes as long as it saves on about 16 pixels.
  static func fewestPixels(_ lut: BakedLUT) -> Int {
    let cells = lut.size - 1
    return 16 * cells * cells * cells
  }

  private static func tetrahedra(_ lut: BakedLUT) -> (Layout, UnsafeMutableRawPointer)? {
    let byteCount = sl_prepared_lut_bytes(Int32(lut.size))
    guard byteCount > 0 else { return nil }
    let memory = allocate(byteCount)
    lut.withKernel { sl_prepare_lut($0, memory) }
    return (.tetrahedra, memory)
  }

  /// Nil where the table's spacing or steepness do not allow it.
  private static func compact(_ lut: BakedLUT) -> (Layout, UnsafeMutableRawPointer)? {
    let byteCount = sl_compact_lut_bytes(Int32(lut.size))
    guard byteCount > 0, lut.spacing.isUniform else { return nil }
    let memory = allocate(byteCount)
    var isFit = false
    lut.withKernel { isFit = sl_compact_lut($0, memory) != 0 }
    guard isFit else {
      memory.deallocate()
      return nil
    }
    return (.compact, memory)
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
