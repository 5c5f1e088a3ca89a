import FilterGraph
import FrameCore
import PixelKernels

/// A resample through a projection: rows of the result in pieces, each a straight line through the source along which
/// places are spaced evenly. Pieces begin at multiples of their length, so that a pixel is the same in every tile.
struct ProjectedLines: Sendable {
  let geometry: Geometry
  /// The pixels of a piece.
  let length: Int
  /// Whether an output pixel covers more than an input pixel somewhere.
  private let isWide: Bool

  init(_ geometry: Geometry) {
    self.geometry = geometry
    length = geometry.lineLength
    let most = geometry.mostDownsampleFactors
    isWide = max(most.x, most.y) > Self.plainCoverage
  }

  /// Up to this much, which is the rounding of sizes, the plain kernel is right.
  private static let plainCoverage = 1.001

  /// A piece of a row, in coordinates of the input: the centre of its first pixel, and the step to the next one.
  struct Line {
    /// The column of the first pixel.
    var first: Int
    var x, y, dx, dy: Double
  }

  /// Returns the piece of row `y` with column `x`.
  func line(x: Int, y: Int) -> Line {
    let first = x - x % length
    let (row, start) = (Double(y) + 0.5, Double(first) + 0.5)
    // Beyond the result there may be nothing to see.
    let end = min(start + Double(length), Double(geometry.outputSize.width))
    let (a, b) = (geometry.place(start, row), geometry.place(end, row))
    let count = end - start
    return Line(first: first, x: a.x, y: a.y, dx: (b.x - a.x) / count, dy: (b.y - a.y) / count)
  }

  /// Samples `count` pixels of row `y` from column `x` on.
  func sample(
    _ image: sl_image, x: Int, y: Int, count: Int, premultiplies: Bool, into target: UnsafeMutableRawPointer,
    format: PixelFormat
  ) {
    var image = image
    let outside = geometry.outside == .transparent ? SL_OUTSIDE_TRANSPARENT : SL_OUTSIDE_CLAMP
    let kernel = geometry.interpolation == .sharp ? SL_KERNEL_SHARP : SL_KERNEL_BILINEAR
    var column = x
    while column < x + count {
      let line = line(x: column, y: y)
      let next = min(line.first + length, x + count)
      let ahead = Double(column - line.first)
      let (px, py) = (fixedPoint(line.x + ahead * line.dx - 0.5), fixedPoint(line.y + ahead * line.dy - 0.5))
      let pixels = target + (column - x) * format.rgbaBytes
      let cover = isWide ? coverage(line, y) : (x: 1, y: 1)
      if max(cover.x, cover.y) > Self.plainCoverage {
        sl_resample_wide_line(
          &image, px, py, fixedPoint(line.dx), fixedPoint(line.dy), Float(cover.x), Float(cover.y), outside,
          premultiplies ? 1 : 0, kernel, pixels, format.kernelSample, next - column)
      } else {
        sl_resample_line(
          &image, px, py, fixedPoint(line.dx), fixedPoint(line.dy), outside, premultiplies ? 1 : 0, kernel,
          pixels,
          format.kernelSample, next - column)
      }
      column = next
    }
  }

  /// What the pixels of a piece cover, as that in its middle does.
  private func coverage(_ line: Line, _ y: Int) -> (x: Double, y: Double) {
    let middle = min(Double(line.first) + Double(length) / 2, Double(geometry.outputSize.width))
    return geometry.tangent(atX: middle, y: Double(y) + 0.5).coverage
  }
}
