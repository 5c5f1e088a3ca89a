import FilterGraph
import PixelKernels

extension sl_baked_lut {
  /// A table's nodes in the kernels' format.
  ///
  /// - Parameters:
  ///   - prepared: the table as laid out by `sl_prepare_lut`, if available.
  ///   - compact: the table as laid out by `sl_compact_lut`, if available.
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
  /// Passes the table in the kernels' format, with the given layouts (see `sl_baked_lut`).
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

/// Two tables; the second reads the output of the first.
struct BakedPair: Sendable {
  let first, second: BakedLUT
  private let firstKernel, secondKernel: BakedKernel

  /// - Parameter pixels: as for `BakedKernel`. The values between the tables are deeper than 8 bits.
  init(first: BakedLUT, second: BakedLUT, pixels: Int) {
    (self.first, self.second) = (first, second)
    firstKernel = BakedKernel(first, pixels: pixels, samples: SL_U16)
    secondKernel = BakedKernel(second, pixels: pixels, samples: SL_U16)
  }

  /// Passes both tables in the kernels' format, and the slope with which the second continues outside 0…1.
  func withKernels(
    _ body: (UnsafePointer<sl_baked_lut>, UnsafePointer<sl_baked_lut>, Float) -> Void
  ) {
    firstKernel.withKernel { first in
      secondKernel.withKernel { body(first, $0, Float(second.slopeOutside)) }
    }
  }
}
