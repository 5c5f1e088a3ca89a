import FrameCore
import Libc

/// A rectangle of a picture that is copied between the processor's memory and a device's buffer, where it is
/// packed.
final class PictureTransfer: Sendable {
  let layout: DeviceLayout
  /// The size of the buffer.
  let bytes: Int

  private struct Part {
    /// Bytes from the start of the picture's rows.
    var column: Int
    /// Rows of the plane.
    var rows: Range<Int>
    /// The bytes of a row without padding.
    var tightBytes: Int
    var offset: Int
    var rowBytes: Int
  }
  private let parts: [Part]

  /// Widens the rectangle to whole groups of samples.
  init(
    size: PixelSize, format: PixelFormat, columns: Range<Int>? = nil, rows: Range<Int>? = nil
  ) {
    let shapes = format.planes
    let columns = Self.grouped(
      columns ?? 0..<size.width, by: shapes.map(\.columnsPerGroup).max() ?? 1, of: size.width)
    let rows = Self.grouped(
      rows ?? 0..<size.height, by: shapes.map(\.rowsPerGroup).max() ?? 1, of: size.height)
    var offset = 0
    parts = shapes.map { shape in
      let first = columns.lowerBound / shape.columnsPerGroup
      let end = (columns.upperBound + shape.columnsPerGroup - 1) / shape.columnsPerGroup
      let top = rows.lowerBound / shape.rowsPerGroup
      let bottom = (rows.upperBound + shape.rowsPerGroup - 1) / shape.rowsPerGroup
      let tight = (end - first) * shape.bytesPerGroup
      // The same alignment as pictures, so that a whole one is copied at once.
      let rowBytes = (tight + PixelBuffer.alignment - 1) / PixelBuffer.alignment * PixelBuffer.alignment
      defer { offset += rowBytes * (bottom - top) }
      return Part(
        column: first * shape.bytesPerGroup, rows: top..<bottom, tightBytes: tight, offset: offset,
        rowBytes: rowBytes)
    }
    bytes = offset
    layout = DeviceLayout(
      size: size, format: format, columns: columns, rows: rows,
      planes: parts.map { DeviceLayout.Plane(offset: $0.offset, rowBytes: $0.rowBytes) })
  }

  static func grouped(_ range: Range<Int>, by count: Int, of all: Int) -> Range<Int> {
    range.lowerBound / count * count..<min(all, (range.upperBound + count - 1) / count * count)
  }

  /// Copies the rectangle to a buffer.
  func copy(from picture: PixelBuffer, to memory: UnsafeMutableRawPointer) {
    var index = 0
    while index < parts.count {
      let (part, plane) = (parts[index], picture.planes[index])
      // May read the gaps between rows: nobody uses their contents.
      Self.copy(
        from: plane.base + part.rows.lowerBound * plane.rowBytes + part.column, plane.rowBytes,
        to: memory + part.offset, part.rowBytes, rows: part.rows.count, of: part.tightBytes, asOne: true)
      index += 1
    }
  }

  /// Copies the rectangle from a buffer into a picture, whose first row is row `firstRow` of the whole one.
  func copy(from memory: UnsafeRawPointer, to picture: PixelBuffer, firstRow: Int) {
    // May write the gaps between rows only if nobody else uses them: not if the rows belong to a larger picture,
    // nor if the rectangle ends before the rows do.
    let ownsGaps = picture.ownsRowGaps && layout.columns.upperBound == picture.width
    var index = 0
    while index < parts.count {
      let (part, plane) = (parts[index], picture.planes[index])
      Self.copy(
        from: memory + part.offset, part.rowBytes,
        to: plane.base + (part.rows.lowerBound - firstRow) * plane.rowBytes + part.column, plane.rowBytes,
        rows: part.rows.count, of: part.tightBytes, asOne: ownsGaps || part.rowBytes == part.tightBytes)
      index += 1
    }
  }

  /// - Parameter asOne: whether rows with equal spacing may be copied together with the gaps between them.
  private static func copy(
    from source: UnsafeRawPointer, _ sourceStep: Int, to target: UnsafeMutableRawPointer, _ targetStep: Int,
    rows: Int, of bytes: Int, asOne: Bool
  ) {
    if asOne, sourceStep == targetStep {
      memcpy(target, source, (rows - 1) * sourceStep + bytes)
      return
    }
    var row = 0
    while row < rows {
      memcpy(target + row * targetStep, source + row * sourceStep, bytes)
      row += 1
    }
  }
}

extension DeviceLayout {
  /// The layout of some of the rows, for single-plane formats, at their position in the same buffer.
  func band(_ band: Range<Int>) -> DeviceLayout {
    var layout = self
    layout.rows = band
    layout.planes[0].offset += (band.lowerBound - rows.lowerBound) * planes[0].rowBytes
    return layout
  }
}
