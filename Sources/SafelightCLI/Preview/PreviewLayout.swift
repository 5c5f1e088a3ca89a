import Safelight

/// Where the picture stands in the terminal, and how many samples it is drawn with.
struct PreviewLayout: Hashable {
  /// Cells of the whole terminal; the last row is the status line's.
  var terminal: Terminal.Size
  /// The first row and column of the picture, from 0.
  var row: Int
  var column: Int
  /// Cells that the picture takes.
  var rows: Int
  var columns: Int
  /// Samples that it is scaled to.
  var samples: PixelSize

  enum Sampling {
    /// Two samples a cell, one above the other, and no more than this many cells: the picture is made smaller.
    case halfBlocks(atMost: Int)
    /// As many samples as the cells have pixels, and no more than this many in all: the picture is made smaller.
    case pixels(atMost: Int)
    /// The same, but the terminal enlarges what has fewer samples.
    case scaledPixels(atMost: Int)
  }

  /// The largest placement that keeps the picture's proportions, centred above the status line; nil where the
  /// terminal has no room.
  init?(_ picture: PixelSize, in terminal: Terminal.Size, sampling: Sampling) {
    let (availableColumns, availableRows) = (terminal.columns, terminal.rows - 1)
    guard availableColumns > 0, availableRows > 0, picture.pixelCount > 0 else { return nil }
    let (cellWidth, cellHeight) = (Double(terminal.cellWidth), Double(terminal.cellHeight))
    let (width, height) = (Double(picture.width), Double(picture.height))
    var scale = min(Double(availableColumns) * cellWidth / width, Double(availableRows) * cellHeight / height)
    switch sampling {
    case .pixels(let limit): scale = min(scale, (Double(limit) / (width * height)).squareRoot())
    case .halfBlocks(let limit):
      scale = min(scale, (Double(limit) * cellWidth * cellHeight / (width * height)).squareRoot())
    case .scaledPixels: break
    }
    func cells(_ extent: Double, _ available: Int) -> Int { min(max(Int(extent.rounded()), 1), available) }
    columns = cells(width * scale / cellWidth, availableColumns)
    rows = cells(height * scale / cellHeight, availableRows)
    column = (availableColumns - columns) / 2
    row = (availableRows - rows) / 2
    self.terminal = terminal
    switch sampling {
    case .halfBlocks: samples = PixelSize(width: columns, height: 2 * rows)
    case .pixels:
      samples = PixelSize(
        width: min(max(Int(width * scale), 1), columns * terminal.cellWidth),
        height: min(max(Int(height * scale), 1), rows * terminal.cellHeight))
    case .scaledPixels(let limit):
      let all = Double(columns) * cellWidth * Double(rows) * cellHeight
      let reduction = min(1, (Double(limit) / all).squareRoot())
      samples = PixelSize(
        width: max(Int(Double(columns) * cellWidth * reduction), 1),
        height: max(Int(Double(rows) * cellHeight * reduction), 1))
    }
  }
}
