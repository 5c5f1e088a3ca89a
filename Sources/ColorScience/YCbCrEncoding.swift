import FrameCore

/// How 8-bit luma and colour differences encode R'G'B', with everything resolved that tags may leave open.
///
///     Y' = KR·R' + (1 - KR - KB)·G' + KB·B',   Cb = (B' - Y') / (2·(1 - KB)),   Cr = (R' - Y') / (2·(1 - KR))
///     limited:  Y' code = 16 + 219·Y',  C code = 128 + 224·C        full:  255·Y',  128 + 255·C
///
/// Source: ITU-T H.273 (2021), equations 38 to 40 and table 4; the same for 8 bit in BT.601, BT.709 and BT.2020.
public struct YCbCrEncoding: Sendable, Hashable {
  /// The matrices that are defined by KR and KB.
  public enum Matrix: Sendable, Hashable {
    case bt601
    case bt709
    /// Non-constant luminance.
    case bt2020

    /// The weights of red and blue in luma. Source: H.273, table 4.
    public var luma: (red: Double, blue: Double) {
      switch self {
      case .bt601: (0.299, 0.114)
      case .bt709: (0.2126, 0.0722)
      case .bt2020: (0.2627, 0.0593)
      }
    }

    /// Returns the matrix assumed for a picture of `size` without a matrix tag: BT.601 below 720 lines, BT.709
    /// otherwise, as in players.
    public static func assumed(at size: PixelSize) -> Matrix { size.height < 720 ? .bt601 : .bt709 }
  }

  public var matrix: Matrix
  public var range: ColorTags.Range
  /// Never `unspecified`.
  public private(set) var siting: ColorTags.ChromaSiting

  /// - Parameter siting: `unspecified` is resolved as described in `ColorTags.ChromaSiting`.
  public init(
    matrix: Matrix, range: ColorTags.Range, siting: ColorTags.ChromaSiting = .unspecified
  ) {
    self.matrix = matrix
    self.range = range
    self.siting =
      siting != .unspecified ? siting : matrix == .bt601 && range == .full ? .center : .left
  }

  /// Reads the encoding of a picture of `size` from `tags`; an unspecified matrix is that of
  /// `Matrix.assumed(at:)`.
  ///
  /// - Throws: `SafelightError` if the tags name the matrix of RGB samples.
  public init(tags: ColorTags, size: PixelSize) throws {
    let matrix: Matrix
    switch tags.matrix {
    case .bt601: matrix = .bt601
    case .bt709: matrix = .bt709
    case .bt2020NonConstant: matrix = .bt2020
    case .unspecified: matrix = .assumed(at: size)
    case .identity:
      throw SafelightError(
        .invalidValue,
        "The picture's samples are luma and colour differences, its tags say RGB (identity matrix)",
        remedy: "tag it with the matrix BT.601, BT.709 or BT.2020, or as unspecified")
    }
    self.init(matrix: matrix, range: tags.range, siting: tags.chromaSiting)
  }

  /// Reads the encoding of grey samples from `tags`, of which only the range matters: they have no matrix.
  package init(grey tags: ColorTags) { self.init(matrix: .bt709, range: tags.range) }

  /// The codes of black and of neutral colour differences, and the spans from black to white and from -½ to ½.
  package var codes: (black: Double, lumaSpan: Double, neutral: Double, chromaSpan: Double) {
    range == .full ? (0, 255, 128, 255) : (16, 219, 128, 224)
  }

  /// From (Y', Cb, Cr) as numbers, Y' in 0…1 and C in -½…½, to R'G'B'.
  package var toRGB: Matrix3x3 {
    let (kr, kb) = matrix.luma
    let kg = 1 - kr - kb
    return Matrix3x3(
      rows: SIMD3(1, 0, 2 * (1 - kr)), SIMD3(1, -2 * kb * (1 - kb) / kg, -2 * kr * (1 - kr) / kg),
      SIMD3(1, 2 * (1 - kb), 0))
  }

  /// From R'G'B' to (Y', Cb, Cr) as numbers.
  package var fromRGB: Matrix3x3 {
    let (kr, kb) = matrix.luma
    let kg = 1 - kr - kb
    let (blue, red) = (1 / (2 * (1 - kb)), 1 / (2 * (1 - kr)))
    return Matrix3x3(
      rows: SIMD3(kr, kg, kb), SIMD3(-kr * blue, -kg * blue, (1 - kb) * blue),
      SIMD3((1 - kr) * red, -kg * red, -kb * red))
  }

  /// Converts codes (Y', Cb, Cr) of 0…255 to R'G'B', unclipped.
  public func decode(_ code: SIMD3<Double>) -> SIMD3<Double> {
    let codes = codes
    return toRGB
      * SIMD3(
        (code.x - codes.black) / codes.lumaSpan, (code.y - codes.neutral) / codes.chromaSpan,
        (code.z - codes.neutral) / codes.chromaSpan)
  }

  /// Converts R'G'B' to codes (Y', Cb, Cr), unclipped and not rounded.
  public func encode(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let codes = codes
    let value = fromRGB * rgb
    return SIMD3(
      codes.black + codes.lumaSpan * value.x, codes.neutral + codes.chromaSpan * value.y,
      codes.neutral + codes.chromaSpan * value.z)
  }

  /// Returns tags for samples in this encoding, with the primaries and transfer function of `tags`.
  public func tags(_ tags: ColorTags) -> ColorTags {
    let code: ColorTags.Matrix =
      switch matrix {
      case .bt601: .bt601
      case .bt709: .bt709
      case .bt2020: .bt2020NonConstant
      }
    return ColorTags(
      primaries: tags.primaries, transfer: tags.transfer, matrix: code, range: range, chromaSiting: siting)
  }
}

extension YCbCrEncoding: CustomStringConvertible {
  /// Formatted as in plans: `BT.601 limited, chroma left`.
  public var description: String {
    let name =
      switch matrix {
      case .bt601: "BT.601"
      case .bt709: "BT.709"
      case .bt2020: "BT.2020"
      }
    let place =
      switch siting {
      case .left, .unspecified: "left"
      case .center: "centre"
      case .topLeft: "top left"
      }
    return "\(name) \(range == .full ? "full" : "limited"), chroma \(place)"
  }
}

extension ColorSpace {
  /// Creates the R'G'B' space in which SDR video is displayed: as `init(tags:)`, but the gammas of BT.470 also
  /// mean sRGB.
  ///
  /// Those gammas were assumed for old CRTs; video with such tags was made for the same displays as any other.
  ///
  /// - Throws: as `init(tags:)`.
  public init(videoTags tags: ColorTags) throws {
    var tags = tags
    if tags.transfer == .gamma22 || tags.transfer == .gamma28 { tags.transfer = .sRGB }
    try self.init(tags: tags)
  }
}
