import FrameAnalysis
import FrameCore
import PhotoIO

/// A stored photo, decoded as far as analyses need it: a picture that may be smaller than the photo, and the proxy that
/// they share.
///
/// Analyses of stored photos all start here, so that values found for a preview and for an export are the same.
public struct PhotoSample {
  /// The photo's own size, as displayed.
  public let size: PixelSize
  /// The samples, as stored; no larger than the photo.
  public let buffer: PixelBuffer
  public let orientation: Orientation
  public let metadata: PhotoMetadata
  /// For example `JPEG`.
  public let formatName: String
  /// What had to be left out or guessed, one sentence each.
  public let warnings: [String]
  public let proxy: AnalysisProxy

  /// - Throws: `SafelightError` where the photo cannot be read.
  public init(contentsOf path: String) throws {
    let reader = try PhotoReader(contentsOf: path)
    let buffer = try PixelBuffer(
      size: reader.size, format: reader.format, tags: reader.tags, alpha: reader.alpha)
    try reader.read(into: buffer)
    try reader.finish()
    size = reader.orientation.applied(to: reader.size)
    self.buffer = buffer
    orientation = reader.orientation
    metadata = reader.metadata
    formatName = reader.formatName
    warnings = reader.warnings
    proxy = AnalysisProxy()
    try proxy.update(from: buffer, orientation: orientation)
  }
}
