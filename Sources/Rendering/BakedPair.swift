import FilterGraph
import PixelKernels

extension sl_baked_lut {
  /// A table's nodes in the kernels' terms.
  ///
  /// - Parameters:
  ///   - prepared: the table laid out by `sl_prepare_lut`, where there is such a form.
  ///   - compact: the table laid out by `sl_compact_lut`, where there is such a form.
  init(
    _ nodes: UnsafePointer<Int16>?, size: Int, spacing: NodeSpacing, prepared: UnsafeRawPointer? = nil,
    compact: UnsafeRawPointer? = nil
  ) {
    let steps = Double(size - 1)
    self.init(
      nodes: nodes, size: Int32(size), steep: Float(spacing.steep * steps),
      gentle: Float(spacing.gentle * steps), offset: Float(spacing.offset * steps), prepared: prepared,
      compact: compact)
  }
}

extension BakedLUT {
  /// The table in the kernels' terms, with the forms of it that there are (see `sl_baked_lut`).
  func withKernel(
    prepared: UnsafeRawPointer? = nil, compact: UnsafeRawPointer? = nil,
    _ body: (UnsafePointer<sl_baked_lut>) -> Void
  ) {
    nodes.codes.withUnsafeBufferPointer { nodes in
      var kernel = sl_baked_lut(
        nodes.baseAddress, size: size, spacing: spacing, prepared: prepared, compact: compact)
      body(&kernel)
    }
  }
}

/// Two tables, of which the second reads what the first makes.
struct BakedPair: Sendable {
  let first, second: BakedLUT
  private let firstKernel, secondKernel: BakedKernel

  /// - Parameter pixels: as of `BakedKernel`. What is between the tables is deeper than 8 bit.
  init(first: BakedLUT, second: BakedLUT, pixels: Int) {
    (self.first, self.second) = (first, second)
    firstKernel = BakedKernel(first, pixels: pixels, samples: SL_U16)
    secondKernel = BakedKernel(second, pixels: pixels, samples: SL_U16)
  }

  /// Both tables in the kernels' terms, and how far the second one goes on outside 0…1.
  func withKernels(
    _ body: (UnsafePointer<sl_baked_lut>, UnsafePointer<sl_baked_lut>, Float) -> Void
  ) {
    firstKernel.withKernel { first in
      secondKernel.withKernel { body(first, $0, Float(second.slopeOutside)) }
    }
  }
}
