import FrameCore

/// Component orders with three or four bytes per pixel.
enum PackedRGB: Sendable, Hashable {
  case rgb, bgr, rgbx, bgrx

  var bytesPerPixel: Int { self == .rgb || self == .bgr ? 3 : 4 }

  /// Converts rows in this order to R, G, B, 255 in `target`, an `rgba8` buffer.
  ///
  /// - Parameters:
  ///   - source: the first row; there must be as many rows as in `target`.
  ///   - rowBytes: the distance between rows of `source`.
  func convert(_ source: UnsafeRawPointer, rowBytes: Int, into target: PixelBuffer) {
    let swaps = self == .bgr || self == .bgrx
    let step = bytesPerPixel
    for y in 0..<target.height {
      let from = (source + y * rowBytes).assumingMemoryBound(to: UInt8.self)
      let to = target.planes[0].row(y).assumingMemoryBound(to: UInt8.self)
      for x in 0..<target.width {
        let (i, o) = (x * step, x * 4)
        to[o] = from[swaps ? i + 2 : i]
        to[o + 1] = from[i + 1]
        to[o + 2] = from[swaps ? i : i + 2]
        to[o + 3] = 255
      }
    }
  }
}
