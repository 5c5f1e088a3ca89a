import FrameCore
import TestSupport

/// Pictures in camera formats, for tests.
package enum CameraPictures {
  /// Noise with extremes: a quarter of all samples are at the ends of the range.
  package static func noise(_ size: PixelSize, _ format: PixelFormat, using random: inout SeededRandom) throws
    -> PixelBuffer
  {
    let buffer = try PixelBuffer(size: size, format: format)
    for plane in format.planes.indices {
      for y in 0..<buffer.planes[plane].rows {
        let row = buffer.row(y, of: plane, as: UInt8.self)
        for x in row.indices {
          row[x] =
            random.next() % 4 == 0
            ? (random.next() % 2 == 0 ? 0 : 255) : UInt8.random(in: 0...255, using: &random)
        }
      }
    }
    return buffer
  }

  /// The same samples everywhere: (Y, Cb, Cr).
  package static func flat(_ size: PixelSize, _ format: PixelFormat, _ code: SIMD3<UInt8>) throws
    -> PixelBuffer
  {
    try make(size, format) { _, _ in code }
  }

  /// Smooth samples.
  package static func gradient(_ size: PixelSize, _ format: PixelFormat) throws -> PixelBuffer {
    try make(size, format) { u, v in
      SIMD3(UInt8(16 + 219 * u), UInt8(64 + 128 * v), UInt8(64 + 128 * (1 - (u + v) / 2)))
    }
  }

  /// Samples from a function of the place, 0…1 each way.
  package static func make(
    _ size: PixelSize, _ format: PixelFormat, _ color: (Double, Double) -> SIMD3<UInt8>
  ) throws
    -> PixelBuffer
  {
    let buffer = try PixelBuffer(size: size, format: format)
    // Each format's bytes of a group, in words of its definition in PixelFormat.
    let layouts: [PixelFormat: [[Int]]] = [
      .gray8: [[0]], .yuyv422: [[0, 1, 0, 2]], .uyvy422: [[1, 0, 2, 0]], .nv12: [[0], [1, 2]],
      .nv21: [[0], [2, 1]], .nv16: [[0], [1, 2]], .i420: [[0], [1], [2]], .i422: [[0], [1], [2]],
      .i444: [[0], [1], [2]],
    ]
    for (index, plane) in format.planes.enumerated() {
      guard let layout = layouts[format]?[index] else { continue }
      for y in 0..<plane.rows(height: size.height) {
        let row = buffer.row(y, of: index, as: UInt8.self)
        for x in row.indices {
          let column = x / layout.count * plane.columnsPerGroup + (layout.count == 4 ? x % 4 / 2 : 0)
          let u = Double(min(column, size.width - 1)) / Double(max(1, size.width - 1))
          let v = Double(min(y * plane.rowsPerGroup, size.height - 1)) / Double(max(1, size.height - 1))
          row[x] = color(u, v)[layout[x % layout.count]]
        }
      }
    }
    return buffer
  }

  /// The stored codes (Y, Cb, Cr) that stand for a pixel, by the definitions of the formats; grey is neutral.
  package static func codes(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> SIMD3<UInt8> {
    func read(_ plane: Int, _ byte: Int, _ row: Int) -> UInt8 { buffer.row(row, of: plane)[byte] }
    let (half, low) = (x / 2, y / 2)
    return switch buffer.format {
    case .yuyv422: SIMD3(read(0, 2 * x, y), read(0, 4 * half + 1, y), read(0, 4 * half + 3, y))
    case .uyvy422: SIMD3(read(0, 2 * x + 1, y), read(0, 4 * half, y), read(0, 4 * half + 2, y))
    case .nv12: SIMD3(read(0, x, y), read(1, 2 * half, low), read(1, 2 * half + 1, low))
    case .nv21: SIMD3(read(0, x, y), read(1, 2 * half + 1, low), read(1, 2 * half, low))
    case .nv16: SIMD3(read(0, x, y), read(1, 2 * half, y), read(1, 2 * half + 1, y))
    case .i420: SIMD3(read(0, x, y), read(1, half, low), read(2, half, low))
    case .i422: SIMD3(read(0, x, y), read(1, half, y), read(2, half, y))
    case .i444: SIMD3(read(0, x, y), read(1, x, y), read(2, x, y))
    default: SIMD3(read(0, x, y), 128, 128)
    }
  }
}
