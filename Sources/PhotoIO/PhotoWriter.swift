import Files
import FrameCore

/// The resolution at which colour is stored.
public enum ChromaSubsampling: String, Sendable, Hashable, CaseIterable, Codable {
  /// 4:4:4 from quality 90, 4:2:0 below: at high quality, soft red edges would be noticed; for small files they
  /// are acceptable. ImageMagick and libvips use the same limit.
  case automatic
  /// Every pixel has its own chroma.
  case yuv444 = "4:4:4"
  /// Two by two pixels share chroma.
  case yuv420 = "4:2:0"
}

/// Writes a photo file row by row, under a temporary name until it is complete.
///
/// JPEG is encoded as rows arrive, so the picture need never be entirely in memory; the other formats collect
/// their rows. JPEG files of two megapixels or more have restart markers, which limit the extent of damage. A
/// writer that is released before `finish` leaves no file behind. Not for concurrent use.
///
///     let writer = try PhotoWriter(to: "harbour-edited.jpg", size: size, overwrite: true)
///     try writer.write(band)        // from top to bottom
///     try writer.finish()
public final class PhotoWriter {
  public let path: String
  public let format: PhotoFileFormat
  public let size: PixelSize
  /// 8 or 16.
  public let bitsPerSample: Int
  /// What could not be kept, one sentence each.
  public private(set) var warnings: [String] = []
  /// Rows written so far.
  public private(set) var position = 0

  /// The version of the file at `path` that may be replaced; nil allows any.
  package var replaced: FileVersion? {
    get { output.replaced }
    set { output.replaced = newValue }
  }

  private enum Encoder {
    case jpeg(JPEGRowWriter)
    case vips(VipsEncoder)
    case heif(HEIFEncoder)
  }
  private let output: OutputFile
  private let encoder: Encoder
  private let alpha: AlphaMode
  private var isOpen = true
  private var isComplete = false
  /// Rows blended with white.
  private var flattened: [UInt8] = []
  /// The number of rows blended at a time.
  private var flattenedRows: Int { Bands.rows(of: size) }

  /// Opens a file for writing and writes its header.
  ///
  /// - Parameters:
  ///   - format: nil derives it from the path's extension.
  ///   - bitsPerSample: one of the format's `bitDepths`; 8 expects rows of `rgba8`, 16 of `rgba16`.
  ///   - quality: 1…100, on the scale of each format's library, so that the same number gives different sizes.
  ///     JPEG: libjpeg's scale, baseline, standard Huffman tables. WebP and JPEG XL: 100 is lossless; JPEG XL's 90
  ///     is a Butteraugli distance of 1, and pictures with profiles that libjxl cannot describe in numbers are
  ///     always lossless, since its decoder would clip the colours to sRGB. HEIC and AVIF: libheif's scale for
  ///     x265 and libaom; 100 is not lossless.
  ///   - tags: the meaning of the samples. A profile in `tags` is embedded. Without one, nothing is embedded for
  ///     sRGB, and a generated profile for other code points.
  ///   - metadata: EXIF, XMP and IPTC in JPEG and TIFF; EXIF and XMP in the other formats. The rest is omitted
  ///     with a warning.
  ///   - alpha: `straight` keeps the fourth channel; JPEG blends it with white, with a warning.
  ///   - chroma: for JPEG, HEIC and AVIF. For HEIC, `automatic` is 4:2:0, which all decoders support.
  ///   - threads: the number of threads of the JPEG and HEIC encoders, at least 1; nil uses one per core. The file
  ///     does not depend on it.
  ///   - overwrite: whether an existing file is replaced.
  ///   - followsLinks: if the path is a symbolic link, whether its target is replaced rather than the link itself.
  /// - Throws: `SafelightError`: `.invalidValue` for values out of range; `.file` if the folder is missing or not
  ///   writable; `.exists` if an existing file may not be replaced; `.tooLarge` beyond the format's limits;
  ///   `.missingLibrary` if this system's library cannot encode the format.
  public init(
    to path: String, format: PhotoFileFormat? = nil, size: PixelSize, bitsPerSample: Int = 8,
    quality: Int = 92, tags: ColorTags = .sRGB, metadata: PhotoMetadata = PhotoMetadata(),
    alpha: AlphaMode = .opaque, chroma: ChromaSubsampling = .automatic, threads: Int? = 1,
    overwrite: Bool = false, followsLinks: Bool = true
  ) throws {
    let format = try format ?? PhotoFileFormat(forWritingTo: path)
    try Self.validate(path, format, size, bitsPerSample: bitsPerSample, quality: quality)
    let profile = try DecodedColor.embeddableProfile(for: tags)
    self.path = path
    self.format = format
    self.size = size
    self.bitsPerSample = bitsPerSample
    self.alpha = alpha
    output = try OutputFile(path: path, overwrite: overwrite, followsLinks: followsLinks)
    var warnings: [String] = []
    do {
      if format == .jpeg {
        let (markers, dropped) = JPEGMetadata.markers(for: metadata, iccProfile: profile)
        warnings += dropped
        let isFull = chroma == .yuv444 || chroma == .automatic && quality >= 90
        encoder = .jpeg(
          try JPEGRowWriter(
            output, size: size, quality: quality, chromaStep: isFull ? 1 : 2, markers: markers,
            threads: threads))
        if alpha == .straight {
          warnings.append("JPEG stores no alpha; the picture was flattened onto white")
        }
      } else {
        let isBig = TIFFMetadata.isBig(
          pixelBytes: size.pixelCount * (alpha == .straight ? 4 : 3) * bitsPerSample / 8)
        warnings += Self.droppedMetadata(metadata, format: format, isBigTIFF: format == .tiff && isBig)
        if format == .heic || format == .avif {
          encoder = .heif(
            try HEIFEncoder(
              output, format: format, size: size, bitsPerSample: bitsPerSample, alpha: alpha,
              quality: quality, chroma: chroma, threads: threads, iccProfile: profile, metadata: metadata))
        } else {
          encoder = .vips(
            try VipsEncoder(
              output, format: format, size: size, bitsPerSample: bitsPerSample, alpha: alpha,
              quality: quality, iccProfile: profile, metadata: metadata))
        }
      }
    } catch {
      output.discard()
      throw error
    }
    self.warnings = output.warnings + warnings
  }

