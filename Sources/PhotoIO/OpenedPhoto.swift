import CJPEG
import CVips
import FrameCore

/// A photo file whose header has been read, with what the decoders have in common.
struct OpenedPhoto {
  enum Decoder {
    case jpeg(JPEGRowReader)
    case vips(VipsReader)
    case raw(RawReader)
  }

  let decoder: Decoder
  let layout: SampleLayout
  /// The size of the decoder's output.
  let size: PixelSize
  /// The size of the picture in the file.
  let photoSize: PixelSize
  let isGray: Bool
  /// Whether the decoder adds a fourth sample that is not alpha.
  let isPadded: Bool
  var metadata: PhotoMetadata
  let iccProfile: [UInt8]?
  /// The colours declared by a HEIF file without a profile; nil for sRGB or no declaration.
  let codePoints: ColorTags?
  /// Nil if EXIF determines it.
  let orientation: Orientation?
  let fileFormat: PhotoFileFormat?
  let formatName: String
  /// The maximum memory, in bytes, that decoding uses apart from the delivered rows and the file itself.
  let decodingMemory: Int
  var warnings: [String]

  /// - Parameter longEdge: allows JPEG data and camera raws to be decoded smaller, with a long edge no shorter
  ///   than this.
  init(_ file: InputFile, headerOnly: Bool, scaledToLongEdge longEdge: Int? = nil) throws {
    switch file.signature {
    case .photo(.jpeg): try self.init(jpeg: file, headerOnly: headerOnly, longEdge: longEdge)
    case .photo(let format):
      if format == .tiff, let kind = CameraRaw.kind(of: file) {
        try self.init(raw: file, kind: kind, longEdge: longEdge)
        return
      }
      try self.init(vips: file, format: format, formatName: format.name)
    case .readOnly(let format):
      try self.init(vips: file, format: nil, formatName: format.rawValue)
    case .cameraRaw(let kind): try self.init(raw: file, kind: kind, longEdge: longEdge)
    case .other(let description):
      throw SafelightError(
        .unsupported,
        "Cannot read \(file.path): it looks like \(description), which is not a supported format",
        remedy: "use a photo such as a JPEG, PNG, TIFF, WebP, HEIC, AVIF or JPEG XL")
    case .unknown:
      if let kind = CameraRaw.kind(of: file) {
        try self.init(raw: file, kind: kind, longEdge: longEdge)
        return
      }
      throw SafelightError(
        .corruptData, "Cannot read \(file.path): it is not a picture in a known format",
        remedy: "use a photo such as a JPEG, PNG, TIFF, WebP, HEIC, AVIF or JPEG XL")
    }
  }

  private init(jpeg file: InputFile, headerOnly: Bool, longEdge: Int?) throws {
    let reader = try Self.openJPEG(file, headerOnly: headerOnly, longEdge: longEdge)
    let parsed = JPEGMetadata.parse(reader.markers)
    decoder = .jpeg(reader)
    let model: SampleLayout.Model =
      switch reader.model {
      case CJPEG_CMYK: .cmyk(inverted: reader.isInverted)
      default: .rgb
      }
    layout = SampleLayout(samples: .uint8, model: model, bands: 4)
    size = reader.size
    photoSize = reader.photoSize
    isGray = reader.model == CJPEG_GRAY
    isPadded = true
    metadata = parsed.metadata
    iccProfile = parsed.iccProfile
    codePoints = nil
    orientation = nil
    fileFormat = .jpeg
    formatName = PhotoFileFormat.jpeg.name
    decodingMemory = reader.coefficientBytes
    warnings = parsed.warnings
  }

  /// Metadata rarely exceed 512 KiB; reading only that much makes listing many headers fast.
  static let usualHeader = 1 << 19

  private static func openJPEG(_ file: InputFile, headerOnly: Bool, longEdge: Int?) throws -> JPEGRowReader {
    if headerOnly, file.byteCount > usualHeader,
      let reader = try? JPEGRowReader(file.contents(usualHeader), path: file.path, of: file)
    {
      return reader
    }
    return try JPEGRowReader(file.contents(), path: file.path, scaledToLongEdge: longEdge)
  }

