import LibraryTestSupport
import Safelight

/// A picture of `rgba8` whose pixels are computed for each place.
func livePicture(_ width: Int, _ height: Int, _ color: (_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8)) throws
  -> PixelBuffer
{
  let buffer = try PixelBuffer(size: PixelSize(width: width, height: height), format: .rgba8)
  for y in 0..<height {
    let row = buffer.row(y, as: UInt8.self)
    for x in 0..<width {
      (row[4 * x], row[4 * x + 1], row[4 * x + 2]) = color(x, y)
      row[4 * x + 3] = 255
    }
  }
  return buffer
}

func liveFrame(_ picture: PixelBuffer, _ sequence: UInt64 = 0) -> RenderedFrame {
  RenderedFrame(
    picture: picture, time: Timestamp(nanoseconds: Int64(sequence) * 33_333_333), sequence: sequence)
}

extension SinkFormat {
  init(_ picture: PixelBuffer, _ framesPerSecond: Double = 30) {
    self.init(size: picture.size, framesPerSecond: framesPerSecond)
  }
}

extension PixelBuffer {
  /// R, G, B of all pixels, row after row.
  var packedRGB: [UInt8] {
    var bytes: [UInt8] = []
    for y in 0..<height {
      let row = row(y, as: UInt8.self)
      for x in 0..<width { bytes += row[4 * x..<4 * x + 3] }
    }
    return bytes
  }
}
