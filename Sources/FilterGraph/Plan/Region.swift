/// A rectangle of pixels.
public struct Region: Sendable, Hashable, CustomStringConvertible {
  public var columns: Range<Int>
  public var rows: Range<Int>

  public init(columns: Range<Int>, rows: Range<Int>) {
    (self.columns, self.rows) = (columns, rows)
  }

  public var description: String { "columns \(columns), rows \(rows)" }

  /// The part of this rectangle inside a picture of `width` × `height` pixels. Where nothing of it is inside, the nearest
  /// column or row: what lies outside a picture is its nearest pixel.
  func clamped(_ width: Int, _ height: Int) -> Region {
    Region(columns: Self.clamped(columns, width), rows: Self.clamped(rows, height))
  }

  private static func clamped(_ range: Range<Int>, _ count: Int) -> Range<Int> {
    let first = min(max(range.lowerBound, 0), count - 1)
    return first..<max(first + 1, min(range.upperBound, count))
  }

  /// This rectangle with so many columns and rows more on each side.
  func grown(x: Int, y: Int) -> Region {
    Region(
      columns: columns.lowerBound - x..<columns.upperBound + x,
      rows: rows.lowerBound - y..<rows.upperBound + y)
  }

  /// The smallest rectangle that holds both.
  func union(_ other: Region) -> Region {
    func hull(_ a: Range<Int>, _ b: Range<Int>) -> Range<Int> {
      min(a.lowerBound, b.lowerBound)..<max(a.upperBound, b.upperBound)
    }
    return Region(columns: hull(columns, other.columns), rows: hull(rows, other.rows))
  }
}

/// What the kernels of a renderer read beyond the samples that a result depends on. It changes nothing in the result, but
/// memory that holds a part of a picture must hold it too.
package struct ReadMargin: Sendable, Hashable {
  /// Columns of the result, behind the last one asked for, that kernels sample as well: they work on whole vectors.
  package var columnsAhead = 0
  /// Samples that kernels weigh each way, though the interpolation may need fewer.
  package var taps = 0
  /// The part of a sample that places may be off by, having been rounded.
  package var rounding = 0.0
  /// As `rounding`, in a resample of two passes.
  package var roundingInTwoPasses = 0.0
  /// Two passes sample a line of the source for some columns of the result together, also where single ones of them do not
  /// need it: how many columns those are.
  package var columnsSharingLines = 0
  /// Lines from a place on, each way, that two passes sample.
  package var linesAbout = 0
  /// Lines behind the last one that kernels read; rows, or columns where a resample goes along columns first.
  package var linesBehind = 0
  /// Columns of the source on each side that vectors load.
  package var columnsBeside = 0

  /// What the result depends on, and no more.
  package static let none = ReadMargin()

  /// Of the processor's kernels in `PixelKernels`, and more than the reference renderer reads.
  ///
  /// Places are rounded to 1/1024 sample. In two passes, a pixel whose first neighbour lies between two nodes of the
  /// kernels' tables has the taps that it has at the lower one.
  package static let processor = ReadMargin(
    columnsAhead: 15, taps: 6, rounding: 1.0 / 512, roundingInTwoPasses: 1.0 / 512 + 1.0 / 64,
    columnsSharingLines: 16, linesAbout: 5, linesBehind: 1)

  /// As `processor`, for memory that ends with the columns that are read.
  package static let processorBesideNothing: ReadMargin = {
    var margin = processor
    margin.columnsBeside = 16
    return margin
  }()

  /// Of the shaders in `shaders/`, which know places in a tile to 1/2000 pixel and share lines among 16 columns.
  package static let shaders = ReadMargin(
    rounding: 1.0 / 512, roundingInTwoPasses: 1.0 / 512, columnsSharingLines: 16, linesAbout: 5)
}
