import FrameCore

/// An RGB colour space: its primaries and the relation of its samples to light.
public struct ColorSpace: Hashable, Sendable {
  /// The display name, also the description in the ICC profile.
  public let name: String
  public let primaries: RGBPrimaries
  /// The transfer functions of red, green and blue.
  public let transfer: [TransferFunction]
  /// From linear RGB to XYZ relative to this space's own white, Y = 1 for R = G = B = 1.
  public let toXYZ: Matrix3x3

  /// - Precondition: `transfer` has one element, for all channels, or three.
  public init(name: String, primaries: RGBPrimaries, transfer: [TransferFunction]) {
    precondition(transfer.count == 1 || transfer.count == 3, "\(transfer.count) transfer functions for RGB")
    self.name = name
    self.primaries = primaries
    self.transfer = transfer.count == 3 ? transfer : Array(repeating: transfer[0], count: 3)
    toXYZ = primaries.normalizedPrimaryMatrix
  }

  public init(name: String, primaries: RGBPrimaries, transfer: TransferFunction) {
    self.init(name: name, primaries: primaries, transfer: [transfer])
  }

  /// Returns the matrix from linear RGB of this space to that of `other`, with Bradford adaptation if the whites
  /// differ.
  ///
  /// Exactly the identity if the primaries are equal.
  public func matrix(to other: ColorSpace) -> Matrix3x3 {
    if primaries == other.primaries { return .identity }
    let adaptation = ChromaticAdaptation.bradford.matrix(from: primaries.white, to: other.primaries.white)
    return other.toXYZ.inverse * adaptation * toXYZ
  }

  /// Converts encoded samples to linear light, channel by channel.
  public func decode(_ encoded: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      transfer[0].decode(encoded.x), transfer[1].decode(encoded.y), transfer[2].decode(encoded.z))
  }

  /// Converts linear light to encoded samples, channel by channel.
  public func encode(_ linear: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(transfer[0].encode(linear.x), transfer[1].encode(linear.y), transfer[2].encode(linear.z))
  }

  /// IEC 61966-2-1.
  public static let sRGB = ColorSpace(name: "sRGB", primaries: .bt709, transfer: .sRGB)
  /// P3 primaries, D65, the sRGB transfer function.
  public static let displayP3 = ColorSpace(name: "Display P3", primaries: .displayP3, transfer: .sRGB)
  /// Adobe RGB (1998) Color Image Encoding: gamma 2 + 51/256.
  public static let adobeRGB = ColorSpace(
    name: "Adobe RGB (1998)", primaries: .adobeRGB, transfer: .gamma(563.0 / 256))
  /// ITU-R BT.2020-2 with its OETF: scene-referred, as in ICC profiles of that name.
  public static let rec2020 = ColorSpace(name: "Rec. 2020", primaries: .bt2020, transfer: .bt709)
  /// ROMM RGB with the plain exponent, 1 + 205/256, of the profiles called ProPhoto RGB.
  public static let proPhoto = ColorSpace(
    name: "ProPhoto RGB", primaries: .romm, transfer: .gamma(461.0 / 256))
  /// Display-referred SDR video of BT.709: the same as sRGB.
  public static let rec709Video = sRGB
  /// Display-referred SDR video of BT.2020: its primaries with the sRGB transfer function.
  public static let rec2020Video = ColorSpace(
    name: "Rec. 2020 video", primaries: .bt2020, transfer: .sRGB)
  /// Linear light on sRGB primaries.
  public static let linearSRGB = ColorSpace(name: "Linear sRGB", primaries: .bt709, transfer: .linear)
  /// Linear light on Rec. 2020 primaries: the engine's working space.
  public static let linearRec2020 = ColorSpace(
    name: "Linear Rec. 2020", primaries: .bt2020, transfer: .linear)

  /// The spaces that profiles and tags are matched against.
  static let named = [
    sRGB, displayP3, adobeRGB, rec2020, rec2020Video, proPhoto, linearSRGB, linearRec2020,
  ]
}
