import FrameCore
import Rendering

/// A picture with a different value in every sample: an error of one pixel or one channel shows.
func patterned(
  _ width: Int, _ height: Int, seed: UInt8, alpha: AlphaMode = .opaque, tags: ColorTags = .sRGB
) throws -> PixelBuffer {
  let buffer = try PixelBuffer(
    size: PixelSize(width: width, height: height), format: .rgba8, tags: tags, alpha: alpha)
  for y in 0..<height {
    let row = buffer.row(y, as: UInt8.self)
    for x in 0..<width {
      row[4 * x] = UInt8(truncatingIfNeeded: 7 &* x &+ 13 &* y) &+ seed
      row[4 * x + 1] = UInt8(truncatingIfNeeded: 31 &* x ^ 5 &* y) &+ seed
      row[4 * x + 2] = UInt8(truncatingIfNeeded: x &* y) &+ seed
      row[4 * x + 3] = alpha == .opaque ? 255 : UInt8(truncatingIfNeeded: 3 &* x &+ 11 &* y) &+ seed
    }
  }
  return buffer
}

/// A picture of one colour in any RGBA format; `pixel` holds R, G, B and A as stored.
func plain<Sample>(
  _ width: Int, _ height: Int, _ format: PixelFormat, _ pixel: [Sample], tags: ColorTags = .sRGB,
  alpha: AlphaMode = .opaque
) throws -> PixelBuffer {
  let buffer = try PixelBuffer(
    size: PixelSize(width: width, height: height), format: format, tags: tags, alpha: alpha)
  for y in 0..<height {
    let row = buffer.row(y, as: Sample.self)
    for index in row.indices { row[index] = pixel[index % 4] }
  }
  return buffer
}

extension PixelBuffer {
  /// R, G, B and A of one pixel of an `rgba8` picture.
  func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(row(y, as: UInt8.self)[4 * x..<4 * x + 4]) }

  /// The codes of some columns of one row of an `rgba8` picture.
  func codes(row y: Int, columns: Range<Int>) -> [UInt8] {
    Array(row(y, as: UInt8.self)[4 * columns.lowerBound..<4 * columns.upperBound])
  }

  /// All codes of an `rgba8` picture, without padding.
  var codes: [UInt8] { (0..<height).flatMap { codes(row: $0, columns: 0..<width) } }
}
