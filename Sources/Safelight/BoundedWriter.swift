import FrameCore
import PhotoIO

/// Writes a picture; again, with less quality, where the file would be larger than it may be.
final class BoundedWriter {
  /// The quality that was used in the end.
  private(set) var quality: Int
  var warnings: [String] { writer.warnings }

  private let limit: Int?
  private let make: (_ quality: Int) throws -> PhotoWriter
  private var writer: PhotoWriter
  /// The whole picture, where it may have to be written again.
  private let kept: PixelBuffer?
  private var rows = 0

  /// - Parameters:
  ///   - limit: bytes; nil sets no bound.
  ///   - picture: the size, format and alpha of the picture.
  ///   - make: opens the file for writing with a quality.
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

  /// Gives the file its name; it is no larger than the limit then.
  ///
  /// - Throws: `SafelightError(.tooLarge)` where no quality keeps the limit; nothing is left behind.
  func finish() throws {
    if let limit, let kept, try writer.complete() > limit { try shrink(kept, to: limit) }
    try writer.finish()
  }

  private func shrink(_ picture: PixelBuffer, to limit: Int) throws {
    let (path, format) = (writer.path, writer.format)
    guard format.hasQuality else {
      throw SafelightError(
        .tooLarge, "\(path) would be larger than \(limit) bytes, and \(format.name) has no quality to lower",
        remedy: "write JPEG, WebP, HEIC, AVIF or JPEG XL, or a smaller picture")
    }
    func length(at quality: Int) throws -> Int {
      writer.cancel()
      writer = try make(quality)
      try writer.write(picture)
      return try writer.complete()
    }
    // The largest quality that keeps the limit: the length rises with it, but for single bytes.
    var (low, high) = (0, quality)
    while high - low > 1 {
      let middle = (low + high) / 2
      if try length(at: middle) <= limit { low = middle } else { high = middle }
    }
    guard low > 0 else {
      throw SafelightError(
        .tooLarge, "\(path) would be larger than \(limit) bytes with any quality",
        remedy: "write a smaller picture, such as with --resize")
    }
    quality = low
    guard try length(at: low) <= limit else {
      throw SafelightError(.tooLarge, "\(path) cannot be kept below \(limit) bytes", remedy: "allow more")
    }
  }
}
