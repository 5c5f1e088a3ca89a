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

  /// The cast of a picture by `ShadesOfGrey`.
  ///
  /// - Parameter tags: what the picture's samples mean.
  /// - Returns: nil where too little of the picture tells.
  /// - Throws: `SafelightError` where the tags hold an ICC profile that is damaged or not a matrix with curves.
  public init?(_ proxy: AnalysisProxy, tags: ColorTags) throws {
    guard let illuminant = try ShadesOfGrey.illuminant(of: proxy, tags: tags) else { return nil }
    self.init(illuminant: illuminant)
  }
}

/// A plain estimate of the light: that which makes the Minkowski means of the channels equal.
///
///     e = (mean of c^6)^(1/6)    for each channel c of linear light
///
/// Between the grey world (exponent 1) and the brightest patch (exponent ∞): bright things count more, as they are
/// more often neutral. Clipped pixels, whose colour is lost, and black ones are left out.
///
/// Source: G. Finlayson, E. Trezzi, Shades of Gray and Colour Constancy, Color Imaging Conference, 2004.
public enum ShadesOfGrey {
  private static let exponent = 6.0
  /// Encoded samples beyond these in any channel, or below in all, do not count.
  private static let clipped: Float = 254.5 / 255
  private static let black: Float = 10.0 / 255
  /// The least part of the pixels that must count.
  private static let leastPart = 0.01
  private static let entries = 1024

  /// The light as linear R, G, B on the primaries of sRGB, of any amount; nil where too few pixels tell.
  public static func illuminant(of proxy: AnalysisProxy, tags: ColorTags) throws -> SIMD3<Double>? {
    let space = try ColorSpace(tags: tags)
    let tables = space.transfer.map { function in
      (0..<entries).map { pow(max(function.decode(Double($0) / Double(entries - 1)), 0), exponent) }
    }
    let (colors, count) = (proxy.colors, proxy.colorCount)
    var sums = SIMD3<Double>()
    var used = 0
    for index in 0..<count {
      let color = SIMD3(colors[index], colors[count + index], colors[2 * count + index])
      guard color.max() < clipped, color.max() > black else { continue }
      let entry = color * Float(entries - 1) + 0.5
      sums += SIMD3(tables[0][Int(entry.x)], tables[1][Int(entry.y)], tables[2][Int(entry.z)])
      used += 1
    }
    guard used > 0, Double(used) >= leastPart * Double(count) else { return nil }
    let means = sums / Double(used)
    let light = SIMD3(pow(means.x, 1 / exponent), pow(means.y, 1 / exponent), pow(means.z, 1 / exponent))
    return space.matrix(to: .linearSRGB) * light
  }
}
