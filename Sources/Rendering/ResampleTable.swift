import PixelKernels

/// The phases of the resampling filter, computed once.
final class ResampleTable: @unchecked Sendable {
  static let shared = ResampleTable()
  let weights: UnsafeMutablePointer<Float>

  private init() {
    // The kernels load whole vectors, a little past the last phase.
    weights = .allocate(capacity: 8 * (Int(SL_KERNEL_PHASES) + 1) + 16)
    weights.initialize(repeating: 0, count: 8 * (Int(SL_KERNEL_PHASES) + 1) + 16)
    sl_kernel_table(weights)
  }

  deinit { weights.deallocate() }
}
