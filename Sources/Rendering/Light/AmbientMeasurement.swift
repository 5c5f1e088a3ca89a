import ColorScience
import FilterGraph
import Libc

/// Measures the light of haze on the proxy of a picture, and whether there is haze.
///
///     A     = mean colour of the nodes whose dark channel is among its brightest 0.5 %
///     lit   = S(0.01, 0.02, brightest channel of A)
///     found = lit · S(0.02, 0.10, q₇₀ / A) · S(0.05, 0.15, (q₉₅ - q₅) / A)
///
/// q are percentiles of the dark channel, the least channel of a patch around each node, and A beside them its darkest
/// channel. In pictures without haze the dark channel is near black for two thirds of the picture; where it is as bright as A
/// everywhere there is nothing to tell haze from. All are smooth, so that live frames do not flicker.
///
/// Source: He, Sun, Tang, "Single image haze removal using dark channel prior", IEEE TPAMI 2011, sections 3 and 4.3; the
/// measure of haze and its numbers are ours.
enum AmbientMeasurement {
  /// Levels are counted by their square root, up to four times white.
  static let levels = 2048
  private static let mostLight: Float = 4

  private static func level(_ light: Float) -> Int {
    Int((light / mostLight).squareRoot() * Float(levels - 1))
  }

  private static func light(_ level: Int) -> Double {
    let root = (Double(level) + 0.5) / Double(levels - 1)
    return Double(mostLight) * root * root
  }

  /// - Parameters:
  ///   - dark: the dark channel of each node.
  ///   - bins: room for `levels` counts.
  static func ambient(
    of colors: ChannelColors, dark: UnsafePointer<Float>, count: Int, bins: UnsafeMutablePointer<Int32>
  ) -> AmbientLight {
    bins.update(repeating: 0, count: levels)
    for node in 0..<count { bins[level(min(max(dark[node], 0), mostLight))] += 1 }
    /// The level below which a part of all nodes are.
    func percentile(_ part: Double) -> Int {
      var rest = part * Double(count)
      for level in 0..<levels {
        rest -= Double(bins[level])
        if rest < 0 { return level }
      }
      return levels - 1
    }
    let brightest = percentile(0.995)
    var (sum, nodes) = (SIMD3<Double>.zero, 0.0)
    for node in 0..<count where level(min(max(dark[node], 0), mostLight)) >= brightest {
      let color = SIMD3<Double>(colors[node]).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 1e4))
      sum += color
      nodes += 1
    }
    guard nodes > 0 else { return .none }
    let color = sum / nodes
    let lit = ToneCurve.smoothStep(AmbientLight.least, 2 * AmbientLight.least, color.max())
    guard lit > 0 else { return AmbientLight(color: color, found: 0, lit: 0) }
    let darkest = max(color.min(), AmbientLight.least / 4)
    let typical = light(percentile(0.7)) / darkest
    let spread = (light(percentile(0.95)) - light(percentile(0.05))) / darkest
    let found = lit * ToneCurve.smoothStep(0.02, 0.1, typical) * ToneCurve.smoothStep(0.05, 0.15, spread)
    return AmbientLight(color: color, found: found, lit: lit)
  }
}
