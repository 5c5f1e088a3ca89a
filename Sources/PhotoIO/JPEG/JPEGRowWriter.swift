import Files
import CJPEG
import FrameCore

/// Encodes a JPEG file row by row, directly to its file descriptor.
///
/// Large pictures have a restart marker every few rows. A strip between two of them is encoded independently of
/// the rest, so that threads can share the work; the file does not depend on their number.
final class JPEGRowWriter {
  private let writer: OpaquePointer
  private let output: OutputFile
  private let height: Int
  /// Rows between restart markers; the height if there are none.
  private let stripRows: Int
  /// Nil if this thread encodes everything itself.
  private let encoders: JPEGStripEncoders?
  private var position = 0

  /// The size from which pictures have restart markers: encoding them takes longer than waking threads.
  private static let pixelsWorthStrips = 1 << 21
  /// One row of blocks for 4:2:0, two for 4:4:4. A restart costs two or three bytes and the prediction of three
  /// blocks.
  private static let usualStripRows = 16

  /// - Parameters:
  ///   - threads: the number of encoding threads, including this one; nil means one per core.
  ///   - stripRows: rows between restart markers, a multiple of 16; nil chooses by size.
  init(
    _ output: OutputFile, size: PixelSize, quality: Int, chromaStep: Int32, markers: [JPEGMetadata.Marker],
    threads: Int? = 1, stripRows: Int? = nil
  ) throws {
    guard let writer = cjpeg_writer_new(output.descriptor) else {
      throw SafelightError(
        .noMemory, "Cannot write \(output.path): not enough memory", remedy: "close other programs")
    }
    self.writer = writer
    self.output = output
    height = size.height
    let stripRows = stripRows ?? (size.pixelCount < Self.pixelsWorthStrips ? 0 : Self.usualStripRows)
    let isWhole = stripRows == 0 || stripRows >= size.height
    self.stripRows = isWhole ? size.height : stripRows
    let settings = JPEGStripEncoders.Settings(
      width: UInt32(size.width), quality: Int32(quality), chromaStep: chromaStep,
      stripRows: UInt32(isWhole ? 0 : stripRows))
    let threads = threads ?? ProcessorCount.usable
    encoders = isWhole || threads < 2 ? nil : JPEGStripEncoders(settings, threads: threads)
    try check(
      cjpeg_writer_start(
        writer, settings.width, UInt32(size.height), settings.quality, chromaStep, settings.stripRows))
    for marker in markers {
      try check(cjpeg_writer_marker(writer, marker.code, marker.payload, marker.payload.count))
    }
  }

  deinit { cjpeg_writer_free(writer) }

  /// Encodes `count` rows of R G B x, starting at `base`, `rowBytes` bytes apart.
  func write(_ count: Int, from base: UnsafeRawPointer, rowBytes: Int) throws {
    let base = base.assumingMemoryBound(to: UInt8.self)
    guard let encoders else {
      try check(cjpeg_writer_rows(writer, base, rowBytes, UInt32(count)))
      return
    }
    var done = 0
    while done < count {
      let begun = position % stripRows
      let left = min(stripRows, height - (position - begun)) - begun
      let rows = count - done
      let next = base + done * rowBytes
      let taken: Int
      if begun == 0, rows >= left {
        // Take whole strips; the picture's last one may be shorter.
        let isEnd = position + rows == height
        taken = isEnd ? rows : rows / stripRows * stripRows
        try check(encoders.encode(taken, from: next, rowBytes: rowBytes, into: writer))
      } else {
        taken = min(left, rows)
        try check(
          encoders.continueStrip(
            next, rowBytes: rowBytes, rows: taken, of: begun == 0 ? left : nil, endsIt: taken == left,
            into: writer))
      }
      done += taken
      position += taken
    }
  }

  func finish() throws { try check(cjpeg_writer_finish(writer)) }

  private func check(_ failure: JPEGStripEncoders.Failure?) throws {
    guard let failure else { return }
    if failure.isOfWriter { try check(failure.status) }
    throw fail(failure.status, failure.message)
  }

  private func check(_ status: cjpeg_status) throws {
    guard status != CJPEG_OK else { return }
    if status == CJPEG_WRITE_FAILED { throw output.failure(cjpeg_writer_errno(writer)) }
    throw fail(status, String(cString: cjpeg_writer_message(writer)))
  }

  private func fail(_ status: cjpeg_status, _ message: String) -> SafelightError {
    output.discard()
    return SafelightError(
      status == CJPEG_OUT_OF_MEMORY ? .noMemory : .unsupported,
      "Cannot write \(output.path): libjpeg refuses (\(message))", remedy: "use another size or format")
  }
}
