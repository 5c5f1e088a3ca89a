import Libc

/// Maps values to positions along an axis with ticks at round values.
struct ProfilePlotScale {
  /// The values at the beginning and end of the axis; finite and distinct.
  let low: Double
  let high: Double
  /// Their positions in the plot.
  let start: Double
  let end: Double
  let isLogarithmic: Bool
  /// The ticks: multiples of 1, 2 or 5 times a power of ten, or such values themselves if the axis is logarithmic;
  /// ascending.
  let ticks: [Double]
  private let decimals: Int

  /// - Parameters:
  ///   - rounded: whether the ends are moved outwards to a tick.
  ///   - mostTicks: the approximate number of ticks that fit.
  init(
    linear low: Double, _ high: Double, at start: Double, _ end: Double, mostTicks: Int, rounded: Bool = true
  ) {
    var low = Self.usable(low)
    var high = Self.usable(high)
    if high < low { swap(&low, &high) }
    // Too close for the labels to differ.
    if high - low <= max(abs(low), abs(high)) * 1e-9 {
      high = low == 0 ? 1 : low + abs(low) * 0.1
    }
    let step = Self.step(over: high - low, atMost: mostTicks)
    if rounded {
      low = (low / step + 1e-9).rounded(.down) * step
      high = (high / step - 1e-9).rounded(.up) * step
    }
    var ticks: [Double] = []
    var index = (low / step - 1e-9).rounded(.up)
    while index * step <= high + step * 1e-9, ticks.count < 100 {
      ticks.append(index * step)
      index += 1
    }
    self.init(
      low: low, high: high, start: start, end: end, isLogarithmic: false, ticks: ticks,
      decimals: Self.decimals(of: step))
  }

  /// Creates a scale for counts: without ticks between integers.
  init(
    counted low: Double, _ high: Double, at start: Double, _ end: Double, mostTicks: Int,
    rounded: Bool = false
  ) {
    let span = max(1, (Self.usable(high) - Self.usable(low)).rounded(.up))
    self.init(
      linear: low, max(high, low + 1), at: start, end, mostTicks: Int(min(Double(mostTicks), span)),
      rounded: rounded)
  }

  /// - Parameter low: the first value, above 0.
  init(logarithmic low: Double, _ high: Double, at start: Double, _ end: Double, mostTicks: Int) {
    let low = max(Self.usable(low), 1e-9)
    let high = max(Self.usable(high), low * 1.1)
    var ticks: [Double] = []
    for decade in Int(log10(low).rounded(.down))...Int(log10(high).rounded(.up)) {
      for factor in [1.0, 2, 5] { ticks.append(factor * pow(10, Double(decade))) }
    }
    ticks = ticks.filter { (low * 0.999...high * 1.001).contains($0) }
    if ticks.count > mostTicks {
      // Only the powers of ten among them, and only as many as there is room for.
      let powers = ticks.filter { abs(log10($0) - log10($0).rounded()) < 1e-6 }
      let stride = max(1, (powers.count + mostTicks - 1) / mostTicks)
      ticks = powers.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
    }
    self.init(low: low, high: high, start: start, end: end, isLogarithmic: true, ticks: ticks, decimals: 0)
  }

  private init(
    low: Double, high: Double, start: Double, end: Double, isLogarithmic: Bool, ticks: [Double], decimals: Int
  ) {
    self.low = low
    self.high = high
    self.start = start
    self.end = end
    self.isLogarithmic = isLogarithmic
    self.ticks = ticks
    self.decimals = decimals
  }

  /// Returns the position of a value, clamped to the axis.
  func callAsFunction(_ value: Double) -> Double {
    let value = min(max(Self.usable(value), low), high)
    let part = isLogarithmic ? log(value / low) / log(high / low) : (value - low) / (high - low)
    return start + (end - start) * part
  }

  /// The width of the labels of a vertical axis at its left.
  var margin: Double { 10 + (ticks.map { ProfilePlotText.width(label($0)) }.max() ?? 0) }

  func label(_ tick: Double) -> String {
    isLogarithmic ? ProfilePlotText.number(tick, digits: 1) : ProfilePlotText.fixed(tick, decimals)
  }

  /// Returns the smallest of 1, 2 and 5 times powers of ten that divides `span` into no more than `count` parts.
  static func step(over span: Double, atMost count: Int) -> Double {
    let raw = span / Double(max(1, count))
    let power = pow(10, log10(raw).rounded(.down))
    return ([1.0, 2, 5, 10].first { $0 * power >= raw * (1 - 1e-9) } ?? 10) * power
  }

  private static func decimals(of step: Double) -> Int {
    min(9, max(0, Int((-log10(step) - 1e-9).rounded(.up))))
  }

  /// Limits a value to a range that no measurement exceeds, so that a plot of any value is valid.
  private static func usable(_ value: Double) -> Double { value.isFinite ? min(max(value, -1e12), 1e12) : 0 }
}
