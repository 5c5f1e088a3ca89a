/// The pattern added before reducing bit depth, so that gradients do not band.
///
///     threshold(x, y) = frac(52.9829189 · frac(0.06711056·x + 0.00583715·y)) - 0.5
///
/// In units of the last place, by output coordinates, so that previews and exports agree. Source: Jimenez, "Next
/// generation post processing in Call of Duty: Advanced Warfare", SIGGRAPH 2014 (interleaved gradient noise).
enum Dither {
  static func threshold(x: Int, y: Int) -> Float {
    func fraction(_ v: Double) -> Double { v - v.rounded(.down) }
    return Float(fraction(52.982_918_9 * fraction(0.067_110_56 * Double(x) + 0.005_837_15 * Double(y))) - 0.5)
  }
}
