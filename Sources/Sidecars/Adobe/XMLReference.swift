/// Character and entity references (XML 1.0, 4.1 and 4.6).
enum XMLReference {
  /// Returns the character that a reference denotes, given the text between `&` and `;`; nil if XML does not
  /// define it.
  static func character(named name: String) -> Unicode.Scalar? {
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let isHexadecimal = digits.hasPrefix("x")
    let number = isHexadecimal ? digits.dropFirst() : digits
    guard number.allSatisfy(\.isHexDigit), let value = UInt32(number, radix: isHexadecimal ? 16 : 10),
      value >= 0x20 || [0x09, 0x0A, 0x0D].contains(value)
    else { return nil }
    return Unicode.Scalar(value)
  }
}