  deinit { output.discard() }

  /// Appends rows of a buffer.
  ///
  /// - Parameters:
  ///   - band: `rgba8` for 8 bits, `rgba16` for 16, as wide as the picture.
  ///   - rows: the rows to write; nil means all.
  public func write(_ band: PixelBuffer, rows: Range<Int>? = nil) throws {
    let rows = rows ?? 0..<band.height
    let wanted: PixelFormat = bitsPerSample == 8 ? .rgba8 : .rgba16
    guard band.format == wanted, band.width == size.width, rows.lowerBound >= 0,
      rows.upperBound <= band.height
    else {
      throw SafelightError(
        .invalidValue,
        "Rows \(rows) of \(band.size) \(band.format.rawValue) do not fit a file of \(size) \(wanted.rawValue)"
      )
    }
    guard !rows.isEmpty else { return }
    let plane = band.planes[0]
    try withExtendedLifetime(band) {
      try write(rowsAt: plane.row(rows.lowerBound), rowBytes: plane.rowBytes, count: rows.count)
    }
  }

  /// Appends `count` rows of interleaved R G B A samples, starting at `base`, `rowBytes` bytes apart.
  public func write(rowsAt base: UnsafeRawPointer, rowBytes: Int, count: Int) throws {
    guard isOpen, count >= 0, position + count <= size.height else {
      throw SafelightError(
        .invalidValue,
        isOpen
          ? "Row \(position + count) is beyond the \(size.height) rows of \(path)"
          : "\(path) is closed and takes no more rows")
    }
    do {
      switch encoder {
      case .jpeg(let writer) where alpha == .straight:
        for first in stride(from: 0, to: count, by: flattenedRows) {
          let rows = min(flattenedRows, count - first)
          flatten(base + first * rowBytes, rowBytes: rowBytes, count: rows)
          try flattened.withUnsafeBytes { bytes in
            if let start = bytes.baseAddress { try writer.write(rows, from: start, rowBytes: 4 * size.width) }
          }
        }
      case .jpeg(let writer): try writer.write(count, from: base, rowBytes: rowBytes)
      case .vips(let encoder):
        for y in 0..<count { encoder.append(base + y * rowBytes) }
      case .heif(let encoder):
        for y in 0..<count { encoder.append(base + y * rowBytes) }
      }
    } catch {
      isOpen = false
      output.discard()
      throw error
    }
    position += count
  }

