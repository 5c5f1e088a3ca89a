import FrameCore

/// A photo in memory: its pixels as stored, its orientation, and the file's metadata.
public struct Photo: Sendable {
  /// `rgba8` or `rgba16`, in the stored orientation, with tags and alpha mode set.
  public var buffer: PixelBuffer
  /// The rotation and mirroring needed for display.
  public var orientation: Orientation
  public var metadata: PhotoMetadata
  /// Nil for read-only formats.
  public var fileFormat: PhotoFileFormat?
  /// For example `JPEG` or `HEIC`.
  public var formatName: String
  /// What was omitted or guessed, one sentence each.
  public var warnings: [String]
  /// Whether the file has a single colour channel; the pixels then have R = G = B.
  public var isGray: Bool

  /// Reads a photo file; its format is determined by its content, not its name.
  ///
  /// - Throws: `SafelightError`: `.file` if the file is missing or unreadable, `.corruptData` if it is empty,
  ///   damaged, truncated or not a picture, `.unsupported` for other formats, `.tooLarge` beyond `PixelBuffer`'s
  ///   limits.
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

/// The header of a photo file, read without decoding pixels.
public struct PhotoHeader: Sendable, Hashable {
  /// The size as stored, before `orientation` is applied.
  public var size: PixelSize
  public var orientation: Orientation
  /// Nil for read-only formats.
  public var fileFormat: PhotoFileFormat?
  /// For example `JPEG` or `HEIC`.
  public var formatName: String
  /// Bits per sample as in `Photo`: 8 or 16.
  public var bitsPerSample: Int
  /// The colour tags of the samples as in `Photo`.
  public var tags: ColorTags
  public var alpha: AlphaMode
  public var metadata: PhotoMetadata
  public var isGray: Bool
  /// Whether it is what a sensor recorded, on which the camera has corrected nothing.
  package var isCameraRaw = false
  /// What a camera raw says of its lens, which is not corrected in the samples; nil if nothing.
  package var embeddedLens: EmbeddedLens?
  /// The maximum memory, in bytes, that decoding uses apart from the pixels of `Photo` and the file itself.
  package var decodingMemory: Int
  public var warnings: [String]

  /// Reads the header of a photo file.
  ///
  /// - Throws: as `Photo.init(contentsOf:)`, except for damage in the pixels, which is not detected.
  public static func read(_ path: String) throws -> PhotoHeader {
    PhotoHeader(try PhotoReader(InputFile(path: path), headerOnly: true))
  }
}

extension PhotoHeader {
  init(_ reader: PhotoReader) {
    self.init(
      size: reader.size, orientation: reader.orientation, fileFormat: reader.fileFormat,
      formatName: reader.formatName, bitsPerSample: reader.format.bitsPerSample, tags: reader.tags,
      alpha: reader.alpha, metadata: reader.metadata, isGray: reader.isGray, isCameraRaw: reader.isCameraRaw,
      embeddedLens: reader.embeddedLens, decodingMemory: reader.decodingMemory, warnings: reader.warnings)
  }
}
