import CV4L2
import FrameCore

/// The colour of a driver's pictures, as code points of ITU-T H.273.
enum DeviceColorTags {
  /// - Parameter format: fields of 0 follow V4L2's rules for the colour space (V4L2_MAP_…_DEFAULT).
  static func tags(_ format: cv4l2_format, delivery: DevicePixelFormat.Delivery) -> ColorTags {
    let isRGB: Bool
    let isJPEG: Bool
    switch delivery {
    case .converted(let conversion) where conversion.colour == .fromRGB:
      return computedTags(format)
    // Developed to it, whatever the samples are.
    case .bayer: return .sRGB
    case .converted(let conversion):
      (isRGB, isJPEG) = (conversion.colour == .rgb, conversion.colour == .jpeg)
    case .wrapped: (isRGB, isJPEG) = (false, false)
    case .convertedRGB: (isRGB, isJPEG) = (true, false)
    case .jpeg: (isRGB, isJPEG) = (false, true)
    }
    // A driver must state a colour space for captured pictures; if it does not, webcams mean sRGB.
    let space =
      format.colorspace == V4L2_COLORSPACE_DEFAULT.rawValue
      ? V4L2_COLORSPACE_SRGB.rawValue : format.colorspace
    let transfer = format.transfer == 0 ? cv4l2_default_transfer(space) : format.transfer
    // JFIF is full-range BT.601, whatever the colour space implies for uncompressed pictures.
    let encoding =
      format.ycbcr_encoding != 0
      ? format.ycbcr_encoding
      : isJPEG ? V4L2_YCBCR_ENC_601.rawValue : cv4l2_default_ycbcr_encoding(space)
    let quantization =
      format.quantization != 0
      ? format.quantization
      : isJPEG
        ? V4L2_QUANTIZATION_FULL_RANGE.rawValue : cv4l2_default_quantization(isRGB, space, encoding)
    return ColorTags(
      primaries: primaries[space] ?? .unspecified,
      transfer: transfers[transfer] ?? .unspecified,
      matrix: isRGB ? .identity : matrices[encoding] ?? .unspecified,
      range: quantization == V4L2_QUANTIZATION_LIM_RANGE.rawValue ? .limited : .full)
  }

  /// Y'CbCr that libv4lconvert has computed from R'G'B' or a compressed mosaic: the matrix of BT.601 in limited
  /// range, whatever the driver says of the samples that it was computed from.
  private static func computedTags(_ format: cv4l2_format) -> ColorTags {
    let rgb = tags(format, delivery: .convertedRGB(.rgb))
    // A sensor's samples, which are linear, are shown by everyone as if they were sRGB.
    return ColorTags(
      primaries: rgb.primaries == .unspecified ? .bt709 : rgb.primaries,
      transfer: rgb.transfer == .linear || rgb.transfer == .unspecified ? .sRGB : rgb.transfer,
      matrix: .bt601, range: .limited)
  }

  /// Primaries by V4L2_COLORSPACE_…. SMPTE 240M has the primaries of SMPTE 170M (H.273, value 7). Those of NTSC
  /// 1953, opRGB and cinema projectors have no value in `ColorTags`.
  private static let primaries: [UInt32: ColorTags.Primaries] = [
    V4L2_COLORSPACE_SMPTE170M.rawValue: .bt601NTSC,
    V4L2_COLORSPACE_SMPTE240M.rawValue: .bt601NTSC,
    V4L2_COLORSPACE_REC709.rawValue: .bt709,
    V4L2_COLORSPACE_470_SYSTEM_BG.rawValue: .bt601PAL,
    V4L2_COLORSPACE_JPEG.rawValue: .bt709,
    V4L2_COLORSPACE_SRGB.rawValue: .bt709,
    V4L2_COLORSPACE_BT2020.rawValue: .bt2020,
  ]

  /// Transfer characteristics by V4L2_XFER_FUNC_….
  private static let transfers: [UInt32: ColorTags.Transfer] = [
    V4L2_XFER_FUNC_709.rawValue: .bt709,
    V4L2_XFER_FUNC_SRGB.rawValue: .sRGB,
    // opRGB uses a power of 563/256 = 2.19921875.
    V4L2_XFER_FUNC_OPRGB.rawValue: .gamma22,
    V4L2_XFER_FUNC_NONE.rawValue: .linear,
    V4L2_XFER_FUNC_SMPTE2084.rawValue: .pq,
  ]

  /// Matrix coefficients by V4L2_YCBCR_ENC_….
  private static let matrices: [UInt32: ColorTags.Matrix] = [
    V4L2_YCBCR_ENC_601.rawValue: .bt601,
    V4L2_YCBCR_ENC_709.rawValue: .bt709,
    V4L2_YCBCR_ENC_XV601.rawValue: .bt601,
    V4L2_YCBCR_ENC_XV709.rawValue: .bt709,
    V4L2_YCBCR_ENC_SYCC.rawValue: .bt601,
    V4L2_YCBCR_ENC_BT2020.rawValue: .bt2020NonConstant,
  ]
}

extension DeviceColorTags {
  /// Writes `tags` into an output device's format; anything V4L2 cannot express uses its defaults.
  static func describe(_ tags: ColorTags, in format: inout cv4l2_format) {
    format.colorspace =
      switch tags.primaries {
      case .bt601NTSC: V4L2_COLORSPACE_SMPTE170M.rawValue
      case .bt601PAL: V4L2_COLORSPACE_470_SYSTEM_BG.rawValue
      case .bt2020: V4L2_COLORSPACE_BT2020.rawValue
      case .bt709 where tags.transfer == .bt709 || tags.transfer == .bt601: V4L2_COLORSPACE_REC709.rawValue
      case .bt709, .displayP3, .unspecified: V4L2_COLORSPACE_SRGB.rawValue
      }
    format.transfer =
      switch tags.transfer {
      case .bt709, .bt601, .bt2020TenBit: V4L2_XFER_FUNC_709.rawValue
      case .sRGB: V4L2_XFER_FUNC_SRGB.rawValue
      case .linear: V4L2_XFER_FUNC_NONE.rawValue
      case .gamma22: V4L2_XFER_FUNC_OPRGB.rawValue
      case .pq: V4L2_XFER_FUNC_SMPTE2084.rawValue
      case .unspecified, .gamma28, .hlg: V4L2_XFER_FUNC_DEFAULT.rawValue
      }
    format.ycbcr_encoding =
      switch tags.matrix {
      case .bt601: V4L2_YCBCR_ENC_601.rawValue
      case .bt709: V4L2_YCBCR_ENC_709.rawValue
      case .bt2020NonConstant: V4L2_YCBCR_ENC_BT2020.rawValue
      case .identity, .unspecified: V4L2_YCBCR_ENC_DEFAULT.rawValue
      }
    format.quantization =
      tags.range == .full ? V4L2_QUANTIZATION_FULL_RANGE.rawValue : V4L2_QUANTIZATION_LIM_RANGE.rawValue
  }
}
