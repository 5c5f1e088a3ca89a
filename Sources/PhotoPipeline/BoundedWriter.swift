import FrameCore
import PhotoIO

/// Writes a picture, and again at a lower quality if the file exceeds its size limit.
package final class BoundedWriter {
  /// The most times a picture is encoded: at the requested quality, during the search, and at the quality found.
  package static let mostEncodings = 2 + QualitySearch.mostSteps

  /// The quality of the final file.
  private(set) var quality: Int
  /// The length of the complete file.
  private(set) var bytes = 0
  var warnings: [String] { writer.warnings }

  private let limit: Int?
  private let make: (_ quality: Int) throws -> PhotoWriter
  private var writer: PhotoWriter
  /// The whole picture, if it may have to be written again.
  private let kept: PixelBuffer?
  private var rows = 0

  /// - Parameters:
  ///   - limit: in bytes; nil sets no limit.
  ///   - picture: the size, format and alpha of the picture.
  ///   - make: opens the file for writing at the given quality.
  init(
    limit: Int?, quality: Int, picture: (size: PixelSize, format: PixelFormat, alpha: AlphaMode),
    _ make: @escaping (_ quality: Int) throws -> PhotoWriter
  ) throws {
    self.limit = limit
    self.quality = quality
    self.make = make
    writer = try make(quality)
    kept =
      limit == nil ? nil : try PixelBuffer(size: picture.size, format: picture.format, alpha: picture.alpha)
  }

  func write(_ band: PixelBuffer, rows count: Int) throws {
    if let kept {
      let bytes = 4 * kept.format.bitsPerSample / 8 * kept.width
      for y in 0..<count {
        (kept.planes[0].row(rows + y)).copyMemory(from: band.planes[0].row(y), byteCount: bytes)
      }
    }
    rows += count
    try writer.write(band, rows: 0..<count)
  }

  /// Completes the file, within the limit, and gives it its name.
  ///
  /// - Throws: `SafelightError(.tooLarge)` if no quality keeps within the limit; no file is left behind.
  func finish() throws {
    bytes = try writer.complete()
    if let limit, let kept, bytes > limit { try shrink(kept, to: limit, from: bytes) }
    try writer.finish()
  }

  private func shrink(_ picture: PixelBuffer, to limit: Int, from length: Int) throws {
    let (path, format) = (writer.path, writer.format)
    guard format.hasQuality else {
      throw SafelightError(
        .tooLarge, "\(path) would be larger than \(limit) bytes, but \(format.name) has no quality to lower",
        remedy: "write JPEG, WebP, HEIC, AVIF or JPEG XL, or a smaller picture")
    }
    var search = QualitySearch(limit: limit, quality: quality, bytes: length)
    var last = quality
    while let next = search.next {
      search.add(quality: next, bytes: try self.length(at: next, of: picture))
      last = next
    }
    guard let best = search.best else {
      throw SafelightError(
        .tooLarge, "\(path) would be larger than \(limit) bytes at any quality",
        remedy: "write a smaller picture, such as with --resize")
    }
    quality = best
    guard try last == best || self.length(at: best, of: picture) <= limit else {
      throw SafelightError(.tooLarge, "\(path) cannot be kept below \(limit) bytes", remedy: "allow more")
    }
  }

  private func length(at quality: Int, of picture: PixelBuffer) throws -> Int {
    writer.cancel()
    writer = try make(quality)
    try writer.write(picture)
    bytes = try writer.complete()
    return bytes
  }
}
