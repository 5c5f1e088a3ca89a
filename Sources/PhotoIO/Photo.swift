import FrameCore

/// A photo in memory: its pixels as stored, how they are to be turned, and what the file says about them.
public struct Photo: Sendable {
  /// `rgba8` or `rgba16`, in the stored orientation, with tags and alpha mode set.
  public var buffer: PixelBuffer
  /// How the pixels must be turned for display.
  public var orientation: Orientation
  public var metadata: PhotoMetadata
  /// Nil for formats that are only read.
  public var fileFormat: PhotoFileFormat?
  /// For example `JPEG` or `HEIC`.
  public var formatName: String
  /// What had to be left out or guessed, one sentence each.
  public var warnings: [String]
  /// Whether the file holds a single channel of colour; the pixels then have R = G = B.
  public var isGray: Bool

  /// Reads a photo file; what it is decides its content, not its name.
  ///
  /// - Throws: `SafelightError`: `.file` where the file is missing or unreadable, `.corruptData` where it is
  ///   empty, damaged, ends early or is no picture, `.unsupported` for other formats, `.tooLarge` beyond
  ///   `PixelBuffer`'s bounds.
  public init(contentsOf path: String) throws {
    let reader = try PhotoReader(contentsOf: path)
    buffer = try PixelBuffer(size: reader.size, format: reader.format, tags: reader.tags, alpha: reader.alpha)
    try reader.read(into: buffer)
    try reader.finish()
    orientation = reader.orientation
    metadata = reader.metadata
    fileFormat = reader.fileFormat
    formatName = reader.formatName
    warnings = reader.warnings
    isGray = reader.isGray
  }
}

/// What the header of a photo file says, read without decoding pixels.
public struct PhotoHeader: Sendable, Hashable {
  /// The size as stored, before `orientation` is applied.
  public var size: PixelSize
  public var orientation: Orientation
  /// Nil for formats that are only read.
  public var fileFormat: PhotoFileFormat?
  /// For example `JPEG` or `HEIC`.
  public var formatName: String
  /// Bits of a sample as `Photo` would hold it: 8 or 16.
  public var bitsPerSample: Int
  /// What the samples of `Photo` would mean.
  public var tags: ColorTags
  public var alpha: AlphaMode
  public var metadata: PhotoMetadata
  public var isGray: Bool
  /// What decoding takes besides the pixels of `Photo` and the file itself, at most, bytes.
  package var decodingMemory: Int
  public var warnings: [String]

  /// Reads the header of a photo file.
  ///
  /// - Throws: as `Photo.init(contentsOf:)`, except for damage in the pixels, which is not seen.
  public static func read(_ path: String) throws -> PhotoHeader {
    let reader = try PhotoReader(InputFile(path: path), headerOnly: true)
    return PhotoHeader(
      size: reader.size, orientation: reader.orientation, fileFormat: reader.fileFormat,
      formatName: reader.formatName, bitsPerSample: reader.format.bitsPerSample, tags: reader.tags,
      alpha: reader.alpha, metadata: reader.metadata, isGray: reader.isGray,
      decodingMemory: reader.decodingMemory, warnings: reader.warnings)
  }
}
