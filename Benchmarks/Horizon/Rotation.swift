import FrameCore
import Glibc

extension PixelBuffer {
  /// This 8-bit RGBA picture with its content turned counter-clockwise by `degrees`, bilinearly, cropped to the largest
  /// centred window of its own proportions without empty corners.
  func turned(by degrees: Double) throws -> PixelBuffer {
    let radians = degrees * .pi / 180
    let (cosine, sine) = (cos(radians), sin(radians))
    let (w, h) = (Double(width), Double(height))
    let scale = min(w / (w * cosine + h * abs(sine)), h / (w * abs(sine) + h * cosine))
    let size = PixelSize(width: Int(w * scale) - 2, height: Int(h * scale) - 2)
    let output = try PixelBuffer(size: size, format: .rgba8, tags: tags)
    let input = (0..<height).map { row($0, as: UInt8.self) }
    for y in 0..<size.height {
      let row = output.row(y, as: UInt8.self)
      for x in 0..<size.width {
        let (u, v) = (Double(x) + 0.5 - Double(size.width) / 2, Double(y) + 0.5 - Double(size.height) / 2)
        let (px, py) = (u * cosine - v * sine + w / 2 - 0.5, u * sine + v * cosine + h / 2 - 0.5)
        let (i, j) = (min(max(Int(px), 0), width - 2), min(max(Int(py), 0), height - 2))
        let (a, b) = (px - Double(i), py - Double(j))
        for channel in 0..<3 {
          func at(_ dx: Int, _ dy: Int) -> Double { Double(input[j + dy][4 * (i + dx) + channel]) }
          let top = at(0, 0) + (at(1, 0) - at(0, 0)) * a
          let bottom = at(0, 1) + (at(1, 1) - at(0, 1)) * a
          row[4 * x + channel] = UInt8(min(max((top + (bottom - top) * b).rounded(), 0), 255))
        }
        row[4 * x + 3] = 255
      }
    }
    return output
  }
}
