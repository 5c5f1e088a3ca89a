import FrameCore
import Glibc

func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }

extension PixelBuffer {
  /// Returns this 8-bit RGBA picture with its content rotated counter-clockwise by `degrees`, bilinearly,
  /// cropped to the largest centred window of its own proportions without empty corners.
  func turned(by degrees: Double) throws -> PixelBuffer {
    let (cosine, sine) = (Float(cosine(degrees)), Float(sine(degrees)))
    let (w, h) = (Float(width), Float(height))
    let scale = min(w / (w * cosine + h * abs(sine)), h / (w * abs(sine) + h * cosine))
    let size = PixelSize(width: max(1, Int(w * scale) - 2), height: max(1, Int(h * scale) - 2))
    let output = try PixelBuffer(size: size, format: .rgba8, tags: tags)
    guard width > 1, height > 1 else { return output }
    let input = row(0, as: SIMD4<UInt8>.self).baseAddress
    let rowPixels = planes[0].rowBytes / 4
    guard let input, planes[0].rowBytes.isMultiple(of: 4) else { return output }
    for y in 0..<size.height {
      let row = output.row(y, as: SIMD4<UInt8>.self)
      for x in 0..<size.width {
        let (u, v) = (Float(x) + 0.5 - Float(size.width) / 2, Float(y) + 0.5 - Float(size.height) / 2)
        let (px, py) = (u * cosine - v * sine + w / 2 - 0.5, u * sine + v * cosine + h / 2 - 0.5)
        let (i, j) = (min(max(Int(px), 0), width - 2), min(max(Int(py), 0), height - 2))
        let (a, b) = (px - Float(i), py - Float(j))
        let at = input + (j * rowPixels + i)
        func sample(_ index: Int) -> SIMD4<Float> { SIMD4<Float>(at[index]) }
        let top = sample(0) + (sample(1) - sample(0)) * a
        let bottom = sample(rowPixels) + (sample(rowPixels + 1) - sample(rowPixels)) * a
        let mixed = (top + (bottom - top) * b).rounded(.toNearestOrEven)
        row[x] = SIMD4<UInt8>(clamping: SIMD4<Int32>(mixed))
        row[x].w = 255
      }
    }
    return output
  }
}
