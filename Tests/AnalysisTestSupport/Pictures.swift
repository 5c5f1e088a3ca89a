import FrameCore
import TestSupport

/// Pictures whose samples are known, for tests.
package enum Pictures {
  /// A picture in 8-bit RGBA whose pixel at (x, y) is `color(x, y)`.
  package static func rgba8(
    _ width: Int, _ height: Int, tags: ColorTags = .sRGB, _ color: (Int, Int) -> SIMD3<UInt8>
  ) throws -> PixelBuffer {
    let buffer = try PixelBuffer(size: PixelSize(width: width, height: height), format: .rgba8, tags: tags)
    for y in 0..<height {
      let row = buffer.row(y, as: UInt8.self)
      for x in 0..<width {
        let pixel = color(x, y)
        (row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]) = (pixel.x, pixel.y, pixel.z, 255)
      }
    }
    return buffer
  }

  /// A picture of one grey, 0…255, that differs by position.
  package static func gray8(_ width: Int, _ height: Int, _ level: (Int, Int) -> UInt8) throws -> PixelBuffer {
    let buffer = try PixelBuffer(size: PixelSize(width: width, height: height), format: .gray8)
    for y in 0..<height {
      let row = buffer.row(y, as: UInt8.self)
      for x in 0..<width { row[x] = level(x, y) }
    }
    return buffer
  }

  /// The samples of one picture of a format, in memory without a byte to spare, as a driver may hand it over:
  /// every byte of plane p is `fill(p, column byte, row)`.
  package static func tight(
    _ format: PixelFormat, _ size: PixelSize, tags: ColorTags, _ fill: (Int, Int, Int) -> UInt8
  ) throws -> PixelBuffer {
    let planes = format.planes.enumerated().map { index, plane in
      let rowBytes = plane.rowBytes(width: size.width)
      let rows = plane.rows(height: size.height)
      // Allocated apart, so that a sanitizer or the allocator's guards see a read beyond the end.
      let base = UnsafeMutableRawPointer.allocate(byteCount: rowBytes * rows, alignment: 1)
      for y in 0..<rows {
        for x in 0..<rowBytes {
          base.storeBytes(of: fill(index, x, y), toByteOffset: y * rowBytes + x, as: UInt8.self)
        }
      }
      return (base: base, rowBytes: rowBytes)
    }
    let owned = planes.map { UInt(bitPattern: $0.base) }
    return try PixelBuffer(wrapping: planes, size: size, format: format, tags: tags) {
      for address in owned { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
    }
  }

  /// Random samples with single samples of black and white, in memory without a byte to spare.
  package static func random(_ size: PixelSize, _ format: PixelFormat, seed: UInt64) throws -> PixelBuffer {
    var random = SeededRandom(seed: seed)
    let bytes = format.planes[0].rowBytes(width: size.width) * size.height
    let codes = (0..<bytes).map { _ -> UInt8 in
      let value = random.next()
      return value % 13 == 0 ? 0 : value % 17 == 0 ? 255 : UInt8(truncatingIfNeeded: value >> 32)
    }
    return try tight(format, size, tags: .sRGB) { _, x, y in
      codes[y * format.planes[0].rowBytes(width: size.width) + x]
    }
  }

  /// Red, green and blue of an `rgba16` picture, pixel by pixel.
  package static func samples16(_ picture: PixelBuffer) -> [UInt16] {
    var samples: [UInt16] = []
    for y in 0..<picture.height {
      let row = picture.row(y, as: UInt16.self)
      for x in 0..<picture.width { for channel in 0..<3 { samples.append(row[4 * x + channel]) } }
    }
    return samples
  }
}
