import CVips
import FrameCore

/// Reads a photo file in bands of rows, so that a large picture need never be entirely in memory.
///
/// The header is read immediately, then rows from top to bottom. Not for concurrent use.
///
///     let reader = try PhotoReader(contentsOf: "harbour.jpg")
///     while reader.position < reader.size.height { try reader.read(into: band) }
///     try reader.finish()
public final class PhotoReader {
  /// The size of the rows delivered, before `orientation` is applied.
  public let size: PixelSize
  /// The size as stored, before `orientation` is applied; larger than `size` if the picture is scaled on reading.
  public let photoSize: PixelSize
  /// `rgba8`, or `rgba16` for sources deeper than 8 bits and for colours converted on reading.
  public let format: PixelFormat
  /// The colour tags of the samples: the embedded RGB profile, sRGB without one, or the space converted to; linear
  /// Rec. 2020 for camera raws.
  public let tags: ColorTags
  /// `straight` exactly if the file has an alpha channel.
  public let alpha: AlphaMode
  public let orientation: Orientation
  public let metadata: PhotoMetadata
  /// Nil for read-only formats.
  public let fileFormat: PhotoFileFormat?
  /// For example `JPEG` or `HEIC`.
  public let formatName: String
  /// Whether the file has a single colour channel.
  public let isGray: Bool
  /// The maximum memory, in bytes, that decoding uses apart from the delivered rows and the file itself; for a
  /// camera raw, with one thread.
  package let decodingMemory: Int
  /// What was omitted or guessed, one sentence each; complete after `finish`.
  public private(set) var warnings: [String]
  /// Rows read so far.
  public private(set) var position = 0
  /// The most threads that develop a camera raw, including the caller's; nil uses one per core. Set it before
  /// reading the first row. It does not affect the picture.
  package var developingThreads: Int? = 1 {
    didSet { if case .raw(let reader) = source { reader.threads = developingThreads } }
  }

  /// Whether the file is a camera raw, which is developed into linear light.
  package var isCameraRaw: Bool { if case .raw = source { true } else { false } }

  /// What a camera raw says of its lens, which is not corrected in the samples; nil if nothing.
  package var embeddedLens: EmbeddedLens? {
    if case .raw(let reader) = source { reader.embeddedLens } else { nil }
  }

  private var isFinished = false

  private enum Source {
    case jpeg(JPEGRowReader)
    case vips(VipsReader)
    case raw(RawReader)
  }
  private let source: Source
  private let file: InputFile
  private let longEdge: Int?
  private let layout: SampleLayout
  private let color: DecodedColor
  /// Memory for rows in the decoder's layout.
  private var band: [UInt8] = []

  /// Opens a photo and reads its header.
  ///
  /// - Throws: `SafelightError`: `.file` if the file is missing or unreadable, `.corruptData` if it is empty,
  ///   damaged or not a picture, `.unsupported` for other formats, `.tooLarge` beyond `PixelBuffer`'s limits.
  public convenience init(contentsOf path: String) throws {
    try self.init(InputFile(path: path), headerOnly: false)
  }

  /// Opens a photo that need not be larger than `longEdge`.
  ///
  /// JPEG data are decoded at a half, a quarter or an eighth of their size, rounded up, and camera raws at half,
  /// rounded down, provided that the long edge remains at least `longEdge`; that takes a fraction of the time.
  /// Other formats, and smaller photos, are read at full size; see `size`. Everything else is as without scaling.
  ///
  /// - Throws: as `init(contentsOf:)`.
  public convenience init(contentsOf path: String, scaledToLongEdge longEdge: Int) throws {
    try self.init(InputFile(path: path), headerOnly: false, scaledToLongEdge: max(longEdge, 1))
  }

