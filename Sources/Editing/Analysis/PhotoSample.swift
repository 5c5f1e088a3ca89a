import FrameAnalysis
import FrameCore
import PhotoIO

/// A stored photo, decoded as far as analyses need it: a picture that may be smaller than the photo, and the proxy that
/// they share.
///
/// Analyses of stored photos all start here, so that values found for a preview and for an export are the same.
public struct PhotoSample {
  /// The picture's long edge is no shorter than this, pixels, where the photo's is not: twice the proxy's, so that its
  /// areas are averages of whole samples more or less, and enough for scopes of about 1500 columns.
  public static let longEdge = 2 * AnalysisProxy.longEdge

  /// Where the photo was read from.
  public let path: String
  /// The photo's own size, as displayed.
  public let size: PixelSize
  /// The picture, in the photo's own encoding and stored orientation; its long edge is less than twice `longEdge`.
  ///
  /// Where it is smaller than the photo its samples are averages of areas, in which small clipped areas vanish: of a
  /// phone's photo of 8 megapixels with 2.94 % clipped highlights 2.87 % are left, of another with 1.74 % 1.18 %. Where
  /// detail is as fine as a pixel, halving leaves three quarters of them and quartering a half (means over the 250
  /// photos of BSDS500 that clip more than 1 %). Clipped shadows stay.
  public let buffer: PixelBuffer
  public let orientation: Orientation
  public let metadata: PhotoMetadata
  /// For example `JPEG`.
  public let formatName: String
  /// What had to be left out or guessed, one sentence each.
  public let warnings: [String]
  public let proxy: AnalysisProxy

  /// Reads a photo. JPEG data are decoded at a reduced size; others are read in bands and shrunk, so that a picture of
  /// 100 megapixels is never in memory as a whole where its format can be read in bands.
  ///
  /// - Throws: `SafelightError` where the photo cannot be read.
  public init(contentsOf path: String) throws {
    let reader = try PhotoReader(contentsOf: path, scaledToLongEdge: Self.longEdge)
    self.path = path
    size = reader.orientation.applied(to: reader.photoSize)
    buffer = try Self.picture(reader)
    try reader.finish()
    orientation = reader.orientation
    metadata = reader.metadata
    formatName = reader.formatName
    warnings = reader.warnings
    proxy = AnalysisProxy()
    try proxy.update(from: buffer, orientation: orientation)
  }

  private static func picture(_ reader: PhotoReader) throws -> PixelBuffer {
    func buffer(_ size: PixelSize) throws -> PixelBuffer {
      try PixelBuffer(size: size, format: reader.format, tags: reader.tags, alpha: reader.alpha)
    }
    let factor = reader.size.longEdge / longEdge
    guard factor > 1 else {
      let picture = try buffer(reader.size)
      try reader.read(into: picture)
      return picture
    }
    var shrinker = try PictureShrinker(
      size: reader.size, format: reader.format, tags: reader.tags, alpha: reader.alpha, factor: factor)
    let band = try buffer(PixelSize(width: reader.size.width, height: 64))
    while reader.position < reader.size.height {
      shrinker.add(try reader.read(into: band), of: band)
    }
    return shrinker.output
  }
}