  /// Encodes the remaining rows, which completes the file under its temporary name.
  ///
  /// - Returns: its length in bytes.
  /// - Throws: `SafelightError`; no file is left behind.
  @discardableResult
  public func complete() throws -> Int {
    guard isOpen, position == size.height else {
      defer { cancel() }
      throw SafelightError(
        .invalidValue,
        isOpen
          ? "Only \(position) of the \(size.height) rows of \(path) were written"
          : "\(path) is closed already")
    }
    isOpen = false
    do {
      switch encoder {
      case .jpeg(let writer): try writer.finish()
      case .vips(let encoder):
        try encoder.finish()
        warnings += encoder.warnings
      case .heif(let encoder): try encoder.finish()
      }
      isComplete = true
      return try output.length
    } catch {
      output.discard()
      throw error
    }
  }

  /// Completes the file, makes it durable and gives it its final name.
  ///
  /// - Parameter durable: false lets the system decide when the file reaches the disk: for many files per second,
  ///   if losing the last ones in a power failure is acceptable.
  /// - Throws: `SafelightError`; no file is left behind.
  public func finish(durable: Bool = true) throws {
    if !isComplete { try complete() }
    isComplete = false
    do {
      try output.commit(durable: durable)
    } catch {
      output.discard()
      throw error
    }
  }

  /// Discards the file. Does nothing after `finish`.
  public func cancel() {
    isOpen = false
    isComplete = false
    output.discard()
  }

  /// Blends straight alpha with white, in the encoded samples: out = c · a + (1 − a).
  private func flatten(_ base: UnsafeRawPointer, rowBytes: Int, count: Int) {
    let width = size.width
    if flattened.isEmpty { flattened = [UInt8](repeating: 255, count: 4 * width * flattenedRows) }
    flattened.withUnsafeMutableBufferPointer { flattened in
      for y in 0..<count {
        let from = (base + y * rowBytes).assumingMemoryBound(to: UInt8.self)
        let row = 4 * y * width
        for x in 0..<width {
          let alpha = Int(from[4 * x + 3])
          for channel in 0..<3 {
            let color = Int(from[4 * x + channel])
            flattened[row + 4 * x + channel] = UInt8((color * alpha + 255 * (255 - alpha) + 127) / 255)
          }
        }
      }
    }
  }

  private static func validate(
    _ path: String, _ format: PhotoFileFormat, _ size: PixelSize, bitsPerSample: Int, quality: Int
  ) throws {
    try PixelBuffer.validate(size)
    guard size.longEdge <= format.maximumEdge else {
      throw SafelightError(
        .tooLarge,
        "Cannot write \(path): \(format.name) holds at most \(format.maximumEdge) pixels per edge, "
          + "not \(size)",
        remedy: "make it smaller or use TIFF")
    }
    guard format.bitDepths.contains(bitsPerSample) else {
      let depths = format.bitDepths.map(String.init).joined(separator: " or ")
      throw SafelightError(
        .invalidValue,
        "Cannot write \(path): \(format.name) stores \(depths) bits per sample, not \(bitsPerSample)",
        remedy: bitsPerSample == 16 ? "use PNG, TIFF or JPEG XL" : "use 8 or 16 bits")
    }
    guard (1...100).contains(quality) else {
      throw SafelightError(.invalidValue, "The quality is \(quality)", remedy: "use 1 to 100")
    }
  }

  /// Returns warnings about metadata that formats other than JPEG do not keep.
  private static func droppedMetadata(_ metadata: PhotoMetadata, format: PhotoFileFormat, isBigTIFF: Bool)
    -> [String]
  {
    var names: [String] = []
    if metadata.exif != nil, isBigTIFF { names.append("EXIF") }
    if metadata.xmp != nil, isBigTIFF { names.append("XMP") }
    if metadata.iptc != nil, format != .tiff || isBigTIFF { names.append("IPTC") }
    if !metadata.extendedXMP.isEmpty { names.append("extended XMP") }
    let name = isBigTIFF ? "\(format.name) files beyond 4 GB" : "\(format.name) files"
    let dropped = names.map { "\(name) keep no \($0) data here; they were left out" }
    return dropped + (format == .tiff && !isBigTIFF ? TIFFMetadata.warnings(for: metadata) : [])
  }
}
