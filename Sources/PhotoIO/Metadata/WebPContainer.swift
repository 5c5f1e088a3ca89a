import FrameCore

/// The RIFF container of a WebP file, to which metadata chunks are added byte for byte.
///
/// libvips would pass EXIF through libexif, which rewrites it and breaks maker notes. Source: WebP container
/// specification (RFC 9649, section 2).
struct WebPContainer {
  private struct Chunk {
    let type: [UInt8]
    let data: [UInt8]
  }
  private var chunks: [Chunk] = []

  private enum Flag {
    static let xmp: UInt8 = 0x04
    static let exif: UInt8 = 0x08
    static let alpha: UInt8 = 0x10
  }

  /// Splits a file written by libvips into its chunks, omitting the EXIF block that libvips invents.
  init(_ file: UnsafeRawBufferPointer) {
    var position = 12
    while position + 8 <= file.count {
      let length = (0..<4).reduce(0) { $0 | Int(file[position + 4 + $1]) << (8 * $1) }
      let start = position + 8
      let end = min(start + length, file.count)
      let type = Array(file[position..<position + 4])
      if type != Array("EXIF".utf8) { chunks.append(Chunk(type: type, data: Array(file[start..<end]))) }
      position = start + (length + 1) / 2 * 2
    }
  }

  /// Returns the file with EXIF and XMP under an extended header.
  func adding(_ metadata: PhotoMetadata, size: PixelSize, hasAlpha: Bool) -> [UInt8] {
    var chunks = chunks
    let extended = Array("VP8X".utf8)
    if chunks.first?.type != extended, metadata.exif != nil || metadata.xmp != nil {
      let dimensions = [size.width - 1, size.height - 1].flatMap { value in
        (0..<3).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      }
      chunks.insert(Chunk(type: extended, data: [hasAlpha ? Flag.alpha : 0, 0, 0, 0] + dimensions), at: 0)
    }
    if let header = chunks.first, header.type == extended, var flags = header.data.first {
      flags &= ~(Flag.exif | Flag.xmp)
      if let exif = metadata.exif {
        flags |= Flag.exif
        chunks.append(Chunk(type: Array("EXIF".utf8), data: exif))
      }
      if let xmp = metadata.xmp {
        flags |= Flag.xmp
        chunks.append(Chunk(type: Array("XMP ".utf8), data: xmp))
      }
      chunks[0] = Chunk(type: extended, data: [flags] + header.data.dropFirst())
    }
    var body = Array("WEBP".utf8)
    for chunk in chunks {
      body += chunk.type
      body += ByteOrder.littleEndian.bytes(chunk.data.count, 4)
      body += chunk.data
      if chunk.data.count % 2 == 1 { body.append(0) }
    }
    return Array("RIFF".utf8) + ByteOrder.littleEndian.bytes(body.count, 4) + body
  }
}
