/// Numbers as people write them: `12`, not `12.0`.
package enum PlainNumber {
  package static func text(_ number: Double) -> String {
    // Beyond this, Swift writes whole numbers with an exponent.
    if abs(number) < 0x1p54, number == number.rounded() { return "\(Int(number))" }
    return "\(number)"
  }

  /// Fixed decimals, for columns: `0.31`.
  package static func fixed(_ number: Double, _ decimals: Int) -> String {
    guard number.isFinite else { return "\(number)" }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (abs(number) * scale).rounded()
    guard scaled < 1e15 else { return "\(number)" }
    let digits = Int(scaled)
    let whole = "\(digits / Int(scale))"
    let sign = number < 0 && digits > 0 ? "-" : ""
    guard decimals > 0 else { return sign + whole }
    let fraction = "\(digits % Int(scale))"
    return sign + whole + "." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }

  /// Returns the number rounded to decimals, so that reports show no more digits than mean something.
  package static func rounded(_ number: Double, _ decimals: Int = 3) -> Double {
    Double(fixed(number, decimals)) ?? number
  }
}
