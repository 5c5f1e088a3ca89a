import FrameCore

extension ColorSpace {
  /// Creates the space of a picture's RGB samples from `tags`: from their ICC profile, else from their CICP code
  /// points.
  ///
  /// Unspecified primaries mean those of sRGB. For transfer functions, see `TransferFunction.init(_:)`.
  ///
  /// - Throws: `SafelightError` if the profile is damaged (`corruptData`) or is not an RGB profile of a matrix and
  ///   three curves (`unsupported`): such pictures go through `ICCTransform`.
  public init(tags: ColorTags) throws {
    if let data = tags.iccProfile {
      let profile = try ICCProfile.parse(data)
      guard let space = profile.colorSpace else {
        throw SafelightError(
          .unsupported,
          "The ICC profile \"\(profile.description)\" (\(profile.colorModel.rawValue)) is not a matrix with curves",
          remedy: "convert the picture to sRGB or Adobe RGB first")
      }
      self = space
      return
    }
    let primaries = RGBPrimaries(tags.primaries)
    let transfer = TransferFunction(tags.transfer)
    self =
      Self.named.first { $0.primaries == primaries && $0.transfer[0] == transfer }
      ?? ColorSpace(
        name: "\(tags.primaries) primaries, \(tags.transfer) transfer", primaries: primaries,
        transfer: transfer)
  }

  /// Tags for full-range RGB samples of this space: CICP code points if they suffice, else the ICC profile.
  ///
  /// - Throws: what `iccProfile()` throws.
  public var tags: ColorTags {
    get throws {
      guard let primaries = primaries.codePoint, let transfer = transfer[0].codePoint,
        self.transfer.allSatisfy({ $0 == self.transfer[0] })
      else { return ColorTags(primaries: .unspecified, transfer: .unspecified, iccProfile: try iccProfile()) }
      return ColorTags(primaries: primaries, transfer: transfer)
    }
  }
}

extension RGBPrimaries {
  /// Returns the primaries of a code point; unspecified means BT.709.
  public init(_ codePoint: ColorTags.Primaries) {
    switch codePoint {
    case .bt709, .unspecified: self = .bt709
    case .bt601PAL: self = .bt601PAL
    case .bt601NTSC: self = .bt601NTSC
    case .bt2020: self = .bt2020
    case .displayP3: self = .displayP3
    }
  }

  fileprivate var codePoint: ColorTags.Primaries? {
    let all: [ColorTags.Primaries] = [.bt709, .bt601PAL, .bt601NTSC, .bt2020, .displayP3]
    return all.first { RGBPrimaries($0) == self }
  }
}

extension TransferFunction {
  /// Creates the transfer function with which samples of a code point are displayed; unspecified means sRGB.
  ///
  /// BT.709, BT.601 and BT.2020 define the curve of a camera but none for a display. Pictures are graded on a
  /// display, so the camera's curve does not matter: their samples are displayed as sRGB, as in browsers. PQ and
  /// HLG are not handled; code that edits such pictures reports it (`ColorTags.isHighDynamicRange`).
  public init(_ codePoint: ColorTags.Transfer) {
    switch codePoint {
    case .sRGB, .unspecified, .bt709, .bt601, .bt2020TenBit, .pq, .hlg: self = .sRGB
    case .gamma22: self = .gamma(2.2)
    case .gamma28: self = .gamma(2.8)
    case .linear: self = .linear
    }
  }

  fileprivate var codePoint: ColorTags.Transfer? {
    switch self {
    case .linear: .linear
    case .sRGB: .sRGB
    case .gamma(let exponent): exponent == 2.2 ? .gamma22 : exponent == 2.8 ? .gamma28 : nil
    // Its code point is read as the sRGB curve.
    case .bt709: nil
    case .sampled: nil
    }
  }
}
