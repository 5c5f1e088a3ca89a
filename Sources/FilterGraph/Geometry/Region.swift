/// A rectangle of pixels.
public struct Region: Sendable, Hashable, CustomStringConvertible {
  public var columns: Range<Int>
  public var rows: Range<Int>

  public init(columns: Range<Int>, rows: Range<Int>) {
    (self.columns, self.rows) = (columns, rows)
  }

  public var description: String { "columns \(columns), rows \(rows)" }

  /// Returns the part of this rectangle inside a picture of `width` × `height` pixels; if there is none, the
  /// nearest column or row, because pixels outside a picture equal its nearest pixel.
  func clamped(_ width: Int, _ height: Int) -> Region {
    Region(columns: Self.clamped(columns, width), rows: Self.clamped(rows, height))
  }

  private static func clamped(_ range: Range<Int>, _ count: Int) -> Range<Int> {
    let first = min(max(range.lowerBound, 0), count - 1)
    return first..<max(first + 1, min(range.upperBound, count))
  }

  /// Returns this rectangle extended by `x` columns and `y` rows on each side.
  func grown(x: Int, y: Int) -> Region {
    Region(
      columns: columns.lowerBound - x..<columns.upperBound + x,
      rows: rows.lowerBound - y..<rows.upperBound + y)
  }

  /// Returns the smallest rectangle that contains both.
  func union(_ other: Region) -> Region {
    func hull(_ a: Range<Int>, _ b: Range<Int>) -> Range<Int> {
      min(a.lowerBound, b.lowerBound)..<max(a.upperBound, b.upperBound)
    }
    return Region(columns: hull(columns, other.columns), rows: hull(rows, other.rows))
  }
}

/// What a renderer's kernels read beyond the samples that a result depends on. It does not change the result, but
/// memory that holds part of a picture must include it.
package struct ReadMargin: Sendable, Hashable {
  /// Extra columns of the result, beyond the last one requested, that kernels also sample because they process
  /// whole vectors.
  package var columnsAhead = 0
  /// The number of samples that kernels weight along each axis, even if the interpolation needs fewer.
  package var taps = 0
  /// The largest rounding error of a place, in samples.
  package var rounding = 0.0
  /// As `rounding`, for two-pass resamples.
  package var roundingInTwoPasses = 0.0
  /// The number of result columns for which two passes sample a line of the source together, even if some do not
  /// need it.
  package var columnsSharingLines = 0
  /// The lines on each side of a place that two passes sample.
  package var linesAbout = 0
  /// The extra lines that kernels read after the last one; rows, or columns if a resample goes along columns
  /// first.
  package var linesBehind = 0
  /// The source columns on each side that vectors load.
  package var columnsBeside = 0

  /// Only what the result depends on.
  package static let none = ReadMargin()

  /// The margin of the processor's kernels in `PixelKernels`, larger than the reference renderer's.
  ///
  /// Places are rounded to 1/1024 sample. In two passes, a pixel whose first neighbour lies between two nodes of
  /// the kernels' tables uses the taps of the lower node.
  package static let processor = ReadMargin(
    columnsAhead: 15, taps: 6, rounding: 1.0 / 512, roundingInTwoPasses: 1.0 / 512 + 1.0 / 64,
    columnsSharingLines: 16, linesAbout: 5, linesBehind: 1)

  /// As `processor`, for memory that ends with the columns that are read.
  package static let processorBesideNothing: ReadMargin = {
    var margin = processor
    margin.columnsBeside = 16
    return margin
  }()

  /// The margin of the shaders in `shaders/`, which compute places in a tile to 1/2000 pixel and share lines among
  /// 16 columns.
  package static let shaders = ReadMargin(
    rounding: 1.0 / 512, roundingInTwoPasses: 1.0 / 512, columnsSharingLines: 16, linesAbout: 5)
}
