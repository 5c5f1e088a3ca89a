import CJPEG
import FrameCore

/// Encodes successive pictures to JPEG in memory: baseline JFIF, standard Huffman tables.
///
/// Memory is reused between pictures. Not for concurrent use.
package final class JPEGFrameEncoder {
  private let writer: OpaquePointer
  private let quality, chromaStep: Int32

  /// - Parameters:
  ///   - quality: on libjpeg's scale, 1…100.
  ///   - hasFullChroma: whether each pixel has its own colour differences, 4:4:4; otherwise 4:2:0.
  /// - Throws: `SafelightError`: `.invalidValue` for a quality out of range, `.noMemory` if memory is short.
  package init(quality: Int = 85, hasFullChroma: Bool = false) throws {
    guard (1...100).contains(quality) else {
      throw SafelightError(.invalidValue, "The quality is \(quality)", remedy: "use 1 to 100")
    }
    guard let writer = cjpeg_writer_new_in_memory() else { throw Self.outOfMemory }
    self.writer = writer
    self.quality = Int32(quality)
    chromaStep = hasFullChroma ? 1 : 2
  }

  deinit { cjpeg_writer_free(writer) }

  /// Encodes a picture and passes its bytes to `body`; they are valid until it returns.
  ///
  /// - Parameters:
  ///   - picture: `rgba8`; alpha is ignored.
  ///   - profile: of the picture's colour space; nil for sRGB, which needs none.
  /// - Throws: `SafelightError`: `.noMemory` if memory is short, `.unsupported` if an edge exceeds 65500 pixels.
  package func encode<Value>(
    _ picture: PixelBuffer, profile: ICCProfileData? = nil, _ body: (UnsafeRawBufferPointer) throws -> Value
  ) throws -> Value {
    guard picture.format == .rgba8 else {
      throw SafelightError(
        .invalidValue, "A picture of \(picture.format.rawValue) is not encoded", remedy: "render it to rgba8")
    }
    try check(
      cjpeg_writer_start(writer, UInt32(picture.width), UInt32(picture.height), quality, chromaStep, 0))
    if let profile {
      for marker in JPEGMetadata.markers(for: PhotoMetadata(), iccProfile: profile.bytes).markers {
        try check(cjpeg_writer_marker(writer, marker.code, marker.payload, marker.payload.count))
      }
    }
    let plane = picture.planes[0]
    try check(
      cjpeg_writer_rows(
        writer, plane.base.assumingMemoryBound(to: UInt8.self), plane.rowBytes, UInt32(picture.height)))
    try check(cjpeg_writer_finish(writer))
    var length = 0
    let bytes = cjpeg_writer_bytes(writer, &length)
    return try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(start: bytes, count: length)) }
  }

  private static let outOfMemory = SafelightError(
    .noMemory, "Not enough memory to encode JPEG", remedy: "close other programs")

  private func check(_ status: cjpeg_status) throws {
    guard status != CJPEG_OK else { return }
    if status == CJPEG_OUT_OF_MEMORY { throw Self.outOfMemory }
    throw SafelightError(
      .unsupported, "libjpeg does not encode this picture (\(String(cString: cjpeg_writer_message(writer))))",
      remedy: "use another size")
  }
}
