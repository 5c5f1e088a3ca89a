import Dispatch
import Safelight

/// Moves samples between C's memory, of one to four channels, and the engine's, of four.
enum Samples {
  /// Pictures of fewer pixels are done before another thread is awake.
  private static let pixelsPerPiece = 1 << 18

  /// Copies a picture into a buffer of its size and of its format's `engine`.
  static func copy(_ image: Image, into buffer: PixelBuffer, threads: Int?) {
    forEachRow(of: image, threads) { y in
      let (source, target) = (image.row(y), buffer.planes[0].row(y))
      switch image.format.engine {
      case .rgba16: unpack(source, target, image, opaque: UInt16.max)
      case .rgbaF32: unpack(source, target, image, opaque: Float(1))
      default: unpack(source, target, image, opaque: UInt8.max)
      }
    }
  }

  /// Copies a result into a picture of its size, whose format is not grey.
  static func copy(_ buffer: PixelBuffer, into image: Image, threads: Int?) {
    forEachRow(of: image, threads) { y in
      let (source, target) = (buffer.planes[0].row(y), image.row(y))
      switch image.format.engine {
      case .rgba16: pack(source, target, image, UInt16.self)
      case .rgbaF32: pack(source, target, image, Float.self)
      default: pack(source, target, image, UInt8.self)
      }
    }
  }

  private static func forEachRow(of image: Image, _ threads: Int?, _ body: @Sendable (Int) -> Void) {
    let (rows, all) = (image.size.height, threads ?? ProcessorCount.usable)
    let pieces = min(all, image.size.pixelCount / pixelsPerPiece + 1, rows)
    guard pieces > 1 else {
      for y in 0..<rows { body(y) }
      return
    }
    DispatchQueue.concurrentPerform(iterations: pieces) { piece in
      for y in piece * rows / pieces..<(piece + 1) * rows / pieces { body(y) }
    }
  }

  private static func unpack<Sample>(
    _ source: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer, _ image: Image, opaque: Sample
  ) {
    let width = image.size.width
    if image.format.hasAlpha {
      target.copyMemory(from: source, byteCount: width * image.format.bytesPerPixel)
      return
    }
    let input = source.assumingMemoryBound(to: Sample.self)
    let samples = target.assumingMemoryBound(to: Sample.self)
    if image.format.channels == 3 {
      for x in 0..<width {
        samples[4 * x] = input[3 * x]
        samples[4 * x + 1] = input[3 * x + 1]
        samples[4 * x + 2] = input[3 * x + 2]
        samples[4 * x + 3] = opaque
      }
    } else {
      for x in 0..<width {
        samples[4 * x] = input[x]
        samples[4 * x + 1] = input[x]
        samples[4 * x + 2] = input[x]
        samples[4 * x + 3] = opaque
      }
    }
  }

  private static func pack<Sample>(
    _ source: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer, _ image: Image, _: Sample.Type
  ) {
    let width = image.size.width
    if image.format.hasAlpha {
      target.copyMemory(from: source, byteCount: width * image.format.bytesPerPixel)
      return
    }
    let (input, output) = (
      source.assumingMemoryBound(to: Sample.self), target.assumingMemoryBound(to: Sample.self)
    )
    for x in 0..<width {
      output[3 * x] = input[4 * x]
      output[3 * x + 1] = input[4 * x + 1]
      output[3 * x + 2] = input[4 * x + 2]
    }
  }
}
