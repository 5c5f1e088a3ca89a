/// Parses decimal numbers from ASCII bytes, correctly rounded and locale-independent.
enum DecimalScanner {
  /// Parses `[+-] digits [. digits] [(e|E) [+-] digits]` at `position`, with a digit before or after the point.
  ///
  /// Returns the nearest float, infinite if the number is too large, and moves `position` past it. Returns nil and
  /// leaves `position` unchanged if there is no number.
  ///
  /// Up to 2⁵³ · 10^±22 one operation in double gives the correctly rounded double (Clinger 1990, “How to read
  /// floating point numbers accurately”); everything else goes to the standard library.
  static func scan(_ text: UnsafeRawBufferPointer, at position: inout Int) -> Float? {
    let start = position
    var index = start
    let negative = index < text.count && text[index] == ASCII.minus
    if negative || (index < text.count && text[index] == ASCII.plus) { index += 1 }

    var significand: UInt64 = 0
    var exponent = 0
    var fits = true
    var hasDigits = false
    func take(_ digit: UInt8, scale: Int) {
      hasDigits = true
      if significand < UInt64.max / 10 - 1 {
        significand = significand * 10 + UInt64(digit)
        exponent += scale
      } else {
        fits = false
      }
    }
    while index < text.count, let digit = ASCII.digit(text[index]) {
      take(digit, scale: 0)
      index += 1
    }
    if index < text.count, text[index] == ASCII.point {
      index += 1
      while index < text.count, let digit = ASCII.digit(text[index]) {
        take(digit, scale: -1)
        index += 1
      }
    }
    guard hasDigits else { return nil }
    if index < text.count, text[index] == ASCII.lowerE || text[index] == ASCII.upperE {
      guard let (power, end) = scanExponent(text, from: index + 1) else { return nil }
      exponent += power
      index = end
    }
    position = index

    if fits, significand <= 1 << 53, abs(exponent) <= 22 {
      let power = powersOfTen[abs(exponent)]
      let magnitude = exponent < 0 ? Double(significand) / power : Double(significand) * power
      // Double rounding is wrong only if the double lies halfway between two floats.
      let isHalfway = magnitude.bitPattern & 0x1FFF_FFFF == 0x1000_0000
      if !isHalfway, magnitude >= Double(Float.leastNormalMagnitude) || significand == 0 {
        return Float(negative ? -magnitude : magnitude)
      }
    }
    return Float(String(decoding: UnsafeRawBufferPointer(rebasing: text[start..<index]), as: UTF8.self))
  }

  /// Returns the exponent after `e`, limited to ±100,000, and the position after it.
  private static func scanExponent(_ text: UnsafeRawBufferPointer, from start: Int) -> (Int, end: Int)? {
    var index = start
    let negative = index < text.count && text[index] == ASCII.minus
    if negative || (index < text.count && text[index] == ASCII.plus) { index += 1 }
    let firstDigit = index
    var value = 0
    while index < text.count, let digit = ASCII.digit(text[index]) {
      value = min(value * 10 + Int(digit), 100_000)
      index += 1
    }
    return index > firstDigit ? (negative ? -value : value, index) : nil
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}

/// The ASCII bytes used in LUT files.
enum ASCII {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let hash: UInt8 = 0x23
  static let plus: UInt8 = 0x2B
  static let minus: UInt8 = 0x2D
  static let point: UInt8 = 0x2E
  static let upperE: UInt8 = 0x45
  static let lowerE: UInt8 = 0x65

  /// Returns the value of a decimal digit; nil for other bytes.
  @inline(__always)
  static func digit(_ byte: UInt8) -> UInt8? {
    let value = byte &- 0x30
    return value < 10 ? value : nil
  }

  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

  @inline(__always)
  static func isLineEnd(_ byte: UInt8) -> Bool { byte == lineFeed || byte == carriageReturn }
}
