extension Terminal {
  /// The size of the terminal in cells, and of a cell in pixels. The other end may report anything, so all
  /// values are bounded: no picture takes more memory than one for a large screen.
  struct Size: Hashable {
    /// 1…`maximumCells` each.
    var columns: Int
    var rows: Int
    /// Pixels of one cell, 1…`maximumCellEdge`.
    var cellWidth: Int
    var cellHeight: Int

    /// More than an 8K screen has with letters of four pixels.
    static let maximumCells = 2048
    static let maximumCellEdge = 256
    /// Replaces values that are missing or impossible: the size that terminals used to have, and cells of 8 by
    /// 16.
    private static let standard = (columns: 80, rows: 24, cell: (width: 8, height: 16))

    /// - Parameters:
    ///   - columns: 0 if unknown.
    ///   - width: pixels of all columns, 0 if unknown.
    ///   - height: pixels of all rows.
    ///   - cell: pixels of one cell as the terminal answered.
    init(columns: Int, rows: Int, width: Int = 0, height: Int = 0, cell: (width: Int, height: Int)? = nil) {
      let isKnown = columns > 0 && rows > 0
      self.columns = min(isKnown ? columns : Self.standard.columns, Self.maximumCells)
      self.rows = min(isKnown ? rows : Self.standard.rows, Self.maximumCells)
      let counted = isKnown ? (width / columns, height / rows) : (0, 0)
      let edges = 1...Self.maximumCellEdge
      for (width, height) in [counted, cell ?? (0, 0)] where edges.contains(width) && edges.contains(height) {
        (cellWidth, cellHeight) = (width, height)
        return
      }
      (cellWidth, cellHeight) = Self.standard.cell
    }
  }
}
