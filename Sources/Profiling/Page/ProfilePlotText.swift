import FilterGraph
import FrameCore

/// Numbers and names as a page shows them.
enum ProfilePlotText {
  /// Returns `digits` significant digits, without an exponent in the usual range: `0.0123`, `4.56`, `1,230`.
  static func number(_ value: Double, digits: Int = 3) -> String {
    guard value.isFinite else { return "–" }
    guard value != 0 else { return "0" }
    var decimals = digits - 1
    var size = abs(value)
    // A number that rounds up to the next power of ten has one more digit.
    var half = 5.0
    for _ in 0..<digits { half /= 10 }
    while size >= 10 - half, decimals > 0 { (size, decimals) = (size / 10, decimals - 1) }
    while size < 1 - half / 10, decimals < 6 { (size, decimals) = (size * 10, decimals + 1) }
    return fixed(value, decimals)
  }

  /// Returns fixed decimals, with thousands separators.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite else { return "–" }
    let text = PlainNumber.fixed(abs(value), decimals)
    let parts = text.split(separator: ".", maxSplits: 1)
    guard let whole = parts.first, whole.allSatisfy(\.isNumber) else { return text }
    var grouped = ""
    for (place, digit) in whole.enumerated() {
      if place > 0, (whole.count - place) % 3 == 0 { grouped += "," }
      grouped.append(digit)
    }
    if parts.count > 1 { grouped += "." + parts[1] }
    let isZero = !text.contains { "123456789".contains($0) }
    return value < 0 && !isZero ? "−" + grouped : grouped
  }

  /// Returns a column of numbers, all with the decimals that the largest needs for three digits.
  static func column(_ values: [Double]) -> [String] {
    var largest = values.filter(\.isFinite).map(abs).max() ?? 0
    var decimals = 2
    while largest >= 9.995, decimals > 0 { (largest, decimals) = (largest / 10, decimals - 1) }
    while largest > 0, largest < 0.9995, decimals < 6 { (largest, decimals) = (largest * 10, decimals + 1) }
    let zero = fixed(0, decimals)
    return values.map { value in
      let text = fixed(value, decimals)
      guard text == zero, value != 0 else { return text }
      // Not zero, but too small for these decimals.
      return (value < 0 ? "> −" : "< ") + zero.dropLast() + "1"
    }
  }

  /// Returns a rate without insignificant decimals: `30`, `29.97`.
  static func rate(_ value: Double) -> String {
    value.isFinite && value == value.rounded() ? fixed(value, 0) : number(value, digits: 4)
  }

  static func count(_ value: Int) -> String { fixed(Double(value), 0) }

  static func milliseconds(_ value: Double) -> String { value.isFinite ? number(value) + "\u{A0}ms" : "–" }

  /// Returns a fraction, 0…1, in percent: `48 %`, `0.6 %`.
  static func percent(_ part: Double) -> String {
    guard part.isFinite else { return "–" }
    let percent = part * 100
    return fixed(percent, abs(percent) < 0.95 && percent != 0 ? 1 : 0) + "\u{A0}%"
  }

  /// Escapes text for HTML and SVG, in content and in quoted attributes. Control characters, which neither may
  /// contain, are replaced by their pictures; those that change the writing direction, by a mark.
  static func escaped(_ text: String) -> String {
    var out = ""
    out.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: out += "&amp;"
      case 0x3C: out += "&lt;"
      case 0x3E: out += "&gt;"
      case 0x22: out += "&quot;"
      case 0x27: out += "&#39;"
      case 0x0A: out += "\n"
      case 0..<0x20: out.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
      case 0x7F: out += "\u{2421}"
      case 0x80..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF: out += "\u{FFFD}"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  /// Returns the approximate width of a text, in the units of its size: for keeping labels apart, estimated for
  /// the wider of the common fonts.
  static func width(_ text: String, size: Double = 12) -> Double {
    var units = 0.0
    for scalar in text.unicodeScalars {
      switch scalar {
      case "i", "l", "I", "j", "f", "t", "r", ".", ",", ":", ";", "'", "|", "!", "(", ")", " ", "\u{A0}", "·":
        units += 0.36
      case "m", "w", "M", "W", "%", "@", "×", "→", "≤": units += 0.9
      case "A"..."Z": units += 0.68
      case _ where scalar.value >= 0x1100: units += 1.05
      default: units += 0.58
      }
    }
    return units * size
  }

  /// Breaks a text into lines no wider than `limit`, between words, and within words that are too long for a line:
  /// after a mark that joins parts of a name, if there is one in the second half of the line.
  static func lines(_ text: String, to limit: Double, size: Double = 12) -> [String] {
    var lines: [String] = []
    var line = ""
    func fits(_ text: String) -> Bool { width(text, size: size) <= limit }
    for word in text.split(separator: " ").map(String.init) {
      if line.isEmpty ? fits(word) : fits(line + " " + word) {
        line += (line.isEmpty ? "" : " ") + word
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = ""
      for character in word {
        if !line.isEmpty, !fits(line + String(character)) {
          let half = line.index(line.startIndex, offsetBy: line.count / 2)
          let mark = line[half...].lastIndex { "_-./".contains($0) }
          let end = mark.map { line.index(after: $0) } ?? line.endIndex
          lines.append(String(line[..<end]))
          line.removeSubrange(..<end)
        }
        line.append(character)
      }
    }
    return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
  }

  /// Returns the beginning of a text, no wider than `limit`, with an ellipsis if it was cut.
  static func cut(_ text: String, to limit: Double, size: Double = 12) -> String {
    guard width(text, size: size) > limit else { return text }
    var kept = ""
    for character in text {
      guard width(kept + String(character) + "…", size: size) <= limit else { break }
      kept.append(character)
    }
    while kept.last == " " { kept.removeLast() }
    return kept + "…"
  }
}
