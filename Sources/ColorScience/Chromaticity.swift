/// A chromaticity in CIE 1931 x, y (2° observer).
public struct Chromaticity: Hashable, Sendable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The white of sRGB, Display P3, Adobe RGB and Rec. 2020, as rounded by IEC 61966-2-1 and ITU-R BT.2020.
  public static let d65 = Chromaticity(x: 0.3127, y: 0.3290)
  /// CIE D50, rounded as in CIE 15.
  public static let d50 = Chromaticity(x: 0.34567, y: 0.35850)

  /// Creates the chromaticity of tristimulus values; NaN if X + Y + Z is zero.
  public init(XYZ: SIMD3<Double>) {
    let sum = XYZ.x + XYZ.y + XYZ.z
    self.init(x: XYZ.x / sum, y: XYZ.y / sum)
  }

  // Tristimulus values are conventionally capitalized.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Tristimulus values with Y = 1; not finite if y is zero.
  public var XYZ: SIMD3<Double> { SIMD3(x / y, 1, (1 - x - y) / y) }

  /// Creates the chromaticity at CIE 1960 UCS coordinates (u, v).
  ///
  ///     x = 3u / (2u − 8v + 4)    y = 2v / (2u − 8v + 4)
  public init(uv: SIMD2<Double>) {
    let scale = 2 * uv.x - 8 * uv.y + 4
    self.init(x: 3 * uv.x / scale, y: 2 * uv.y / scale)
  }

  /// CIE 1960 UCS coordinates (u, v), in which correlated colour temperature and Duv are defined.
  ///
  ///     u = 4x / (12y − 2x + 3)    v = 6y / (12y − 2x + 3)
  public var uv: SIMD2<Double> {
    let scale = 12 * y - 2 * x + 3
    return SIMD2(4 * x / scale, 6 * y / scale)
  }
}
