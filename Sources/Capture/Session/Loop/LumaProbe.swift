import FrameCore

/// Measures a picture's brightness at a few points: enough to distinguish black from lit, in microseconds.
enum LumaProbe {
  /// Points across and down, evenly spaced with a margin of half a step.
  static let grid = (columns: 32, rows: 18)

  /// Returns the mean luma over the grid, 0…1, of encoded samples with limited range expanded. R, G and B have
  /// BT.709's weights.
  static func meanLuma(of buffer: PixelBuffer) -> Double {
    meanLuma(of: buffer, columns: 0..<buffer.width, rows: 0..<buffer.height)
  }

  /// Returns the mean luma of a part of the picture.
  ///
  /// - Precondition: the part is not empty and lies within the picture.
  static func meanLuma(of buffer: PixelBuffer, columns across: Range<Int>, rows down: Range<Int>) -> Double {
    let columns = min(grid.columns, across.count)
    let rows = min(grid.rows, down.count)
    let plane = buffer.planes[0]
    var sum = 0.0
    for j in 0..<rows {
      let row = UnsafeRawPointer(plane.row(down.lowerBound + (2 * j + 1) * down.count / (2 * rows)))
      for i in 0..<columns {
        sum += luma(
          row, across.lowerBound + (2 * i + 1) * across.count / (2 * columns), buffer.format)
      }
    }
    let mean = sum / Double(columns * rows)
    guard buffer.format.isYCbCr, buffer.tags.range == .limited else { return mean }
    // BT.601 and BT.709 with 8 bits: black is 16, white is 235.
    return min(max((mean * 255 - 16) / 219, 0), 1)
  }

  /// Returns the sample at column `x` as a fraction of its code range.
  private static func luma(_ row: UnsafeRawPointer, _ x: Int, _ format: PixelFormat) -> Double {
    func byte(_ offset: Int) -> Double { Double(row.load(fromByteOffset: offset, as: UInt8.self)) / 255 }
    func rgb(_ r: Double, _ g: Double, _ b: Double) -> Double { 0.2126 * r + 0.7152 * g + 0.0722 * b }
    switch format {
    case .gray8, .nv12, .nv21, .nv16, .i420, .i422, .i444: return byte(x)
    case .yuyv422: return byte(2 * x)
    case .uyvy422: return byte(2 * x + 1)
    case .rgba8: return rgb(byte(4 * x), byte(4 * x + 1), byte(4 * x + 2))
    case .rgba16:
      func sample(_ channel: Int) -> Double {
        Double(row.loadUnaligned(fromByteOffset: 8 * x + 2 * channel, as: UInt16.self)) / 65535
      }
      return rgb(sample(0), sample(1), sample(2))
    case .rgbaF32:
      func sample(_ channel: Int) -> Double {
        Double(row.loadUnaligned(fromByteOffset: 16 * x + 4 * channel, as: Float.self))
      }
      let value = rgb(sample(0), sample(1), sample(2))
      return value.isFinite ? min(max(value, 0), 1) : 0
    }
  }
}
