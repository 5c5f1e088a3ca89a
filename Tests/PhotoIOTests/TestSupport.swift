import FrameCore
import Testing

@testable import PhotoIO

/// A smooth picture with known samples: red rises to the right, green downwards, blue falls along both.
func makeGradient(
  _ width: Int, _ height: Int, format: PixelFormat = .rgba8, alpha: AlphaMode = .opaque,
  tags: ColorTags = .sRGB
) throws -> PixelBuffer {
  let size = PixelSize(width: width, height: height)
  let buffer = try PixelBuffer(size: size, format: format, tags: tags, alpha: alpha)
  for y in 0..<height {
    for x in 0..<width {
      // 16-bit values, with low bits that an 8-bit detour would lose.
      let red = x * 65_535 / max(width - 1, 1)
      let green = y * 65_535 / max(height - 1, 1)
      let samples = [red, green, 65_535 - (red + green) / 2, alpha == .straight ? (red ^ green) : 65_535]
      for (channel, sample) in samples.enumerated() {
        if format == .rgba8 {
          buffer.row(y, as: UInt8.self)[4 * x + channel] = UInt8(sample >> 8)
        } else {
          buffer.row(y, as: UInt16.self)[4 * x + channel] = UInt16(sample)
        }
      }
    }
  }
  return buffer
}

/// A copy of the samples of row `y`; unlike the buffer's own view it outlives the buffer.
func row8(_ buffer: PixelBuffer, _ y: Int) -> [UInt8] {
  withExtendedLifetime(buffer) { Array(buffer.row(y, as: UInt8.self)) }
}

func row16(_ buffer: PixelBuffer, _ y: Int) -> [UInt16] {
  withExtendedLifetime(buffer) { Array(buffer.row(y, as: UInt16.self)) }
}

func samples8(_ buffer: PixelBuffer) -> [UInt8] { (0..<buffer.height).flatMap { row8(buffer, $0) } }

func samples16(_ buffer: PixelBuffer) -> [UInt16] { (0..<buffer.height).flatMap { row16(buffer, $0) } }

/// The mean of the squared differences of 8-bit samples.
func meanSquaredError(_ a: PixelBuffer, _ b: PixelBuffer) -> Double {
  let pairs = zip(samples8(a), samples8(b))
  return pairs.reduce(0.0) { $0 + pow2(Double($1.0) - Double($1.1)) } / Double(a.size.pixelCount * 4)
}

private func pow2(_ x: Double) -> Double { x * x }

/// Writes a whole buffer in bands of uneven height.
@discardableResult
func write(_ buffer: PixelBuffer, with writer: PhotoWriter) throws -> PhotoWriter {
  var row = 0
  for height in [1, 7, 16, .max] where row < buffer.height {
    let end = height == .max ? buffer.height : min(row + height, buffer.height)
    try writer.write(buffer, rows: row..<end)
    row = end
  }
  try writer.finish()
  return writer
}

/// Whether `pattern` is somewhere among `bytes`.
func contains(_ bytes: [UInt8], _ pattern: [UInt8]) -> Bool {
  guard let first = pattern.first else { return true }
  return bytes.indices.contains { bytes[$0] == first && bytes[$0...].starts(with: pattern) }
}
