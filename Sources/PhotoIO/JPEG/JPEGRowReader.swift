import CJPEG
import FrameCore

/// Decodes a JPEG file row by row, so that the whole picture need never be in memory.
final class JPEGRowReader {
  let path: String
  /// The size of the picture in the file.
  let photoSize: PixelSize
  /// The decoded size: the photo's, or smaller.
  let size: PixelSize
  let model: cjpeg_model
  /// Whether CMYK is stored inverted, as by Adobe's programs.
  let isInverted: Bool
  let markers: [JPEGMetadata.Marker]
  /// The memory, in bytes, that decoding uses for the whole picture; 0 if it works row by row.
  let coefficientBytes: Int
  /// Rows decoded so far.
  private(set) var position = 0

  private let reader: OpaquePointer
  // libjpeg reads these bytes until the reader is freed.
  private let contents: FileContents
  /// The number of bytes that libjpeg knows.
  private var length: Int
  /// The file of which `contents` may have only the beginning.
  private let file: InputFile?

  /// Reads the header of JPEG data; `path` appears in errors.
  ///
  /// - Parameters:
  ///   - file: the file of `contents`, if these may end early: the rest is read ahead of the first row.
  ///   - longEdge: allows the picture to be decoded smaller, with a long edge no shorter than this.
  init(
    _ contents: FileContents, path: String, of file: InputFile? = nil, scaledToLongEdge longEdge: Int? = nil
  ) throws {
    self.path = path
    self.contents = contents
    self.file = file
    length = contents.count
    let bytes = contents.memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard let reader = cjpeg_reader_new(bytes, length) else {
      throw Self.error(CJPEG_OUT_OF_MEMORY, "", path: path)
    }
    self.reader = reader
    var header = cjpeg_header()
    let status = cjpeg_reader_header(reader, &header)
    let photoSize = PixelSize(width: Int(header.width), height: Int(header.height))
    self.photoSize = photoSize
    var (width, height) = (header.width, header.height)
    var shrinkStatus = CJPEG_OK
    // libjpeg-turbo has fast transforms for these divisors; other transforms cost more than they save.
    if status == CJPEG_OK, let longEdge,
      let divisor = [8, 4, 2].first(where: { photoSize.longEdge / $0 >= longEdge })
    {
      shrinkStatus = cjpeg_reader_shrink(reader, UInt32(divisor), &width, &height)
    }
    size = PixelSize(width: Int(width), height: Int(height))
    model = header.model
    isInverted = header.adobe
    coefficientBytes = header.coefficient_bytes
    markers = (0..<cjpeg_reader_marker_count(reader)).map { index in
      let marker = cjpeg_reader_marker(reader, index)
      return JPEGMetadata.Marker(
        code: marker.code, payload: Array(UnsafeBufferPointer(start: marker.data, count: marker.length)))
    }
    try check(status)
    try check(shrinkStatus)
    try PixelBuffer.validate(photoSize)
  }

  deinit { cjpeg_reader_free(reader) }

  /// Decodes the next `count` rows of four bytes per pixel (R G B 255, or C M Y K as stored) to `base`, `rowBytes`
  /// bytes apart.
  ///
  /// - Throws: `SafelightError(.corruptData)` if the data are truncated or invalid.
  func read(_ count: Int, into base: UnsafeMutableRawPointer, rowBytes: Int) throws {
    if position == 0 {
      try readRest()
      try check(cjpeg_reader_start(reader))
    }
    precondition(position + count <= size.height, "rows beyond the picture's last")
    let bytes = base.assumingMemoryBound(to: UInt8.self)
    try check(cjpeg_reader_rows(reader, bytes, rowBytes, UInt32(count)))
    position += count
  }

  private func readRest() throws {
    guard let file, length < file.byteCount else { return }
    let known = try file.contents().count
    cjpeg_reader_extend(reader, known - length)
    length = known
  }

  /// Reads to the end of the picture.
  ///
  /// - Returns: a warning if damaged data were skipped.
  func finish() throws -> String? {
    try check(cjpeg_reader_finish(reader))
    let count = cjpeg_reader_damage_count(reader)
    guard count > 0 else { return nil }
    let text = String(cString: cjpeg_reader_damage(reader))
    return count == 1
      ? "The JPEG data are damaged: \(text)" : "The JPEG data are damaged in \(count) places, first: \(text)"
  }

  private func check(_ status: cjpeg_status) throws {
    guard status != CJPEG_OK else { return }
    throw Self.error(status, String(cString: cjpeg_reader_message(reader)), path: path)
  }

  private static func error(_ status: cjpeg_status, _ message: String, path: String) -> SafelightError {
    let problem = "Cannot read \(path): "
    return switch status {
    case CJPEG_TRUNCATED:
      SafelightError(
        .corruptData, problem + "the JPEG data end early", remedy: "copy the file again from its source")
    case CJPEG_UNSUPPORTED:
      SafelightError(
        .unsupported, problem + "this kind of JPEG is not supported (\(message))",
        remedy: "convert it to a baseline JPEG or a TIFF")
    case CJPEG_OUT_OF_MEMORY:
      SafelightError(
        .noMemory, problem + "not enough memory", remedy: "close other programs or use a smaller picture")
    default:
      SafelightError(
        .corruptData, problem + "the JPEG data are damaged (\(message))",
        remedy: "copy the file again from its source")
    }
  }
}
