import AnalysisKernels
import FrameCore

/// Shrinks a picture by an integer factor while it is read from top to bottom: each sample is the mean of `factor`
/// × `factor` stored code values, rounded to nearest. The last column and row are means of the remaining ones.
///
/// If a picture has alpha, it weights the colours, so invisible pixels do not contribute. An area that is entirely
/// invisible has plain means.
///
/// Only the small picture is ever in memory as a whole.
package struct PictureShrinker: ~Copyable {
  /// The shrunk picture; complete when all rows were added.
  package let output: PixelBuffer
  private let width: Int
  private let height: Int
  private let factor: Int
  private let bits: Int32
  private var sums: SampleBuffer<UInt32>
  /// Sums of colours times alpha; used if the picture has alpha.
  private var weighted: SampleBuffer<UInt64>
  private var rowsAdded = 0

  /// - Parameters:
  ///   - size: the picture's size, as stored.
  ///   - format: `rgba8` or `rgba16`.
  ///   - factor: 1…256; beyond that, sums of 16-bit samples would overflow.
  /// - Throws: `SafelightError` for other formats and factors, or if memory is short.
  package init(size: PixelSize, format: PixelFormat, tags: ColorTags, alpha: AlphaMode, factor: Int) throws {
    guard format == .rgba8 || format == .rgba16, (1...256).contains(factor) else {
      throw SafelightError(
        .invalidValue, "A picture in \(format.rawValue) cannot be shrunk by \(factor)",
        remedy: "use rgba8 or rgba16 and a factor from 1 to 256")
    }
    func shrunk(_ edge: Int) -> Int { (edge + factor - 1) / factor }
    output = try PixelBuffer(
      size: PixelSize(width: shrunk(size.width), height: shrunk(size.height)), format: format, tags: tags,
      alpha: alpha)
    (width, height) = (size.width, size.height)
    self.factor = factor
    bits = Int32(format.bitsPerSample)
    sums = SampleBuffer(capacity: 4 * output.width)
    weighted = SampleBuffer(capacity: alpha == .straight ? 3 * output.width : 0)
    clear()
  }

  /// Adds the picture's next rows: the first `count` of `band`, which has the picture's format and width.
  package mutating func add(_ count: Int, of band: PixelBuffer) {
    precondition(
      band.format == output.format && band.width >= width && rowsAdded + count <= height,
      "rows that are not the picture's next")
    let plane = band.planes[0]
    for y in 0..<count {
      sla_shrink_add(plane.row(y), bits, Int32(width), Int32(factor), sums.base)
      if output.alpha == .straight {
        sla_shrink_add_weighted(plane.row(y), bits, Int32(width), Int32(factor), weighted.base)
      }
      rowsAdded += 1
      let pending = (rowsAdded - 1) % factor + 1
      guard pending == factor || rowsAdded == height else { continue }
      let row = output.planes[0].row((rowsAdded - 1) / factor)
      sla_shrink_average(sums.base, Int32(pending), bits, Int32(width), Int32(factor), row)
      if output.alpha == .straight {
        sla_shrink_average_weighted(sums.base, weighted.base, bits, Int32(output.width), row)
      }
      clear()
    }
    withExtendedLifetime(band) {}
  }

  private func clear() {
    sums.base.update(repeating: 0, count: 4 * output.width)
    if output.alpha == .straight { weighted.base.update(repeating: 0, count: 3 * output.width) }
  }
}
