import FoundationEssentials
import Safelight
import Libc

// Scratch folders and the like.
@_exported import TestSupport

extension Scratch {
  /// A file of `Tests/Fuzz/jpeg`, put here under another name.
  package func copy(fuzz name: String, to copy: String) throws {
    try write(Array(Data(contentsOf: URL(filePath: "\(packageFolder)/Tests/Fuzz/jpeg/\(name)"))), to: copy)
  }

  package func photo(_ name: String) throws -> Photo { try Photo(contentsOf: self(name)) }

  /// Writes a picture without loss where the format allows it.
  package func save(_ buffer: PixelBuffer, as name: String, metadata: PhotoMetadata = PhotoMetadata()) throws
  {
    let bits = buffer.format == .rgba16 ? 16 : 8
    let writer = try PhotoWriter(
      to: self(name), size: buffer.size, bitsPerSample: bits, quality: 100, tags: buffer.tags,
      metadata: metadata, alpha: buffer.alpha)
    try writer.write(buffer)
    try writer.finish()
  }
}

/// The package's folder, found from this file.
package let packageFolder: String =
  #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")

/// A file of the package, as text.
package func packageFile(_ path: String) throws -> String {
  try String(decoding: Data(contentsOf: URL(filePath: packageFolder + "/" + path)), as: UTF8.self)
}

/// A picture with detail in every place: smooth ramps with a fine pattern over them. Samples of 16 bits have low bits
/// that an 8-bit detour would lose.
package func makePicture(
  _ width: Int, _ height: Int, format: PixelFormat = .rgba8, alpha: AlphaMode = .opaque,
  tags: ColorTags = .sRGB
) throws -> PixelBuffer {
  let buffer = try PixelBuffer(
    size: PixelSize(width: width, height: height), format: format, tags: tags, alpha: alpha)
  for y in 0..<height {
    let bytes = buffer.row(y, as: UInt8.self)
    let words = buffer.row(y, as: UInt16.self)
    for x in 0..<width {
      let ripple = (x &* 7 &+ y &* 13) % 32 &* 256
      let red = x &* 57_000 / max(width - 1, 1)
      let green = y &* 57_000 / max(height - 1, 1)
      let veil = alpha == .straight ? (x &+ y) % 256 &* 200 : 0
      let samples = SIMD4(red &+ ripple, green &+ ripple, 57_000 &- red &+ ripple, 65_535 &- veil)
      for channel in 0..<4 {
        if format == .rgba8 {
          bytes[4 &* x &+ channel] = UInt8(truncatingIfNeeded: samples[channel] >> 8)
        } else {
          words[4 &* x &+ channel] = UInt16(truncatingIfNeeded: samples[channel])
        }
      }
    }
  }
  return buffer
}

/// A picture of one colour.
package func makePlain(_ color: [UInt8], tags: ColorTags = .sRGB) throws -> PixelBuffer {
  let buffer = try PixelBuffer(size: PixelSize(width: 4, height: 4), format: .rgba8, tags: tags)
  for y in 0..<4 {
    for x in 0..<16 { buffer.row(y, as: UInt8.self)[x] = x % 4 == 3 ? 255 : color[x % 4] }
  }
  return buffer
}

/// A photo in memory, as if it had been read.
package func makePhoto(_ buffer: PixelBuffer, orientation: Orientation = .up) throws -> Photo {
  let scratch = try Scratch()
  let path = scratch("photo.png")
  let writer = try PhotoWriter(
    to: path, size: buffer.size, bitsPerSample: buffer.format == .rgba16 ? 16 : 8, tags: buffer.tags,
    alpha: buffer.alpha)
  try writer.write(buffer)
  try writer.finish()
  var photo = try Photo(contentsOf: path)
  photo.orientation = orientation
  return photo
}

/// The samples of a pixel, of 8 or 16 bits.
package func pixel(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> [Int] {
  withExtendedLifetime(buffer) {
    (4 * x..<4 * x + 4).map {
      buffer.format == .rgba8
        ? Int(buffer.row(y, as: UInt8.self)[$0]) : Int(buffer.row(y, as: UInt16.self)[$0])
    }
  }
}

/// Whether two pictures have the same size, format and samples.
package func areEqual(_ a: PixelBuffer, _ b: PixelBuffer) -> Bool {
  guard a.size == b.size, a.format == b.format else { return false }
  let rowBytes = a.width * (a.format == .rgba8 ? 4 : 8)
  return withExtendedLifetime((a, b)) {
    (0..<a.height).allSatisfy { memcmp(a.planes[0].row($0), b.planes[0].row($0), rowBytes) == 0 }
  }
}
