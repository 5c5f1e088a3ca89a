import Libc

/// Björn Ottosson's perceptual colour space (2020): L in 0…1 for colours no lighter than white, a and b near ±0.4.
///
/// The matrices are Ottosson's, recomputed in double precision for the white x = 0.3127, y = 0.3290, so that white
/// is L = 1, a = b = 0 and greys have no chroma. Source: W3C CSS Color Module Level 4, section “Sample code for
/// color conversions”.
public enum OKLab {
  /// From XYZ (D65, Y = 1 for white) to linear cone responses.
  package static let lmsFromXYZ = Matrix3x3(
    rows: SIMD3(0.8190224379967030, 0.3619062600528904, -0.1288737815209879),
    SIMD3(0.0329836539323885, 0.9292868615863434, 0.0361446663506424),
    SIMD3(0.0481771893596242, 0.2642395317527308, 0.6335478284694309))

  /// From cube roots of the cone responses to L, a, b.
  package static let labFromLMS = Matrix3x3(
    rows: SIMD3(0.2104542683093140, 0.7936177747023054, -0.0040720430116193),
    SIMD3(1.9779985324311684, -2.4285922420485799, 0.4505937096174110),
    SIMD3(0.0259040424655478, 0.7827717124575296, -0.8086757549230774))

  /// The inverse of `lmsFromXYZ`.
  package static let xyzFromLMS = lmsFromXYZ.inverse
  /// The inverse of `labFromLMS`.
  package static let lmsFromLab = labFromLMS.inverse

  /// Converts XYZ (D65, Y = 1 for white) to L, a, b. Negative cone responses keep their sign.
  public static func fromXYZ(_ xyz: SIMD3<Double>) -> SIMD3<Double> {
    let lms = lmsFromXYZ * xyz
    return labFromLMS * SIMD3(cbrt(lms.x), cbrt(lms.y), cbrt(lms.z))
  }

  /// Converts L, a, b to XYZ (D65, Y = 1 for white).
  public static func toXYZ(_ lab: SIMD3<Double>) -> SIMD3<Double> {
    let roots = lmsFromLab * lab
    return xyzFromLMS * (roots * roots * roots)
  }

  /// Converts L, a, b to L, chroma ≥ 0, hue in degrees, 0 ≤ hue < 360. The hue of a grey is 0.
  public static func lch(fromLab lab: SIMD3<Double>) -> SIMD3<Double> {
    let degrees = atan2(lab.z, lab.y) * (180 / Double.pi)
    // A tiny negative angle plus 360 rounds to 360 itself.
    let hue = degrees < 0 ? degrees + 360 : degrees
    return SIMD3(lab.x, hypot(lab.y, lab.z), hue < 360 ? hue : 0)
  }

  /// Converts L, chroma, hue in degrees to L, a, b.
  public static func lab(fromLCH lch: SIMD3<Double>) -> SIMD3<Double> {
    let radians = lch.z * (Double.pi / 180)
    return SIMD3(lch.x, lch.y * cos(radians), lch.y * sin(radians))
  }
}
