import ColorScience
import FrameCore
import TestSupport

/// A scene of many colours, dark ones among them everywhere, behind haze whose transmission is known.
package struct HazyScene: Sendable {
  package let size: PixelSize
  /// The light of the haze, linear sRGB.
  package var ambient = SIMD3(0.8, 0.82, 0.86)
  /// Transmission of the nearest part, at the bottom, and of the furthest, at the top.
  package var nearest = 0.95
  package var furthest = 0.45

  package init(size: PixelSize) { self.size = size }

  /// How much of the light of a row comes through.
  package func transmission(_ y: Int) -> Double {
    furthest + (nearest - furthest) * Double(y) / Double(max(size.height - 1, 1))
  }

  /// The scene without haze, by rows, linear sRGB.
  package var clear: [SIMD3<Double>] {
    var random = SeededRandom(seed: 81)
    // Blocks of one colour, a third of which are nearly black in a channel.
    let (columns, rows) = (size.width / 3 + 1, size.height / 3 + 1)
    let blocks = (0..<columns * rows).map { _ -> SIMD3<Double> in
      var color = SIMD3((0..<3).map { _ in Double.random(in: 0.02...0.6, using: &random) })
      if Int.random(in: 0..<3, using: &random) == 0 { color[Int.random(in: 0..<3, using: &random)] = 0.002 }
      return color
    }
    return (0..<size.pixelCount).map { blocks[$0 / size.width / 3 * columns + $0 % size.width / 3] }
  }

  package func hazy(_ format: PixelFormat = .rgbaF32, encoded: Bool = true) throws -> PixelBuffer {
    try picture(
      clear.enumerated().map { index, color in
        let t = transmission(index / size.width)
        return t * color + (1 - t) * ambient
      }, format, encoded: encoded)
  }

  /// A picture of linear colours, encoded as sRGB or stored as they are.
  package func picture(_ colors: [SIMD3<Double>], _ format: PixelFormat, encoded: Bool = true) throws
    -> PixelBuffer
  {
    let picture = try PixelBuffer(size: size, format: format)
    for (index, color) in colors.enumerated() {
      let (x, y) = (index % size.width, index / size.width)
      for channel in 0..<4 {
        let light = channel < 3 ? color[channel] : 1
        let value = encoded && channel < 3 ? TransferFunction.sRGB.encode(light) : light
        switch format {
        case .rgba16:
          picture.row(y, as: UInt16.self)[4 * x + channel] = UInt16(min(max(value, 0), 1) * 65_535 + 0.5)
        case .rgbaF32: picture.row(y, as: Float.self)[4 * x + channel] = Float(value)
        default: picture.row(y, as: UInt8.self)[4 * x + channel] = UInt8(min(max(value, 0), 1) * 255 + 0.5)
        }
      }
    }
    return picture
  }
}
