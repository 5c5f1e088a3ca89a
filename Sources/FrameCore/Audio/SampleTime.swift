/// Converts between nanoseconds and samples or ticks, to the nearest.
package enum SampleTime {
  private static let second: Int64 = 1_000_000_000

  /// Returns the samples, or ticks, in a time; without overflow for a hundred years at 192 kHz.
  package static func samples(_ nanoseconds: Int64, rate: Int) -> Int64 {
    let (whole, rest) = split(nanoseconds, by: second)
    return whole * Int64(rate) + (rest * Int64(rate) + second / 2) / second
  }

  package static func nanoseconds(_ samples: Int64, rate: Int) -> Int64 {
    let (whole, rest) = split(samples, by: Int64(rate))
    return whole * second + (rest * second + Int64(rate) / 2) / Int64(rate)
  }

  /// Divides so that the remainder is not negative.
  private static func split(_ value: Int64, by unit: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: unit)
    return remainder < 0 ? (quotient - 1, remainder + unit) : (quotient, remainder)
  }
}
