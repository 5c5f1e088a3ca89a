import CJPEG
import FrameCore

/// Encodes a JPEG file row by row, straight to its descriptor.
final class JPEGRowWriter {
  private let writer: OpaquePointer
  private let output: OutputFile

  init(
    _ output: OutputFile, size: PixelSize, quality: Int, chromaStep: Int32, markers: [JPEGMetadata.Marker]
  ) throws {
    guard let writer = cjpeg_writer_new(output.descriptor) else {
      throw SafelightError(
        .tooLarge, "Cannot write \(output.path): not enough memory", remedy: "close other programs")
    }
    self.writer = writer
    self.output = output
    try check(
      cjpeg_writer_start(writer, UInt32(size.width), UInt32(size.height), Int32(quality), chromaStep))
    for marker in markers {
      try check(cjpeg_writer_marker(writer, marker.code, marker.payload, marker.payload.count))
    }
  }

  deinit { cjpeg_writer_free(writer) }

  /// Encodes `count` rows of R G B x, the first at `base`, each `rowBytes` after the one before.
  func write(_ count: Int, from base: UnsafeRawPointer, rowBytes: Int) throws {
    try check(
      cjpeg_writer_rows(writer, base.assumingMemoryBound(to: UInt8.self), rowBytes, UInt32(count)))
  }

  func finish() throws { try check(cjpeg_writer_finish(writer)) }

  private func check(_ status: cjpeg_status) throws {
    guard status != CJPEG_OK else { return }
    if status == CJPEG_WRITE_FAILED { throw output.failure(cjpeg_writer_errno(writer)) }
    let message = String(cString: cjpeg_writer_message(writer))
    output.discard()
    throw SafelightError(
      status == CJPEG_OUT_OF_MEMORY ? .tooLarge : .unsupported,
      "Cannot write \(output.path): libjpeg refuses (\(message))", remedy: "use another size or format")
  }
}
