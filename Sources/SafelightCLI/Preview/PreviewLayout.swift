import Safelight

/// The position of the picture in the terminal, and the number of samples it is drawn with.
struct PreviewLayout: Hashable {
  /// Cells of the whole terminal; the last row is for the status line.
  var terminal: Terminal.Size
  /// The first row and column of the picture, from 0.
  var row: Int
  var column: Int
  /// The size of the picture in cells.
  var rows: Int
  var columns: Int
  /// The size in samples that the picture is scaled to.
  var samples: PixelSize

  enum Sampling {
    /// Two samples per cell, one above the other. The picture is made smaller if it would take more cells than
    /// this.
    case halfBlocks(atMost: Int)
    /// One sample per pixel of the cells. The picture is made smaller if it would take more samples than this.
    case pixels(atMost: Int)
    /// As `pixels`, but the terminal enlarges a picture with fewer samples.
    case scaledPixels(atMost: Int)
  }

  /// Creates the largest placement that keeps the picture's proportions, centred above the status line; nil if
  /// the terminal has no room.
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
