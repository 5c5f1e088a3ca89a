import ColorScience
import FrameCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The colour of what ought to be neutral in a picture: the light as it is still to be seen after the camera's white
/// balance.
///
/// A picture without a cast has the white of its colour space: 6500 K and a Duv of 0. A lower temperature is a warm
/// cast, a positive Duv a greenish one, a negative Duv a pinkish one.
public struct ColorCast: Sendable, Hashable, Codable {
  /// Correlated colour temperature, K.
  public var kelvin: Double
  /// Signed distance from the Planckian locus in CIE 1960 u, v, less that of D65 (0.0032), which is the white of
  /// pictures.
  public var duv: Double

  /// Beyond this distance from the Planckian locus a correlated colour temperature says nothing.
  ///
  /// Source: CIE 15, on correlated colour temperature.
  public static let largestDuv = 0.05

  /// The cast that makes a neutral object look like `illuminant`.
  ///
  /// - Parameter illuminant: linear light on the primaries of sRGB, of any amount.
  /// - Returns: nil where that colour is no light's: not positive, too far from the Planckian locus, or beyond the
  ///   temperatures of candles and blue skies (`ColorTemperature.whitePointRange`).
  public init?(illuminant: SIMD3<Double>) {
    let color = ColorSpace.linearSRGB.toXYZ * illuminant
    guard color.y > 0, color.y.isFinite else { return nil }
    let temperature = ColorTemperature(Chromaticity(XYZ: color))
    guard abs(temperature.duv) <= Self.largestDuv,
      ColorTemperature.whitePointRange.contains(temperature.kelvin)
    else { return nil }
    kelvin = temperature.kelvin
    duv = temperature.duv - ColorTemperature(.d65).duv
  }

  /// The cast that a light leaves: what automatic white balance corrects, in full or in part.
  public init(_ light: IlluminantEstimate) {
    kelvin = 1e6 / (1e6 / 6500 + light.mired)
    duv = light.tint / 3000
  }
}
