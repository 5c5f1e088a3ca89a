import Libc

/// A function of one channel in a chain of colours, as files state it: exact, in double precision.
package enum ChannelCurve: Hashable, Sendable {
  case identity
  case range(RangeCurve)
  case exponent(ExponentCurve)
  case log(LogCurve)
  case decision(DecisionCurve)
  case points(CubicPoints)
  case halves(HalfTable)

  /// Returns the function's value; finite for finite `x`.
  package func evaluate(_ x: Double) -> Double {
    switch self {
    case .identity: x
    case .range(let curve): curve.evaluate(x)
    case .exponent(let curve): curve.evaluate(x)
    case .log(let curve): curve.evaluate(x)
    case .decision(let curve): curve.evaluate(x)
    case .points(let curve): curve.evaluate(x)
    case .halves(let table): table.evaluate(x)
    }
  }

  /// Numbers that are equal only if the function is.
  var numbers: [Double] {
    switch self {
    case .identity: [0]
    case .range(let curve): [1, curve.scale, curve.offset, curve.low, curve.high]
    case .exponent(let curve): [2, curve.exponent, curve.offset, Double(curve.style.number)]
    case .log(let curve): [3] + curve.numbers
    case .decision(let curve):
      [4, curve.slope, curve.offset, curve.power, curve.clamps ? 1 : 0, curve.isReverse ? 1 : 0]
    case .points(let curve): [5] + curve.x + curve.y
    case .halves(let table): [6] + table.values.map(Double.init)
    }
  }

  /// The largest value that a function takes or gives: powers and exponentials grow beyond all numbers.
  static let largest = 1e12

  static func limited(_ x: Double) -> Double { x.isNaN ? 0 : min(max(x, -largest), largest) }
}

/// scale · x + offset, clipped to `low`…`high`.
package struct RangeCurve: Hashable, Sendable {
  package var scale = 1.0
  package var offset = 0.0
  /// Infinite where nothing is clipped.
  package var low = -Double.infinity
  package var high = Double.infinity

  package func evaluate(_ x: Double) -> Double {
    min(max(scale * ChannelCurve.limited(x) + offset, low), high)
  }
}

/// The Exponent node of the Common LUT Format.
///
/// Source: SMPTE ST 2136-1:2024 (formerly the Academy's S-2014-006), Exponent.
package struct ExponentCurve: Hashable, Sendable {
  package enum Shape: Hashable, Sendable, CaseIterable {
    /// A power.
    case basic
    /// A power with a straight line near black, as in sRGB.
    case monitor
  }
  package enum Negative: Hashable, Sendable, CaseIterable {
    /// Below 0 a power is 0; a line goes on.
    case plain
    /// f(-x) = -f(x)
    case mirror
    /// Unchanged.
    case pass
  }
  package struct Style: Hashable, Sendable {
    package var shape: Shape
    package var negative: Negative
    package var isReverse: Bool
    var number: Int {
      (shape == .basic ? 0 : 1) + (negative == .plain ? 0 : negative == .mirror ? 2 : 4) + (isReverse ? 8 : 0)
    }
  }

  package var style: Style
  package var exponent: Double
  /// Of the monitor's curve, 0…0.9.
  package var offset = 0.0

  package func evaluate(_ x: Double) -> Double {
    let x = ChannelCurve.limited(x)
    guard x < 0 else { return ChannelCurve.limited(positive(x)) }
    switch style.negative {
    case .plain: return style.shape == .basic ? 0 : ChannelCurve.limited(positive(x))
    case .mirror: return -ChannelCurve.limited(positive(-x))
    case .pass: return x
    }
  }

  /// - Parameter x: below 0 only for the line of the monitor's curve.
  private func positive(_ x: Double) -> Double {
    guard style.shape == .monitor else { return pow(x, style.isReverse ? 1 / exponent : exponent) }
    guard exponent != 1 else { return x }
    // A line of this slope up to where the power begins.
    let end = offset / (exponent - 1)
    let power = pow(exponent * end / (1 + offset), exponent)
    let slope = end > 0 ? power / end : 0
    if style.isReverse {
      if x >= power { return (1 + offset) * pow(max(x, 0), 1 / exponent) - offset }
      return slope > 0 ? x / slope : 0
    }
    return x >= end ? pow((x + offset) / (1 + offset), exponent) : slope * x
  }
}

/// The ASC's slope, offset and power of one channel, or their inverse.
///
/// Source: ASC Color Decision List Transfer Functions and Interchange Syntax, release 1.2; the styles are those of SMPTE
/// ST 2136-1:2024, ASC_CDL.
package struct DecisionCurve: Hashable, Sendable {
  package var slope: Double
  package var offset: Double
  package var power: Double
  /// Whether values are clipped to 0…1; otherwise those below 0 pass the power unchanged.
  package var clamps: Bool
  package var isReverse: Bool

  package func evaluate(_ x: Double) -> Double {
    func clipped(_ x: Double) -> Double { clamps ? min(max(x, 0), 1) : ChannelCurve.limited(x) }
    func raised(_ x: Double, to power: Double) -> Double { x < 0 ? x : pow(x, power) }
    guard isReverse else { return clipped(raised(clipped(slope * x + offset), to: power)) }
    return clipped((raised(clipped(x), to: 1 / power) - offset) / slope)
  }
}
