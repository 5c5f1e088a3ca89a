import FrameCore
import Libc
import TestSupport

/// Moving pictures with noise: a gradient that drifts, and a square that crosses it.
struct MovieScene {
  let size: PixelSize
  var format = PixelFormat.i420
  var noise = 4

  static let tags = ColorTags(
    primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .limited, chromaSiting: .left)

  /// Paints picture `index`. Samples lie within the limited range.
  func frame(_ index: Int, tags: ColorTags = MovieScene.tags) throws -> PixelBuffer {
    let buffer = try PixelBuffer(size: size, format: format, tags: tags)
    var random = SeededRandom(seed: UInt64(index))
    let square = (x: (index * 5) % max(1, size.width), y: (index * 3) % max(1, size.height))
    let shapes = format.planes
    for (number, plane) in buffer.planes.enumerated() {
      let shape = shapes[number]
      for y in 0..<plane.rows {
        let row = plane.row(y).assumingMemoryBound(to: UInt8.self)
        for x in 0..<shape.rowBytes(width: size.width) {
          let (column, line) = (
            x / shape.bytesPerGroup * shape.columnsPerGroup, y * shape.rowsPerGroup
          )
          let isSquare = abs(column - square.x) < size.width / 8 && abs(line - square.y) < size.height / 8
          let base =
            number == 0 ? (isSquare ? 210 : 40 + (column + line + 2 * index) % 128) : (isSquare ? 90 : 140)
          let noisy = noise > 0 ? base + Int(random.next() % UInt64(2 * noise + 1)) - noise : base
          row[x] = UInt8(max(16, min(235, noisy)))
        }
      }
    }
    return buffer
  }
}

extension PixelBuffer {
  /// The samples of a picture with a plane of interleaved Cb, Cr, as three planes.
  var planar: [UInt8] {
    let (tight, luma) = (tight, size.pixelCount)
    let chroma = tight.dropFirst(luma)
    return Array(tight.prefix(luma)) + stride(from: luma, to: tight.count, by: 2).map { chroma[$0] }
      + stride(from: luma + 1, to: tight.count, by: 2).map { chroma[$0] }
  }

  /// All samples without padding, plane after plane, as ffmpeg's rawvideo.
  var tight: [UInt8] {
    zip(planes, format.planes).flatMap { plane, shape in
      (0..<plane.rows).flatMap { y in
        Array(UnsafeRawBufferPointer(start: plane.row(y), count: shape.rowBytes(width: size.width)))
      }
    }
  }
}

/// The ratio of peak signal to noise, in dB, of 8-bit samples.
func peakSignalToNoise(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Double {
  var (sum, count) = (0.0, 0.0)
  for (x, y) in zip(a, b) {
    sum += Double((Int(x) - Int(y)) * (Int(x) - Int(y)))
    count += 1
  }
  return sum == 0 ? .infinity : 10 * log10(255 * 255 * count / sum)
}