  init(_ file: InputFile, headerOnly: Bool, scaledToLongEdge longEdge: Int? = nil) throws {
    (self.file, self.longEdge) = (file, longEdge)
    var opened = try OpenedPhoto(file, headerOnly: headerOnly, scaledToLongEdge: longEdge)
    let (block, exifWarning) = opened.metadata.examineEXIF()
    warnings = opened.warnings
    if let exifWarning { warnings.append(exifWarning) }
    switch opened.decoder {
    case .jpeg(let reader): source = .jpeg(reader)
    case .vips(let reader): source = .vips(reader)
    case .raw(let reader): source = .raw(reader)
    }
    layout = opened.layout
    color = try DecodedColor(
      layout, isGray: opened.isGray, profile: opened.iccProfile, codePoints: opened.codePoints,
      declaresAdobeRGB: block?.declaresAdobeRGB ?? false)
    warnings += color.warnings
    size = opened.size
    photoSize = opened.photoSize
    format = color.format
    tags = if case .raw(let reader) = source { reader.tags } else { color.tags }
    alpha = layout.bands > layout.colorBands && !opened.isPadded ? .straight : .opaque
    orientation = opened.orientation ?? block?.orientation ?? .up
    metadata = opened.metadata
    fileFormat = opened.fileFormat
    formatName = opened.formatName
    isGray = opened.isGray
    decodingMemory = opened.decodingMemory
  }

  /// Reads rows into `band`, starting at its row `row`: as many as fit and the picture still has.
  ///
  /// - Parameter band: a buffer of this reader's `format`, at least as wide as the picture.
  /// - Returns: the number of rows read.
  /// - Throws: `SafelightError(.corruptData)` if the data are damaged or truncated, `.invalidValue` if the buffer
  ///   does not fit.
  @discardableResult
  public func read(into band: PixelBuffer, at row: Int = 0) throws -> Int {
    guard band.format == format, band.width >= size.width, row >= 0 else {
      throw SafelightError(
        .invalidValue,
        "A band of \(band.size) \(band.format.rawValue) does not fit a picture of \(size) \(format.rawValue)")
    }
    let count = min(band.height - row, size.height - position)
    guard count > 0 else { return 0 }
    // The plane's pointer alone does not keep the buffer alive.
    defer { withExtendedLifetime(band) {} }
    let plane = band.planes[0]
    if case .jpeg(let reader) = source, color.isDirect {
      try reader.read(count, into: plane.row(row), rowBytes: plane.rowBytes)
      position += count
      return count
    }
    if case .raw(let reader) = source {
      try reader.read(count, into: plane.row(row), rowBytes: plane.rowBytes)
      position += count
      return count
    }
    // Loaders deliver strips or tiles; 64 rows keep the number of calls small and stay in the cache.
    let step = 64
    let rowBytes = layout.rowBytes(width: size.width)
    if self.band.isEmpty { self.band = [UInt8](repeating: 0, count: rowBytes * step) }
    for first in stride(from: 0, to: count, by: step) {
      let rows = min(step, count - first)
      try self.band.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        switch source {
        case .jpeg(let reader): try reader.read(rows, into: base, rowBytes: rowBytes)
        case .vips(let reader): try reader.read(rows, into: base)
        case .raw: break
        }
        for y in 0..<rows {
          color.convert(
            base + y * rowBytes, to: plane.row(row + first + y), width: size.width,
            hasAlpha: alpha == .straight)
        }
      }
      position += rows
    }
    return count
  }

  /// Returns a reader of the same file, starting at the first row, even if the path now leads to another file.
  ///
  /// - Throws: as `init(contentsOf:)`, and `.file` if the file was modified since it was opened.
  package func again() throws -> PhotoReader {
    try requireUnchanged()
    let reader = try PhotoReader(file, headerOnly: false, scaledToLongEdge: longEdge)
    reader.developingThreads = developingThreads
    guard reader.size == size, reader.format == format, reader.alpha == alpha else { throw changedError }
    return reader
  }

  /// Throws `SafelightError(.file)` if the file was modified since it was opened.
  package func requireUnchanged() throws {
    guard try file.isUnchanged else { throw changedError }
  }

  private var changedError: SafelightError { file.changedError }

  /// Ends reading after the last row; damage that only shows there is an error or a warning. Later calls do
  /// nothing.
  public func finish() throws {
    guard !isFinished else { return }
    isFinished = true
    if case .raw(let reader) = source { warnings += reader.developingWarnings }
    if case .jpeg(let reader) = source, position == size.height, let warning = try reader.finish() {
      warnings.append(warning)
    }
  }
}
