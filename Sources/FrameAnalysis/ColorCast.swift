/// The colour of the light that remains in a picture after the camera's white balance; automatic white balance
/// corrects it in full or in part.
///
/// Both numbers use the scales of `WhiteBalance`: a white balance with the temperature `kelvin` and the tint `3000
/// · duv` removes the whole cast. A picture without a cast has 6500 K and a Duv of 0; a lower temperature is a
/// warm cast, a positive Duv a greenish one, a negative Duv a pinkish one.
public struct ColorCast: Sendable, Hashable, Codable {
  /// The temperature of the light, in K.
  public var kelvin: Double
  /// The distance in CIE 1960 u, v, perpendicular to the Planckian locus, from the light of temperature `kelvin`
  /// on the locus of `ColorTemperature.whitePoint`: daylight above 5000 K, a black body below 4000 K, a blend
  /// between. Not the distance from the Planckian locus itself, which daylight lies about 0.003 above.
  public var duv: Double

  package init(_ light: IlluminantEstimate) {
    kelvin = 1e6 / (1e6 / 6500 + light.mired)
    duv = light.tint / 3000
  }
}
