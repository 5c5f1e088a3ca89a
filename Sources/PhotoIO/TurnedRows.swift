import FrameCore

/// The rows of a picture turned for display, a few at a time.
struct TurnedRows {
  /// The size of the turned picture.
  let size: PixelSize
  private let buffer: PixelBuffer
  private let orientation: Orientation

  /// - Parameter buffer: of a format with a single plane.
  init(_ buffer: PixelBuffer, orientation: Orientation) {
    self.buffer = buffer
    self.orientation = orientation
    size = orientation.applied(to: buffer.size)
  }

  /// Copies rows of the turned picture to the first rows of `band`, which is as wide and of the same format.
  func copy(_ rows: Range<Int>, to band: PixelBuffer) {
    precondition(band.format == buffer.format && band.width == size.width && rows.count <= band.height)
    switch buffer.format.planes[0].bytesPerGroup {
    case 4: copy(rows, to: band, as: UInt32.self)
    case 8: copy(rows, to: band, as: UInt64.self)
    default: preconditionFailure("rows of \(buffer.format.rawValue)")
    }
  }

  private func copy<Pixel>(_ rows: Range<Int>, to band: PixelBuffer, as type: Pixel.Type) {
    let source = buffer.planes[0]
    let base = UnsafeRawPointer(source.base)
    let pixel = MemoryLayout<Pixel>.stride
    // Where the turned picture's first pixel is, and how far it is from there to its neighbours.
    let (origin, right, down) = steps(pixel, source.rowBytes)
    withExtendedLifetime((buffer, band)) {
      for (index, y) in rows.enumerated() {
        let out = band.row(index, as: Pixel.self)
        var place = origin + y * down
        for x in 0..<size.width {
          out[x] = base.load(fromByteOffset: place, as: Pixel.self)
          place += right
        }
      }
    }
  }

  /// Returns byte offsets in the stored picture: of the first pixel shown, and of the steps right and down.
  private func steps(_ pixel: Int, _ rowBytes: Int) -> (origin: Int, right: Int, down: Int) {
    let lastColumn = (buffer.width - 1) * pixel
    let lastRow = (buffer.height - 1) * rowBytes
    return switch orientation {
    case .up: (0, pixel, rowBytes)
    case .upMirrored: (lastColumn, -pixel, rowBytes)
    case .down: (lastRow + lastColumn, -pixel, -rowBytes)
    case .downMirrored: (lastRow, pixel, -rowBytes)
    case .leftMirrored: (0, rowBytes, pixel)
    case .right: (lastRow, -rowBytes, pixel)
    case .rightMirrored: (lastRow + lastColumn, -rowBytes, -pixel)
    case .left: (lastColumn, rowBytes, -pixel)
    }
  }
}
