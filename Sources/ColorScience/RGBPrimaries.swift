/// The chromaticities of an additive RGB system: its three primaries and the white of R = G = B.
public struct RGBPrimaries: Hashable, Sendable {
  public var red: Chromaticity
  public var green: Chromaticity
  public var blue: Chromaticity
  public var white: Chromaticity

  public init(red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
    self.red = red
    self.green = green
    self.blue = blue
    self.white = white
  }

  /// The normalized primary matrix from linear RGB to XYZ, with Y = 1 for R = G = B = 1.
  ///
  /// Not finite if the primaries are collinear. Source: SMPTE RP 177:1993, section 3.3.
  public var normalizedPrimaryMatrix: Matrix3x3 {
    let unscaled = Matrix3x3(columns: red.XYZ, green.XYZ, blue.XYZ)
    return unscaled * .diagonal(unscaled.inverse * white.XYZ)
  }

  /// ITU-R BT.709-6 and IEC 61966-2-1 (sRGB).
  public static let bt709 = d65(red: (0.640, 0.330), green: (0.300, 0.600), blue: (0.150, 0.060))
  /// ITU-R BT.601-7, 625 lines (EBU 3213).
  public static let bt601PAL = d65(red: (0.640, 0.330), green: (0.290, 0.600), blue: (0.150, 0.060))
  /// ITU-R BT.601-7, 525 lines (SMPTE ST 170).
  public static let bt601NTSC = d65(red: (0.630, 0.340), green: (0.310, 0.595), blue: (0.155, 0.070))
  /// SMPTE EG 432-1: the primaries of DCI-P3 around D65.
  public static let displayP3 = d65(red: (0.680, 0.320), green: (0.265, 0.690), blue: (0.150, 0.060))
  /// Adobe RGB (1998) Color Image Encoding, version 2005-05.
  public static let adobeRGB = d65(red: (0.640, 0.330), green: (0.210, 0.710), blue: (0.150, 0.060))
  /// ITU-R BT.2020-2.
  public static let bt2020 = d65(red: (0.708, 0.292), green: (0.170, 0.797), blue: (0.131, 0.046))
  /// ISO 22028-2:2013 (ROMM RGB), whose white is D50.
  public static let romm = RGBPrimaries(
    red: Chromaticity(x: 0.7347, y: 0.2653), green: Chromaticity(x: 0.1596, y: 0.8404),
    blue: Chromaticity(x: 0.0366, y: 0.0001), white: .d50)

  private static func d65(
    red: (Double, Double), green: (Double, Double), blue: (Double, Double)
  ) -> RGBPrimaries {
    RGBPrimaries(
      red: Chromaticity(x: red.0, y: red.1), green: Chromaticity(x: green.0, y: green.1),
      blue: Chromaticity(x: blue.0, y: blue.1), white: .d65)
  }
}
