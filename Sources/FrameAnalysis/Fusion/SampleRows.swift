import AnalysisKernels
import FrameCore
import Libc

/// Rows of float samples in one allocation, each with room beside it for what kernels read and write there.
///
/// Samples are undefined until written.
final class SampleRows: @unchecked Sendable {
  let width: Int
  let count: Int
  private let stride: Int
  private let memory: UnsafeMutableRawPointer
  private let first: UnsafeMutablePointer<Float>

  private static let margin = Int(SLA_ROW_MARGIN)
  /// Huge pages spare thousands of page faults in large pictures. 2 MiB on x86-64, and on Arm with 4 KiB
  /// pages.
  private static let hugePage = 2 << 20

  /// - Throws: `SafelightError(.noMemory)` if memory is short.
  init(width: Int, count: Int) throws {
    (self.width, self.count) = (width, count)
    // Whole cache lines, so that rows of different threads share none.
    stride = (width + 15) / 16 * 16 + 2 * Self.margin
    let bytes = stride * count * MemoryLayout<Float>.stride
    let isHuge = bytes >= 4 * Self.hugePage
    var pointer: UnsafeMutableRawPointer?
    guard posix_memalign(&pointer, isHuge ? Self.hugePage : PixelBuffer.alignment, bytes) == 0, let pointer
    else {
      throw SafelightError(
        .noMemory, "Not enough memory for \(bytes / 1_048_576) MiB of samples",
        remedy: "close other programs or use smaller pictures")
    }
    #if os(Linux)
      if isHuge { madvise(pointer, bytes / Self.hugePage * Self.hugePage, MADV_HUGEPAGE) }
    #endif
    memory = pointer
    first = pointer.assumingMemoryBound(to: Float.self) + Self.margin
  }

  deinit { free(memory) }

  /// The first sample of row `index`.
  func callAsFunction(_ index: Int) -> UnsafeMutablePointer<Float> { first + index * stride }

  /// Sets two samples beyond both ends of a row to the samples that mirror them, those at the ends not
  /// repeated.
  func mirrorEnds(of index: Int) {
    let row = self(index)
    for beyond in 1...2 {
      row[-beyond] = row[Self.mirrored(-beyond, in: width)]
      row[width - 1 + beyond] = row[Self.mirrored(width - 1 + beyond, in: width)]
    }
  }

  /// The position inside 0..<count that mirrors one outside, the ends not repeated.
  static func mirrored(_ position: Int, in count: Int) -> Int {
    guard count > 1 else { return 0 }
    var position = position
    while position < 0 || position >= count {
      position = position < 0 ? -position : 2 * (count - 1) - position
    }
    return position
  }
}