  private init(vips file: InputFile, format: PhotoFileFormat?, formatName: String) throws {
    let reader = try VipsReader(file, loader: Self.loader(for: file.signature), formatName: formatName)
    decoder = .vips(reader)
    var warnings: [String] = []
    let stored = reader.info
    if stored.pages > 1 {
      warnings.append("Only the first of \(stored.pages) pictures in the file is read")
    }
    var profile = reader.blob("icc-profile-data")
    if stored.model == CVIPS_LAB {
      try reader.convertToSRGB16()
      profile = nil
      warnings.append("The picture is stored as Lab and was converted to sRGB with 16 bits")
    }
    let info = reader.info
    layout = try Self.layout(of: info, path: file.path, formatName: formatName)
    if layout.samples == .float32 {
      warnings.append(
        "The picture is stored as floating point and was converted to 16 bits; values outside 0…1 are clipped"
      )
    }
    size = reader.size
    photoSize = reader.size
    isGray = layout.model == .gray
    isPadded = false
    let exif = reader.blob("exif-data").map { bytes in
      bytes.starts(with: Array("Exif\0\0".utf8)) ? Array(bytes.dropFirst(6)) : bytes
    }
    metadata = PhotoMetadata(exif: exif, xmp: reader.blob("xmp-data"), iptc: reader.blob("iptc-data"))
    switch format {
    case .tiff:
      let (own, notes) = try TIFFMetadata.metadata(of: file)
      (metadata.exif, metadata.iptc) = (own.exif, own.iptc)
      warnings += notes
    case .heic, .avif:
      if stored.pages <= 1, try HEIFContainer.isSequence(file) { warnings.append(Self.animationWarning) }
    case .jxl:
      if stored.pages <= 1, try JXLContainer.isAnimation(file) { warnings.append(Self.animationWarning) }
      // libjxl also describes sRGB by a profile.
      if let own = profile, JXLContainer.isSRGB(profile: own) { profile = nil }
      let (own, notes) = try JXLContainer.metadata(of: file)
      (metadata.exif, metadata.xmp) = (own.exif, own.xmp)
      warnings += notes
    default: break
    }
    let stated: (primaries: Int, transfer: Int)? =
      switch format {
      case .heic, .avif: profile == nil ? HEIFContainer.codePoints(of: file) : nil
      case .png: try PNGChunks.codePoints(of: file)
      default: nil
      }
    var codePoints: ColorTags?
    if let stated {
      try Self.refuseHighDynamicRange(transfer: stated.transfer, path: file.path)
      codePoints = ColorTags(stated)
      if codePoints != nil {
        // In PNG, code points take precedence over the profile (third edition, section 4.3).
        profile = nil
      } else if profile == nil {
        warnings.append(
          "The encoding of the colours (primaries \(stated.primaries), transfer \(stated.transfer) of H.273) is not "
            + "supported; they are treated as sRGB")
      }
    }
    iccProfile = profile
    self.codePoints = codePoints
    // The loaders of other formats rotate the picture themselves, whatever EXIF says (in HEIF, irot and imir take
    // precedence).
    let turned = UInt8(exactly: info.orientation).flatMap(Orientation.init(rawValue:)) ?? .up
    orientation = format == .png || format == .webp ? nil : turned
    fileFormat = format
    self.formatName = formatName
    decodingMemory = DecodingMemory.libvips(
      file.signature, size: size, bands: layout.bands, sampleBytes: layout.bytesPerSample,
      isInterlaced: format == .png && PNGChunks.isInterlaced(file))
    self.warnings = warnings
  }

  /// Such pictures extend far beyond white; interpreted as sRGB, they would be flat and grey.
  ///
  /// - Parameter transfer: the transfer characteristics of H.273, table 3.
  private static func refuseHighDynamicRange(transfer: Int, path: String) throws {
    let names = [16: "PQ", 18: "HLG"]
    guard let name = names[transfer] else { return }
    throw SafelightError(
      .unsupported, "Cannot read \(path): it is a high-dynamic-range picture (\(name))",
      remedy: "export it with standard dynamic range (SDR) first")
  }

  private static let animationWarning = "Only the first picture of the animation is read"

  private init(raw file: InputFile, kind: String, longEdge: Int?) throws {
    let reader = try RawReader(file, kind: kind, scaledToLongEdge: longEdge)
    decoder = .raw(reader)
    layout = SampleLayout(samples: .uint16, model: .rgb, bands: 4)
    size = reader.size
    photoSize = reader.photoSize
    isGray = reader.info.colors == 1
    isPadded = true
    metadata = reader.metadata
    iccProfile = nil
    codePoints = nil
    orientation = reader.orientation
    fileFormat = nil
    formatName = kind
    decodingMemory = DecodingMemory.libRaw(reader.info)
    warnings = reader.warnings
  }

  private static func loader(for signature: FileSignature) -> cvips_loader {
    switch signature {
    case .photo(.tiff): CVIPS_LOAD_TIFF
    case .photo(.webp): CVIPS_LOAD_WEBP
    case .readOnly(.gif): CVIPS_LOAD_GIF
    case .photo(.heic), .photo(.avif): CVIPS_LOAD_HEIF
    case .photo(.jxl): CVIPS_LOAD_JXL
    case .readOnly(.jpeg2000): CVIPS_LOAD_JP2
    default: CVIPS_LOAD_PNG
    }
  }

  private static func layout(of info: cvips_info, path: String, formatName: String) throws -> SampleLayout {
    let samples: SampleLayout.Samples? =
      switch info.samples {
      case CVIPS_UINT8: .uint8
      case CVIPS_UINT16: .uint16
      case CVIPS_FLOAT32: .float32
      default: nil
      }
    let model: SampleLayout.Model? =
      switch info.model {
      case CVIPS_GRAY: .gray
      case CVIPS_RGB: .rgb
      case CVIPS_CMYK: .cmyk(inverted: false)
      default: nil
      }
    if let samples, let model {
      let layout = SampleLayout(samples: samples, model: model, bands: Int(info.bands))
      let isFloatCMYK = samples == .float32 && layout.colorBands == 4
      if layout.bands >= layout.colorBands, !isFloatCMYK { return layout }
    }
    throw SafelightError(
      .unsupported,
      "Cannot read \(path): this kind of \(formatName) is not supported (\(info.bands) channels)",
      remedy: "convert it to RGB with 8 or 16 bits")
  }
}

extension ColorTags {
  /// Converts H.273 code points of RGB samples, reading 2 (unspecified) as sRGB's; nil if one is unknown.
  fileprivate init?(_ codePoints: (primaries: Int, transfer: Int)) {
    func known(_ value: Int, unspecified: UInt8) -> UInt8? {
      value == 2 ? unspecified : UInt8(exactly: value)
    }
    guard
      let primaries = known(codePoints.primaries, unspecified: 1).flatMap(Primaries.init(rawValue:)),
      let transfer = known(codePoints.transfer, unspecified: 13).flatMap(Transfer.init(rawValue:))
    else { return nil }
    self.init(primaries: primaries, transfer: transfer)
  }
}
