import FilterGraph
import FrameCore

/// The places, in its source, of the result of a projection or a lens correction, for fields and masks: rows in pieces, each a
/// straight line along which places are spaced evenly. Pieces begin at multiples of their length, so that a pixel is the same in every tile.
struct ProjectedLines: Sendable {
  let geometry: Geometry
  /// The pixels of a piece.
  let length: Int

  init(_ geometry: Geometry) {
    self.geometry = geometry
    length = geometry.lineLength
  }

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
}
