import Libc

/// The Log node of the Common LUT Format.
///
///     to log     logSlope · log_base(linSlope · x + linOffset) + logOffset
///     camera     below the break, linearSlope · x + linearOffset
///
/// Source: SMPTE ST 2136-1:2024 (formerly the Academy's S-2014-006), Log.
package struct LogCurve: Hashable, Sendable {
  package var base = 2.0
  package var logSlope = 1.0
  package var logOffset = 0.0
  package var linSlope = 1.0
  package var linOffset = 0.0
  /// The linear value below which the curve is a line; nil where it has no line.
  package var linBreak: Double?
  /// The slope of the line; nil goes on with that of the logarithm at the break.
  package var lineSlope: Double?
  /// Whether it leads from logarithms to light.
  package var isReverse = false

  /// The least number of which a logarithm is taken: the smallest normal one in single precision.
  private static let least = 0x1p-126

  var numbers: [Double] {
    [
      base, logSlope, logOffset, linSlope, linOffset, linBreak ?? .infinity, lineSlope ?? .infinity,
      isReverse ? 1 : 0,
    ]
  }

  private func logarithm(_ x: Double) -> Double {
    logSlope * (Libc.log(max(linSlope * x + linOffset, Self.least)) / Libc.log(base)) + logOffset
  }

  /// The line below the break, and the value where it ends.
  private var line: (slope: Double, offset: Double, end: Double)? {
    guard let linBreak else { return nil }
    let end = logarithm(linBreak)
    let slope =
      lineSlope ?? logSlope * linSlope / ((linSlope * linBreak + linOffset) * Libc.log(base))
    return (slope, end - slope * linBreak, end)
  }

  package func evaluate(_ x: Double) -> Double {
    let x = ChannelCurve.limited(x)
    let line = line
    if isReverse {
      if let line, x <= line.end { return ChannelCurve.limited((x - line.offset) / line.slope) }
      return ChannelCurve.limited((pow(base, (x - logOffset) / logSlope) - linOffset) / linSlope)
    }
    if let line, let linBreak, x <= linBreak { return ChannelCurve.limited(line.slope * x + line.offset) }
    return ChannelCurve.limited(logarithm(x))
  }
}
