import CV4L2
import FrameCore

/// Makes frames of a driver's mosaics: developed pictures in buffers of its own.
final class BayerConverter {
  private let developer: BayerDeveloper
  private let ring: BufferRing
  private let rowBytes: Int
  /// The least bytes of a whole frame.
  let requiredBytes: Int

  /// - Parameters:
  ///   - format: how the driver's frames are laid out.
  ///   - tags: of the developed pictures.
  /// - Throws: `SafelightError` if memory is short or the size has not all colours.
  init(_ format: cv4l2_format, _ bayer: BayerFormat, tags: ColorTags, bufferCount: Int) throws {
    let size = PixelSize(width: Int(format.width), height: Int(format.height))
    guard Self.reads(size) else {
      throw SafelightError(
        .unsupported, "A mosaic of \(size) pixels does not have all colours", remedy: "ask for a larger size")
    }
    let unpadded = bayer.rowBytes(width: size.width)
    let stride = Int(format.bytes_per_line.0)
    // Some drivers report 0, or the length of other samples.
    rowBytes = stride >= unpadded ? stride : unpadded
    requiredBytes = (size.height - 1) * rowBytes + unpadded
    developer = BayerDeveloper(size: size, format: bayer, transfer: Self.transfer(of: format))
    ring = try BufferRing(count: bufferCount, size: size, format: .rgba8, tags: tags)
  }

  /// Whether pictures of this size can be developed.
  static func reads(_ size: PixelSize) -> Bool { size.width >= 2 && size.height >= 2 }

  /// What the samples count, as the driver states it: raw pictures are linear by definition
  /// (V4L2_MAP_XFER_FUNC_DEFAULT); others are encoded, for the drivers of old webcams and the kernel's test driver say
  /// so, and their pictures look right that way.
  static func transfer(of format: cv4l2_format) -> ColorTags.Transfer {
    let stated = format.transfer == 0 ? cv4l2_default_transfer(format.colorspace) : format.transfer
    return stated == V4L2_XFER_FUNC_NONE.rawValue ? .linear : .sRGB
  }

  /// Develops a frame.
  ///
  /// - Parameter data: the driver's bytes, at least `requiredBytes`.
  /// - Returns: the picture and the white that it is shown with; nil if all buffers are still in use.
  /// - Throws: `SafelightError` if there are too few bytes.
  func develop(_ data: UnsafeRawBufferPointer) throws -> (picture: PixelBuffer, neutral: SIMD3<Double>?)? {
    let mosaic = try BayerPicture(data, size: developer.size, format: developer.format, rowBytes: rowBytes)
    guard let target = ring.take() else { return nil }
    return (target, developer.develop(mosaic, into: target))
  }

  /// Returns the mosaic that `develop` made a picture of.
  func mosaic(_ samples: EncodedPicture, neutral: SIMD3<Double>?) throws -> BayerMosaic {
    try BayerMosaic(
      samples, size: developer.size, format: developer.format, rowBytes: rowBytes,
      transfer: developer.transfer, neutral: neutral)
  }
}

extension BayerFormat {
  /// V4L2's Bayer formats by four-character code; see the table at `BayerFormat`.
  static let byFourCC: [FourCC: BayerFormat] = {
    let codes: [(Packing, [StaticString])] = [
      (.bits8, ["RGGB", "GRBG", "GBRG", "BA81"]), (.bits10, ["RG10", "BA10", "GB10", "BG10"]),
      (.bits10Packed, ["pRAA", "pgAA", "pGAA", "pBAA"]), (.bits12, ["RG12", "BA12", "GB12", "BG12"]),
      (.bits12Packed, ["pRCC", "pgCC", "pGCC", "pBCC"]), (.bits14, ["RG14", "GR14", "GB14", "BG14"]),
      (.bits14Packed, ["pREE", "pgEE", "pGEE", "pBEE"]), (.bits16, ["RG16", "GR16", "GB16", "BYR2"]),
    ]
    var formats: [FourCC: BayerFormat] = [:]
    for (packing, codes) in codes {
      for (pattern, code) in zip([Pattern.rggb, .grbg, .gbrg, .bggr], codes) {
        formats[FourCC(code)] = BayerFormat(pattern, packing)
      }
    }
    return formats
  }()

  /// The format's four-character code.
  var fourCC: FourCC? { Self.byFourCC.first { $0.value == self }?.key }
}

extension CaptureEncoding {
  /// The encoding of a mosaic by its four-character code as `FourCC` prints it: `RG10`.
  ///
  /// Nil for every other text.
  public init?(bayer code: String) {
    guard let format = BayerFormat.byFourCC.first(where: { $0.key.description == code })?.value else {
      return nil
    }
    self = .bayer(format)
  }
}
