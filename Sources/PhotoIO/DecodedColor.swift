import ColorScience
import FrameCore

/// The conversion of a photo's colours between its decoder and its buffer.
///
/// RGB described by a matrix and curves is kept, with its profile. Everything else (grey and CMYK profiles, and
/// RGB profiles with tables) is converted on reading to 16-bit Adobe RGB, which renderers that know only matrices
/// and curves can use, and which is wide enough for photos.
struct DecodedColor {
  let format: PixelFormat
  let tags: ColorTags
  /// What was guessed or converted, one sentence each.
  let warnings: [String]

  private enum Conversion {
    case none
    case plainCMYK
    case profile(ICCTransform)
  }
  private let layout: SampleLayout
  private let conversion: Conversion

  /// Whether rows of four 8-bit samples are stored unconverted.
  var isDirect: Bool {
    guard case .none = conversion else { return false }
    return layout.samples == .uint8 && layout.model == .rgb && layout.bands == 4
  }

  /// - Parameters:
  ///   - layout: what the decoder delivers.
  ///   - isGray: whether the picture is grey, even if the decoder delivers it as RGB.
  ///   - profile: the embedded ICC profile.
  ///   - codePoints: the file's colour tags other than a profile; used if there is no profile.
  ///   - declaresAdobeRGB: whether EXIF declares Adobe RGB; used if there is no profile.
  /// - Throws: `SafelightError` if a valid profile cannot be converted.
  init(
    _ layout: SampleLayout, isGray: Bool, profile: [UInt8]?, codePoints: ColorTags? = nil,
    declaresAdobeRGB: Bool
  ) throws {
    self.layout = layout
    let isCMYK = layout.colorBands == 4
    let stored: PixelFormat = layout.samples == .uint8 ? .rgba8 : .rgba16
    var warnings: [String] = []
    var parsed: ICCProfile?
    if let profile {
      do {
        let candidate = try ICCProfile.parse(ICCProfileData(profile))
        // A grey picture may carry an RGB profile, in which case its three channels are equal.
        let fits = isCMYK ? [.cmyk] : isGray ? [.gray, .rgb] : [ICCProfile.ColorModel.rgb]
        if fits.contains(candidate.colorModel) {
          parsed = candidate
        } else {
          let model = isCMYK ? "CMYK" : isGray ? "grey" : "RGB"
          warnings.append(
            "The ICC profile \"\(candidate.description)\" is for \(candidate.colorModel.rawValue) and the "
              + "picture is \(model); the profile was left out")
        }
      } catch {
        warnings.append("The ICC profile cannot be used and was left out: \(Self.reason(error))")
      }
    }

    guard let parsed else {
      if isCMYK {
        warnings.append("The picture is CMYK without a colour profile; its colours are approximate")
        (format, tags, conversion) = (.rgba8, .sRGB, .plainCMYK)
      } else {
        (format, conversion) = (stored, .none)
        tags =
          codePoints != nil && profile == nil
          ? codePoints ?? .sRGB
          : declaresAdobeRGB && profile == nil
            ? .icc(try ColorSpace.adobeRGB.iccProfile().bytes)
            // Floating point means scene-linear light unless a profile says otherwise, following libvips.
            : layout.samples == .float32 ? ColorTags(primaries: .bt709, transfer: .linear) : .sRGB
      }
      self.warnings = warnings
      return
    }
    if parsed.colorModel == .rgb, parsed.colorSpace != nil {
      (format, tags, conversion) = (stored, .icc(parsed.data.bytes), .none)
    } else {
      let transform = try ICCTransform(
        from: parsed.data, sourceLayout: Self.sourceLayout(layout, parsed.colorModel), to: .adobeRGB)
      format = .rgba16
      tags = .icc(try ColorSpace.adobeRGB.iccProfile().bytes)
      conversion = .profile(transform)
      warnings.append(
        "The colours were converted from the profile \"\(parsed.description)\" to "
          + "\(ColorSpace.adobeRGB.name) with 16 bits")
    }
    self.warnings = warnings
  }

  /// Converts a row of the decoder's layout to R G B A of `format`.
  func convert(_ row: UnsafeRawPointer, to rgba: UnsafeMutableRawPointer, width: Int, hasAlpha: Bool) {
    switch conversion {
    case .none: layout.expand(row, to: rgba, width: width, hasAlpha: hasAlpha)
    case .plainCMYK: layout.expandPlainCMYK(row, to: rgba, width: width)
    case .profile(let transform):
      // The transform requires its own layout, which rarely matches the decoder's rows: float, extra bands after
      // the colour, 16-bit CMYK.
      let rowBytes = width * transform.sourceLayout.bytesPerPixel
      withUnsafeTemporaryAllocation(byteCount: rowBytes, alignment: 16) { packed in
        guard let base = packed.baseAddress else { return }
        layout.pack(
          row, to: base, width: width, bands: transform.sourceLayout.packedBands, hasAlpha: hasAlpha)
        transform.convert(
          rows: 1, width: width, from: base, sourceRowBytes: rowBytes, to: rgba,
          destinationRowBytes: width * 8)
      }
      if hasAlpha, !transform.sourceLayout.hasAlpha { layout.copyAlpha(row, to: rgba, width: width) }
    }
  }

  /// Returns the profile that a file with these tags needs; nil for sRGB, the default without a profile.
  ///
  /// - Throws: `SafelightError(.invalidValue)` for code points without a colour space.
  static func embeddableProfile(for tags: ColorTags) throws -> [UInt8]? {
    if let profile = tags.iccProfile { return profile.bytes }
    let space = try ColorSpace(tags: tags)
    return space == .sRGB ? nil : try space.iccProfile().bytes
  }

  private static func sourceLayout(_ layout: SampleLayout, _ model: ICCProfile.ColorModel)
    -> ICCTransform.SourceLayout
  {
    let isDeep = layout.samples != .uint8
    return switch model {
    case .cmyk: layout.model == .cmyk(inverted: true) ? .cmyk8Inverted : .cmyk8
    case .gray: isDeep ? .gray16 : .gray8
    default: isDeep ? .rgba16 : .rgba8
    }
  }

  private static func reason(_ error: any Error) -> String {
    (error as? SafelightError)?.problem ?? String(describing: error)
  }
}

extension ICCTransform.SourceLayout {
  /// Samples per pixel.
  fileprivate var packedBands: Int { colorModel == .gray ? 1 : 4 }
}
