import FrameCore

/// Colour differences along the borders between tiles, from which the samples on a border are made once all tiles are
/// done: those samples depend on the pixels of two tiles, and rendering pixels twice would cost more.
///
/// Tiles may be written by several threads at once; each keeps values of its own. Reused for the next picture.
final class ChromaSeams: @unchecked Sendable {
  private let writer: PlaneWriter
  private let size, tile: PixelSize
  /// Three columns at each border, and three rows if colour differences depend on the row above: the last one of the
  /// tile before the border, and the first two of the next. Cb, then Cr.
  private let columns, rows: UnsafeMutablePointer<Int16>
  private let columnBorders, rowBorders: Int
  private let rowStride: Int
  private let thinned: UnsafeMutablePointer<UInt8>

  /// The borders between columns and between rows of tiles that samples depend on both sides of.
  static func borders(_ writer: PlaneWriter, size: PixelSize, tile: PixelSize) -> (columns: Int, rows: Int) {
    guard writer.channels.hasChroma else { return (0, 0) }
    return (
      writer.reachesLeft ? (size.width - 1) / tile.width : 0,
      writer.reachesUp ? (size.height - 1) / tile.height : 0
    )
  }

  init(_ writer: PlaneWriter, size: PixelSize, tile: PixelSize) {
    (columnBorders, rowBorders) = Self.borders(writer, size: size, tile: tile)
    (self.writer, self.size, self.tile) = (writer, size, tile)
    rowStride = (size.width + 63) & ~63
    let (inColumns, inRows) = (columnBorders * 6 * size.height, rowBorders * 6 * rowStride)
    columns = .allocate(capacity: max(1, inColumns))
    columns.initialize(repeating: 0, count: max(1, inColumns))
    rows = .allocate(capacity: max(1, inRows))
    rows.initialize(repeating: 0, count: max(1, inRows))
    thinned = .allocate(capacity: 2 * rowStride)
    thinned.initialize(repeating: 0, count: 2 * rowStride)
  }

  deinit {
    columns.deallocate()
    rows.deallocate()
    thinned.deallocate()
  }

  /// The values of column `index` (0…2) at a border, one for each row of the picture.
  private func column(_ border: Int, _ index: Int, _ plane: Int) -> UnsafeMutablePointer<Int16> {
    columns + ((3 * border + index) * 2 + plane) * size.height
  }

  private func row(_ border: Int, _ index: Int, _ plane: Int) -> UnsafeMutablePointer<Int16> {
    rows + ((3 * border + index) * 2 + plane) * rowStride
  }

  /// Keeps what a tile's row `y` has at borders.
  func keep(_ y: Int, of tile: PlaneWriter.Tile) {
    for plane in 0..<2 {
      let values = tile.differences(plane, y)
      if columnBorders > 0 { keepColumns(values, y, plane, of: tile) }
      if rowBorders > 0 { keepRow(values, y, plane, of: tile) }
    }
  }

  private func keepColumns(
    _ values: UnsafePointer<Int16>, _ y: Int, _ plane: Int, of tile: PlaneWriter.Tile
  ) {
    let count = tile.columns.count
    if tile.columns.lowerBound > 0 {
      let border = tile.columns.lowerBound / self.tile.width - 1
      column(border, 1, plane)[y] = values[0]
      column(border, 2, plane)[y] = values[min(1, count - 1)]
    }
    if tile.columns.upperBound < size.width {
      column(tile.columns.upperBound / self.tile.width - 1, 0, plane)[y] = values[count - 1]
    }
  }

  private func keepRow(_ values: UnsafePointer<Int16>, _ y: Int, _ plane: Int, of tile: PlaneWriter.Tile) {
    func keep(_ border: Int, _ index: Int) {
      (row(border, index, plane) + tile.columns.lowerBound).update(from: values, count: tile.columns.count)
    }
    let first = tile.rows.lowerBound
    if first > 0, y <= first + 1 {
      let border = first / self.tile.height - 1
      keep(border, 1 + y - first)
      // The last row of the picture stands for the one below it.
      if y == first, y == size.height - 1 { keep(border, 2) }
    }
    if y == tile.rows.upperBound - 1, y < size.height - 1 {
      keep(tile.rows.upperBound / self.tile.height - 1, 0)
    }
  }

  /// Stores the samples on all borders.
  func finish(_ output: PixelBuffer) {
    let (cb, cr) = (writer.channels.cb, writer.channels.cr)
    for border in 0..<columnBorders {
      let place = (border + 1) * tile.width / writer.stepX
      for y in 0..<output.planes[cb.plane].rows {
        output.planes[cb.plane].row(y).storeBytes(
          of: sample(border, y, 0), toByteOffset: cb.step * place + cb.offset, as: UInt8.self)
        output.planes[cr.plane].row(y).storeBytes(
          of: sample(border, y, 1), toByteOffset: cr.step * place + cr.offset, as: UInt8.self)
      }
    }
    let count = (size.width + writer.stepX - 1) / writer.stepX
    for border in 0..<rowBorders {
      for plane in 0..<2 {
        let channel = plane == 0 ? cb : cr
        writer.thin(
          row(border, 0, plane), row(border, 1, plane), row(border, 2, plane),
          count: size.width, into: thinned)
        let target = output.planes[channel.plane].row((border + 1) * tile.height / writer.stepY)
        for x in 0..<count {
          target.storeBytes(of: thinned[x], toByteOffset: channel.step * x + channel.offset, as: UInt8.self)
        }
      }
    }
  }

  /// A sample of the chroma column at a border, as `sl_thin_chroma` makes it.
  private func sample(_ border: Int, _ y: Int, _ plane: Int) -> UInt8 {
    var sum: Int32 = 512
    for index in 0..<3 {
      let values = column(border, index, plane)
      for row in 0..<3 {
        let place = min(max(y * writer.stepY + row - 1, 0), size.height - 1)
        sum += writer.weight(column: index, row: row) * Int32(values[place])
      }
    }
    return UInt8(min(sum >> 10, 255))
  }
}
