import FrameCore

extension DocumentScene {
  /// The picture in RGBA, as photos are.
  package func rgba() throws -> PixelBuffer {
    let colors = try PixelBuffer(size: size, format: .rgba8)
    for y in 0..<size.height {
      let (row, levels) = (colors.row(y, as: UInt8.self), picture.row(y, as: UInt8.self))
      for x in 0..<size.width {
        for channel in 0..<3 { row[4 * x + channel] = levels[x] }
        row[4 * x + 3] = 255
      }
    }
    return colors
  }
}
