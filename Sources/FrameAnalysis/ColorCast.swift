/// The light as it is still to be seen in a picture after the camera's white balance: what automatic white balance
/// corrects, in full or in part.
///
/// Both numbers are those that `WhiteBalance` counts, so that its temperature `kelvin` and its tint `3000 · duv` take the
/// whole cast away. A picture without a cast has 6500 K and a Duv of 0; a lower temperature is a warm cast, a positive Duv
/// a greenish one, a negative Duv a pinkish one.
public struct ColorCast: Sendable, Hashable, Codable {
  /// Temperature of the light, K.
  public var kelvin: Double
  /// Distance in CIE 1960 u, v, perpendicular to the Planckian locus, from the light that has `kelvin` on the locus of
  /// `ColorTemperature.whitePoint`: daylight above 5000 K, a black body below 4000 K, a blend between. That is not the
  /// distance from the Planckian locus, which daylight itself lies about 0.003 above.
  public var duv: Double

  public init(_ light: IlluminantEstimate) {
    kelvin = 1e6 / (1e6 / 6500 + light.mired)
    duv = light.tint / 3000
  }
}
