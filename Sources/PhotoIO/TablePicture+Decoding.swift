import ColorScience
import FrameCore
import Libc

extension TablePicture {
  /// Decodes a picture that holds a table: its samples as stored, whatever profile it has.
  ///
  /// - Parameters:
  ///   - bytes: a PNG or TIFF of 8 or 16 bits.
  ///   - name: the file's name, for errors.
  /// - Throws: `SafelightError`: `corruptData` if the picture is damaged or grey, `tooLarge` if its edges are longer
  ///   than the largest Hald's, and as `Photo.init(contentsOf:)`.
  public static func decode(_ bytes: [UInt8], name: String) throws -> TablePicture {
    try withReader(bytes, name: name) { try read($0, name: name) }
  }

  private static func read(_ reader: PhotoReader, name: String) throws -> TablePicture {
    let level = ColorLUT.haldLevels.upperBound
    guard reader.size.longEdge <= level * level * level else {
      throw SafelightError(
        .tooLarge, "\(name) is a picture of \(reader.size), larger than any Hald",
        remedy: "give one with edges of at most \(level * level * level) pixels")
    }
    guard !reader.isGray else {
      throw SafelightError(
        .corruptData, "\(name) is a grey picture, which is no Hald", remedy: "save the Hald in RGB")
    }
    let buffer = try PixelBuffer(
      size: reader.size, format: reader.format, tags: reader.tags, alpha: reader.alpha)
    while reader.position < reader.size.height {
      guard try reader.read(into: buffer, at: reader.position) > 0 else { break }
    }
    try reader.finish()
    var pixels: [SIMD3<Float>] = []
    pixels.reserveCapacity(reader.size.pixelCount)
    let plane = buffer.planes[0]
    for y in 0..<reader.size.height {
      let row = UnsafeRawPointer(plane.row(y))
      for x in 0..<reader.size.width {
        func sample(_ channel: Int) -> Float {
          buffer.format == .rgba8
            ? Float(row.load(fromByteOffset: 4 * x + channel, as: UInt8.self)) / 255
            : Float(row.load(fromByteOffset: 8 * x + 2 * channel, as: UInt16.self)) / 65535
        }
        pixels.append(SIMD3(sample(0), sample(1), sample(2)))
      }
    }
    withExtendedLifetime(buffer) {}
    return TablePicture(size: reader.size, pixels: pixels)
  }

  /// Decoders read files, so the bytes go through one that has no name any more.
  private static func withReader<Result>(
    _ bytes: [UInt8], name: String, _ body: (PhotoReader) throws -> Result
  ) throws -> Result {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/safelight-table-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw SafelightError(
        .file, "\(name): no temporary file can be made in \(folder): \(errorText(errno))",
        remedy: "set TMPDIR to a folder that can be written")
    }
    defer { close(descriptor) }
    unlink(template)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || count < 0 && errno == EINTR else {
        throw SafelightError(
          .file, "\(name): writing a temporary file in \(folder) failed: \(errorText(errno))",
          remedy: "free some space there, or set TMPDIR to another folder")
      }
      written += max(count, 0)
    }
    let path = "/proc/self/fd/\(descriptor)"
    do {
      return try body(PhotoReader(contentsOf: path))
    } catch let error as SafelightError where !error.problem.hasPrefix(name) {
      // Nobody knows the path that it was read from.
      throw SafelightError(
        error.code, "\(name) cannot be read as a picture: \(error.problem.replacing(path, with: name))",
        remedy: error.remedy.replacing(path, with: name))
    }
  }
}
