/// The colour meaning of a picture's samples: code points of ITU-T H.273 (CICP), or an ICC profile.
///
/// If present, `iccProfile` takes precedence over the code points for RGB data.
public struct ColorTags: Sendable, Hashable {
  /// H.273 ColourPrimaries.
  public enum Primaries: UInt8, Sendable, Hashable, Codable {
    case bt709 = 1
    case unspecified = 2
    case bt601PAL = 5
    case bt601NTSC = 6
    case bt2020 = 9
    /// SMPTE EG 432-1, the primaries of Display P3 (white D65).
    case displayP3 = 12
  }

  /// H.273 TransferCharacteristics.
  public enum Transfer: UInt8, Sendable, Hashable, Codable {
    case bt709 = 1
    case unspecified = 2
    case gamma22 = 4
    case gamma28 = 5
    case bt601 = 6
    case linear = 8
    case sRGB = 13
    case bt2020TenBit = 14
    /// SMPTE ST 2084, for HDR video; PQ in BT.2100.
    case pq = 16
    /// ARIB STD-B67, for HDR video; HLG in BT.2100.
    case hlg = 18
  }

  /// H.273 MatrixCoefficients.
  public enum Matrix: UInt8, Sendable, Hashable, Codable {
    case identity = 0
    case bt709 = 1
    case unspecified = 2
    case bt601 = 6
    case bt2020NonConstant = 9
  }

  /// H.273 VideoFullRangeFlag.
  public enum Range: UInt8, Sendable, Hashable, Codable {
    case limited = 0
    case full = 1
  }

  /// The position of subsampled colour difference samples relative to luma.
  ///
  /// Source: H.273, ChromaLocType; JFIF 1.02 for `center`.
  public enum ChromaSiting: String, Sendable, Hashable, Codable {
    /// `center` for JPEG sources (BT.601 matrix, full range), else `left`: the default of V4L2 and MPEG-2.
    case unspecified
    /// At the left of each pair of columns, midway between each pair of rows (ChromaLocType 0).
    case left
    /// Midway between each pair of columns and rows, as in JPEG (ChromaLocType 1).
    case center
    /// At the left column and the upper row (ChromaLocType 2), as in BT.2020.
    case topLeft
  }

  public var primaries: Primaries
  public var transfer: Transfer
  public var matrix: Matrix
  public var range: Range
  public var chromaSiting: ChromaSiting
  public var iccProfile: ICCProfileData?
  /// For samples that are the light of a scene; nil for pictures that were made for a display.
  public var scene: SceneLight?

  public init(
    primaries: Primaries, transfer: Transfer, matrix: Matrix = .identity, range: Range = .full,
    chromaSiting: ChromaSiting = .unspecified, iccProfile: ICCProfileData? = nil,
    scene: SceneLight? = nil
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.range = range
    self.chromaSiting = chromaSiting
    self.iccProfile = iccProfile
    self.scene = scene
  }

  /// Whether samples may exceed SDR white, which is unsupported.
  public var isHighDynamicRange: Bool { transfer == .pq || transfer == .hlg }

  /// IEC 61966-2-1 sRGB as full-range RGB: the meaning of an untagged photo.
  public static let sRGB = ColorTags(primaries: .bt709, transfer: .sRGB)
  /// Display P3: P3 primaries, D65, the sRGB transfer function.
  public static let displayP3 = ColorTags(primaries: .displayP3, transfer: .sRGB)
  /// Linear light on Rec. 2020 primaries: the engine's working space.
  public static let linearRec2020 = ColorTags(primaries: .bt2020, transfer: .linear)

  /// Returns tags of a scene's light in the working space.
  public static func linearRec2020(_ scene: SceneLight) -> ColorTags {
    ColorTags(primaries: .bt2020, transfer: .linear, scene: scene)
  }

  /// Returns tags with the meaning of an ICC profile.
  public static func icc(_ bytes: [UInt8]) -> ColorTags {
    ColorTags(primaries: .unspecified, transfer: .unspecified, iccProfile: ICCProfileData(bytes))
  }
}

/// The bytes of an ICC profile, unparsed and immutable.
public struct ICCProfileData: Sendable, Hashable {
  public let bytes: [UInt8]
  public init(_ bytes: [UInt8]) { self.bytes = bytes }
}
