import FilterGraph
import Libc

/// One of eight parts of the hue circle, by the name of the colour at its middle.
///
/// The middles are hues of OKLCH in degrees: those of sRGB's red, yellow, green, cyan and blue, of orange (#ff8000), and two
/// that divide the way from blue to red, which is why magenta is redder than sRGB's. Between two of them both bands count: 1 - w and w, with
/// w = (1 - cos πt) / 2 at the part t of the way. So a hue's weights add up to 1, and no border shows.
public enum HueBand: String, CaseIterable, Sendable {
  case red, orange, yellow, green, aqua, blue, purple, magenta

  /// The hue in the middle, in degrees.
  public var middle: Double {
    switch self {
    case .red: 29
    case .orange: 53
    case .yellow: 110
    case .green: 142
    case .aqua: 195
    case .blue: 264
    case .purple: 301
    case .magenta: 344
    }
  }

  /// Returns the two bands around a hue in degrees, and the weight of the second.
  package static func around(_ hue: Double) -> (first: Int, second: Int, weight: Double) {
    let middles = allCases.map(\.middle)
    let second = middles.firstIndex { hue < $0 } ?? 0
    let first = (second + middles.count - 1) % middles.count
    let t = turn(from: middles[first], to: hue) / turn(from: middles[first], to: middles[second])
    return (first, second, (1 - cos(.pi * t)) / 2)
  }

  /// Returns the mean of values of all bands at a hue in degrees, by its weights.
  package static func mean(_ values: [Double], at hue: Double) -> Double {
    let (first, second, weight) = around(hue)
    return (1 - weight) * values[first] + weight * values[second]
  }

  /// Returns the angle to a hue, upwards: 0 ≤ angle < 360.
  package static func turn(from hue: Double, to next: Double) -> Double {
    let angle = (next - hue).truncatingRemainder(dividingBy: 360)
    return angle < 0 ? angle + 360 : angle
  }
}
