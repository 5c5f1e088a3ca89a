import FrameCore

/// How luma and colour differences of 8 bit stand for R'G'B': everything that their tags may leave open, settled.
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

    /// What a picture of `size` is taken to have whose matrix nobody names: BT.601 below 720 lines, BT.709
    /// from there on, as players have it.
    public static func assumed(at size: PixelSize) -> Matrix { size.height < 720 ? .bt601 : .bt709 }
  }

  public var matrix: Matrix
  public var range: ColorTags.Range
  /// Never `unspecified`.
  public private(set) var siting: ColorTags.ChromaSiting

  /// - Parameter siting: `unspecified` is settled as `ColorTags.ChromaSiting` says.
  public init(
    matrix: Matrix, range: ColorTags.Range, siting: ColorTags.ChromaSiting = .unspecified
  ) {
    self.matrix = matrix
    self.range = range
    self.siting =
      siting != .unspecified ? siting : matrix == .bt601 && range == .full ? .center : .left
  }

  /// What `tags` say about a picture of `size`; an unspecified matrix is that of `Matrix.assumed(at:)`.
  ///
  /// - Throws: `SafelightError` where the tags name the matrix of RGB samples.
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

  /// What `tags` say about grey samples, of which only the range counts: they have no matrix.
  public init(grey tags: ColorTags) { self.init(matrix: .bt709, range: tags.range) }

  /// Codes of black and the distance to white; of neutral colour differences, and the distance from -½ to ½.
  public var codes: (black: Double, lumaSpan: Double, neutral: Double, chromaSpan: Double) {
    range == .full ? (0, 255, 128, 255) : (16, 219, 128, 224)
  }

  /// (Y', Cb, Cr) as numbers, Y' 0…1 and C -½…½ → R'G'B'.
  public var toRGB: Matrix3x3 {
    let (kr, kb) = matrix.luma
    let kg = 1 - kr - kb
    return Matrix3x3(
      rows: SIMD3(1, 0, 2 * (1 - kr)), SIMD3(1, -2 * kb * (1 - kb) / kg, -2 * kr * (1 - kr) / kg),
      SIMD3(1, 2 * (1 - kb), 0))
  }

  /// R'G'B' → (Y', Cb, Cr) as numbers.
  public var fromRGB: Matrix3x3 {
    let (kr, kb) = matrix.luma
    let kg = 1 - kr - kb
    let (blue, red) = (1 / (2 * (1 - kb)), 1 / (2 * (1 - kr)))
    return Matrix3x3(
      rows: SIMD3(kr, kg, kb), SIMD3(-kr * blue, -kg * blue, (1 - kb) * blue),
      SIMD3((1 - kr) * red, -kg * red, -kb * red))
  }

  /// Codes (Y', Cb, Cr), 0…255 → R'G'B', unclipped.
  public func decode(_ code: SIMD3<Double>) -> SIMD3<Double> {
    let codes = codes
    return toRGB
      * SIMD3(
        (code.x - codes.black) / codes.lumaSpan, (code.y - codes.neutral) / codes.chromaSpan,
        (code.z - codes.neutral) / codes.chromaSpan)
  }

  /// R'G'B' → codes (Y', Cb, Cr), unclipped and not rounded.
  public func encode(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let codes = codes
    let value = fromRGB * rgb
    return SIMD3(
      codes.black + codes.lumaSpan * value.x, codes.neutral + codes.chromaSpan * value.y,
      codes.neutral + codes.chromaSpan * value.z)
  }

  /// The tags of samples in this encoding, of a picture whose primaries and transfer function are `tags`'.
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
  /// As in a plan: `BT.601 limited, chroma left`.
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
  /// The R'G'B' space that samples of SDR video are shown in: as `init(tags:)`, but the gammas of BT.470 are sRGB's too.
  ///
  /// They are what old tubes were taken to have, and video that is tagged so was made for the same displays as all else.
  ///
  /// - Throws: as `init(tags:)`.
  public init(videoTags tags: ColorTags) throws {
    var tags = tags
    if tags.transfer == .gamma22 || tags.transfer == .gamma28 { tags.transfer = .sRGB }
    try self.init(tags: tags)
  }
}
