import Safelight

/// A smooth picture: red rises to the right, green downwards, blue falls along both.
package func gradient(
  _ width: Int, _ height: Int, format: PixelFormat = .rgba8, alpha: AlphaMode = .opaque,
  tags: ColorTags = .sRGB
) throws -> PixelBuffer {
  try picture(width, height, format: format, alpha: alpha, tags: tags) { x, y in
    let red = x * 65_535 / max(width - 1, 1)
    let green = y * 65_535 / max(height - 1, 1)
    return [red, green, 65_535 - (red + green) / 2, alpha == .straight ? 65_535 - red / 2 : 65_535]
  }
}

/// A picture whose samples, 0…65535, are computed for each place.
package func picture(
  _ width: Int, _ height: Int, format: PixelFormat = .rgba8, alpha: AlphaMode = .opaque,
  tags: ColorTags = .sRGB, _ samples: (_ x: Int, _ y: Int) -> [Int]
) throws -> PixelBuffer {
  let buffer = try PixelBuffer(
    size: PixelSize(width: width, height: height), format: format, tags: tags, alpha: alpha)
  for y in 0..<height {
    for x in 0..<width {
      for (channel, sample) in samples(x, y).enumerated() {
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

/// The largest difference of two pictures' samples; nil where their sizes or formats differ.
package func largestDifference(_ a: PixelBuffer, _ b: PixelBuffer) -> Int? {
  guard a.size == b.size, a.format == b.format else { return nil }
  var largest = 0
  for y in 0..<a.height {
    for x in 0..<a.width {
      for (one, other) in zip(pixel(a, x, y), pixel(b, x, y)) { largest = max(largest, abs(one - other)) }
    }
  }
  return largest
}
