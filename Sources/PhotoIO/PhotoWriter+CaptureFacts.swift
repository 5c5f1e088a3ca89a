import FrameCore

extension PhotoWriter {
  /// Writes a photo that was just taken: its pixels and its circumstances, without a file that they come
  /// from.
  ///
  ///     var facts = CaptureFacts(date: .init(at: frame.time), camera: "HD Webcam")
  ///     facts.exposureTime = 1 / 60
  ///     try PhotoWriter.write(picture, to: "harbour.heic", facts, orientation: frame.orientation)
  ///
  /// JPEG, PNG and WebP keep the pixels as they are and state the orientation in EXIF. Readers of the other
  /// formats do not look there, so that their pixels are turned. The file appears only when it is complete.
  ///
  /// - Parameters:
  ///   - picture: `rgba8` or `rgba16`, display-encoded as its tags say.
  ///   - format: nil derives it from the path's extension.
  ///   - orientation: how the pixels must be turned for display.
  ///   - quality, chroma, threads, overwrite: as for `init`.
  ///   - durable: as for `finish`.
  /// - Returns: what could not be kept, one sentence each.
  /// - Throws: as `init` and `finish`; `SafelightError(.invalidValue)` for pixels of another format. No file
  ///   is left behind.
  @discardableResult
  public static func write(
    _ picture: PixelBuffer, to path: String, format: PhotoFileFormat? = nil, _ facts: CaptureFacts,
    orientation: Orientation = .up, quality: Int = 92, chroma: ChromaSubsampling = .automatic,
    threads: Int? = 1, overwrite: Bool = false, durable: Bool = true
  ) throws -> [String] {
    guard picture.format == .rgba8 || picture.format == .rgba16 else {
      throw SafelightError(
        .invalidValue, "Cannot write \(path): its pixels are \(picture.format.rawValue)",
        remedy: "render them to rgba8 or rgba16")
    }
    let format = try format ?? PhotoFileFormat(forWritingTo: path)
    let isTurned = !format.statesOrientationInEXIF && orientation != .up
    let turned = TurnedRows(picture, orientation: isTurned ? orientation : .up)
    let (metadata, warnings) = PhotoMetadata.captured(
      facts, size: turned.size, tags: picture.tags, orientation: isTurned ? .up : orientation, in: format)
    let writer = try PhotoWriter(
      to: path, format: format, size: turned.size, bitsPerSample: picture.format.bitsPerSample,
      quality: quality, tags: picture.tags, metadata: metadata, alpha: picture.alpha, chroma: chroma,
      threads: threads, overwrite: overwrite)
    if isTurned {
      let bands = Bands.of(turned.size)
      let band = try PixelBuffer(
        size: PixelSize(width: turned.size.width, height: bands[0].count), format: picture.format)
      for rows in bands {
        turned.copy(rows, to: band)
        try writer.write(band, rows: 0..<rows.count)
      }
    } else {
      try writer.write(picture)
    }
    try writer.finish(durable: durable)
    return warnings + writer.warnings
  }
}

extension PhotoMetadata {
  /// Returns the metadata of a new photo.
  ///
  /// - Parameters:
  ///   - size: as stored.
  ///   - tags: the colour tags of the samples.
  ///   - orientation: how the stored pixels must be turned for display, for the formats that state it in
  ///     EXIF: JPEG, PNG and WebP. For others it must be `up`.
  ///   - format: of the file that they are for.
  /// - Returns: and the facts that could not be kept, one sentence each.
  public static func captured(
    _ facts: CaptureFacts, size: PixelSize, tags: ColorTags = .sRGB, orientation: Orientation = .up,
    in format: PhotoFileFormat
  ) -> (metadata: PhotoMetadata, warnings: [String]) {
    var exif = EXIFWriter(order: .littleEndian)
    let isSRGB = tags.iccProfile == nil && tags.primaries == .bt709 && tags.transfer == .sRGB
    let warnings = exif.set(
      facts, size: size, orientation: orientation, isSRGB: isSRGB, samples: format.storedSamples)
    let xmp = CaptureXMP.packet(facts, isWrapped: format != .heic && format != .avif)
    return (PhotoMetadata(exif: exif.block(), xmp: xmp), warnings)
  }
}

extension PhotoFileFormat {
  /// Whether readers turn the picture as EXIF says. TIFF, HEIF and JPEG XL have places of their own for that.
  fileprivate var statesOrientationInEXIF: Bool {
    switch self {
    case .jpeg, .png, .webp: true
    case .tiff, .heic, .avif, .jxl: false
    }
  }

  fileprivate var storedSamples: EXIFWriter.StoredSamples {
    switch self {
    case .jpeg, .webp, .heic, .avif: .yCbCr
    case .png, .jxl: .rgb
    case .tiff: .tiff
    }
  }
}
