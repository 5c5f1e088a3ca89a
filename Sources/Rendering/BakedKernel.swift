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
  private let lut: BakedLUT
  /// The table laid out for speed, 6.3 MB for 33³; nil where that does not pay.
  private let prepared: UnsafeMutableRawPointer?

  /// - Parameter pixels: what a frame has of them. Laying the table out takes as long as it saves on about half a
  ///   million pixels.
  init(_ lut: BakedLUT, pixels: Int) {
    self.lut = lut
    let byteCount = sl_prepared_lut_bytes(Int32(lut.size))
    guard byteCount > 0, pixels >= Self.fewestPixels else {
      prepared = nil
      return
    }
    let memory = Self.allocate(byteCount)
    prepared = memory
    withTable(prepared: nil) { sl_prepare_lut($0, memory) }
  }

  deinit { prepared?.deallocate() }

  static let fewestPixels = 500_000

  var isPrepared: Bool { prepared != nil }

  /// The table in the kernels' terms.
  func withKernel(_ body: (UnsafePointer<sl_baked_lut>) -> Void) { withTable(prepared: prepared, body) }

  private func withTable(
    prepared: UnsafeMutableRawPointer?, _ body: (UnsafePointer<sl_baked_lut>) -> Void
  ) {
    lut.nodes.codes.withUnsafeBufferPointer { nodes in
      let steps = Double(lut.size - 1)
      var kernel = sl_baked_lut(
        nodes: nodes.baseAddress, size: Int32(lut.size), steep: Float(lut.spacing.steep * steps),
        gentle: Float(lut.spacing.gentle * steps), offset: Float(lut.spacing.offset * steps),
        prepared: UnsafeRawPointer(prepared))
      body(&kernel)
    }
  }

  /// Memory that the system may map in pages of 2 MB: faulting in thousands of small ones would take longer than
  /// laying out the table.
  private static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    let page = 2 << 20
    let isLarge = byteCount >= page
    let rounded = isLarge ? (byteCount + page - 1) / page * page : byteCount
    let memory = UnsafeMutableRawPointer.allocate(byteCount: rounded, alignment: isLarge ? page : 64)
    #if canImport(Glibc)
      // Advice: where it is refused, small pages serve.
      if isLarge { _ = madvise(memory, rounded, MADV_HUGEPAGE) }
    #endif
    return memory
  }
}
